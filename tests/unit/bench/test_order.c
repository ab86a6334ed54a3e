/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "../test.h"

#include "bench/order.h"

#define NR_COINS 100000

static void test_fixed_for_a_seed(void **state)
{
	static const char want[] = "aabbbababaababba";
	struct order order;

	(void)state;
	order_init(&order, 1);
	for (size_t i = 0; want[i]; i++)
		assert_int_equal(order_next_a_first(&order), want[i] == 'a');
}

static void test_seeds_differ(void **state)
{
	struct order one;
	struct order two;
	unsigned nr_equal = 0;

	(void)state;
	order_init(&one, 1);
	order_init(&two, 2);
	for (unsigned i = 0; i < 1000; i++)
		nr_equal += order_next_a_first(&one) == order_next_a_first(&two);
	assert_in_range(nr_equal, 420, 580); /* 5 standard deviations */
}

/* A fair coin without memory: as many A as B first, as many changes as repetitions. */
static void test_fair(void **state)
{
	struct order order;
	unsigned nr_a = 0;
	unsigned nr_changes = 0;
	bool before = false;

	(void)state;
	order_init(&order, 0);
	for (unsigned i = 0; i < NR_COINS; i++) {
		bool a_first = order_next_a_first(&order);

		nr_a += a_first;
		nr_changes += i > 0 && a_first != before;
		before = a_first;
	}
	assert_in_range(nr_a, NR_COINS / 2 - 800, NR_COINS / 2 + 800); /* 5 standard deviations */
	assert_in_range(nr_changes, NR_COINS / 2 - 800, NR_COINS / 2 + 800);
}

/* Also over seeds: the first coin is no function of the seed's parity or the like. */
static void test_first_coin(void **state)
{
	unsigned nr_a[2] = { 0, 0 };

	(void)state;
	for (unsigned seed = 0; seed < 4000; seed++) {
		struct order order;

		order_init(&order, seed);
		nr_a[seed % 2] += order_next_a_first(&order);
	}
	assert_in_range(nr_a[0], 1000 - 112, 1000 + 112);
	assert_in_range(nr_a[1], 1000 - 112, 1000 + 112);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fixed_for_a_seed),
		cmocka_unit_test(test_seeds_differ),
		cmocka_unit_test(test_fair),
		cmocka_unit_test(test_first_coin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
