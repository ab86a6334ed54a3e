/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Headings as people write them. */
#include "analysis/label.h"

#include <string.h>

#include "test.h"

struct choice {
	const char *labels[3];
	size_t nr, index;
	enum label_reason reason;
	const char *word;
};

static const struct choice choices[] = {
	{ { "6.8-rc7: 2 devices with multi-path", "6.8-rc7+ Revert : 2 devices with multi-path" },
	  2,
	  1,
	  LABEL_WORD,
	  "revert" },
	{ { "with patch", "Before the patch:" }, 2, 1, LABEL_WORD, "before" },
	{ { "kernel A", "kernel A (bad)" }, 2, 0, LABEL_WORD, "" },
	{ { "old", "new", "newer" }, 3, 0, LABEL_WORD, "old" },
	{ { "4.2/smq", "3.10/mq" }, 2, 1, LABEL_VERSION, "3.10" },
	{ { "dm-fio-4.2.txt", "dm-fio-3.10.txt" }, 2, 1, LABEL_VERSION, "3.10" },
	{ { "v6.12", "v6.12-rc4", "v6.12.1" }, 3, 1, LABEL_VERSION, "6.12-rc4" },
	{ { "6.8-rc10", "6.8-rc9" }, 2, 1, LABEL_VERSION, "6.8-rc9" },
	{ { "5.15.y", "6.6" }, 2, 0, LABEL_VERSION, "5.15" },
	{ { "e70c301faece", "v6.12-rc4", "a3396b9999" }, 3, 1, LABEL_RELEASE, "6.12-rc4" },
	/* Nothing tells: */
	{ { "none", "mq-deadline" }, 2, 0, LABEL_FIRST, "" },
	{ { "kernel 6.8", "kernel 6.8 other config" }, 2, 0, LABEL_FIRST, "" },
	{ { "before noon", "before lunch" }, 2, 0, LABEL_FIRST, "" },
	{ { "goodness", "badlands" }, 2, 0, LABEL_FIRST, "" }, /* parts of words */
	{ { "2.5GB file", "1.5GB file" }, 2, 0, LABEL_FIRST, "" },
	{ { "e70c301faece", "a3396b9999" }, 2, 0, LABEL_FIRST, "" },
	{ { "old" }, 1, 0, LABEL_FIRST, "" },
};

static void test_base_is_chosen(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
		const struct choice *choice = &choices[i];
		struct label_base base = label_choose_base(choice->labels, choice->nr);

		if (base.index != choice->index || base.reason != choice->reason ||
		    (base.reason != LABEL_FIRST && strcmp(base.word, choice->word) != 0))
			fail_msg("'%s', '%s': %zu, reason %d, word '%s'", choice->labels[0],
				 choice->labels[1] ? choice->labels[1] : "", base.index,
				 (int)base.reason, base.word);
	}
}

static void test_reason_in_words(void **state)
{
	struct label_base base = { .reason = LABEL_WORD, .word = "revert" };
	char text[LABEL_REASON_LEN];

	(void)state;
	label_reason_text(&base, text);
	assert_string_equal(text, "its heading says 'revert'");
	base = (struct label_base){ .reason = LABEL_VERSION, .word = "3.10" };
	label_reason_text(&base, text);
	assert_string_equal(text, "3.10 is the oldest version");
	base = (struct label_base){ .reason = LABEL_FIRST };
	label_reason_text(&base, text);
	assert_string_equal(text, "");
}

static void test_changes_of_one_label(void **state)
{
	(void)state;
	assert_int_equal(label_nr_changes("3.10/mq", "4.2/smq"), 2);
	assert_int_equal(label_nr_changes("4.2/mq", "4.2/smq"), 1);
	assert_int_equal(label_nr_changes("3.10/mq", "4.2"), 0);
	assert_int_equal(label_nr_changes("3.10/mq", "4.2,smq"), 0);
	assert_int_equal(label_nr_changes("a", "b"), 0);
	assert_int_equal(label_nr_changes("a/b/c", "x/b/z"), 2);
	assert_int_equal(label_nr_changes("", ""), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_base_is_chosen),
		cmocka_unit_test(test_reason_in_words),
		cmocka_unit_test(test_changes_of_one_label),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
