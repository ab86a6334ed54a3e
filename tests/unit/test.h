/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_UNIT_TEST_H
#define REGIO_TESTS_UNIT_TEST_H

/* What every unit test needs: cmocka with the headers it expects before it, and test_skip. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/* Ends the test case as skipped. cmocka's own skip() prints "not ok", which meson takes for a
 * failure; tools/test-summary counts a case after this line as skipped and prints the reason. */
#define test_skip(reason)                                                                          \
	do {                                                                                       \
		(void)printf("# skip: %s\n", (reason));                                            \
		return;                                                                            \
	} while (0)

#endif
