/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words and rows of LKP's table. */
#include "import/lkp_row.h"

#include <math.h>
#include <string.h>

#include "test.h"

static enum lkp_row_state read_row(struct lkp_row_reader *row, size_t nr_columns, const char *text)
{
	struct lkp_word word;

	lkp_row_begin(row, nr_columns);
	while (lkp_next_word(&text, &word)) {
		enum lkp_row_state state = lkp_row_take(row, &word);

		if (state == LKP_ROW_REFUSED || state == LKP_ROW_DONE)
			return state;
	}
	return row->state;
}

static void test_words(void **state)
{
	static const struct {
		const char *text;
		enum lkp_word_kind kind;
		double number;
	} rows[] = {
		{ "187.64", LKP_WORD_NUMBER, 187.64 },
		{ "1.998e+10", LKP_WORD_NUMBER, 1.998e10 },
		{ "-0.6%", LKP_WORD_NUMBER, -0.6 },
		{ "+2e+102%", LKP_WORD_NUMBER, 2e102 },
		{ "+1e400%", LKP_WORD_OUT_OF_RANGE, 0 },
		{ "1e999", LKP_WORD_OUT_OF_RANGE, 0 },
		{ "\xc2\xb1", LKP_WORD_PLUS_MINUS, 0 },
		{ "+-", LKP_WORD_PLUS_MINUS, 0 },
		{ "?", LKP_WORD_PLUS_MINUS, 0 },
		{ "-", LKP_WORD_ABSENT, 0 },
		{ "fio.read_iops", LKP_WORD_NAME, 0 },
		{ "2fio.x", LKP_WORD_NAME, 0 },
		{ "%", LKP_WORD_OTHER, 0 },
		{ "|", LKP_WORD_OTHER, 0 },
		{ "1.2.3", LKP_WORD_OTHER, 0 },
		{ "+", LKP_WORD_OTHER, 0 },
		{ "0x10", LKP_WORD_NAME, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *text = rows[i].text;
		struct lkp_word word;

		assert_true(lkp_next_word(&text, &word));
		if (word.kind != rows[i].kind)
			fail_msg("'%s' is of kind %d", rows[i].text, word.kind);
		if (word.kind == LKP_WORD_NUMBER)
			assert_true(word.number == rows[i].number);
		assert_false(lkp_next_word(&text, &word));
	}
}

static void test_counts_of_failures(void **state)
{
	static const struct {
		const char *text;
		uint64_t nr_fails, nr_runs;
	} rows[] = { { "2:6", 2, 6 }, { ":6", 0, 6 }, { "5322:1", 5322, 1 } };
	static const char *const others[] = { ":", "2:", "a:6", "2:6:1", "99999999999999:1" };
	struct lkp_word word;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *text = rows[i].text;

		assert_true(lkp_next_word(&text, &word));
		assert_int_equal(word.kind, LKP_WORD_FAILS);
		assert_int_equal(word.nr_fails, rows[i].nr_fails);
		assert_int_equal(word.nr_runs, rows[i].nr_runs);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		const char *text = others[i];

		assert_true(lkp_next_word(&text, &word));
		assert_int_not_equal(word.kind, LKP_WORD_FAILS);
	}
}

static void test_sign_without_blanks(void **state)
{
	static const char *const texts[] = { "9.5\xc2\xb1 17% a.b",
					     "9.5 \xc2\xb1"
					     "17% a.b",
					     "9.5\xc2\xb1"
					     "17% a.b",
					     "9.5 ?17% a.b",
					     "9.5 =B117% a.b",
					     "9.5 =C2=B1 17% a.b" };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct lkp_row_reader row;

		assert_int_equal(read_row(&row, 1, texts[i]), LKP_ROW_DONE);
		assert_true(row.cells[0].mean == 9.5);
		assert_true(row.cells[0].spread_percent == 17);
	}
}

