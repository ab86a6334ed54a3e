/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Real JSON of fio, in a folder outside the source tree: REGIO_CORPUS, else ../shared/corpus. Its
 * index.tsv says what a reader must find. */
#include "collect.h"

static char *corpus_path(const char *name)
{
	const char *corpus = getenv("REGIO_CORPUS");
	const char *root = getenv("REGIO_SOURCE_ROOT");

	if (corpus)
		return xasprintf("%s/%s", corpus, name);
	return xasprintf("%s/../shared/corpus/%s", root ? root : ".", name);
}

/* How a word of the index is compared with a metric. */
static const struct word {
	const char *key, *rest;
	double scale;	 /* of the index */
	double decimals; /* step in which the index is rounded, in its unit; 0 = exact */
	int is_floor;	 /* the index cuts instead of rounding */
} words[] = {
	{ "iops", "iops", 1, 0.01, 0 },
	{ "bw_bytes", "bw_bytes_per_sec", 1, 0, 0 },
	{ "bw_kib", "bw_bytes_per_sec", 1024, 1, 1 },
	{ "io_bytes", "io_bytes", 1, 0, 0 },
	{ "runtime_ms", "runtime_ms", 1, 0, 0 },
	{ "clat_mean_ns", "clat_ns.mean", 1, 0.01, 0 },
	{ "clat_mean_us", "clat_ns.mean", 1000, 0.01, 0 },
	{ "p99_ns", "clat_ns.p99", 1, 0, 0 },
	{ "p99_us", "clat_ns.p99", 1000, 0, 0 },
};

static void check_metric(const char *file, const struct given_list *given, const char *dir,
			 const struct word *word, double expected)
{
	CLEANUP(free) char *name = xasprintf("%s.%s", dir, word->rest);
	double value = given_value(given, name) / word->scale;
	double step = word->decimals > 0 ? word->decimals : 1e-9 * expected;
	int is_equal = word->is_floor ? floor(value / step) * step == expected
				      : fabs(value - expected) <= step * 0.5001;

	if (!is_equal)
		fail_msg("%s: %s is %.12g instead of %.12g", file, name, value, expected);
}

/* "#2 write bw_kib=39312 iops=2457.02; read .." against the jobs of a result. */
static unsigned check_words(const char *file, const struct result *result, const char *expected)
{
	CLEANUP(free) char *copy = xstrdup(expected);
	char *rest = copy;
	char *word;
	const char *dir = NULL;
	size_t job = 0;
	unsigned nr_checked = 0;

	while ((word = strsep(&rest, " ;"))) {
		char *value = strchr(word, '=');

		if (*word == '#')
			job = strtoul(word + 1, NULL, 10) - 1;
		if (!strcmp(word, "read") || !strcmp(word, "write"))
			dir = strcmp(word, "read") ? "write" : "read";
		if (!value || !dir)
			continue;
		*value++ = '\0';
		assert_true(job < result->nr_jobs);
		if (!strcmp(word, "error"))
			assert_int_equal(result->jobs[job].error, strtol(value, NULL, 10));
		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
			if (strcmp(word, words[i].key) != 0)
				continue;
			check_metric(file, &result->jobs[job].given, dir, &words[i],
				     strtod(value, NULL));
			nr_checked++;
		}
	}
	return nr_checked;
}

/* Cut after the nr-th document. */
static char *first_documents(const char *path, unsigned nr)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	struct err err = { .code = (enum err_code)0 };
	char *end;

	if (file_read(path, 1U << 20, &text, &err) < 0)
		fail_msg("%s", err.msg);
	end = text.buf;
	for (unsigned i = 0; i < nr; i++) {
		end = strstr(end, "\n}\n");
		assert_non_null(end);
		end += 3;
	}
	*end = '\0';
	return strbuf_take(&text);
}

/* Status reports of one run: the index has values of the first two, and the last one counts. */
static void check_reports(const char *path)
{
	CLEANUP(free) char *one = first_documents(path, 1);
	CLEANUP(free) char *two = first_documents(path, 2);
	CLEANUP(collect) struct collect first = collect_good(one);
	CLEANUP(collect) struct collect second = collect_good(two);
	CLEANUP(collect) struct collect all = collect_file(path);
	const struct given_list *given = &first.results.items[0].jobs[0].given;

	check_metric(path, given, "read", &words[0], 1002.26);
	assert_given(given, "read.runtime_ms", 885);
	assert_int_equal(second.results.nr, 1);
	assert_given(&second.results.items[0].jobs[0].given, "read.io_bytes", 7720960);
	assert_int_equal(all.results.nr, 1);
	assert_true(has_note(&all.results.items[0], NOTE_INPUT_AMBIGUOUS, "4 status reports"));
}

static void check_file(const char *name, const char *version, const char *expected)
{
	CLEANUP(free) char *path = corpus_path(name);
	CLEANUP(collect) struct collect got = { .ret = 0 };
	unsigned nr_checked;

	if (strstr(expected, "documents>=")) {
		check_reports(path);
		(void)printf("# %s: status reports\n", name);
		return;
	}
	got = collect_file(path);
	if (got.ret < 0)
		fail_msg("%s", got.err.msg);
	if (got.results.nr != 1)
		fail_msg("%s: %zu results", name, got.results.nr);
	assert_string_equal(got.results.items[0].tool_version, version);
	nr_checked = check_words(name, &got.results.items[0], expected);
	if (!nr_checked)
		fail_msg("%s: nothing was checked of '%s'", name, expected);
	if (strstr(expected, "incomplete"))
		assert_true(has_note(&got.results.items[0], NOTE_INPUT_INCOMPLETE, "is cut"));
	else
		assert_false(has_note(&got.results.items[0], NOTE_INPUT_INCOMPLETE, ""));
	(void)printf("# %s: %u values\n", name, nr_checked);
}

static void test_index(void **state)
{
	CLEANUP(free) char *path = corpus_path("index.tsv");
	CLEANUP(strbuf) struct strbuf index = STRBUF_INIT;
	struct err err = { .code = (enum err_code)0 };
	unsigned nr_files = 0;
	char *rest;
	char *line;

	(void)state;
	if (file_read(path, 16U << 20, &index, &err) < 0)
		test_skip(err.msg);
	rest = index.buf;
	while ((line = strsep(&rest, "\n"))) {
		char *file = strsep(&line, "\t");
		char *kind = strsep(&line, "\t");
		char *version = strsep(&line, "\t");

		if (!line || strcmp(kind, "fio-json") != 0)
			continue;
		check_file(file, version, strrchr(line, '\t') + 1);
		nr_files++;
	}
	assert_true(nr_files >= 15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_index),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
