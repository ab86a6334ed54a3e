/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hang: what is slow is waited for, what hangs is not. */
#include "load/hang.h"

#include "test.h"

#define S UINT64_C(1000000000)

static void test_no_progress(void **state)
{
	struct hang hang = { .progress_ns = 0 };
	struct sample_counts counts = { .ios = { 1 } };

	(void)state;
	assert_false(hang_give_up(&hang, &counts, false, false, 1));
	assert_false(hang_give_up(&hang, &counts, false, false, 1000 * S)); /* it may take long */
	assert_false(hang_give_up(&hang, &counts, true, false, 1001 * S));
	assert_false(hang_give_up(&hang, &counts, true, false, 1299 * S));
	counts.ios[0]++; /* one came back */
	assert_false(hang_give_up(&hang, &counts, true, false, 1300 * S));
	assert_false(hang_give_up(&hang, &counts, true, false, 1599 * S));
	assert_true(hang_give_up(&hang, &counts, true, false, 1600 * S));
}

static void test_second_signal(void **state)
{
	struct hang hang = { .progress_ns = 0 };
	struct sample_counts counts = { .ios = { 1 } };

	(void)state;
	assert_false(hang_give_up(&hang, &counts, true, false, S));
	assert_false(hang_give_up(&hang, &counts, true, true, 2 * S));
	counts.ios[0]++;
	assert_false(hang_give_up(&hang, &counts, true, true, 2 * S + S / 2));
	assert_true(hang_give_up(&hang, &counts, true, true, 3 * S));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_progress),
		cmocka_unit_test(test_second_signal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
