/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Real outputs of fio from bug reports, in a folder outside the tree: REGIO_CORPUS, else
 * ../shared/corpus. Its index.tsv says what is in them; ../seeds beside it holds whole reports. */
#include "collect.h"

#include <ctype.h>

struct corpus_file {
	char name[128];
	const char *expected; /* last column of the index */
};

static char *corpus_path(const char *name)
{
	const char *corpus = getenv("REGIO_CORPUS");
	const char *root = getenv("REGIO_SOURCE_ROOT");

	if (corpus)
		return xasprintf("%s/%s", corpus, name);
	return xasprintf("%s/../shared/corpus/%s", root ? root : ".", name);
}

/* "125k", "46.9MiB/s", "254727KB/s", "3144Mbit/s": as fio means it. */
static double printed_value(const char *text)
{
	static const struct {
		const char *suffix;
		double scale;
	} suffixes[] = { { "KiB", 1024 }, { "MiB", 1024. * 1024 }, { "GiB", 1024. * 1024 * 1024 },
			 { "KB", 1024 },  { "MB", 1024. * 1024 },  { "Mbit", 1e6 / 8 },
			 { "k", 1e3 } };
	char *end;
	double value = strtod(text, &end);

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		if (!strncmp(end, suffixes[i].suffix, strlen(suffixes[i].suffix)))
			return value * suffixes[i].scale;
	}
	return value;
}

struct checker {
	const struct collect *got;
	const char *file;
	const struct result *result;
	const struct job_result *job;
	char dir[8];
	unsigned nr_checked;
};

static void check_metric(struct checker *checker, const char *name, double expected)
{
	double value = given_value(&checker->job->given, name);

	if (!(fabs(value - expected) <= 1e-9 * fabs(expected)))
		fail_msg("%s: %s is %.12g instead of %.12g", checker->file, name, value, expected);
	checker->nr_checked++;
}

/* "clat_mean_us", "p99_ms", "lat_p99_us": kind, statistic, unit. */
static void check_latency(struct checker *checker, const char *key, double value)
{
	const char *unit = strrchr(key, '_') + 1;
	double scale = *unit == 'u' ? 1e3 : *unit == 'm' ? 1e6 : 1;
	const char *kind = !strncmp(key, "slat", 4)  ? "slat"
			   : !strncmp(key, "lat", 3) ? "lat"
						     : "clat";
	CLEANUP(free)
	char *name =
		xasprintf("%s.%s_ns.%s", checker->dir, kind, strstr(key, "mean") ? "mean" : "p99");

	check_metric(checker, name, value * scale);
}

static void check_pair(struct checker *checker, const char *key, const char *text)
{
	double value = printed_value(text);
	CLEANUP(free) char *name = NULL;

	if (strstr(key, ".iops")) {
		(void)snprintf(checker->dir, sizeof(checker->dir), "%.*s", (int)strcspn(key, "."),
			       key);
		check_metric(checker, key, value);
	} else if (!strcmp(key, "bw")) {
		name = xasprintf("%s.bw_bytes_per_sec", checker->dir);
		check_metric(checker, name, value);
	} else if (!strcmp(key, "io")) {
		name = xasprintf("%s.io_bytes", checker->dir);
		check_metric(checker, name, value);
	} else if (!strcmp(key, "runtime_ms")) {
		name = xasprintf("%s.runtime_ms", checker->dir);
		check_metric(checker, name, value);
	} else if (strstr(key, "p99_") || strstr(key, "mean_")) {
		check_latency(checker, key, value);
	} else if (!strcmp(key, "jobs")) {
		assert_true(checker->job->nr_clones == (unsigned)value);
	} else if (!strcmp(key, "g")) {
		assert_true(checker->job->group_id == (unsigned)value);
	} else if (!strcmp(key, "err") || !strcmp(key, "error")) {
		assert_true(checker->job->error == (int)value);
		checker->nr_checked++;
	} else if (!strcmp(key, "depth")) {
		check_metric(checker, "latency_target.depth", value);
	} else if (!strcmp(key, "interrupted")) {
		assert_true(checker->result->interrupted);
	} else if (!strcmp(key, "runs")) {
		assert_true(checker->got->results.nr == (size_t)value);
	} else if (!strcmp(key, "groups")) {
		assert_true(checker->result->nr_jobs == (size_t)value);
	}
}

