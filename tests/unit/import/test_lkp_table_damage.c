/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables that regio prints in LKP's form are read again, with the same numbers whatever mailers,
 * terminals and web pages did to them.
 */
#include "analysis/lkp_compare.h"
#include "base/rng.h"
#include "damage.h"
#include "model/lkp_table.h"
#include "output/lkp_text.h"
#include "same.h"
#include "stats/lkp.h"

#define NR_TABLES 12
#define PLUS_MINUS "\xc2\xb1"

static const char *const names[] = {
	"fio.read_iops",
	"fio.read_bw_MBps",
	"fio.read_clat_99%_us",
	"fio.latency_20ms%",
	"fio.time.elapsed_time.max",
	"stress-ng.aiol.async_I/O_events_completed_per_sec",
	"cpuidle..time",
	"mpstat.cpu.all.idle%",
	"numa-meminfo.node0.Inactive(anon)",
	"sched_debug.cpu.curr->pid.stddev",
	"sched_debug.cfs_rq:/.runnable_avg.avg",
	"perf-sched.wait_and_delay.count.schedule_preempt_disabled.rwsem_down_read_slowpath."
	"down_read.btrfs_tree_read_lock_nested",
	"perf-profile.calltrace.cycles-pp.btrfs_work_helper.process_one_work.worker_thread.kthread."
	"ret_from_fork",
	"perf-profile.children.cycles-pp.__blk_mq_alloc_requests",
	"perf-stat.i.branch-instructions",
};

#define NR_NAMES (sizeof(names) / sizeof(names[0]))

static double any_mean(struct rng *rng)
{
	static const double scales[] = { 0.01, 1, 100, 5000, 1e6, 3e8, 2e11 };

	return rng_double(rng) * scales[rng_below(rng, 7)];
}

/* A row with numbers that were never rounded. */
static void add_row(struct rng *rng, struct lkp_table *table, const char *name)
{
	struct lkp_row *row = lkp_table_add_row(table, name);

	for (size_t i = 0; i < table->nr_columns; i++) {
		struct lkp_cell *cell = &row->cells[i];

		cell->is_present = true;
		cell->mean = any_mean(rng);
		if (rng_below(rng, 2))
			cell->spread_percent = rng_double(rng) * 30;
		if (rng_below(rng, 9) == 0)
			cell->spread_percent = 100 + rng_double(rng) * 150;
		if (i)
			cell->change =
				lkp_change(row->cells[0].mean, cell->mean, lkp_is_absolute(name));
	}
}

static void add_failure(struct rng *rng, struct lkp_table *table, const char *name)
{
	struct lkp_row *row = lkp_table_add_row(table, name);

	for (size_t i = 0; i < table->nr_columns; i++) {
		struct lkp_cell *cell = &row->cells[i];

		cell->nr_runs = 1 + rng_below(rng, 20);
		cell->nr_fails = rng_below(rng, cell->nr_runs + 1);
		cell->change = i ? rng_double(rng) * 200 - 100 : (double)NAN;
	}
}

static void any_table(struct rng *rng, struct lkp_table *table)
{
	static const char *const titles[] = { "v6.12-rc4", "a3396b99990d8b4e5797e7b16fd",
					      "e70c301faece15b618e54b613b1", "linus" };
	size_t nr = 2 + rng_below(rng, 3);
	size_t first = 1 + rng_below(rng, 3);

	if (rng_below(rng, 4)) {
		table->axes = strdup("compiler/disk/fs/kconfig/nr_threads/rootfs/testcase");
		table->axes_values = strdup("gcc-12/1HDD/btrfs/x86_64-rhel-9.4/100%/"
					    "debian-12-x86_64-20240206.cgz/stress-ng");
	}
	for (size_t i = 0; i < nr; i++)
		lkp_table_add_column(table, titles[i], NULL,
				     i % 2 ? "block: don't reorder requests in x()" : NULL);
	if (rng_below(rng, 2))
		add_failure(rng, table, "dmesg.BUG:soft_lockup-CPU##stuck");
	if (rng_below(rng, 2))
		add_failure(rng, table, "last_state.is_incomplete_run");
	for (size_t i = 0; i < NR_NAMES; i += first)
		add_row(rng, table, names[i]);
}

