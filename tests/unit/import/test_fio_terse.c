/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio's terse output: all versions against the JSON of the same run, disks, errors, and which lines
 * belong to one run. */
#include "collect.h"
#include "damage.h"

#define FOLDER "tests/data/import/fio-json/"

static char *fixture_text(const char *name)
{
	CLEANUP(free) char *path = xasprintf(FOLDER "%s", name);

	return source_text(path);
}

/* ---- against JSON ---- */

static int ends_with(const char *name, const char *end)
{
	size_t len = strlen(name);
	size_t end_len = strlen(end);

	return len >= end_len && !strcmp(name + len - end_len, end);
}

/* Step in which terse output prints a metric. */
static double step_of(const char *name, double value)
{
	if (strstr(name, "_ns.p") || ends_with(name, "_ns.min") || ends_with(name, "_ns.max"))
		return 1000; /* whole us */
	if (strstr(name, "_ns."))
		return 0.001;
	if (ends_with(name, ".iops"))
		return 1;
	if (ends_with(name, ".io_bytes") || strstr(name, "bw_bytes") || strstr(name, "bw_samples"))
		return 1024;
	if (strstr(name, "iops_samples"))
		return 1e-6;
	if (ends_with(name, "_percent"))
		return 0.1;
	return value * 1e-9;
}

/* ns buckets of the distribution are added to the first one of us. */
static int is_comparable(const char *name)
{
	return strcmp(name, "latency.2us_percent") != 0;
}

static void check_version(const char *version, const char *tool_version)
{
	CLEANUP(free) char *terse_name = xasprintf("terse-%s.txt", version);
	CLEANUP(free) char *json_name = xasprintf("terse-%s.json", version);
	CLEANUP(free) char *terse_text = fixture_text(terse_name);
	CLEANUP(free) char *json_text = fixture_text(json_name);
	CLEANUP(collect) struct collect terse = collect_good(terse_text);
	CLEANUP(collect) struct collect json = collect_good(json_text);
	const struct job_result *job = &terse.results.items[0].jobs[0];
	const struct job_result *want = &json.results.items[0].jobs[0];

	assert_int_equal(terse.results.nr, 1);
	assert_int_equal(terse.results.items[0].nr_jobs, 1);
	if (tool_version)
		assert_string_equal(terse.results.items[0].tool_version, tool_version);
	else
		assert_null(terse.results.items[0].tool_version);
	assert_string_equal(job->name, want->name);
	assert_string_equal(job->description, "one; two");
	assert_true(job->given.nr > 80);
	for (size_t i = 0; i < job->given.nr; i++) {
		const struct given_metric *metric = &job->given.items[i];
		double expected = given_value(&want->given, metric->name);
		double step = step_of(metric->name, expected);

		if (is_comparable(metric->name) && !(fabs(metric->value - expected) <= step))
			fail_msg("%s: %s is %.12g, JSON says %.12g", version, metric->name,
				 metric->value, expected);
	}
	if (strcmp(version, "v2") != 0) /* has no disks */
		assert_given(&terse.results.items[0].given, "disk.vda.read_ios",
			     given_value(&json.results.items[0].given, "disk.vda.read_ios"));
}

static void test_versions(void **state)
{
	(void)state;
	check_version("v2", NULL);
	check_version("v3", "3.33");
	check_version("v4", "3.33");
	check_version("v5", "3.33");
}

static void test_rounded(void **state)
{
	CLEANUP(free) char *text = fixture_text("terse-v3.txt");
	CLEANUP(collect) struct collect got = collect_good(text);

	(void)state;
	assert_true(has_note(&got.results.items[0], NOTE_ROUNDED,
			     "percentiles of read.clat_ns are in whole us"));
}

/* ---- lines made here ---- */

struct line {
	const char *name;
	unsigned group, error;
	double io_kib, runtime_ms; /* of reads */
	double clat_min_us, clat_max_us;
	const char *end; /* after the distribution: ";sda;.." */
};

