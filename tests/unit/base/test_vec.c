/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_vec: the typed vector macros. */
#include "base/vec.h"

#include "test.h"

struct point {
	int x, y;
};

struct point_list VEC_BODY(struct point);

static void test_push_and_iterate(void **state)
{
	VEC(uint64_t) numbers = VEC_INIT;
	uint64_t sum = 0;

	(void)state;
	for (uint64_t i = 0; i < 1000; i++) {
		vec_push(&numbers, i);
		assert_true(numbers.capacity >= numbers.nr);
	}
	VEC_FOREACH (&numbers, number)
		sum += *number;
	assert_int_equal(sum, 999 * 1000 / 2);
	assert_int_equal(numbers.nr, 1000);
	vec_release(&numbers);
	assert_null(numbers.items);
	assert_int_equal(numbers.nr, 0);
	assert_int_equal(numbers.capacity, 0);
}

static void test_structs(void **state)
{
	struct point_list points = VEC_INIT;
	struct point popped;

	(void)state;
	vec_push(&points, (struct point){ 1, 2 });
	vec_push(&points, (struct point){ .x = 3, .y = 4 });
	vec_last(&points)->y = 5;
	popped = vec_pop(&points);
	assert_int_equal(popped.x, 3);
	assert_int_equal(popped.y, 5);
	assert_int_equal(points.nr, 1);
	vec_clear(&points);
	assert_int_equal(points.nr, 0);
	assert_non_null(points.items);
	vec_release(&points);
}

static void test_empty(void **state)
{
	VEC(int) empty = VEC_INIT;
	size_t nr = 0;

	(void)state;
	VEC_FOREACH (&empty, item)
		nr += (size_t)*item + 1;
	assert_int_equal(nr, 0);
	vec_release(&empty);
}

static void test_reserve(void **state)
{
	VEC(int) numbers = VEC_INIT;
	int *items;

	(void)state;
	vec_push(&numbers, 1);
	vec_reserve(&numbers, 100);
	items = numbers.items;
	for (int i = 0; i < 100; i++)
		vec_push(&numbers, i);
	assert_ptr_equal(numbers.items, items); /* no move after the reserve */
	assert_int_equal(numbers.nr, 101);
	vec_release(&numbers);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_push_and_iterate),
		cmocka_unit_test(test_structs),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_reserve),
	};

	return cmocka_run_group_tests_name("vec", tests, NULL, NULL);
}
