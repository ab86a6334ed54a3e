/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_err: codes, messages, prefixes, truncation, NULL. */
#include "base/err.h"

#include "test.h"

#include <errno.h>
#include <string.h>

static void test_set(void **state)
{
	struct err err = { .code = 0 };

	(void)state;
	assert_int_equal(err_set(&err, ERR_INPUT, "%s:%d: bad", "job.fio", 3), -ERR_INPUT);
	assert_int_equal(err.code, ERR_INPUT);
	assert_int_equal(err.saved_errno, 0);
	assert_string_equal(err.msg, "job.fio:3: bad");
}

static void test_set_replaces_and_forgets_errno(void **state)
{
	struct err err = { .code = ERR_SYSTEM, .saved_errno = EIO, .msg = "a long old message" };

	(void)state;
	assert_int_equal(err_set(&err, ERR_UNSAFE, "no"), -ERR_UNSAFE);
	assert_int_equal(err.saved_errno, 0);
	assert_string_equal(err.msg, "no");
}

static void test_set_from_own_message(void **state)
{
	struct err err = { .code = 0 };

	(void)state;
	(void)err_set(&err, ERR_INPUT, "inner");
	(void)err_set(&err, ERR_INPUT, "outer (%s)", err.msg);
	assert_string_equal(err.msg, "outer (inner)");
}

static void test_set_errno(void **state)
{
	struct err err = { .code = 0 };

	(void)state;
	errno = ENOENT;
	assert_int_equal(err_set_errno(&err, "open %s", "x"), -ERR_SYSTEM);
	assert_int_equal(err.code, ERR_SYSTEM);
	assert_int_equal(err.saved_errno, ENOENT);
	assert_string_equal(err.msg, "open x: No such file or directory");
}

static void test_prefix(void **state)
{
	struct err err = { .code = 0 };

	(void)state;
	(void)err_set(&err, ERR_UNSUPPORTED, "no such engine");
	assert_int_equal(err_prefix(&err, "job '%s'", "a"), -ERR_UNSUPPORTED);
	assert_string_equal(err.msg, "job 'a': no such engine");
	assert_int_equal(err.code, ERR_UNSUPPORTED);
}

static void test_prefix_keeps_errno(void **state)
{
	struct err err = { .code = 0 };

	(void)state;
	errno = EACCES;
	(void)err_set_errno(&err, "x");
	assert_int_equal(err_prefix(&err, "y"), -ERR_SYSTEM);
	assert_int_equal(err.saved_errno, EACCES);
}

/* What was quoted from a file may hold anything. */
static void test_one_line(void **state)
{
	struct err err = { .code = 0 };

	(void)state;
	(void)err_set(&err, ERR_INPUT, "schema '%s'", "a\nb\tc\x7f\x1b[1m");
	assert_string_equal(err.msg, "schema 'a?b?c??[1m'");
	(void)err_prefix(&err, "file\n");
	assert_string_equal(err.msg, "file?: schema 'a?b?c??[1m'");
}

static void test_null(void **state)
{
	(void)state;
	assert_int_equal(err_set(NULL, ERR_USAGE, "x"), -ERR_USAGE);
	assert_int_equal(err_set_errno(NULL, "x"), -ERR_SYSTEM);
	assert_int_equal(err_prefix(NULL, "x"), -ERR_SYSTEM);
}

static void assert_cut(const struct err *err)
{
	assert_int_equal(strlen(err->msg), ERR_MSG_LEN - 1);
	assert_string_equal(err->msg + ERR_MSG_LEN - 4, "...");
}

static void test_long_messages_are_cut(void **state)
{
	char text[2 * ERR_MSG_LEN];
	struct err err = { .code = 0 };

	(void)state;
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	(void)err_set(&err, ERR_INPUT, "%s", text);
	assert_cut(&err);
	(void)err_prefix(&err, "%s", text);
	assert_cut(&err);
	errno = EIO;
	(void)err_set_errno(&err, "%s", text);
	assert_cut(&err);

	/* Exactly what fits is not marked. */
	text[ERR_MSG_LEN - 1] = '\0';
	(void)err_set(&err, ERR_INPUT, "%s", text);
	assert_string_equal(err.msg, text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_set),
		cmocka_unit_test(test_set_replaces_and_forgets_errno),
		cmocka_unit_test(test_set_from_own_message),
		cmocka_unit_test(test_set_errno),
		cmocka_unit_test(test_prefix),
		cmocka_unit_test(test_prefix_keeps_errno),
		cmocka_unit_test(test_one_line),
		cmocka_unit_test(test_null),
		cmocka_unit_test(test_long_messages_are_cut),
	};

	return cmocka_run_group_tests_name("err", tests, NULL, NULL);
}
