/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two real threads of the 0-day robot, read in place: every row of their tables is printed again
 * byte for byte, and the posted arrays give the verdicts that were worked out for them.
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare.h"
#include "analysis/lkp_compare.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "import/import.h"
#include "model/lkp_table.h"
#include "model/metric_alias.h"
#include "model/result.h"
#include "model/result_workload.h"
#include "output/lkp_text.h"
#include "stats/lkp.h"
#include "test.h"
#include "golden.h"

#define FIO_THREAD "wbt-btrfs-randread-lkp.txt"
#define AIOL_THREAD "plug-reorder-aiol-lkp-thread.txt"
#define MAX_BYTES (4U << 20)

struct results VEC_BODY(struct result);

static int keep(void *context, struct result *result, struct err *err)
{
	struct results *results = context;

	(void)err;
	vec_push(results, *result);
	*result = (struct result){ .label = NULL };
	return 0;
}

static void results_release(struct results *results)
{
	VEC_FOREACH (results, result)
		result_release(result);
	vec_release(results);
}

/* NULL if the seeds are not there. */
static char *seed_path(const char *name)
{
	const char *seeds = getenv("REGIO_SEEDS");
	const char *root = getenv("REGIO_SOURCE_ROOT");
	char *path = seeds ? xasprintf("%s/%s", seeds, name)
			   : xasprintf("%s/../shared/seeds/%s", root ? root : ".", name);

	if (!file_exists(path)) {
		free(path);
		return NULL;
	}
	return path;
}

#define NEED_SEED(path, name)                                                                      \
	CLEANUP(free) char *path = seed_path(name);                                                \
	if (!path)                                                                                 \
	test_skip("no " name " (REGIO_SEEDS, default ../shared/seeds)")

static void import_seed(const char *path, struct results *results)
{
	const struct import_sink sink = { .deliver = keep, .context = results };
	struct err err = { .code = (enum err_code)0 };

	if (import_file(path, NULL, &sink, &err) < 0)
		fail_msg("%s", err.msg);
}

static const char *env_of(const struct result *result, const char *key)
{
	for (size_t i = 0; i < result->nr_env; i++) {
		if (!strcmp(result->env[i].key, key))
			return result->env[i].value;
	}
	return "";
}

/* ---- tables ---- */

static struct lkp_series series_of(const struct given_metric *metric)
{
	CLEANUP(metric_alias) struct metric_alias alias = { .name = NULL };
	const char *name = metric->source_name ? metric->source_name : metric->name;

	metric_alias_from_lkp(name, &alias);
	return (struct lkp_series){
		.name = name,
		.has_average = true,
		.average = metric->value / alias.factor,
		.spread_percent = metric->stddev_percent,
		.change = metric->change,
		.line = metric->line,
	};
}

static struct lkp_sample sample_of(const struct result *result, struct arena *arena)
{
	struct lkp_series *series = arena_alloc_array(arena, result->given.nr, sizeof(*series));
	size_t nr = 0;

	for (size_t i = 0; i < result->given.nr; i++) {
		const struct given_metric *metric = &result->given.items[i];

		/* regio's own sums are no rows */
		if (strncmp(metric->name, "total.", 6) != 0 || metric->source_name)
			series[nr++] = series_of(metric);
	}
	return (struct lkp_sample){ .title = result->label, .series = series, .nr_series = nr };
}

/* The results of one table follow each other and begin at one line. */
static size_t table_end(const struct results *results, size_t first)
{
	size_t i = first + 1;

	while (i < results->nr &&
	       results->items[i].source_line == results->items[first].source_line)
		i++;
	return i;
}

static bool is_of_table(const struct result *result)
{
	return result->given.items[0].nr_runs == GIVEN_RUNS_UNKNOWN;
}

static void compare_table(const struct results *results, size_t first, size_t end,
			  struct lkp_table *table)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	struct lkp_sample samples[8];
	struct lkp_options options = { .is_all = false };

	assert_true(end - first <= 8);
	for (size_t i = first; i < end; i++)
		samples[i - first] = sample_of(&results->items[i], &arena);
	lkp_compare(samples, end - first, &options, table);
}

/* All rows of all tables, as they are printed. */
static void print_rows(const struct results *results, struct strbuf *out)
{
	for (size_t i = 0; i < results->nr;) {
		size_t end = table_end(results, i);
		CLEANUP(lkp_table) struct lkp_table table = { .axes = NULL };

		if (is_of_table(&results->items[i])) {
			compare_table(results, i, end, &table);
			for (size_t j = 0; j < table.nr_rows; j++)
				lkp_text_row(&table, &table.rows[j], out);
		}
		i = end;
	}
}

