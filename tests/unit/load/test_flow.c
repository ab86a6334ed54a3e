/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flow: who waits for whom. */
#include "load/flow.h"

#include "fixture.h"
#include "test.h"

static void test_shares(void **state)
{
	struct flow flow = { .id = 0 };
	uint64_t issued[2] = { 0 };

	(void)state;
	flow_join(&flow, 8);
	flow_join(&flow, 1);
	for (size_t i = 0; i < 9000; i++) {
		bool first_waits = flow_is_ahead(&flow, 8, issued[0]);
		size_t who = first_waits;

		assert_false(first_waits && flow_is_ahead(&flow, 1, issued[1]));
		issued[who]++;
		flow_issued(&flow);
	}
	assert_in_range(issued[0], 7999, 8001);
}

static void test_alone(void **state)
{
	struct flow flow = { .id = 0 };

	(void)state;
	flow_join(&flow, 8);
	flow_join(&flow, 1);
	for (size_t i = 0; i < 10; i++)
		flow_issued(&flow);
	assert_true(flow_is_ahead(&flow, 1, 10));
	flow_leave(&flow, 8, 0); /* the other one has ended */
	assert_false(flow_is_ahead(&flow, 1, 10));
}

static void test_ids(void **state)
{
	struct job jobs[4] = { fixture_job(), fixture_job(), fixture_job(), fixture_job() };
	const struct job_set set = { .jobs = jobs, .nr = 4 };
	struct flow_table table;

	(void)state;
	jobs[0].flow_weight = jobs[1].flow_weight = jobs[2].flow_weight = 1;
	jobs[1].flow_id = 7;
	jobs[2].flow_id = 7;
	jobs[3].flow_id = 9; /* without a weight */
	flow_table_init(&table, &set);
	assert_int_equal(table.nr, 2);
	assert_ptr_not_equal(flow_find(&table, 0), flow_find(&table, 7));
	assert_null(flow_find(&table, 9));
	flow_table_release(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_alone),
		cmocka_unit_test(test_ids),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
