/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the installed fio 3.33 with --output-format=json+,normal,terse, makes a result of the
 * numbers in its JSON, prints it with our writers and compares with fio's own output of the same
 * run, line by line and field by field. Differences that are allowed: versions; the last digit of
 * means and deviations, since JSON has them rounded; shares of latency buckets that a bound cuts
 * (output/fio_stat.h), which only the text is compared for; times of day in JSON.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/arena.h"
#include "base/child.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "capture.h"
#include "fio_json.h"
#include "model/job.h"
#include "model/result.h"
#include "output/output.h"
#include "test.h"

#define DATA_BYTES (16U << 20)
#define FIO_TIMEOUT_NS 60000000000U
#define MAX_ENTRIES 4

/* ---- comparison ---- */

static size_t bound_of(uint64_t ns)
{
	static const unsigned bounds[] = { 2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000 };
	size_t unit = ns < 1000 ? 0 : ns < 1000000 ? 1 : 2;
	uint64_t value = unit == 0 ? ns : unit == 1 ? ns / 1000 : ns / 1000000;
	size_t i = 0;

	while (i < (unit == 2 ? 11U : 9U) && value >= bounds[i])
		i++;
	return unit * 10 + i; /* msec has two more */
}

#define NR_BOUNDS 32

/* By how much each share may differ, in percent. */
static void lat_dist_slack(const struct job_result *job, double slack[NR_BOUNDS])
{
	double total = 0;

	for (size_t i = 0; i < NR_BOUNDS; i++)
		slack[i] = 0;
	for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
		const struct hist *hist = job->dir[dir].latency[LATENCY_CLAT].hist;

		total += (double)job->dir[dir].total_ios;
		for (size_t i = 0; hist && i + 1 < HIST_NR_BUCKETS; i++) {
			uint64_t half = hist_value(i + 1) - hist_value(i);
			size_t low = bound_of(hist_value(i) - half / 2);
			size_t high = bound_of(hist_value(i) + half - half / 2 - (half > 0));

			if (low == high)
				continue;
			slack[low] += (double)hist->counts[i] * 100;
			slack[high] += (double)hist->counts[i] * 100;
		}
	}
	for (size_t i = 0; i < NR_BOUNDS; i++)
		slack[i] = slack[i] / total + 0.011; /* shares below 0.01 % print as 0.01 % */
}

/* Adds the shares of a line "  lat (usec)   : 2=0.01%, 4=.."; false if it is another line. */
static bool take_lat_dist(const char *line, double shares[NR_BOUNDS])
{
	static const char *const units[] = { "  lat (nsec)   : ", "  lat (usec)   : ",
					     "  lat (msec)   : " };
	static const uint64_t unit_ns[] = { 1, 1000, 1000000 };

	for (size_t unit = 0; unit < 3; unit++) {
		if (strncmp(line, units[unit], strlen(units[unit])) != 0)
			continue;
		line += strlen(units[unit]);
		for (;;) {
			const char *equals = strchr(line, '=');
			bool is_top = *line == '>'; /* ">=2000=8.42%" */
			char *end;
			uint64_t bound = strtoull(line + 2 * is_top, &end, 10);
			size_t index =
				is_top ? NR_BOUNDS - 1 : bound_of((bound - 1) * unit_ns[unit]);

			if (is_top)
				equals = end;
			assert_int_equal(*end, '=');
			assert_true(index < NR_BOUNDS);
			shares[index] = strtod(equals + 1, &end);
			assert_int_equal(*end, '%');
			if (!end[1])
				return true;
			line = end + 3;
		}
	}
	return false;
}

static bool is_derived(const char *text)
{
	return !strncmp(text, "avg=", 4) || !strncmp(text, "stdev=", 6);
}

static bool lines_match(const char *a, const char *b)
{
	while (*a && *b) {
		if (is_derived(a) && is_derived(b)) {
			char *end_a, *end_b;
			double value_a, value_b;

			if (*a != *b)
				return false;
			value_a = strtod(strchr(a, '=') + 1, &end_a);
			value_b = strtod(strchr(b, '=') + 1, &end_b);
			if (fabs(value_a - value_b) > 0.0101 + 1e-6 * fabs(value_a))
				return false;
			a = end_a;
			b = end_b;
			continue;
		}
		if (*a++ != *b++)
			return false;
	}
	return *a == *b;
}

