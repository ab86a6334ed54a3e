/* SPDX-License-Identifier: GPL-2.0-or-later */
/* number_expr: arithmetic in values, exact, and what is none. */
#include "job/number_expr.h"

#include <errno.h>
#include <string.h>

#include "test.h"

static bool kilo(const void *arg, const char *suffix, long double *ret_factor)
{
	(void)arg;
	*ret_factor = 1024;
	return !strcmp(suffix, "k");
}

static const struct number_expr_units units = { .factor = kilo, .unit = 1 };

static const struct {
	const char *text;
	int ret;
	double value;
} cases[] = {
	{ "(1)", 0, 1 },
	{ "(1+2*3)", 0, 7 },
	{ "((1+2)*3)", 0, 9 },
	{ "( 8 - 2 - 1 )", 0, 5 },
	{ "(2^3^2)", 0, 512 },
	{ "(7%4)", 0, 3 },
	{ "(7/2)", 0, 3.5 },
	{ "(-3 + 4)", 0, 1 },
	{ "(2 * -3)", 0, -6 },
	{ "(1.5k)", 0, 1536 },
	{ "(0.25k + .5k)", 0, 768 },
	{ "(2k*3)+1", 0, 6145 },
	{ "()", -EINVAL, 0 },
	{ "(1", -EINVAL, 0 },
	{ "(1))", -EINVAL, 0 },
	{ "(1+)", -EINVAL, 0 },
	{ "(1 2)", -EINVAL, 0 },
	{ "(1.2.3)", -EINVAL, 0 },
	{ "(.)", -EINVAL, 0 },
	{ "(1x)", -EINVAL, 0 },
	{ "(1aaaaaaaaaaaaaaaaaaaaaaaaa)", -EINVAL, 0 },
	{ "(1/0)", -ERANGE, 0 },
	{ "(1%0)", -ERANGE, 0 },
	{ "(9^9^9^9)", -ERANGE, 0 },
	{ "((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))", -EINVAL, 0 },
	{ "(----------------------------------------1)", -EINVAL, 0 },
};

static void test_expressions(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		long double value = 77;
		int ret = number_expr_evaluate(cases[i].text, &units, &value);

		if (ret != cases[i].ret)
			fail_msg("%s: %d", cases[i].text, ret);
		if (value != (long double)(ret < 0 ? 77 : cases[i].value))
			fail_msg("%s: %Lg", cases[i].text, value);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_expressions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
