/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "monitor/scan.h"

#include <string.h>

#include "test.h"

static struct scan scan_of(const char *text)
{
	return scan_text(text, strlen(text));
}

static void assert_word(const struct scan_word *word, const char *expected)
{
	assert_int_equal(word->len, strlen(expected));
	assert_memory_equal(word->text, expected, word->len);
}

static void test_lines(void **state)
{
	struct scan text = scan_of("one\n\nthree");
	struct scan line;

	(void)state;
	assert_true(scan_line(&text, &line));
	assert_int_equal(line.end - line.pos, 3);
	assert_true(scan_line(&text, &line));
	assert_int_equal(line.end - line.pos, 0);
	assert_true(scan_line(&text, &line));
	assert_int_equal(line.end - line.pos, 5);
	assert_false(scan_line(&text, &line));
	text = scan_of("");
	assert_false(scan_line(&text, &line));
}

static void test_words_and_numbers(void **state)
{
	struct scan line = scan_of("  cpu0\t12 034  x9 18446744073709551615 18446744073709551616");
	struct scan_word word;
	uint64_t value;

	(void)state;
	assert_true(scan_word(&line, &word));
	assert_word(&word, "cpu0");
	assert_true(scan_u64(&line, &value));
	assert_int_equal(value, 12);
	assert_true(scan_u64(&line, &value));
	assert_int_equal(value, 34);
	assert_false(scan_u64(&line, &value)); /* nothing taken */
	assert_true(scan_word(&line, &word));
	assert_word(&word, "x9");
	assert_true(scan_u64(&line, &value));
	assert_true(value == UINT64_MAX);
	assert_false(scan_u64(&line, &value)); /* does not fit */
	assert_true(scan_word(&line, &word));
	assert_false(scan_word(&line, &word));
}

static void test_several_numbers(void **state)
{
	struct scan line = scan_of(" 1 2 3 -4 5");
	uint64_t values[8] = { 0 };

	(void)state;
	assert_int_equal(scan_u64s(&line, values, 2), 2);
	assert_int_equal(scan_u64s(&line, values, 8), 1);
	assert_int_equal(values[0], 3);
}

static void test_prefix_and_separator(void **state)
{
	struct scan line = scan_of("Node 1 MemFree:  7 kB");
	struct scan_word word;
	uint64_t value;

	(void)state;
	assert_false(scan_skip(&line, "Node 2"));
	assert_false(scan_skip(&line, "Node 1 MemFree:  7 kB and more"));
	assert_true(scan_skip(&line, "Node 1 "));
	assert_true(scan_until(&line, ':', &word));
	assert_true(scan_word_is(&word, "MemFree"));
	assert_false(scan_word_is(&word, "MemFre"));
	assert_true(scan_word_begins(&word, "Mem"));
	assert_false(scan_word_begins(&word, "MemFreeX"));
	assert_false(scan_until(&line, ':', &word));
	assert_true(scan_u64(&line, &value));
	assert_int_equal(value, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_words_and_numbers),
		cmocka_unit_test(test_several_numbers),
		cmocka_unit_test(test_prefix_and_separator),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