/* A row as it was before it was quoted: no-break blanks, and one blank more before each line that
 * began with one. */
static bool plain_row(const char *line, bool is_stuffed, struct strbuf *out)
{
	size_t quoting = strspn(line, "> ");

	while (quoting && line[quoting - 1] == ' ')
		quoting--;
	line += quoting + (quoting && line[quoting] == ' ');
	for (; *line && *line != '\n'; line++) {
		if ((unsigned char)line[0] == 0xc2 && (unsigned char)line[1] == 0xa0) {
			strbuf_add_char(out, ' ');
			line++;
		} else {
			strbuf_add_char(out, *line);
		}
	}
	if (is_stuffed && out->len && out->buf[0] == ' ')
		memmove(out->buf, out->buf + 1, out->len--);
	return strspn(strbuf_str(out), " 0123456789.e+") > 8 && strchr(strbuf_str(out), '%');
}

static bool has_line(const struct strbuf *text, const struct strbuf *line)
{
	const char *at = strbuf_str(text);

	while ((at = strstr(at, strbuf_str(line)))) {
		if ((at == text->buf || at[-1] == '\n') && at[line->len] == '\n')
			return true;
		at++;
	}
	return false;
}

/* Number of rows in the file, each of which must have been printed. */
static size_t check_rows(const char *path, bool is_stuffed, const struct strbuf *printed)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	struct err err = { .code = (enum err_code)0 };
	size_t nr = 0;

	assert_int_equal(file_read(path, MAX_BYTES, &text, &err), 0);
	for (const char *at = strbuf_str(&text); *at; at += strcspn(at, "\n"), at += *at == '\n') {
		CLEANUP(strbuf) struct strbuf row = STRBUF_INIT;

		if (!plain_row(at, is_stuffed, &row) || strstr(strbuf_str(&row), "%stddev"))
			continue;
		if (!has_line(printed, &row))
			fail_msg("not printed: '%s'", strbuf_str(&row));
		nr++;
	}
	return nr;
}

static void test_rows_of_fio_thread(void **state)
{
	NEED_SEED(path, FIO_THREAD);
	struct results results = VEC_INIT;
	CLEANUP(strbuf) struct strbuf printed = STRBUF_INIT;

	(void)state;
	import_seed(path, &results);
	assert_int_equal(results.nr, 2);
	print_rows(&results, &printed);
	assert_int_equal(check_rows(path, true, &printed), 63);
	results_release(&results);
}

static void test_rows_of_aiol_thread(void **state)
{
	NEED_SEED(path, AIOL_THREAD);
	struct results results = VEC_INIT;
	CLEANUP(strbuf) struct strbuf printed = STRBUF_INIT;

	(void)state;
	import_seed(path, &results);
	print_rows(&results, &printed);
	/* 3 + 3 + 1 + 180 + 1, two of them quoted in two mails */
	assert_int_equal(check_rows(path, false, &printed), 192);
	results_release(&results);
}

/* Sorting by LKP's rule leaves the rows of the table that has this row as they are. */
static void check_order(const char *path, const char *row, bool are_tests_last)
{
	struct lkp_options options = { .are_tests_last = are_tests_last };
	struct results results = VEC_INIT;
	const struct import_sink sink = { .deliver = keep, .context = &results };
	CLEANUP(lkp_table) struct lkp_table table = { .axes = NULL };
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	const char *start;
	unsigned last = 0;

	assert_int_equal(file_read(path, MAX_BYTES, &text, NULL), 0);
	start = strstr(strbuf_str(&text), row);
	assert_non_null(start);
	while (start > text.buf && strncmp(start, "\n===", 4) != 0 &&
	       strncmp(start, "\n>> ===", 7) != 0)
		start--;
	assert_int_equal(import_text("table", start, strlen(start), NULL, &sink, NULL), 0);
	compare_table(&results, 0, table_end(&results, 0), &table);
	assert_true(table.nr_rows > 60);
	/* Where the first change is rounded to the same number, the second must not decide. */
	for (size_t i = 0; i < table.nr_rows; i++) {
		for (size_t j = 2; j < table.nr_columns; j++)
			table.rows[i].cells[j].change = 0;
	}
	lkp_sort_rows(&table, &options);
	for (size_t i = 0; i < table.nr_rows; i++) {
		if (table.rows[i].line <= last)
			fail_msg("line %u: %s is out of order", table.rows[i].line,
				 table.rows[i].name);
		last = table.rows[i].line;
	}
	results_release(&results);
}

