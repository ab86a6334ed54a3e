/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Exact integer moments, in particular where naive formulas cancel or overflow. */
#include "stats/moments.h"

#include <math.h>

#include "test.h"
#include "golden.h"

static struct moments moments_of(const uint64_t *values, size_t nr)
{
	struct moments moments = { .n = 0 };

	for (size_t i = 0; i < nr; i++)
		moments_add(&moments, values[i]);
	return moments;
}

static void test_small_sample(void **state)
{
	static const uint64_t values[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
	struct moments moments = moments_of(values, 8);

	(void)state;
	assert_int_equal(moments.n, 8);
	assert_int_equal(moments.min, 2);
	assert_int_equal(moments.max, 9);
	assert_close(moments_mean(&moments), 5.0);
	assert_close(moments_stddev(&moments), sqrt(32.0 / 7.0));
}

static void test_empty_and_single(void **state)
{
	struct moments moments = { .n = 0 };

	(void)state;
	assert_true(moments_mean(&moments) == 0.0);
	assert_true(moments_stddev(&moments) == 0.0);
	moments_add(&moments, 7);
	assert_int_equal(moments.min, 7);
	assert_true(moments_mean(&moments) == 7.0);
	assert_true(moments_stddev(&moments) == 0.0);
	moments_add(&moments, 0);
	moments_add(&moments, 9);
	assert_int_equal(moments.min, 0);
}

/* In double, the sum of squares of these has lost the spread altogether. */
static void test_small_spread_on_a_large_mean(void **state)
{
	static const uint64_t values[] = { 1000000000000000001, 1000000000000000002,
					   1000000000000000003 };
	struct moments moments = moments_of(values, 3);

	(void)state;
	assert_close(moments_stddev(&moments), 1.0);
	assert_close(moments_mean(&moments), 1000000000000000002.0);
}

/* Half of 2^20 I/Os took 2^43 ns, half 1.5 times that: sums of squares of 107 bits. */
static void test_large_sums(void **state)
{
	unsigned __int128 low = (unsigned __int128)1 << 43;
	unsigned __int128 high = low + (low >> 1);
	struct moments moments = {
		.n = 1ULL << 20,
		.min = (uint64_t)low,
		.max = (uint64_t)high,
		.sum = (uint64_t)((low + high) << 19),
		.sum_sq = (low * low + high * high) << 19,
	};

	(void)state;
	assert_close(moments_mean(&moments), 1.25 * 0x1p43);
	assert_close(moments_stddev(&moments), 0x1p41 * sqrt(0x1p20 / (0x1p20 - 1.0)));
}

/* n times the sum of squares about the mean does not fit 128 bits. */
static void test_spread_beyond_128_bits(void **state)
{
	unsigned __int128 high = (unsigned __int128)1 << 46;
	struct moments moments = {
		.n = 1ULL << 40,
		.max = (uint64_t)high,
		.sum = (uint64_t)(high << 17), /* 2^17 of 2^40 values are 2^46, the others 0 */
		.sum_sq = (high * high) << 17,
	};
	double share = 0x1p-23;

	(void)state;
	assert_close(moments_mean(&moments), 0x1p23);
	assert_close(moments_stddev(&moments), 0x1p46 * sqrt(share * (1.0 - share)));
}

static void test_one_odd_value_among_many(void **state)
{
	struct moments moments = {
		.n = 1ULL << 40,
		.max = 1,
		.sum = (1ULL << 40) - 1,
		.sum_sq = (1ULL << 40) - 1,
	};

	(void)state;
	/* Variance = (n - 1) / n / (n - 1) = 1 / n. */
	assert_close(moments_stddev(&moments), 0x1p-20);
}

static void test_merge_equals_one_pass(void **state)
{
	static const uint64_t values[] = { 5, 1, 8, 300, 2, 2, 77 };
	struct moments all = moments_of(values, 7);
	struct moments left = moments_of(values, 3);
	struct moments right = moments_of(values + 3, 4);
	struct moments empty = { .n = 0 };

	(void)state;
	moments_merge(&left, &right);
	moments_merge(&left, &empty);
	moments_merge(&empty, &left);
	assert_int_equal(empty.n, all.n);
	assert_int_equal(empty.min, 1);
	assert_int_equal(empty.max, 300);
	assert_int_equal(empty.sum, all.sum);
	assert_true(empty.sum_sq == all.sum_sq);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small_sample),
		cmocka_unit_test(test_empty_and_single),
		cmocka_unit_test(test_small_spread_on_a_large_mean),
		cmocka_unit_test(test_large_sums),
		cmocka_unit_test(test_spread_beyond_128_bits),
		cmocka_unit_test(test_one_odd_value_among_many),
		cmocka_unit_test(test_merge_equals_one_pass),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
