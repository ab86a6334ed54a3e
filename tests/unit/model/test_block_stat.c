/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/block_stat.h"

#include "test.h"

/* Of three kernels, and what is no such line. */
static void test_lengths(void **state)
{
	static const struct {
		const char *text;
		size_t nr;
	} cases[] = {
		{ "1 2 3 4 5 6 7 8 9 10 11\n", BLOCK_STAT_NR_BASIC },
		{ "  1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n", BLOCK_STAT_NR_DISCARD },
		{ "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n", BLOCK_STAT_NR_FIELDS },
		{ "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18", BLOCK_STAT_NR_FIELDS },
		{ "1 2 3 4 5 6 7 8 9 10\n11\n", 0 },
		{ "1 2 3 4 5 6 7 8 9 10 -11\n", 0 },
		{ "1 2 3 4 5 6 7 8 9 10 99999999999999999999\n", 0 },
		{ "a\n", 0 },
		{ "", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t fields[BLOCK_STAT_NR_FIELDS] = { 0 };

		assert_int_equal(block_stat_parse(cases[i].text, fields), cases[i].nr);
		for (size_t field = 0; field < cases[i].nr; field++)
			assert_int_equal(fields[field], field + 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_lengths) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