/* "#2" is the second run of a file, or the second group of the only run. */
static void select_part(struct checker *checker, size_t nr)
{
	const struct collect *got = checker->got;

	checker->result = got->results.nr > 1 ? &got->results.items[nr - 1] : got->results.items;
	checker->job = got->results.nr > 1 ? checker->result->jobs : &checker->result->jobs[nr - 1];
}

static void check_words(struct checker *checker, const char *expected)
{
	CLEANUP(free) char *copy = xstrdup(expected);
	char *save = NULL;

	for (char *word = strtok_r(copy, " ;\n", &save); word;
	     word = strtok_r(NULL, " ;\n", &save)) {
		char *equals = strchr(word, '=');

		if (*word == '#') {
			select_part(checker, strtoul(word + 1, NULL, 10));
			continue;
		}
		/* "(=393MB/s)" repeats, "g=11 READ aggrb=" is about the last group. */
		if (!equals || *word == '(' || strstr(word, "aggrb") || !strcmp(word, "g=11"))
			continue;
		*equals = '\0';
		check_pair(checker, word, equals + 1);
	}
}

static void check_file(const struct corpus_file *file)
{
	CLEANUP(free) char *path = corpus_path(file->name);
	CLEANUP(collect) struct collect got = collect_file(path);
	struct checker checker = { .got = &got, .file = file->name };

	if (got.ret < 0)
		fail_msg("%s", got.err.msg);
	checker.result = got.results.items;
	checker.job = checker.result->jobs;
	check_words(&checker, file->expected);
	(void)printf("# %s: %zu results, %u values\n", file->name, got.results.nr,
		     checker.nr_checked);
	if (!checker.nr_checked && !strstr(file->expected, "no result block"))
		fail_msg("%s: nothing was compared", file->name);
}

/* The line moves on; false at the end of the index. */
static int next_file(const char **line, struct corpus_file *ret_file)
{
	while (**line) {
		const char *start = *line;
		size_t len = strcspn(start, "\n");
		const char *last = start + len;

		*line += len + (start[len] == '\n');
		while (last > start && last[-1] != '\t')
			last--;
		if (strncmp(start, "fio-text/", 9) != 0)
			continue;
		(void)snprintf(ret_file->name, sizeof(ret_file->name), "%.*s",
			       (int)strcspn(start, "\t"), start);
		ret_file->expected = last;
		return 1;
	}
	return 0;
}

static void test_index(void **state)
{
	CLEANUP(free) char *path = corpus_path("index.tsv");
	CLEANUP(strbuf) struct strbuf index = STRBUF_INIT;
	const char *line;
	struct corpus_file file;
	unsigned nr = 0;

	(void)state;
	if (!file_exists(path))
		test_skip("no corpus of reports here (REGIO_CORPUS)");
	assert_int_equal(file_read(path, 1U << 20, &index, NULL), 0);
	line = strbuf_str(&index);
	while (next_file(&line, &file)) {
		/* Its last column ends with the line. */
		CLEANUP(free)
		char *expected = xstrndup(file.expected, strcspn(file.expected, "\n"));

		file.expected = expected;
		check_file(&file);
		nr++;
	}
	assert_true(nr >= 20);
}

