/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "load/own_workload.h"

#include <string.h>

#include "base/err.h"
#include "load/aiol.h"
#include "test.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

static void assert_refused(const char *const *words, size_t nr, const char *message)
{
	CLEANUP(own_workload) struct own_workload *workload = NULL;
	struct err err = { .code = 0 };

	assert_int_equal(own_workload_parse("aiol", words, nr, &workload, &err), -ERR_USAGE);
	assert_string_equal(err.msg, message);
}

static void test_table(void **state)
{
	(void)state;
	for (size_t i = 0; own_workload_table()[i]; i++) {
		const struct own_workload_ops *ops = own_workload_table()[i];

		assert_ptr_equal(own_workload_find(ops->name), ops);
		assert_non_null(ops->summary);
		assert_non_null(ops->spec);
		assert_non_null(ops->check);
		assert_non_null(ops->run);
	}
	assert_null(own_workload_find("aio"));
}

static void test_words(void **state)
{
	static const char *const words[] = { "--requests", "8", "--instances=2", "--requests=16" };
	CLEANUP(own_workload) struct own_workload *workload = NULL;

	(void)state;
	assert_int_equal(own_workload_parse("aiol", words, NR(words), &workload, NULL), 0);
	assert_string_equal(own_workload_text(workload),
			    "aiol --requests 8 --instances=2 --requests=16");
	assert_null(own_workload_directory(workload));
	own_workload_set_directory(workload, "/a");
	own_workload_set_directory(workload, "/b");
	assert_string_equal(own_workload_directory(workload), "/b");
}

static void test_refused(void **state)
{
	static const char *const none[] = { "--requests=0" };
	static const char *const many[] = { "--requests=4097" };
	static const char *const instances[] = { "--instances=x%" };
	static const char *const crowd[] = { "--instances=99999" };
	static const char *const timeout[] = { "--timeout=0" };
	static const char *const unknown[] = { "--request=3" };
	static const char *const operand[] = { "64" };

	(void)state;
	assert_refused(none, 1, "aiol: --requests: 0 is not 1 to 4096");
	assert_refused(many, 1, "aiol: --requests: 4097 is not 1 to 4096");
	assert_refused(instances, 1, "aiol: --instances: 'x%' is neither a number nor N%");
	assert_refused(crowd, 1, "aiol: --instances: '99999' is not 1 to 1024 processes");
	assert_refused(timeout, 1, "aiol: --timeout: 0 measures nothing");
	assert_refused(unknown, 1,
		       "aiol: unknown option '--request=3'; did you mean '--requests'?");
	assert_refused(operand, 1, "aiol: unexpected argument '64'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
