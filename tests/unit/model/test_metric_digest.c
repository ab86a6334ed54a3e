/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/metric_digest.h"

#include "../test.h"

#include "model/metric.h"

static uint64_t digest(struct metric *items, size_t nr)
{
	return metric_list_digest(&(struct metric_list){ .items = items, .nr = nr });
}

static char iops[] = "read.iops", bw[] = "read.bw_bytes_per_sec";

static void test_order_does_not_matter(void **state)
{
	struct metric one[] = { { iops, 1.5 }, { bw, 2.5 } };
	struct metric other[] = { { bw, 2.5 }, { iops, 1.5 } };

	(void)state;
	assert_true(digest(one, 2) == digest(other, 2));
}

static void test_every_digit_and_name_matters(void **state)
{
	struct metric one[] = { { iops, 1.5 }, { bw, 2.5 } };
	struct metric last_digit[] = { { iops, 1.5 }, { bw, 2.5000000000000004 } };
	struct metric swapped[] = { { iops, 2.5 }, { bw, 1.5 } };

	(void)state;
	assert_true(digest(one, 2) != digest(last_digit, 2));
	assert_true(digest(one, 2) != digest(swapped, 2));
	assert_true(digest(one, 2) != digest(one, 1));
	assert_true(digest(one, 0) == 0);
}

static void test_zero_has_no_sign(void **state)
{
	(void)state;
	assert_true(metric_digest(iops, 0.0) == metric_digest(iops, -0.0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order_does_not_matter),
		cmocka_unit_test(test_every_digit_and_name_matters),
		cmocka_unit_test(test_zero_has_no_sign),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