static void test_order_of_rows(void **state)
{
	NEED_SEED(fio_path, FIO_THREAD);
	NEED_SEED(aiol_path, AIOL_THREAD);

	(void)state;
	check_order(fio_path, "fio.latency_20ms%", false);
	/* LKP did not take stress-ng for a test then */
	check_order(aiol_path, "perf-c2c.HITM.local", true);
}

static void assert_given(const struct result *result, const char *name, double value)
{
	const struct given_metric *metric = given_find(&result->given, name);

	if (!metric)
		fail_msg("no %s", name);
	if (metric->value != value)
		fail_msg("%s is %.17g", name, metric->value);
}

static void test_values_of_fio_thread(void **state)
{
	NEED_SEED(path, FIO_THREAD);
	struct results results = VEC_INIT;
	const struct result *base, *new;
	const struct given_metric *metric;

	(void)state;
	import_seed(path, &results);
	base = &results.items[0];
	new = &results.items[1];
	assert_string_equal(base->label, "f7de4886fe");
	assert_string_equal(env_of(base, "lkp.subject"), "rnbd-srv: remove struct rnbd_dev");
	assert_string_equal(env_of(base, "lkp.commit"), "f7de4886fe8f008a");
	assert_string_equal(new->label, "8c5035dfbb");
	assert_string_equal(new->tool, "lkp");
	assert_given(base, "read.iops", 1254);
	assert_given(new, "read.iops", 1121);
	assert_given(base, "read.bw_bytes_per_sec", 2508 * 1048576.0);
	assert_given(base, "read.clat_ns.p90", 6717440); /* called microseconds */
	assert_given(base, "read.clat_ns.mean", 6374238);
	assert_given(new, "read.clat_ns.stddev", 636378);
	assert_given(base, "fio.latency_20ms%", 0.03);
	assert_given(base, "cpuidle..time", 1.998e10);
	metric = given_find(&base->given, "read.clat_ns.stddev");
	assert_true(metric->stddev_percent == 10);
	assert_int_equal(metric->nr_runs, GIVEN_RUNS_UNKNOWN);
	assert_true(isnan(given_find(&base->given, "read.iops")->stddev_percent));
	assert_int_equal(base->notes.nr, 1);
	assert_int_equal(base->notes.items[0].id, NOTE_UNIT_CONVERTED);
	results_release(&results);
}

/* ---- arrays ---- */

struct values VEC_BODY(double);

/* All single runs of the kernel under the scheduler, in order. */
static void collect(const struct results *results, const char *kernel, bool is_none,
		    struct values *values)
{
	VEC_FOREACH (results, result) {
		const struct given_metric *metric = given_find(&result->given, "aiol.ops_per_sec");
		const char *workload = env_of(result, RESULT_WORKLOAD_KEY);

		if (!metric || metric->nr_runs || strcmp(result->label, kernel) != 0)
			continue;
		if (!strstr(workload, "/btrfs/") || !!strstr(workload, "none-scheduler") != is_none)
			continue;
		vec_push(values, metric->value);
	}
}

static void assert_same_values(const struct values *values, const char *name)
{
	json_t *root = golden_load();
	size_t nr;
	double *expected = golden_array(root, golden_get(golden_get(root, "data"), name), &nr);

	assert_int_equal(values->nr, nr);
	assert_memory_equal(values->items, expected, nr * sizeof(*expected));
	free(expected);
	json_decref(root);
}

static const struct array_row {
	const char *kernel;
	bool is_none;
	const char *golden, *printed;
} array_rows[] = {
	{ "v6.12-rc4", false, "aiol/mq-deadline/v6.12-rc4", "187.64 ±  5%" },
	{ "a3396b9999", false, "aiol/mq-deadline/a3396b9999", "186.48 ±  7%" },
	{ "e70c301fae", false, "aiol/mq-deadline/e70c301fae", "98.29 ± 17%" },
	{ "v6.12-rc4", true, "aiol/none/v6.12-rc4", "114.62 ± 19%" },
	{ "a3396b9999", true, "aiol/none/a3396b9999", "112.49 ± 17%" },
	{ "e70c301fae", true, "aiol/none/e70c301fae", "77.47 ± 21%" },
};