static char *table_text(const struct lkp_table *table)
{
	struct strbuf text = STRBUF_INIT;

	lkp_text_table(table, &text);
	return strbuf_take(&text);
}

/* The number as it was printed. */
static double printed(double value, void (*format)(double, char[LKP_TEXT_LEN]))
{
	char text[LKP_TEXT_LEN];

	format(value, text);
	return strtod(text, NULL);
}

static void check_cell(const struct result *result, const struct lkp_row *row, size_t column)
{
	const struct lkp_cell *cell = &row->cells[column];
	const struct given_metric *metric = NULL;
	double factor = strcmp(row->name, "fio.read_bw_MBps") ? 1 : 1048576.0;

	for (size_t i = 0; i < result->given.nr && !metric; i++) {
		const struct given_metric *item = &result->given.items[i];

		if (!strcmp(item->source_name ? item->source_name : item->name, row->name))
			metric = item;
	}
	if (!metric)
		fail_msg("%s is missing", row->name);
	if (row->is_failure) {
		assert_true(metric->value == (double)cell->nr_fails / (double)cell->nr_runs);
		assert_int_equal(metric->nr_runs, cell->nr_runs);
		return;
	}
	if (metric->value != factor * printed(cell->mean, lkp_format_mean))
		fail_msg("%s is %g instead of %g", row->name, metric->value, cell->mean);
	if (cell->spread_percent > 2)
		assert_true(metric->stddev_percent == trunc(cell->spread_percent));
	else
		assert_true(isnan(metric->stddev_percent));
}

static void test_what_is_printed_is_read(void **state)
{
	struct rng rng;

	(void)state;
	rng_init(&rng, 1);
	for (int i = 0; i < 100; i++) {
		CLEANUP(lkp_table) struct lkp_table table = { .axes = NULL };
		CLEANUP(free) char *text = NULL;

		any_table(&rng, &table);
		text = table_text(&table);
		CLEANUP(collect) struct collect collect = collect_good(text);
		assert_int_equal(collect.results.nr, table.nr_columns);
		for (size_t column = 0; column < table.nr_columns; column++) {
			const struct result *result = &collect.results.items[column];

			assert_string_equal(result->label, table.columns[column].name);
			for (size_t row = 0; row < table.nr_rows; row++)
				check_cell(result, &table.rows[row], column);
		}
	}
}