static char *next_line(char **text)
{
	char *line = *text;

	if (!*line)
		return NULL;
	*text = line + strcspn(line, "\n");
	if (**text)
		*(*text)++ = '\0';
	return line;
}

/* The next line that is no distribution; those before it go into shares. */
static char *next_plain_line(char **text, double shares[NR_BOUNDS])
{
	char *line = next_line(text);

	while (line && take_lat_dist(line, shares))
		line = next_line(text);
	return line;
}

static void compare_shares(double fio[NR_BOUNDS], double ours[NR_BOUNDS],
			   const struct job_result *job)
{
	double slack[NR_BOUNDS];

	lat_dist_slack(job, slack);
	for (size_t i = 0; i < NR_BOUNDS; i++) {
		if (fabs(fio[i] - ours[i]) > slack[i])
			fail_msg("job '%s', bound %zu: fio %.2f%%, we %.2f%%, allowed %.2f",
				 job->name, i, fio[i], ours[i], slack[i]);
		fio[i] = ours[i] = 0;
	}
}

static size_t compare_text(char *fio, char *ours, const struct result *result)
{
	double fio_shares[NR_BOUNDS] = { 0 };
	double our_shares[NR_BOUNDS] = { 0 };
	size_t nr_blocks = 0, nr_lines = 0;

	for (;;) {
		char *fio_line = next_plain_line(&fio, fio_shares);
		char *our_line = next_plain_line(&ours, our_shares);

		if (!fio_line && !our_line)
			break;
		if (!fio_line || !our_line || !lines_match(fio_line, our_line))
			fail_msg("line %zu: fio '%s', we '%s'", nr_lines,
				 fio_line ? fio_line : "(end)", our_line ? our_line : "(end)");
		if (strstr(our_line, "latency   : target="))
			compare_shares(fio_shares, our_shares, &result->jobs[nr_blocks++]);
		nr_lines++;
	}
	assert_int_equal(nr_blocks, result->nr_jobs);
	return nr_lines;
}

/* ---- JSON and terse ---- */

/* Two words of which both are numbers, or both the same. */
static bool words_match(const char *a, const char *b, double slack)
{
	char *end_a, *end_b;
	double value_a = strtod(a, &end_a);
	double value_b = strtod(b, &end_b);

	if (end_a == a || end_b == b)
		return strcmp(a, b) == 0;
	return fabs(value_a - value_b) <= slack + 1e-6 * fabs(value_a) && !strcmp(end_a, end_b);
}

static bool starts_with_key(const char *line, const char *key)
{
	line += strspn(line, " ");
	return *line == '"' && !strncmp(line + 1, key, strlen(key));
}

static const char *value_of_line(const char *line)
{
	const char *colon = strstr(line, "\" : ");

	return colon ? colon + 4 : line;
}

/* "4" or ">=64": a share, of which the JSON that the counts are made of has raised some to 0.1. */
static bool is_share(const char *line)
{
	line += strspn(line, " \">=");
	return line[strspn(line, "0123456789")] == '"';
}

/* Same key behind the same indentation, and a value that matches. */
static bool json_lines_match(const char *a, const char *b)
{
	size_t key_len = (size_t)(value_of_line(a) - a);
	double slack = is_share(a) ? 0.7 : 0.0011;

	if ((size_t)(value_of_line(b) - b) != key_len || strncmp(a, b, key_len) != 0)
		return false;
	return words_match(a + key_len, b + key_len, slack);
}

/* fio looks at a job that has ended or is about to be reaped: 2147483647, or 0, by the moment. */
static bool is_eta_of_ended(const char *fio_line, const char *our_line)
{
	return starts_with_key(fio_line, "eta") && strstr(fio_line, ": 0,") &&
	       starts_with_key(our_line, "eta") && strstr(our_line, ": 2147483647,");
}

