/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wrap: where lines break. */
#include "output/wrap.h"

#include <string.h>

#include "capture.h"
#include "test.h"

static void test_wrap(void **state)
{
	static const struct {
		const char *text;
		unsigned width, indent;
		const char *printed;
	} rows[] = {
		{ "", 10, 0, "\n" },
		{ "one two three", 0, 0, "one two three\n" },
		{ "one two three", 13, 0, "one two three\n" },
		{ "one two three", 12, 0, "one two\nthree\n" },
		{ "one two three", 7, 0, "one two\nthree\n" },
		{ "one two three", 1, 0, "one\ntwo\nthree\n" },
		{ "one two three", 9, 2, "one two\n  three\n" },
		{ "one  two", 20, 0, "one  two\n" },
		{ "a\nb c", 20, 2, "a\n  b c\n" },
		{ "a\n\nb", 20, 2, "a\n\n  b\n" },
		{ "a\tb\033[0m", 0, 0, "a?b?[0m\n" },
		{ "\xc3\xa9\xc3\xa9\xc3\xa9 x", 5, 0, "\xc3\xa9\xc3\xa9\xc3\xa9 x\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CLEANUP(free) char *text = NULL;
		struct capture capture;

		capture_start(&capture);
		wrap_print(rows[i].text, rows[i].width, rows[i].indent, capture.to);
		text = capture_end(&capture);
		assert_string_equal(text, rows[i].printed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wrap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