/* What the index says in words. */
static void test_words_of_the_index(void **state)
{
	CLEANUP(free) char *error_path = corpus_path("fio-text/t-smr-err121.txt");
	CLEANUP(free) char *empty_path = corpus_path("fio-text/t-smr-noio.txt");
	CLEANUP(free) char *cut_path = corpus_path("fio-text/t-nfs-psync336.txt");
	CLEANUP(free) char *groups_path = corpus_path("fio-text/t-ncb-12groups.txt");

	(void)state;
	if (!file_exists(error_path))
		test_skip("no corpus of reports here (REGIO_CORPUS)");
	CLEANUP(collect) struct collect error = collect_file(error_path);
	CLEANUP(collect) struct collect empty = collect_file(empty_path);
	CLEANUP(collect) struct collect cut = collect_file(cut_path);
	CLEANUP(collect) struct collect groups = collect_file(groups_path);
	const struct result *result = error.results.items;

	assert_given(&result->jobs[0].given, "write.total_ios", 8);
	assert_absent(&result->jobs[0].given, "write.iops");
	assert_absent(&result->given, "write.bw_bytes_per_sec");
	assert_non_null(strstr(result->jobs[0].error_where, "Remote I/O error"));
	assert_true(has_note(result, NOTE_JOB_ERROR, "121"));

	result = empty.results.items;
	assert_given(&result->given, "disk.sdd.read_ios", 0);
	assert_absent(&result->given, "read.iops");
	assert_true(has_note(result, NOTE_INPUT_INCOMPLETE, "zbc"));

	assert_int_equal(cut.results.nr, 3);
	result = &cut.results.items[2];
	assert_int_equal(result->given.nr, 0);
	assert_string_equal(result->label, "Running random_read test on /mnt/nfs/ds218/backups");
	assert_true(has_note(result, NOTE_INPUT_INCOMPLETE, "random_read"));

	result = groups.results.items;
	assert_absent(&result->jobs[0].given, "read.lat_ns.mean");
	assert_absent(&result->jobs[0].given, "read.lat_ns.max");
	assert_true(has_note(result, NOTE_NUMBER_REFUSED, "workload-4k-read"));
}

/* ---- reports ---- */

static void assert_lines(const struct given_list *given, const char *name, double value,
			 unsigned line)
{
	assert_given(given, name, value);
	assert_int_equal(given_find(given, name)->line, line);
}

static void test_multipath_report(void **state)
{
	static const char *const base = "6.8-rc7: 2 block devices with multi-path";
	static const char *const revert = "6.8-rc7+ Revert : 2 block devices with multi-path";
	CLEANUP(free) char *path = corpus_path("../seeds/mq-deadline-multipath-seqwrite.txt");

	(void)state;
	if (!file_exists(path))
		test_skip("no reports here (REGIO_CORPUS)");
	CLEANUP(collect) struct collect got = collect_file(path);
	const struct result *results = got.results.items;

	assert_int_equal(got.ret, 0);
	assert_int_equal(got.results.nr, 4);
	assert_string_equal(results[0].label, base);
	assert_string_equal(results[1].label, revert);
	assert_string_equal(results[2].label, base);
	assert_string_equal(results[3].label, revert);

	/* Sequential read: only the group status and a script's summary. */
	assert_lines(&results[0].given, "read.bw_bytes_per_sec", 448. * 1048576, 20);
	assert_lines(&results[0].given, "read.iops", 3582, 38);
	assert_lines(&results[0].given, "read.runtime_ms", 600311, 20);
	assert_given(&results[0].given, "disk.dm-1.read_merges", 642066);
	assert_given(&results[0].given, "disk.dm-1.aggr_read_ios", 287904);
	assert_given(&results[0].given, "disk.sdg.util_percent", 86.72);
	assert_given(&results[1].given, "read.iops", 3695);
	assert_given(&results[1].given, "read.bw_bytes_per_sec", 462. * 1048576);
	assert_true(has_note(&results[0], NOTE_INPUT_INCOMPLETE, "jobs"));

	/* Sequential write: quoted and wrapped. */
	assert_lines(&results[2].given, "write.iops", 1884, 128);
	assert_lines(&results[2].given, "write.bw_bytes_per_sec", 236. * 1048576, 128);
	assert_given(&results[2].given, "write.clat_ns.p99.99", 4329e6);
	assert_given(&results[2].given, "write.iops_samples.nr", 57259);
	assert_given(&results[2].given, "depth.ge64_percent", 199.5);
	assert_given(&results[2].given, "latency.ge2000ms_percent", 8.42);
	assert_given(&results[2].given, "sync.lat_ns.p99.95", 15680);
	assert_given(&results[2].given, "sync.total_ios", 1127994);
	assert_given(&results[2].given, "disk.dm-0.write_merges", 27056);
	assert_given(&results[3].given, "write.iops", 2518);
	assert_given(&results[3].given, "write.bw_bytes_per_sec", 315. * 1048576);
	assert_given(&results[3].given, "write.total_ios", 1511918);
	assert_string_equal(results[3].tool_version, "3.19");
	assert_string_equal(results[3].jobs[0].rw, "write");
	assert_int_equal(results[3].jobs[0].nr_clones, 48);
	assert_int_equal(results[3].jobs[0].iodepth, 64);
}