/* Version 3, with what the fields of no interest are when nothing happened. */
static char *terse_line(const struct line *line)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_printf(&text,
		      "3;fio-2.1.11;%s;%u;%u;%.0f;%.0f;%.0f;%.0f;0;0;0.0;0.0;%.0f;%.0f;%f;1.0",
		      line->name, line->group, line->error, line->io_kib,
		      floor(line->io_kib * 1000 / line->runtime_ms),
		      floor(line->io_kib * 250 / line->runtime_ms), line->runtime_ms,
		      line->clat_min_us, line->clat_max_us, line->clat_max_us / 2);
	strbuf_printf(&text, ";50.000000%%=%.0f;99.000000%%=%.0f", line->clat_max_us / 2,
		      line->clat_max_us);
	for (int i = 0; i < 18; i++)
		strbuf_add_str(&text, ";0%=0");
	strbuf_add_str(&text, ";0;0;0.0;0.0;0;0;0.0%;0.0;0.0");	   /* lat, bw */
	strbuf_add_str(&text, ";0;0;0;0;0;0;0.0;0.0;0;0;0.0;0.0"); /* write */
	for (int i = 0; i < 20; i++)
		strbuf_add_str(&text, ";0%=0");
	strbuf_add_str(&text, ";0;0;0.0;0.0;0;0;0.0%;0.0;0.0");
	strbuf_add_str(&text, ";1.5%;2.5%;77;1;9"); /* cpu */
	for (int i = 0; i < 29; i++)
		strbuf_add_str(&text, ";0.0%");
	strbuf_add_str(&text, line->end ? line->end : "");
	strbuf_add_char(&text, '\n');
	return strbuf_take(&text);
}

static char *terse_lines(const struct line *lines, size_t nr)
{
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < nr; i++) {
		CLEANUP(free) char *line = terse_line(&lines[i]);

		strbuf_add_str(&text, line);
	}
	return strbuf_take(&text);
}

static struct collect collect_lines(const struct line *lines, size_t nr)
{
	CLEANUP(free) char *text = terse_lines(lines, nr);