static char *next_json_line(char **text)
{
	static const char *const others[] = { "fio version", "regio version", "timestamp", "time\"",
					      "elapsed" };
	char *line = next_line(text);
	bool is_other = false;

	for (size_t i = 0; line && i < sizeof(others) / sizeof(others[0]); i++)
		is_other |= starts_with_key(line, others[i]);
	if (is_other)
		return next_json_line(text);
	if (line && (starts_with_key(line, "latency_ns") || starts_with_key(line, "latency_us") ||
		     starts_with_key(line, "latency_ms"))) {
		for (char *share = line; strchr(share, '}') == NULL; share = next_line(text))
			assert_non_null(share);
		return line;
	}
	return line;
}

static void compare_json(char *fio, char *ours)
{
	size_t nr_lines = 0;

	for (;; nr_lines++) {
		char *fio_line = next_json_line(&fio);
		char *our_line = next_json_line(&ours);

		if (!fio_line && !our_line)
			break;
		if (!fio_line || !our_line ||
		    (!json_lines_match(fio_line, our_line) && !is_eta_of_ended(fio_line, our_line)))
			fail_msg("JSON line %zu: fio '%s', we '%s'", nr_lines,
				 fio_line ? fio_line : "(end)", our_line ? our_line : "(end)");
	}
	assert_true(nr_lines > 200);
}

#define TERSE_FIRST_SHARE 158 /* fields of version 5, from 0 */
#define TERSE_NR_SHARES 22

static void compare_terse(char *fio, char *ours)
{
	for (size_t i = 0;; i++) {
		char *a = strsep(&fio, ";\n");
		char *b = strsep(&ours, ";\n");

		if (!a && !b)
			break;
		if (!a || !b)
			fail_msg("terse: field %zu: fio '%s', we '%s'", i, a ? a : "(end)",
				 b ? b : "(end)");
		if (i == 1 || (i >= TERSE_FIRST_SHARE && i < TERSE_FIRST_SHARE + TERSE_NR_SHARES))
			continue;
		/* whole us of a rounded JSON, shares with one digit */
		if (!words_match(a, b, 0.011) &&
		    !(strchr(a, '%') && words_match(strchr(a, '%'), strchr(b, '%'), 0)))
			fail_msg("terse: field %zu: fio '%s', we '%s'", i, a, b);
	}
}

static void compare_terse_lines(char *fio, char *ours)
{
	for (;;) {
		char *a = next_line(&fio);
		char *b = next_line(&ours);

		if (!a && !b)
			break;
		assert_true(a && b);
		compare_terse(a, b);
	}
}

static char *print_as(const char *format, const struct result *result)
{
	struct capture capture;

	capture_start(&capture);
	assert_int_equal(output_find(format)->result(result, capture.to, NULL), 0);
	return capture_end(&capture);
}

/* ---- running fio ---- */

struct cross_case {
	const char *name;
	const char *options; /* of fio, behind the common ones */
	unsigned kb_base;
	struct job jobs[MAX_ENTRIES]; /* what the header shows */
	size_t nr_jobs;
	size_t nr_clones;
	size_t min_lines; /* the text had at least so many, distributions aside */
};

static const char *why_not(void)
{
	CLEANUP(child_result) struct child_result version = CHILD_RESULT_INIT;
	const struct child_spec spec = { .argv = (const char *const[]){ "fio", "--version", NULL },
					 .timeout_ns = FIO_TIMEOUT_NS };

	if (child_run(&spec, &version, NULL) != 0 || version.exit_status != 0)
		return "fio is not installed";
	if (strncmp(strbuf_str(&version.out), "fio-3.33", 8) != 0)
		return "the installed fio is not 3.33, whose text this is";
	return NULL;
}

static void make_data(const char *dir)
{
	CLEANUP(free) char *path = xasprintf("%s/data", dir);
	CLEANUP(free) char *zeros = xcalloc(1, DATA_BYTES);

	assert_int_equal(file_write_atomic(path, zeros, DATA_BYTES, 0600, NULL), 0);
}

