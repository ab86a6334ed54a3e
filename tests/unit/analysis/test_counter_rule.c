/* SPDX-License-Identifier: GPL-2.0-or-later */
/* counter_rule: more requests are worse for the same work, and say nothing without it. */
#include "analysis/counter_rule.h"

#include "test.h"

static void for_the_same_work(void **state)
{
	(void)state;
	assert_int_equal(counter_polarity("disk.dm-0.write_ios"), POLARITY_LOWER_IS_BETTER);
	assert_int_equal(counter_polarity("disk.dm-0.read_merges"), POLARITY_HIGHER_IS_BETTER);
	assert_int_equal(counter_polarity("disk.nvme0n1.write_sectors_per_request"),
			 POLARITY_HIGHER_IS_BETTER);
	assert_int_equal(counter_polarity("cpu.ctx"), POLARITY_LOWER_IS_BETTER);
	assert_int_equal(counter_polarity("order.sda.backwards%"), POLARITY_LOWER_IS_BETTER);
	/* whatever is no counter keeps its own */
	assert_int_equal(counter_polarity("read.iops"), POLARITY_HIGHER_IS_BETTER);
	assert_int_equal(counter_polarity("disk.sda.util_percent"), POLARITY_NONE);
}

static void which_are_counters(void **state)
{
	(void)state;
	assert_true(counter_is_one("disk.sda.write_ios"));
	assert_true(counter_is_one("order.nbd0.seek_bytes.median"));
	assert_false(counter_is_one("disk.sda.write_ticks_ms"));
	assert_false(counter_is_one("write.total_ios"));
	assert_false(counter_is_one("order.lost"));
}

static bool same(double ios_a, double bytes_a, double ios_b, double bytes_b)
{
	char ios[] = "total.total_ios";
	char bytes[] = "total.io_bytes";
	struct metric a[] = { { ios, ios_a }, { bytes, bytes_a } };
	struct metric b[] = { { bytes, bytes_b }, { ios, ios_b } };

	return counter_same_work(&(struct metric_list){ .items = a, .nr = 2 },
				 &(struct metric_list){ .items = b, .nr = 2 });
}

static void what_is_the_same_work(void **state)
{
	struct metric_list none = { .nr = 0 };

	(void)state;
	assert_true(same(10, 40960, 10, 40960));
	assert_false(same(10, 40960, 11, 40960));
	assert_false(same(10, 40960, 10, 81920));
	assert_false(same(0, 0, 0, 0));
	assert_false(counter_same_work(&none, &none));
}

static void what_is_slight(void **state)
{
	char ios[] = "total.total_ios";
	struct metric a[] = { { ios, 300 } };
	const struct metric_list run = { .items = a, .nr = 1 };
	const struct metric_list none = { .nr = 0 };

	(void)state;
	assert_true(counter_is_slight("cpu.ctx", &run, 1));
	assert_true(counter_is_slight("disk.sda.read_ios", &run, -3));
	assert_false(counter_is_slight("disk.sda.read_ios", &run, 4));
	assert_false(counter_is_slight("order.sda.backwards%", &run, 1)); /* no count */
	assert_false(counter_is_slight("read.iops", &run, 1));
	assert_false(counter_is_slight("cpu.ctx", &none, 1));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(for_the_same_work),
		cmocka_unit_test(which_are_counters),
		cmocka_unit_test(what_is_the_same_work),
		cmocka_unit_test(what_is_slight),
	};

	return cmocka_run_group_tests_name("counter_rule", tests, NULL, NULL);
}