	return collect_good(text);
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define SDA ";sda;1;2;3;4;5;6;7;8.5%"

static void test_fields(void **state)
{
	static const struct line line = {
		"a",
		2,
		5,
		4000,
		1001,
		3,
		90,
		";dm-0;10;20;30;40;50;60;70;80.5%;slaves;5;10;15;20;25;30;35;40.5%" SDA ";3;28;a;b"
	};
	CLEANUP(collect) struct collect got = collect_lines(&line, 1);
	const struct result *result = &got.results.items[0];
	const struct job_result *job = &result->jobs[0];

	(void)state;
	assert_string_equal(result->tool_version, "2.1.11");
	assert_int_equal(job->group_id, 2);
	assert_int_equal(job->error, 5);
	assert_true(has_note(result, NOTE_JOB_ERROR, "job 'a' ended with error 5"));
	assert_int_equal(job->nr_errors, 3);
	assert_string_equal(job->description, "a;b");
	assert_given(&job->given, "read.io_bytes", 4000 * 1024);
	assert_given(&job->given, "read.bw_bytes_per_sec", 4000 * 1024 * 1000.0 / 1001);
	assert_given(&job->given, "read.clat_ns.mean", 45000);
	assert_given(&job->given, "read.clat_ns.p99", 90000);
	assert_given(&job->given, "cpu.sys_percent", 2.5);
	assert_given(&job->given, "cpu.ctx", 77);
	assert_absent(&job->given, "read.slat_ns.mean");
	assert_absent(&job->given, "read.clat_ns.p0");
	assert_absent(&job->given, "write.iops");
	assert_given(&result->given, "disk.dm-0.write_ticks_ms", 60);
	assert_given(&result->given, "disk.dm-0.util_percent", 80.5);
	assert_given(&result->given, "disk.dm-0.aggr_read_ios", 5);
	assert_given(&result->given, "disk.dm-0.aggr_util_percent", 40.5);
	assert_given(&result->given, "disk.sda.in_queue_ms", 7);
}

/* A description alone, also one that looks like the beginning of a disk. */
static void test_description(void **state)
{
	static const struct line line = { "a", 0, 0, 4000, 1001, 3, 90, ";sda;1;2" };
	CLEANUP(collect) struct collect got = collect_lines(&line, 1);

	(void)state;
	assert_string_equal(got.results.items[0].jobs[0].description, "sda;1;2");
	assert_absent(&got.results.items[0].given, "disk.sda.read_ios");
}

/* Less than a us is printed as 0. */
static void test_below_us(void **state)
{
	static const struct line line = { "a", 0, 0, 4000, 1001, 0, 1, NULL };
	CLEANUP(collect) struct collect got = collect_lines(&line, 1);
	const struct given_list *given = &got.results.items[0].jobs[0].given;

	(void)state;
	assert_absent(given, "read.clat_ns.p50");
	assert_absent(given, "read.clat_ns.min");
	assert_given(given, "read.clat_ns.p99", 1000);
	assert_given(given, "read.clat_ns.mean", 500);
}

static void test_lies(void **state)
{
	static const struct line line = {
		"a", 0, 0, 4000, 1001, 3, 90, ";sda;1;2;3;4;5;18446744073709551000;7;8.5%"
	};
	static const struct line slow = { "b", 0, 0, 4000, 1001, 3, 3e9, NULL };
	CLEANUP(collect) struct collect got = collect_lines(&line, 1);
	CLEANUP(collect) struct collect too_slow = collect_lines(&slow, 1);

	(void)state;
	assert_true(has_note(&got.results.items[0], NOTE_NUMBER_REFUSED,
			     "field '18446744073709551000' went below zero"));
	assert_absent(&got.results.items[0].given, "disk.sda.write_ticks_ms");
	assert_given(&got.results.items[0].given, "disk.sda.in_queue_ms", 7);
	assert_true(has_note(&too_slow.results.items[0], NOTE_NUMBER_REFUSED,
			     "last longer than the run"));
	assert_absent(&too_slow.results.items[0].jobs[0].given, "read.clat_ns.max");
}

/* ---- runs ---- */

static void test_jobs_of_a_run(void **state)
{
	static const struct line lines[] = { { "a", 0, 0, 4000, 1001, 3, 90, SDA },
					     { "b", 1, 0, 8000, 2002, 3, 90, SDA } };
	CLEANUP(collect) struct collect got = collect_lines(lines, COUNT(lines));

	(void)state;
	assert_int_equal(got.results.nr, 1);
	assert_int_equal(got.results.items[0].nr_jobs, 2);
	assert_given(&got.results.items[0].given, "read.runtime_ms", 3003);
	assert_int_equal(got.results.items[0].notes.nr, 2); /* whole us, twice */
}

/* Clones that report for themselves have the same disks with the same counters. */
static void test_clones(void **state)
{
	static const struct line lines[] = { { "a", 0, 0, 4000, 1001, 3, 90, SDA },
					     { "a", 0, 0, 4400, 1000, 2, 95, SDA },
					     { "a", 0, 0, 4100, 1002, 3, 91, SDA } };
	CLEANUP(collect) struct collect got = collect_lines(lines, COUNT(lines));

	(void)state;
	assert_int_equal(got.results.nr, 1);
	assert_int_equal(got.results.items[0].nr_jobs, 3);
	assert_given(&got.results.items[0].given, "read.io_bytes", 12500 * 1024);
}

/* Other counters of the disk: other runs. */
static void test_repeats(void **state)
{
	static const struct line lines[] = {
		{ "a", 0, 0, 4000, 1001, 3, 90, SDA },
		{ "a", 0, 0, 4400, 1000, 2, 95, ";sda;2;2;3;4;5;6;7;8.5%" },
		{ "a", 0, 0, 4000, 1200, 2, 95, ";sda;3;2;3;4;5;6;7;8.5%" },
	};
	CLEANUP(collect) struct collect got = collect_lines(lines, COUNT(lines));

	(void)state;
	assert_int_equal(got.results.nr, 3);
	assert_false(has_note(&got.results.items[2], NOTE_INPUT_AMBIGUOUS, ""));
	assert_int_equal(got.results.items[1].source_line, 2);
}

/* The same amount of I/O in more time. */
static void test_slower_repeat(void **state)
{
	static const struct line lines[] = { { "a", 0, 0, 4000, 1001, 3, 90, NULL },
					     { "a", 0, 0, 4000, 2000, 3, 95, NULL } };
	CLEANUP(collect) struct collect got = collect_lines(lines, COUNT(lines));

	(void)state;
	assert_int_equal(got.results.nr, 2);
}

/* Without disks nothing tells them from clones. */
static void test_unclear_repeats(void **state)
{
	static const struct line lines[] = { { "a", 0, 0, 4000, 1001, 3, 90, NULL },
					     { "a", 0, 0, 4400, 1000, 2, 95, NULL } };
	CLEANUP(collect) struct collect got = collect_lines(lines, COUNT(lines));

	(void)state;
	assert_int_equal(got.results.nr, 2);
	assert_true(has_note(&got.results.items[0], NOTE_INPUT_AMBIGUOUS, "read as runs"));
	assert_true(has_note(&got.results.items[1], NOTE_INPUT_AMBIGUOUS, "read as runs"));
}

/* Everything grows: one run reports again and again. */
static void test_reports(void **state)
{
	static const struct line lines[] = {
		{ "a", 0, 0, 4000, 1001, 3, 90, NULL }, { "b", 0, 0, 2000, 1001, 3, 90, NULL },
		{ "a", 0, 0, 8100, 2001, 3, 95, NULL }, { "b", 0, 0, 4000, 2001, 2, 90, NULL },
		{ "a", 0, 0, 8200, 2010, 3, 95, NULL }, { "b", 0, 0, 4000, 2001, 2, 90, NULL },
	};
	CLEANUP(collect) struct collect got = collect_lines(lines, COUNT(lines));

	(void)state;
	assert_int_equal(got.results.nr, 1);
	assert_int_equal(got.results.items[0].nr_jobs, 2);
	assert_given(&got.results.items[0].jobs[0].given, "read.runtime_ms", 2010);
	assert_given(&got.results.items[0].jobs[1].given, "read.runtime_ms", 2001);
	assert_true(has_note(&got.results.items[0], NOTE_INPUT_AMBIGUOUS, "3 status reports"));
}

/* ---- damage ---- */

static void assert_same_values(const struct collect *got, const struct collect *want,
			       const char *what)
{
	const struct given_list *left, *right;

	if (got->ret < 0 || got->results.nr != want->results.nr)
		fail_msg("%s: %s, %zu results", what, got->err.msg, got->results.nr);
	left = &got->results.items[0].jobs[0].given;
	right = &want->results.items[0].jobs[0].given;
	if (left->nr != right->nr)
		fail_msg("%s: %zu metrics instead of %zu", what, left->nr, right->nr);
	for (size_t i = 0; i < right->nr; i++) {
		if (given_value(left, right->items[i].name) != right->items[i].value)
			fail_msg("%s: %s is %.12g instead of %.12g", what, right->items[i].name,
				 given_value(left, right->items[i].name), right->items[i].value);
	}
	assert_string_equal(got->results.items[0].jobs[0].name,
			    want->results.items[0].jobs[0].name);
}

static char *quoted(const char *text)
{
	return damage_quote(text, 4, "> ");
}

static char *wrapped(const char *text)
{
	return damage_wrap(text, 72);
}

static char *quoted_printable(const char *text)
{
	return damage_quoted_printable(text, 76);
}

static char *surrounded(const char *text)
{
	return damage_surround("These are the numbers;\n\n", text, "\nThanks; me\n");
}

static void test_damage(void **state)
{
	static char *(*const damages[])(const char *text) = {
		quoted,	     wrapped,	 quoted_printable, surrounded,	damage_html,
		damage_crlf, damage_bom, damage_ansi,	   damage_nbsp,
	};
	static const char *const versions[] = { "terse-v2.txt", "terse-v3.txt", "terse-v4.txt",
						"terse-v5.txt" };

	(void)state;
	for (size_t i = 0; i < COUNT(versions); i++) {
		CLEANUP(free) char *text = fixture_text(versions[i]);
		CLEANUP(collect) struct collect want = collect_good(text);

		for (size_t j = 0; j < COUNT(damages); j++) {
			CLEANUP(free) char *damaged = damages[j](text);
			CLEANUP(free) char *what = xasprintf("%s, damage %zu", versions[i], j);
			CLEANUP(collect)
			struct collect got = collect_text("mail.txt", damaged, strlen(damaged));

			assert_same_values(&got, &want, what);
		}
	}
}

/* No other importer is asked. */
static struct collect collect_as_terse(const char *text, size_t len)
{
	static const struct import_options options = { .format = "fio-terse" };
	struct collect collect = { .ret = 0 };
	const struct import_sink sink = { .deliver = collect_deliver, .context = &collect };

