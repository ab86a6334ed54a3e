/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_strbuf: growth, termination, binary content, moving out. */
#include "base/strbuf.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

static void test_empty(void **state)
{
	CLEANUP(strbuf) struct strbuf sb = STRBUF_INIT;

	(void)state;
	assert_string_equal(strbuf_str(&sb), "");
	strbuf_reset(&sb);
	strbuf_trim(&sb);
	strbuf_truncate(&sb, 0);
	assert_string_equal(strbuf_str(&sb), "");
	assert_int_equal(sb.len, 0);
}

static void test_zero_is_valid(void **state)
{
	CLEANUP(strbuf) struct strbuf sb = { 0 };

	(void)state;
	strbuf_add_char(&sb, 'x');
	assert_string_equal(strbuf_str(&sb), "x");
}

static void test_add(void **state)
{
	CLEANUP(strbuf) struct strbuf sb = STRBUF_INIT;

	(void)state;
	strbuf_add_str(&sb, "ab");
	strbuf_add_char(&sb, 'c');
	strbuf_add_repeat(&sb, '-', 3);
	strbuf_printf(&sb, "%d/%s", 42, "x");
	strbuf_add(&sb, NULL, 0);
	assert_string_equal(strbuf_str(&sb), "abc---42/x");
	assert_int_equal(sb.len, 10);
}

static void test_binary(void **state)
{
	CLEANUP(strbuf) struct strbuf sb = STRBUF_INIT;

	(void)state;
	strbuf_add(&sb, "a\0b", 3);
	assert_int_equal(sb.len, 3);
	assert_memory_equal(sb.buf, "a\0b", 4); /* with the terminator */
}

static void test_grows_one_by_one(void **state)
{
	CLEANUP(strbuf) struct strbuf sb = STRBUF_INIT;

	(void)state;
	for (size_t i = 0; i < 10000; i++) {
		strbuf_add_char(&sb, (char)('a' + i % 26));
		assert_true(sb.capacity > sb.len);
	}
	assert_int_equal(strlen(sb.buf), 10000);
	assert_int_equal(sb.buf[9999], 'a' + 9999 % 26);
}

static void test_printf_longer_than_the_room(void **state)
{
	CLEANUP(strbuf) struct strbuf sb = STRBUF_INIT;

	(void)state;
	strbuf_printf(&sb, "%s", "x");
	strbuf_printf(&sb, "%01000d", 7);
	assert_int_equal(sb.len, 1001);
	assert_int_equal(strlen(sb.buf), 1001);
	assert_int_equal(sb.buf[1000], '7');
	/* Exactly what the first allocation holds, and one more. */
	for (int width = 50; width < 140; width++) {
		strbuf_release(&sb);
		strbuf_printf(&sb, "%0*d", width, 1);
		assert_int_equal(sb.len, width);
		assert_int_equal(strlen(sb.buf), width);
	}
}

static void test_trim(void **state)
{
	static const struct {
		const char *text, *trimmed;
	} rows[] = { { "", "" },     { " \t\n", "" }, { "a", "a" }, { "  a b \n", "a b" },
		     { "\ta", "a" }, { "a ", "a" } };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CLEANUP(strbuf) struct strbuf sb = STRBUF_INIT;

		strbuf_add_str(&sb, rows[i].text);
		strbuf_trim(&sb);
		assert_string_equal(strbuf_str(&sb), rows[i].trimmed);
		assert_int_equal(sb.len, strlen(rows[i].trimmed));
	}
}

static void test_truncate(void **state)
{
	CLEANUP(strbuf) struct strbuf sb = STRBUF_INIT;

	(void)state;
	strbuf_add_str(&sb, "abcdef");
	strbuf_truncate(&sb, 2);
	assert_string_equal(strbuf_str(&sb), "ab");
	strbuf_add_str(&sb, "x");
	assert_string_equal(strbuf_str(&sb), "abx");
}

static void test_take(void **state)
{
	struct strbuf sb = STRBUF_INIT;
	char *text;

	(void)state;
	strbuf_add_str(&sb, "mine");
	text = strbuf_take(&sb);
	assert_string_equal(text, "mine");
	assert_null(sb.buf);
	assert_int_equal(sb.len, 0);
	free(text);
	text = strbuf_take(&sb);
	assert_string_equal(text, "");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_zero_is_valid),
		cmocka_unit_test(test_add),
		cmocka_unit_test(test_binary),
		cmocka_unit_test(test_grows_one_by_one),
		cmocka_unit_test(test_printf_longer_than_the_room),
		cmocka_unit_test(test_trim),
		cmocka_unit_test(test_truncate),
		cmocka_unit_test(test_take),
	};

	return cmocka_run_group_tests_name("strbuf", tests, NULL, NULL);
}