static void test_dm_cache_report(void **state)
{
	CLEANUP(free) char *path = corpus_path("../seeds/dm-cache-smq-randrw.txt");

	(void)state;
	if (!file_exists(path))
		test_skip("no reports here (REGIO_CORPUS)");
	CLEANUP(collect) struct collect got = collect_file(path);
	const struct result *results = got.results.items;

	assert_int_equal(got.ret, 0);
	assert_int_equal(got.results.nr, 2);
	assert_string_equal(results[0].label, "3.10/mq");
	assert_string_equal(results[1].label, "4.2/smq");
	assert_int_equal(results[0].nr_jobs, 4);
	assert_int_equal(results[1].nr_jobs, 4);
	assert_given(&results[0].jobs[0].given, "read.bw_bytes_per_sec", 3239.5 * 1024);
	assert_given(&results[0].jobs[0].given, "read.io_bytes", 12288. * 1048576);
	assert_given(&results[0].jobs[0].given, "read.iops", 50);
	assert_given(&results[0].jobs[0].given, "read.runtime_ms", 3884757);
	assert_given(&results[0].jobs[0].given, "write.total_ios", 157447);
	assert_given(&results[0].jobs[0].given, "read.clat_ns.p99", 162816e3);
	assert_given(&results[1].jobs[3].given, "write.bw_bytes_per_sec", 3087.5 * 1024);
	assert_given(&results[0].given, "read.bw_bytes_per_sec", 12956. * 1024);
	assert_given(&results[0].given, "write.bw_bytes_per_sec", 12359. * 1024);
	assert_given(&results[1].given, "read.bw_bytes_per_sec", 13418. * 1024);
	assert_given(&results[1].given, "write.bw_bytes_per_sec", 12337. * 1024);
	assert_given(&results[0].given, "read.iops", 4 * 196608 / 3884.757);
	assert_given(&results[0].given, "disk.dm-2.aggr_read_ios", 262147);
	/* 624 s in a run without such waits. */
	assert_absent(&results[0].jobs[0].given, "read.lat_ns.max");
	assert_absent(&results[0].jobs[0].given, "read.lat_ns.mean");
	assert_given(&results[0].jobs[0].given, "read.lat_ns.min", 213e3);
	assert_given(&results[0].jobs[0].given, "write.lat_ns.max", 496175e3);
	assert_true(has_note(&results[0], NOTE_NUMBER_REFUSED, "read.lat_ns"));
	assert_true(has_note(&results[0], NOTE_SYNC_ENGINE_DEPTH, "iodepth=32"));
	assert_true(has_note(&results[0], NOTE_SHARED_FILE, ""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_index),
		cmocka_unit_test(test_words_of_the_index),
		cmocka_unit_test(test_multipath_report),
		cmocka_unit_test(test_dm_cache_report),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