	collect.ret = import_text("mail.txt", text, len, &options, &sink, &collect.err);
	return collect;
}

static void check_cut(const struct collect *want, const char *text, size_t len)
{
	CLEANUP(collect) struct collect got = collect_as_terse(text, strlen(text));
	const struct given_list *given;

	if (got.ret < 0) {
		assert_int_equal(strncmp(got.err.msg, "mail.txt:1: ", 12), 0);
		return;
	}
	if (!has_note(&got.results.items[0], NOTE_INPUT_INCOMPLETE, "is cut"))
		fail_msg("cut at %zu: no note", len);
	given = &got.results.items[0].jobs[0].given;
	for (size_t i = 0; i < given->nr; i++) {
		const char *name = given->items[i].name;
		double value = given_value(&want->results.items[0].jobs[0].given, name);
		double step = strstr(name, "bw_bytes") ? 1024 : 0;

		/* Without the runtime the bandwidth is as coarse as it is printed. */
		if (!(fabs(given->items[i].value - value) <= step))
			fail_msg("cut at %zu: %s is %.12g instead of %.12g", len, name,
				 given->items[i].value, value);
	}
}

/* Cut at each byte: what is read is whole, and a note says that fields are missing. */
static void check_cuts(const char *name)
{
	CLEANUP(free) char *text = fixture_text(name);
	CLEANUP(collect) struct collect want = collect_good(text);
	size_t disks = (size_t)(strstr(text, ";vda") - text);

	for (size_t len = 1; len < strlen(text) - 1; len++) {
		CLEANUP(free) char *copy = xasprintf("%.*s", (int)len, text);
		CLEANUP(free) char *line = xasprintf("%.*s\nBye\n", (int)len, text);

		check_cut(&want, copy, len);
		/* In the middle of a text the disks may be there or not. */
		if (len < disks)
			check_cut(&want, line, len);
	}
}

static void test_cuts(void **state)
{
	(void)state;
	check_cuts("terse-v4.txt");
	check_cuts("terse-v5.txt");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_rounded),
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_description),
		cmocka_unit_test(test_lies),
		cmocka_unit_test(test_jobs_of_a_run),
		cmocka_unit_test(test_clones),
		cmocka_unit_test(test_repeats),
		cmocka_unit_test(test_unclear_repeats),
		cmocka_unit_test(test_slower_repeat),
		cmocka_unit_test(test_below_us),
		cmocka_unit_test(test_reports),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_cuts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
