/* SPDX-License-Identifier: GPL-2.0-or-later */
/* virtual_rule: a change is what no choice of seeds explains. */
#include "analysis/virtual_rule.h"

#include <math.h>

#include "test.h"

static struct virtual_decision decide(const double *a, const double *b, size_t nr, double min)
{
	struct virtual_decision decision;

	virtual_decide(a, b, nr, min, &decision);
	return decision;
}

static void equal_is_no_difference(void **state)
{
	static const double a[] = { 5018.6, 5023.6, 5018.6, 5023.6, 5018.6 };
	struct virtual_decision decision = decide(a, a, 5, VIRTUAL_MIN_EFFECT);

	(void)state;
	assert_int_equal(decision.finding, FINDING_NO_DIFFERENCE);
	assert_true(decision.ratio == 1);
	assert_true(decision.a.min == 5018.6 && decision.a.max == 5023.6);
	assert_true(decision.a.median == 5018.6);
}

static void a_gap_beyond_all_seeds_is_a_change(void **state)
{
	static const double a[] = { 4621, 4622, 4620 };
	static const double b[] = { 5028, 5030, 5027 };
	struct virtual_decision decision = decide(a, b, 3, VIRTUAL_MIN_EFFECT);

	(void)state;
	assert_int_equal(decision.finding, FINDING_HIGHER);
	assert_true(fabs(decision.ratio - 5028.0 / 4621) < 1e-12);
	assert_true(decision.ratios.lo <= decision.ratio && decision.ratio <= decision.ratios.hi);
	decision = decide(b, a, 3, VIRTUAL_MIN_EFFECT);
	assert_int_equal(decision.finding, FINDING_LOWER);
}

/* Disjoint, but closer than the smallest effect, or than the seeds are among themselves. */
static void small_gaps_do_not_count(void **state)
{
	static const double a[] = { 1000, 1001 };
	static const double near[] = { 1002, 1003 };
	static const double wide[] = { 1000, 1100 };
	static const double above[] = { 1101, 1102 };
	static const double meets[] = { 1001, 1200 };

	(void)state;
	assert_int_equal(decide(a, near, 2, 0.003).finding, FINDING_NO_DIFFERENCE);
	assert_int_equal(decide(a, near, 2, 0.0005).finding, FINDING_HIGHER);
	assert_int_equal(decide(wide, above, 2, 0.003).finding, FINDING_NO_DIFFERENCE);
	assert_int_equal(decide(a, meets, 2, 0.003).finding, FINDING_NO_DIFFERENCE);
}

static void counts_may_be_zero(void **state)
{
	static const double none[] = { 0, 0 };
	static const double some[] = { 7, 7 };
	struct virtual_decision decision = decide(none, some, 2, 0.003);

	(void)state;
	assert_int_equal(decision.finding, FINDING_HIGHER);
	assert_true(isnan(decision.ratio));
	assert_int_equal(decide(some, none, 2, 0.003).finding, FINDING_LOWER);
	assert_int_equal(decide(none, none, 2, 0.003).finding, FINDING_NO_DIFFERENCE);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_is_no_difference),
		cmocka_unit_test(a_gap_beyond_all_seeds_is_a_change),
		cmocka_unit_test(small_gaps_do_not_count),
		cmocka_unit_test(counts_may_be_zero),
	};

	return cmocka_run_group_tests_name("virtual_rule", tests, NULL, NULL);
}