static void remove_data(const char *dir)
{
	CLEANUP(free) char *path = xasprintf("%s/data", dir);

	(void)unlink(path);
	(void)rmdir(dir);
}

/* What fio printed, or an empty string when it could not run the job (an engine is missing). */
static char *run_fio(const struct cross_case *c, const char *dir)
{
	CLEANUP(child_result) struct child_result fio = CHILD_RESULT_INIT;
	CLEANUP(free)
	char *command = xasprintf("exec fio --output-format=json+,normal,terse --terse-version=5 "
				  "--thread --randrepeat=1 "
				  "--allow_file_create=0 --eta=never %s",
				  c->options);
	const struct child_spec spec = { .shell = command,
					 .dir = dir,
					 .timeout_ns = FIO_TIMEOUT_NS };
	struct err err = { .code = (enum err_code)0 };

	if (child_run(&spec, &fio, &err) != 0)
		fail_msg("%s", err.msg);
	if (fio.exit_status != 0) {
		(void)printf("# fio: exit status %d\n", fio.exit_status);
		return xstrdup("");
	}
	return strbuf_take(&fio.out);
}

static void parse_json(const char *json, const struct cross_case *c, struct result *result)
{
	json_t *root = json_loads(json, JSON_DISABLE_EOF_CHECK, NULL);
	const char *key;
	size_t i;
	json_t *item;

	assert_non_null(root);
	json_object_foreach(json_object_get(root, "global options"), key, item)
	{
		result_add_global_option(result, key, json_string_value(item));
	}
	json_array_foreach(json_object_get(root, "jobs"), i, item)
	{
		struct job_result *job = result_add_job(result);

		job->kb_base = c->kb_base;
		fill_job(item, job);
	}
	json_array_foreach(json_object_get(root, "disk_util"), i, item) fill_disk(item, result);
	json_decref(root);
}

static void compare_header(const char *fio, const struct cross_case *c)
{
	struct job_set set = { .jobs = (struct job *)c->jobs,
			       .nr = c->nr_jobs,
			       .nr_clones = c->nr_clones };
	CLEANUP(free) char *ours = NULL;
	struct capture capture;

	capture_start(&capture);
	assert_int_equal(output_find("normal")->run_header(&set, capture.to, NULL), 0);
	ours = capture_end(&capture);
	for (const char *line = ours; *line;) {
		size_t len = strcspn(line, "\n") + 1;

		if (strncmp(line, "regio-", 6) == 0)
			assert_int_equal(strncmp(fio, "fio-3.33", 8), 0);
		else if (strncmp(line, fio, len) != 0)
			fail_msg("header: fio '%.*s', we '%.*s'", (int)strcspn(fio, "\n"), fio,
				 (int)(len - 1), line);
		line += len;
		fio += strcspn(fio, "\n") + 1;
	}
}

static void run_case(const struct cross_case *c)
{
	char dir[] = "/tmp/regio-cross-XXXXXX";
	CLEANUP(result) struct result result = { .label = NULL };
	CLEANUP(free) char *fio = NULL;
	CLEANUP(free) char *ours = NULL;
	CLEANUP(free) char *our_json = NULL;
	CLEANUP(free) char *our_terse = NULL;
	const char *reason = why_not();
	char *json, *text, *terse;
	size_t nr_lines;

	if (reason)
		test_skip(reason);
	assert_non_null(mkdtemp(dir));
	make_data(dir);
	fio = run_fio(c, dir);
	remove_data(dir);
	if (!*fio)
		test_skip("fio could not run the job");

	json = strstr(fio, "\n{\n");
	text = strstr(fio, "\n}\n");
	terse = strstr(fio, "\n5;fio-3.33;");
	assert_true(json && text && terse && terse < json);
	parse_json(json, c, &result);
	text += 3;
	text[-1] = json[0] = '\0';
	fill_from_job_lines(text, &result);
	compare_header(fio, c);

	ours = print_as("normal", &result);
	our_json = print_as("json+", &result);
	our_terse = print_as("terse5", &result);
	compare_json(json + 1, our_json);
	compare_terse_lines(terse + 1, our_terse);
	nr_lines = compare_text(text, ours, &result);
	if (nr_lines < c->min_lines)
		fail_msg("only %zu lines compared", nr_lines);
}

