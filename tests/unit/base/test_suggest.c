/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_suggest: distances worked out by hand, and what counts as near. */
#include "base/suggest.h"

#include "test.h"

#include <string.h>

static void test_distance(void **state)
{
	static const struct {
		const char *a, *b;
		size_t distance;
	} rows[] = {
		{ "", "", 0 },
		{ "abc", "abc", 0 },
		{ "", "abc", 3 },
		{ "abc", "", 3 },
		{ "kitten", "sitting", 3 },
		{ "iodepth", "iodpeth", 1 }, /* swap of neighbours */
		{ "ca", "abc", 3 },	     /* 2 only if a swapped pair could be edited again */
		{ "io-depth", "IO_DEPTH", 0 },
		{ "bs", "size", 4 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(suggest_distance(rows[i].a, rows[i].b), rows[i].distance);
		assert_int_equal(suggest_distance(rows[i].b, rows[i].a), rows[i].distance);
	}
}

static void test_distance_limit(void **state)
{
	char longest[SUGGEST_MAX_LEN + 2];

	(void)state;
	memset(longest, 'x', sizeof(longest));
	longest[SUGGEST_MAX_LEN] = '\0';
	assert_int_equal(suggest_distance(longest, longest), 0);
	longest[SUGGEST_MAX_LEN] = 'x';
	longest[SUGGEST_MAX_LEN + 1] = '\0';
	assert_true(suggest_distance(longest, "x") == SIZE_MAX);
}

static const char *best_of(const char *word)
{
	static const char *const names[] = { "iodepth",	  "ioengine",	"rw",	     "bs",
					     "rwmixread", "rwmixwrite", "time_based" };
	struct suggest suggest = suggest_for(word);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		suggest_offer(&suggest, names[i]);
	return suggest_best(&suggest) ? suggest_best(&suggest) : "nothing";
}

static void test_best(void **state)
{
	(void)state;
	assert_string_equal(best_of("iodpeth"), "iodepth");
	assert_string_equal(best_of("io_depth"), "iodepth");
	assert_string_equal(best_of("ioengin"), "ioengine");
	assert_string_equal(best_of("rwmixwrit"), "rwmixwrite");
	assert_string_equal(best_of("timebased"), "time_based");
	assert_string_equal(best_of("tome_bas"), "nothing"); /* 3 errors in 8 letters */
	assert_string_equal(best_of("iode"), "iodepth");     /* not finished */
	assert_string_equal(best_of("rwmixr"), "rwmixread");
	assert_string_equal(best_of("rww"), "rw");
	assert_string_equal(best_of("colour"), "nothing");
	assert_string_equal(best_of("x"), "nothing");
	assert_string_equal(best_of(""), "nothing");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_distance),
		cmocka_unit_test(test_distance_limit),
		cmocka_unit_test(test_best),
	};

	return cmocka_run_group_tests_name("suggest", tests, NULL, NULL);
}