/* One test case for each way: `damaged` is an expression of `text`. */
#define DAMAGE_TEST(name, damaged)                                                                 \
	static void test_##name(void **state)                                                      \
	{                                                                                          \
		struct rng rng;                                                                    \
                                                                                                   \
		(void)state;                                                                       \
		rng_init(&rng, 2);                                                                 \
		for (size_t i = 0; i < NR_TABLES; i++) {                                           \
			CLEANUP(lkp_table) struct lkp_table table = { .axes = NULL };              \
			CLEANUP(free) char *text = NULL;                                           \
                                                                                                   \
			any_table(&rng, &table);                                                   \
			text = table_text(&table);                                                 \
			assert_harmless(text, (damaged), #name);                                   \
		}                                                                                  \
	}

DAMAGE_TEST(crlf, damage_crlf(text))
DAMAGE_TEST(bom, damage_bom(text))
DAMAGE_TEST(ansi, damage_ansi(text))
DAMAGE_TEST(tabs, damage_tabs(text))
DAMAGE_TEST(nbsp, damage_nbsp(text))
DAMAGE_TEST(html, damage_html(text))
DAMAGE_TEST(quoted_printable, damage_quoted_printable(text, 60))
DAMAGE_TEST(wrap_72, damage_wrap(text, 72))
DAMAGE_TEST(wrap_60, damage_wrap(text, 60))
DAMAGE_TEST(wrap_40, damage_wrap(text, 40))
DAMAGE_TEST(wrap_flowed, damage_wrap_flowed(text, 72))
DAMAGE_TEST(fill_72, damage_fill(text, 72))
DAMAGE_TEST(fill_50, damage_fill(text, 50))
DAMAGE_TEST(fill_200, damage_fill(text, 200))
DAMAGE_TEST(carriage_returns, damage_replace(text, "\n", "\r\r\n"))
DAMAGE_TEST(double_spaced, damage_replace(text, "\n", "\n\n"))
DAMAGE_TEST(stuffed, damage_replace(text, "\n ", "\n  "))
DAMAGE_TEST(latin1, damage_replace(text, PLUS_MINUS, "\xb1"))
DAMAGE_TEST(octal, damage_replace(text, PLUS_MINUS, "\\261"))
DAMAGE_TEST(octal_utf8, damage_replace(text, PLUS_MINUS, "\\302\\261"))
DAMAGE_TEST(encoded_latin1, damage_replace(text, PLUS_MINUS, "=B1"))
DAMAGE_TEST(encoded_utf8, damage_replace(text, PLUS_MINUS, "=C2=B1"))
DAMAGE_TEST(latin2, damage_replace(text, PLUS_MINUS, "\xc4\x85"))
DAMAGE_TEST(twice_utf8, damage_replace(text, PLUS_MINUS, "\xc3\x82\xc2\xb1"))
DAMAGE_TEST(question_mark, damage_replace(text, PLUS_MINUS, "?"))
DAMAGE_TEST(plus_minus, damage_replace(text, PLUS_MINUS, "+-"))
DAMAGE_TEST(prose_around, damage_surround("Hi,\n\nplease see the numbers below:\n\n", text,
					  "\n2 of 3 runs were slower.\n-- \nme\n"))
DAMAGE_TEST(prose_close, damage_surround("3 runs each\n", text, "yes, the %stddev is not small\n"))

/* The sign as it stands in quoted-printable of a Latin-2 mail. */
static void test_encoded_latin2(void **state)
{
	struct rng rng;

	(void)state;
	rng_init(&rng, 3);
	for (size_t i = 0; i < NR_TABLES; i++) {
		CLEANUP(lkp_table) struct lkp_table table = { .axes = NULL };
		CLEANUP(free) char *text = NULL;
		CLEANUP(free) char *equals = NULL;

		any_table(&rng, &table);
		text = table_text(&table);
		equals = damage_replace(text, "=", "=3D");
		assert_harmless(text, damage_replace(equals, PLUS_MINUS, "=C4=85"), "latin2");
	}
}

static void test_quoting(void **state)
{
	static const char *const marks[] = { "> ", ">", " > " };
	struct rng rng;

	(void)state;
	rng_init(&rng, 4);
	for (unsigned depth = 1; depth <= 8; depth++) {
		CLEANUP(lkp_table) struct lkp_table table = { .axes = NULL };
		CLEANUP(free) char *text = NULL;
		CLEANUP(free) char *wrapped = NULL;

		any_table(&rng, &table);
		text = table_text(&table);
		wrapped = damage_wrap(text, 72);
		for (size_t i = 0; i < 3; i++) {
			assert_harmless(text, damage_quote(text, depth, marks[i]), "quoted");
			assert_harmless(text, damage_quote(wrapped, depth, marks[i]), "wrapped");
		}
	}
}

/* A table that is there twice, as quoted mails have it, counts once. */
static void test_repeated(void **state)
{
	struct rng rng;

	(void)state;
	rng_init(&rng, 5);
	for (size_t i = 0; i < NR_TABLES; i++) {
		CLEANUP(lkp_table) struct lkp_table table = { .axes = NULL };
		CLEANUP(free) char *text = NULL;
		CLEANUP(free) char *quoted = NULL;

		any_table(&rng, &table);
		text = table_text(&table);
		quoted = damage_quote(text, 2, "> ");
		assert_harmless(text, damage_surround(text, "\nas you said:\n\n", quoted), "twice");
	}
}

static void assert_part(const struct result *got, const struct result *want, unsigned line)
{
	for (size_t i = 0; i < got->given.nr; i++) {
		const struct given_metric *metric = &got->given.items[i];

		if (!strncmp(metric->name, "total.", 6))
			continue;
		assert_same_metric(metric, given_find(&want->given, metric->name), "cut");
		assert_true(metric->line <= line);
	}
}

/* What is whole is read from a text that is cut behind any line. */
static void test_cut_behind_any_line(void **state)
{
	struct rng rng;

	(void)state;
	rng_init(&rng, 6);
	for (size_t i = 0; i < 3; i++) {
		CLEANUP(lkp_table) struct lkp_table table = { .axes = NULL };
		CLEANUP(free) char *text = NULL;
		unsigned nr_lines;

		any_table(&rng, &table);
		text = table_text(&table);
		nr_lines = damage_nr_lines(text);
		CLEANUP(collect) struct collect want = collect_good(text);
		for (unsigned line = 0; line < nr_lines; line++) {
			CLEANUP(free) char *cut = damage_cut(text, line);
			CLEANUP(collect)
			struct collect got = collect_text("mail.txt", cut, strlen(cut));
			unsigned nr_rows = line + (unsigned)table.nr_rows < nr_lines
						   ? 0
						   : line + (unsigned)table.nr_rows - nr_lines;

			for (size_t j = 0; j < got.results.nr; j++)
				assert_part(&got.results.items[j], &want.results.items[j], line);
			if (nr_rows)
				assert_int_equal(got.results.nr, table.nr_columns);
			else if (!got.results.nr)
				assert_true(got.ret < 0);
		}
	}
}

/* Nothing of the last line is there. */
static int is_blank_end(const char *text, size_t len)
{
	while (len && text[len - 1] == ' ')
		len--;
	return text[len - 1] == '\n';
}

/* Cut in the middle of a line: a row whose name may go on is not used. */
static void test_cut_behind_any_byte(void **state)
{
	struct rng rng;
	CLEANUP(lkp_table) struct lkp_table table = { .axes = NULL };
	CLEANUP(free) char *text = NULL;

	(void)state;
	rng_init(&rng, 7);
	any_table(&rng, &table);
	text = table_text(&table);
	CLEANUP(collect) struct collect want = collect_good(text);
	for (size_t len = strlen(text) - 1; len > strlen(text) - 400; len--) {
		CLEANUP(collect) struct collect got = collect_text("mail.txt", text, len);

		assert_int_equal(got.results.nr, want.results.nr);
		for (size_t i = 0; i < got.results.nr; i++)
			assert_part(&got.results.items[i], &want.results.items[i], 1000);
		if (!is_blank_end(text, len))
			assert_true(has_note(&got.results.items[0], NOTE_INPUT_INCOMPLETE, "row"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_printed_is_read),
		cmocka_unit_test(test_crlf),
		cmocka_unit_test(test_bom),
		cmocka_unit_test(test_ansi),
		cmocka_unit_test(test_tabs),
		cmocka_unit_test(test_nbsp),
		cmocka_unit_test(test_html),
		cmocka_unit_test(test_quoted_printable),
		cmocka_unit_test(test_wrap_72),
		cmocka_unit_test(test_wrap_60),
		cmocka_unit_test(test_wrap_40),
		cmocka_unit_test(test_wrap_flowed),
		cmocka_unit_test(test_fill_72),
		cmocka_unit_test(test_fill_50),
		cmocka_unit_test(test_fill_200),
		cmocka_unit_test(test_carriage_returns),
		cmocka_unit_test(test_double_spaced),
		cmocka_unit_test(test_stuffed),
		cmocka_unit_test(test_latin1),
		cmocka_unit_test(test_octal),
		cmocka_unit_test(test_octal_utf8),
		cmocka_unit_test(test_encoded_latin1),
		cmocka_unit_test(test_encoded_utf8),
		cmocka_unit_test(test_latin2),
		cmocka_unit_test(test_twice_utf8),
		cmocka_unit_test(test_question_mark),
		cmocka_unit_test(test_plus_minus),
		cmocka_unit_test(test_prose_around),
		cmocka_unit_test(test_prose_close),
		cmocka_unit_test(test_encoded_latin2),
		cmocka_unit_test(test_quoting),
		cmocka_unit_test(test_repeated),
		cmocka_unit_test(test_cut_behind_any_line),
		cmocka_unit_test(test_cut_behind_any_byte),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