static void test_arrays(void **state)
{
	NEED_SEED(path, AIOL_THREAD);
	struct results results = VEC_INIT;

	(void)state;
	import_seed(path, &results);
	for (size_t i = 0; i < sizeof(array_rows) / sizeof(array_rows[0]); i++) {
		const struct array_row *row = &array_rows[i];
		struct values values = VEC_INIT;
		struct summary summary;
		char text[LKP_TEXT_LEN];

		collect(&results, row->kernel, row->is_none, &values);
		assert_same_values(&values, row->golden);
		summary_init(&summary, values.items, values.nr);
		lkp_format_summary(&summary, text);
		assert_string_equal(text, row->printed);
		vec_release(&values);
	}
	results_release(&results);
}

/* Ratio, interval and p to three digits, as they were worked out by hand; B/A. */
static const struct verdict_row {
	bool is_none;
	const char *base, *new;
	const char *change; /* LKP's */
	double ratio, lo, hi, p;
	enum finding at_5, at_10;
} verdict_rows[] = {
	{ false, "v6.12-rc4", "a3396b9999", "-0.6%", 1.001, 0.976, 1.022, 0.88,
	  FINDING_NO_DIFFERENCE, FINDING_NO_DIFFERENCE },
	{ false, "a3396b9999", "e70c301fae", "-47.3%", 0.555, 0.516, 0.577, 7e-9, FINDING_LOWER,
	  FINDING_LOWER },
	{ false, "v6.12-rc4", "e70c301fae", "-47.6%", 0.553, 0.521, 0.574, 8e-11, FINDING_LOWER,
	  FINDING_LOWER },
	{ true, "v6.12-rc4", "a3396b9999", "-1.9%", 1.012, 0.943, 1.065, 0.65, FINDING_UNDECIDED,
	  FINDING_NO_DIFFERENCE },
	{ true, "a3396b9999", "e70c301fae", "-31.1%", 0.650, 0.594, 0.793, 1.6e-5, FINDING_LOWER,
	  FINDING_LOWER },
	{ true, "v6.12-rc4", "e70c301fae", "-32.4%", 0.647, 0.600, 0.771, 1.2e-5, FINDING_LOWER,
	  FINDING_LOWER },
};

static void assert_about(double value, double expected, double tolerance, const char *what)
{
	if (fabs(value - expected) > tolerance)
		fail_msg("%s is %g, expected %g", what, value, expected);
}

static void check_verdict(const struct verdict_row *row, const struct values *base,
			  const struct values *new)
{
	struct compare_config config = { .rule = { .alpha = 0.05, .min_effect = 0.05 },
					 .polarity = metric_polarity("aiol.ops_per_sec") };
	struct sample a = { base->items, base->nr }, b = { new->items, new->nr };
	struct comparison comparison;
	char change[LKP_TEXT_LEN];

	compare_samples(&config, &a, &b, &comparison);
	assert_about(comparison.decision.effect, row->ratio, 0.0005, "ratio");
	assert_about(comparison.decision.interval.lo, row->lo, 0.0005, "lower end");
	assert_about(comparison.decision.interval.hi, row->hi, 0.0005, "upper end");
	assert_about(comparison.decision.p, row->p, 0.07 * row->p, "p");
	assert_int_equal(comparison.decision.finding, row->at_5);
	lkp_format_change(comparison.a.mean, comparison.b.mean, false, change);
	assert_string_equal(change, row->change);
	config.rule.min_effect = 0.10;
	compare_samples(&config, &a, &b, &comparison);
	assert_int_equal(comparison.decision.finding, row->at_10);
}

static void test_verdicts(void **state)
{
	NEED_SEED(path, AIOL_THREAD);
	struct results results = VEC_INIT;

	(void)state;
	import_seed(path, &results);
	for (size_t i = 0; i < sizeof(verdict_rows) / sizeof(verdict_rows[0]); i++) {
		const struct verdict_row *row = &verdict_rows[i];
		struct values base = VEC_INIT, new = VEC_INIT;

		collect(&results, row->base, row->is_none, &base);
		collect(&results, row->new, row->is_none, &new);
		check_verdict(row, &base, &new);
		vec_release(&base);
		vec_release(&new);
	}
	results_release(&results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_of_fio_thread),
		cmocka_unit_test(test_rows_of_aiol_thread),
		cmocka_unit_test(test_order_of_rows),
		cmocka_unit_test(test_values_of_fio_thread),
		cmocka_unit_test(test_arrays),
		cmocka_unit_test(test_verdicts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
