/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Real outputs of stress-ng, iostat and btt, read in place: REGIO_CORPUS, else ../shared/corpus;
 * its index.tsv says what is in them. */
#include "collect.h"

#include <ctype.h>

static char *corpus_path(const char *name)
{
	const char *corpus = getenv("REGIO_CORPUS");
	const char *root = getenv("REGIO_SOURCE_ROOT");

	if (corpus)
		return xasprintf("%s/%s", corpus, name);
	return xasprintf("%s/../shared/corpus/%s", root ? root : ".", name);
}

/* Keys of the index, as metrics of the subject named before them. */
static const struct key_row {
	const char *key, *format; /* of the metric; %s is the subject */
	double scale;
} keys[] = {
	{ "bogo_ops", "%s.ops", 1 },	      { "ops_per_sec_real", "%s.ops_per_sec", 1 },
	{ "cpu_pct", "%s.cpu_percent", 1 },   { "rss_kb", "%s.rss_max_bytes", 1024 },
	{ "avg", "btt.%s_ns.mean", 1e9 },     { "N", "btt.%s.count", 1 },
	{ "D2C", "btt.8:16.D2C_percent", 1 },
};

static void check_number(const struct result *result, const char *subject, const char *key,
			 double value)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const char *subject_at = strstr(keys[i].format, "%s");
		CLEANUP(free) char *name = NULL;

		if (strcmp(key, keys[i].key) != 0)
			continue;
		name = subject_at ? xasprintf("%.*s%s%s", (int)(subject_at - keys[i].format),
					      keys[i].format, subject, subject_at + 2)
				  : xstrdup(keys[i].format);
		assert_given(&result->given, name, value * keys[i].scale);
		return;
	}
	fail_msg("the index has an unknown key '%s'", key);
}

/* "flock ops_per_sec_real=2860967.69 cpu_pct=226.75; pipe 22938940.74" */
static unsigned check_words(const struct result *result, char *expected)
{
	char subject[64] = "";
	unsigned nr = 0;

	for (char *save, *word = strtok_r(expected, " ;", &save); word;
	     word = strtok_r(NULL, " ;", &save)) {
		char *equals = strchr(word, '=');

		if (equals) {
			*equals = '\0';
			check_number(result, subject, word, strtod(equals + 1, NULL));
			nr++;
		} else if (isdigit((unsigned char)*word)) {
			check_number(result, subject, "ops_per_sec_real", strtod(word, NULL));
			nr++;
		} else if (strcmp(word, "s") != 0) {
			(void)snprintf(subject, sizeof(subject), "%s", word);
		}
	}
	return nr;
}

static unsigned check_file(const char *name, char *expected)
{
	CLEANUP(free) char *path = corpus_path(name);
	CLEANUP(collect) struct collect collect = collect_file(path);
	const struct result *result = collect.results.items;

	if (collect.ret < 0)
		fail_msg("%s", collect.err.msg);
	assert_int_equal(collect.results.nr, 1);
	if (!strcmp(expected, "no metrics; fail line")) {
		assert_int_equal(result->given.nr, 0);
		assert_true(has_note(result, NOTE_JOB_ERROR, "SIGABRT"));
		return 1;
	}
	if (!strcmp(expected, "-")) {
		assert_true(result->given.nr > 0);
		return 1;
	}
	return check_words(result, expected);
}

static void test_files_of_the_index(void **state)
{
	CLEANUP(free) char *path = corpus_path("index.tsv");
	CLEANUP(strbuf) struct strbuf index = STRBUF_INIT;
	unsigned nr_files = 0, nr_checked = 0;

	(void)state;
	if (file_read(path, 1U << 20, &index, NULL) < 0)
		test_skip("no corpus (REGIO_CORPUS, default ../shared/corpus)");
	for (char *save, *line = strtok_r(index.buf, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		char *expected = strrchr(line, '\t');
		size_t len = strcspn(line, "\t");

		if (strncmp(line, "other/", 6) != 0 || !expected)
			continue;
		line[len] = '\0';
		nr_checked += check_file(line, expected + 1);
		nr_files++;
	}
	assert_int_equal(nr_files, 8);
	assert_int_equal(nr_checked, 3 + 2 + 1 + 3 + 1 + 1 + 3 + 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files_of_the_index),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
