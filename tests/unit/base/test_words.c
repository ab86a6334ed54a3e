/* SPDX-License-Identifier: GPL-2.0-or-later */
/* words: whole words only, and nothing in an empty list. */
#include "base/words.h"

#include <string.h>

#include "test.h"

static void finds_whole_words(void **state)
{
	static const struct {
		const char *words, *word;
		bool is_there;
	} rows[] = {
		{ "dm_mod dm_cache", "dm_mod", true },
		{ "dm_mod dm_cache", "dm_cache", true },
		{ "dm_mod dm_cache", "dm", false },
		{ "dm_mod dm_cache", "mod", false },
		{ "dm_mod dm_cache", "dm_cache_smq", false },
		{ "dm_cache_smq dm_cache", "dm_cache", true },
		{ "one", "one", true },
		{ "", "one", false },
		{ NULL, "one", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(words_have(rows[i].words, rows[i].word, strlen(rows[i].word)),
				 rows[i].is_there);
	assert_true(words_have("a bc d", "bcd", 2));
}

int main(void)
{
	static const struct CMUnitTest tests[] = { cmocka_unit_test(finds_whole_words) };

	return cmocka_run_group_tests_name("words", tests, NULL, NULL);
}
