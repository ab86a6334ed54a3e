/* SPDX-License-Identifier: GPL-2.0-or-later */
/* LKP's layout, line by line as its mails have it, and the format "lkp". */
#include "output/lkp_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "model/lkp_table.h"
#include "output/doc.h"
#include "output/output.h"
#include "test.h"
#include "capture.h"

static void add_columns(struct lkp_table *table, size_t nr)
{
	lkp_table_add_column(table, "v6.12-rc4", NULL, NULL);
	lkp_table_add_column(table, "a3396b99990d8b4e5797e7b16fdeb64c15ae97bb", NULL,
			     "block: add a list");
	if (nr > 2)
		lkp_table_add_column(table, "e70c301faece15b618e54b613b1", NULL,
				     "block: keep order");
}

static void set(struct lkp_cell *cell, double mean, double spread, double change)
{
	*cell = (struct lkp_cell){
		.is_present = true, .mean = mean, .spread_percent = spread, .change = change
	};
}

static void assert_row(const struct lkp_table *table, const struct lkp_row *row, const char *text)
{
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;

	lkp_text_row(table, row, &out);
	assert_string_equal(strbuf_str(&out), text);
}

static void test_rows(void **state)
{
	CLEANUP(lkp_table) struct lkp_table table = { .axes = NULL };
	struct lkp_row *row;

	(void)state;
	add_columns(&table, 3);
	row = lkp_table_add_row(&table, "stress-ng.aiol.ops_per_sec");
	set(&row->cells[0], 114.618, 19.265, NAN);
	set(&row->cells[1], 112.488, 17.80, -1.858347);
	set(&row->cells[2], 77.468667, 21.63, -32.411430);
	assert_row(&table, row,
		   "    114.62 ± 19%      -1.9%     112.49 ± 17%     -32.4%      77.47 ± 21%"
		   "  stress-ng.aiol.ops_per_sec\n");
	row = lkp_table_add_row(&table, "mpstat.cpu.all.idle%");
	set(&row->cells[0], 44.17, 2.5, NAN);
	set(&row->cells[1], 44.20, 2.0, 0.03);
	set(&row->cells[2], 39.36, 102.5, -4.81);
	assert_row(&table, row,
		   "     44.17 ±  2%      +0.0       44.20            -4.8       39.36 ±102%"
		   "  mpstat.cpu.all.idle%\n");
	row = lkp_table_add_row(&table, "cpuidle..time");
	set(&row->cells[0], 1.998e10, NAN, NAN);
	set(&row->cells[1], 1234567.9, NAN, -100.0);
	set(&row->cells[2], 0.0, 0.0, 250000.0);
	assert_row(&table, row,
		   " 1.998e+10          -100.0%    1234567        +2.5e+05%       0.00      "
		   "  cpuidle..time\n");
}

static void test_absent_cells(void **state)
{
	CLEANUP(lkp_table) struct lkp_table table = { .axes = NULL };
	struct lkp_row *row;

	(void)state;
	add_columns(&table, 2);
	row = lkp_table_add_row(&table, "fio.read_iops");
	set(&row->cells[0], 2508, NAN, NAN);
	assert_row(&table, row, "      2508               -           -        fio.read_iops\n");
	row = lkp_table_add_row(&table, "fio.write_iops");
	set(&row->cells[1], 2508, 3, NAN);
	assert_row(&table, row, "         -               -        2508 ±  3%  fio.write_iops\n");
}

static void test_failures(void **state)
{
	CLEANUP(lkp_table) struct lkp_table table = { .axes = NULL };
	struct lkp_row *row;

	(void)state;
	add_columns(&table, 2);
	row = lkp_table_add_row(&table, "dmesg.BUG:x");
	row->cells[0] = (struct lkp_cell){ .nr_fails = 0, .nr_runs = 6, .change = NAN };
	row->cells[1] = (struct lkp_cell){ .nr_fails = 4, .nr_runs = 6, .change = 66.67 };
	assert_row(&table, row, "           :6           67%           4:6     dmesg.BUG:x\n");
	row->cells[0].nr_fails = 12345;
	row->cells[0].nr_runs = 100;
	row->cells[1].change = -33.3;
	assert_row(&table, row, "      12345:100        -33%           4:6     dmesg.BUG:x\n");
	row->cells[1].change = NAN;
	assert_row(&table, row, "      12345:100          -            4:6     dmesg.BUG:x\n");
}