static void test_rows(void **state)
{
	struct lkp_row_reader row;

	(void)state;
	assert_int_equal(
		read_row(&row, 3,
			 "114.62 \xc2\xb1 19%  -1.9%  112.49  -32.4%  77.47 \xc2\xb1 21% a.b"),
		LKP_ROW_DONE);
	assert_true(row.cells[0].mean == 114.62 && row.cells[0].spread_percent == 19);
	assert_true(isnan(row.cells[0].change));
	assert_true(row.cells[1].mean == 112.49 && isnan(row.cells[1].spread_percent));
	assert_true(row.cells[1].change == -1.9);
	assert_true(row.cells[2].mean == 77.47 && row.cells[2].change == -32.4);
	assert_int_equal(row.name_len, 3);
	assert_memory_equal(row.name, "a.b", 3);

	assert_int_equal(read_row(&row, 2, "0.03  +0.2  0.22 fio.latency_20ms%"), LKP_ROW_DONE);
	assert_true(row.cells[1].change == 0.2);
	assert_int_equal(read_row(&row, 2, "-5.00  +200.0%  5.00 a.b"), LKP_ROW_DONE);
	assert_true(row.cells[0].mean == -5);

	assert_int_equal(read_row(&row, 2, ":6  67%  4:6 dmesg.x"), LKP_ROW_DONE);
	assert_true(row.is_failure);
	assert_int_equal(row.cells[1].nr_fails, 4);
	assert_true(row.cells[1].change == 67);
	assert_int_equal(read_row(&row, 2, "4:6  -67%  :6 dmesg.x"), LKP_ROW_DONE);
	assert_true(row.cells[1].change == -67);
}

static void test_absent_values(void **state)
{
	struct lkp_row_reader row;

	(void)state;
	assert_int_equal(read_row(&row, 2, "2508  -  - a.b"), LKP_ROW_DONE);
	assert_true(row.cells[0].is_present);
	assert_false(row.cells[1].is_present);
	assert_true(isnan(row.cells[1].change));
	assert_int_equal(read_row(&row, 2, "-  -  2508 \xc2\xb1 3% a.b"), LKP_ROW_DONE);
	assert_false(row.cells[0].is_present);
	assert_true(row.cells[1].spread_percent == 3);
}

static void test_refused_rows(void **state)
{
	static const char *const texts[] = {
		"a.b",
		"5% 3",
		"12.5 a.b",	     /* one column is missing */
		"12.5 3.0 4.0 a.b",  /* a change has a sign */
		"12.5 -1.0% a.b",    /* nothing behind the change */
		"12.5 \xc2\xb1 a.b", /* no spread */
		"12.5 \xc2\xb1 x% -1.0% 3.0 a.b",
		"12.5 \xc2\xb1 4 -1.0% 3.0 a.b",   /* without its unit */
		"12.5 \xc2\xb1 -4% -1.0% 3.0 a.b", /* a spread has no sign */
		"12.5 -1.0% 3.0 5.0",
		"2:6 -1.0 4:6 dmesg.x",
		"2:6 67% 4.0 dmesg.x",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct lkp_row_reader row;

		if (read_row(&row, 2, texts[i]) != LKP_ROW_REFUSED)
			fail_msg("'%s'", texts[i]);
	}
}

static void test_unfinished_rows(void **state)
{
	struct lkp_row_reader row;

	(void)state;
	assert_int_equal(read_row(&row, 2, ""), LKP_ROW_EMPTY);
	assert_int_equal(read_row(&row, 2, "12.5"), LKP_ROW_BEGUN);
	assert_int_equal(read_row(&row, 2, "12.5 \xc2\xb1 4% -1.0% 3.0"), LKP_ROW_BEGUN);
}

static void test_numbers_out_of_range(void **state)
{
	struct lkp_row_reader row;

	(void)state;
	assert_int_equal(read_row(&row, 2, "1e999  -1.0%  3.0 a.b"), LKP_ROW_DONE);
	assert_true(row.is_out_of_range);
	assert_int_equal(read_row(&row, 2, "1.0  +1e999%  3.0 a.b"), LKP_ROW_DONE);
	assert_true(row.is_out_of_range);
	assert_int_equal(read_row(&row, 2, "1.0  +2e+102%  3.0 a.b"), LKP_ROW_DONE);
	assert_false(row.is_out_of_range);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_counts_of_failures),
		cmocka_unit_test(test_sign_without_blanks),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_absent_values),
		cmocka_unit_test(test_refused_rows),
		cmocka_unit_test(test_unfinished_rows),
		cmocka_unit_test(test_numbers_out_of_range),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
