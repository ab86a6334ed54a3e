/* SPDX-License-Identifier: GPL-2.0-or-later */
/* words: whole words only, and nothing in an empty list. */
#include "base/words.h"

#include <string.h>

#include "base/strbuf.h"
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

static void shortens_lists_between_words(void **state)
{
	static const struct {
		const char *list;
		size_t max_len;
		const char *shortened;
	} rows[] = {
		{ "", 0, "" },
		{ "one", 2, "one" }, /* one word at the least */
		{ "one, two", 8, "one, two" },
		{ "one, two", 7, "one and 1 more" },
		{ "one, two", 1, "one and 1 more" },
		{ "one, two, three, four", 14, "one, two and 2 more" },
		{ "one, two, three, four", 15, "one, two, three and 1 more" },
		{ "one, two, three, four", 20, "one, two, three and 1 more" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CLEANUP(strbuf) struct strbuf list = STRBUF_INIT;

		strbuf_add_str(&list, rows[i].list);
		words_shorten(&list, rows[i].max_len);
		assert_string_equal(strbuf_str(&list), rows[i].shortened);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_whole_words),
		cmocka_unit_test(shortens_lists_between_words),
	};

	return cmocka_run_group_tests_name("words", tests, NULL, NULL);
}