static void test_head(void **state)
{
	CLEANUP(lkp_table) struct lkp_table table = { .axes = NULL };
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;

	(void)state;
	add_columns(&table, 3);
	table.axes = strdup("disk/fs/testcase");
	table.axes_values = strdup("1HDD/btrfs/stress-ng");
	lkp_text_head(&table, &out);
	lkp_text_metrics_head(&table, &out);
	assert_string_equal(
		strbuf_str(&out),
		"=========================================================================="
		"===============\n"
		"disk/fs/testcase:\n"
		"  1HDD/btrfs/stress-ng\n"
		"\n"
		"commit:\n"
		"  v6.12-rc4\n"
		"  a3396b9999 (\"block: add a list\")\n"
		"  e70c301fae (\"block: keep order\")\n"
		"\n"
		"       v6.12-rc4 a3396b99990d8b4e5797e7b16fd e70c301faece15b618e54b613b1\n"
		"---------------- --------------------------- ---------------------------\n"
		"         %stddev     %change         %stddev     %change         %stddev\n"
		"             \\          |                \\          |                \\\n");
}

static void test_whole_table(void **state)
{
	CLEANUP(lkp_table) struct lkp_table table = { .axes = NULL };
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;
	struct lkp_row *row;

	(void)state;
	lkp_table_add_column(&table, "base-with-a-long-name", NULL, NULL);
	lkp_table_add_column(&table, "new", NULL, NULL);
	table.compared = strdup("kconfig");
	row = lkp_table_add_row(&table, "a.b");
	set(&row->cells[0], 1, NAN, NAN);
	set(&row->cells[1], 2, NAN, 100);
	row = lkp_table_add_row(&table, "dmesg.x");
	row->cells[1] = (struct lkp_cell){ .nr_fails = 1, .nr_runs = 1, .change = 100 };
	lkp_text_table(&table, &out);
	assert_string_equal(
		strbuf_str(&out),
		"=========================================================================="
		"===============\n"
		"kconfig:\n"
		"  base-with-a-long-name\n"
		"  new\n"
		"\n"
		"base-with-a-long                         new\n"
		"---------------- ---------------------------\n"
		"       fail:runs  %reproduction    fail:runs\n"
		"           |             |             |\n"
		"           :0          100%           1:1     dmesg.x\n"
		"         %stddev     %change         %stddev\n"
		"             \\          |                \\\n"
		"      1.00          +100.0%       2.00        a.b\n");
}

static void test_format_prints_tables_only(void **state)
{
	CLEANUP(lkp_table) struct lkp_table table = { .axes = NULL };
	CLEANUP(doc) struct doc *doc = doc_create("regio.compare");
	CLEANUP(strbuf) struct strbuf want = STRBUF_INIT;
	struct output_style style = { .width = 0 };
	struct capture capture;

	(void)state;
	add_columns(&table, 2);
	lkp_text_table(&table, &want);
	strbuf_add_char(&want, '\n');
	lkp_text_table(&table, &want);
	doc_paragraph(doc, "a sentence");
	doc_lkp(doc, &table);
	doc_verbatim(doc, "a command");
	doc_lkp(doc, &table);
	capture_start(&capture);
	assert_int_equal(output_find("lkp")->doc(doc, &style, capture.to, NULL), 0);
	CLEANUP(free) char *text = capture_end(&capture);
	assert_string_equal(text, strbuf_str(&want));
}

static void test_format_needs_a_table(void **state)
{
	CLEANUP(doc) struct doc *doc = doc_create("regio.run");
	struct output_style style = { .width = 0 };
	struct err err = { .code = (enum err_code)0 };
	struct capture capture;

	(void)state;
	doc_paragraph(doc, "a sentence");
	capture_start(&capture);
	assert_int_equal(output_find("lkp")->doc(doc, &style, capture.to, &err), -ERR_UNSUPPORTED);
	free(capture_end(&capture));
	assert_non_null(strstr(err.msg, "lkp"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_absent_cells),
		cmocka_unit_test(test_failures),
		cmocka_unit_test(test_head),
		cmocka_unit_test(test_whole_table),
		cmocka_unit_test(test_format_prints_tables_only),
		cmocka_unit_test(test_format_needs_a_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