#define JOB(name_, rw_, engine, depth, group, clones, kb, bs)                                      \
	{                                                                                          \
		.name = (name_), .rw = (rw_), .ioengine = (engine), .iodepth = (depth),            \
		.group_id = (group), .nr_clones = (clones), .kb_base = (kb),                       \
		.bs_min_bytes = { (bs), (bs), (bs) }, .bs_max_bytes = {                            \
			(bs),                                                                      \
			(bs),                                                                      \
			(bs)                                                                       \
		}                                                                                  \
	}

static const struct cross_case cases[] = {
	{ .name = "psync",
	  .options = "--name=a --filename=data --size=16m --bs=4k --rw=randread --ioengine=psync "
		     "--time_based --runtime=1 --description='one job'",
	  .kb_base = 1024,
	  .jobs = { JOB("a", RW_READ | RW_RANDOM, "psync", 1, 0, 1, 1024, 4096) },
	  .nr_jobs = 1,
	  .nr_clones = 1,
	  .min_lines = 20 },
	{ .name = "libaio",
	  .options = "--name=rr --filename=data --size=16m --bs=4k --rw=randrw --ioengine=libaio "
		     "--iodepth=8 --numjobs=2 --group_reporting --fsync=32 --slat_percentiles=1 "
		     "--clat_percentiles=1 --lat_percentiles=1 --percentile_list=50:90.50:99:99.9 "
		     "--time_based --runtime=1",
	  .kb_base = 1024,
	  .jobs = { JOB("rr", RW_READ | RW_WRITE | RW_RANDOM, "libaio", 8, 0, 2, 1024, 4096) },
	  .nr_jobs = 1,
	  .nr_clones = 2,
	  .min_lines = 40 },
	{ .name = "two groups",
	  .options = "--kb_base=1000 --filename=data --size=16m --bs=65536 --ioengine=psync "
		     "--name=r --rw=read --numjobs=2 --time_based --runtime=1 "
		     "--name=w --rw=write --stonewall --new_group --number_ios=100",
	  .kb_base = 1000,
	  .jobs = { JOB("r", RW_READ, "psync", 1, 0, 2, 1000, 65536),
		    JOB("w", RW_WRITE, "psync", 1, 1, 1, 1000, 65536) },
	  .nr_jobs = 2,
	  .nr_clones = 3,
	  .min_lines = 50 },
	{ .name = "null",
	  .options = "--name=t --size=1g --bs=64k --rw=randtrim --ioengine=null --time_based "
		     "--runtime=1 --norandommap",
	  .kb_base = 1024,
	  .jobs = { JOB("t", RW_TRIM | RW_RANDOM, "null", 1, 0, 1, 1024, 65536) },
	  .nr_jobs = 1,
	  .nr_clones = 1,
	  .min_lines = 18 },
	{ .name = "few",
	  .options = "--name=f --filename=data --size=16m --bs=4k --rw=randrw --ioengine=psync "
		     "--number_ios=7",
	  .kb_base = 1024,
	  .jobs = { JOB("f", RW_READ | RW_WRITE | RW_RANDOM, "psync", 1, 0, 1, 1024, 4096) },
	  .nr_jobs = 1,
	  .nr_clones = 1,
	  .min_lines = 10 },
};

static void test_psync(void **state)
{
	(void)state;
	run_case(&cases[0]);
}

static void test_libaio_group_with_fsync(void **state)
{
	(void)state;
	run_case(&cases[1]);
}

static void test_two_groups_in_si_units(void **state)
{
	(void)state;
	run_case(&cases[2]);
}

static void test_null_trim(void **state)
{
	(void)state;
	run_case(&cases[3]);
}

static void test_few_ios(void **state)
{
	(void)state;
	run_case(&cases[4]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_psync),
		cmocka_unit_test(test_libaio_group_with_fsync),
		cmocka_unit_test(test_two_groups_in_si_units),
		cmocka_unit_test(test_null_trim),
		cmocka_unit_test(test_few_ios),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
