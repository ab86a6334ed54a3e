/* SPDX-License-Identifier: GPL-2.0-or-later */
/* LKP's rule for rows: what it says of the posted arrays, and its limits one by one. */
#include "analysis/lkp_select.h"

#include <math.h>
#include <stdlib.h>

#include "test.h"
#include "golden.h"

#define OPS "stress-ng.aiol.ops_per_sec"

static bool selects_posted(const struct lkp_rule *rule, const char *base, const char *other)
{
	json_t *root = golden_load();
	json_t *data = golden_get(root, "data");
	struct sample a, b;
	double *values_a = golden_array(root, golden_get(data, base), &a.nr);
	double *values_b = golden_array(root, golden_get(data, other), &b.nr);
	bool is_selected;

	a.values = values_a;
	b.values = values_b;
	is_selected = lkp_selects(rule, OPS, &a, &b);
	free(values_a);
	free(values_b);
	json_decref(root);
	return is_selected;
}

static void test_posted_arrays(void **state)
{
	static const char mq[] = "aiol/mq-deadline/", none[] = "aiol/none/";
	static const struct {
		const char *scheduler, *base, *other;
		bool is_selected;
	} rows[] = {
		{ mq, "v6.12-rc4", "e70c301fae", true },
		{ mq, "a3396b9999", "e70c301fae", true },
		{ mq, "v6.12-rc4", "a3396b9999", false },
		{ none, "v6.12-rc4", "a3396b9999", false },
		{ none, "v6.12-rc4", "e70c301fae", false },
		{ none, "a3396b9999", "e70c301fae", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char base[64], other[64];

		snprintf(base, sizeof(base), "%s%s", rows[i].scheduler, rows[i].base);
		snprintf(other, sizeof(other), "%s%s", rows[i].scheduler, rows[i].other);
		assert_int_equal(selects_posted(&LKP_RULE_DEFAULT, base, other),
				 rows[i].is_selected);
		assert_int_equal(selects_posted(&LKP_RULE_DEFAULT, other, base),
				 rows[i].is_selected);
	}
}

/* Apart by 36.55, which is less than half of the medians' distance of 87.93. */
static void test_posted_arrays_are_too_near_for_other_tests(void **state)
{
	static const struct lkp_rule distance = { .test = LKP_TEST_DISTANCE, .threshold = 2 };
	static const struct lkp_rule gap = { .test = LKP_TEST_GAP, .threshold = 1 };
	static const struct lkp_rule small_gap = { .test = LKP_TEST_GAP, .threshold = 0.41 };
	static const struct lkp_rule larger_gap = { .test = LKP_TEST_GAP, .threshold = 0.42 };
	static const char base[] = "aiol/mq-deadline/v6.12-rc4";
	static const char other[] = "aiol/mq-deadline/e70c301fae";

	(void)state;
	assert_false(selects_posted(&distance, base, other));
	assert_false(selects_posted(&gap, base, other));
	assert_true(selects_posted(&small_gap, base, other));
	assert_false(selects_posted(&larger_gap, base, other));
}

#define SELECTS(rule, name, base, other)                                                           \
	lkp_selects(                                                                               \
		&(rule), (name),                                                                   \
		&(struct sample){ .values = (base), .nr = sizeof(base) / sizeof((base)[0]) },      \
		&(struct sample){ .values = (other), .nr = sizeof(other) / sizeof((other)[0]) })

static const struct lkp_rule strict = { .is_strict = true };

static void test_three_runs_on_one_side_suffice(void **state)
{
	static const double one[] = { 100 }, two[] = { 100, 101 }, three[] = { 100, 101, 102 };
	static const double other_one[] = { 200 }, other_two[] = { 200, 201 };

	(void)state;
	assert_false(SELECTS(LKP_RULE_DEFAULT, "a.b", one, other_one));
	assert_false(SELECTS(LKP_RULE_DEFAULT, "a.b", two, other_two));
	assert_true(SELECTS(LKP_RULE_DEFAULT, "a.b", three, other_one));
	assert_true(SELECTS(LKP_RULE_DEFAULT, "a.b", other_one, three));
}

static void test_each_median_outside_the_range(void **state)
{
	static const double base[] = { 100, 110, 120 };
	static const double apart[] = { 111, 121, 130 }; /* its minimum is above the other median */
	static const double touching[] = { 110, 121, 130 };
	static const double inside[] = { 111, 120, 130 };
	/* the upper of the two in the middle is 121 */
	static const double even[] = { 111, 112, 121, 130 };

	(void)state;
	assert_true(SELECTS(LKP_RULE_DEFAULT, "a.b", base, apart));
	assert_true(SELECTS(LKP_RULE_DEFAULT, "a.b", apart, base));
	assert_false(SELECTS(LKP_RULE_DEFAULT, "a.b", base, touching));
	assert_false(SELECTS(LKP_RULE_DEFAULT, "a.b", base, inside));
	assert_true(SELECTS(LKP_RULE_DEFAULT, "a.b", base, even));
}

static void test_trimming_begins_at_32(void **state)
{
	double base[32], other[32];

	(void)state;
	for (size_t i = 0; i < 32; i++) {
		base[i] = 100;
		other[i] = 200;
	}
	other[7] = 1; /* one odd run */
	assert_true(SELECTS(LKP_RULE_DEFAULT, "a.b", base, other));
	assert_false(lkp_selects(&LKP_RULE_DEFAULT, "a.b",
				 &(struct sample){ .values = base, .nr = 31 },
				 &(struct sample){ .values = other, .nr = 31 }));
}

static void test_ratio(void **state)
{
	static const double base[] = { 1000, 1000, 1000 };
	static const double one[] = { 1010, 1010, 1010 }, above_one[] = { 1011, 1011, 1011 };
	static const double five[] = { 1050, 1050, 1050 }, above_five[] = { 1051, 1051, 1051 };
	static const double minus[] = { -5, -5, -5 }, plus[] = { 5, 5, 5 };

	(void)state;
	assert_false(SELECTS(LKP_RULE_DEFAULT, "fio.read_iops", base, one));
	assert_true(SELECTS(LKP_RULE_DEFAULT, "fio.read_iops", base, above_one));
	assert_true(SELECTS(LKP_RULE_DEFAULT, "perf-stat.i.cycles", base, above_one));
	assert_false(SELECTS(LKP_RULE_DEFAULT, "sched_debug.x", base, five));
	assert_true(SELECTS(LKP_RULE_DEFAULT, "sched_debug.x", base, above_five));
	assert_true(SELECTS(LKP_RULE_DEFAULT, "sched_debug.x", minus, plus));
}

static void test_floors(void **state)
{
	static const struct {
		const char *name;
		double base, other;
		bool is_selected;
	} rows[] = {
		{ "fio.time.elapsed_time", 5, 9.9, false }, /* below 10 s */
		{ "fio.time.elapsed_time", 5, 10, true },
		{ "fio.time.elapsed_time", 100, 104.9, false }, /* by less than 5 s */
		{ "fio.time.elapsed_time", 100, 105, true },
		{ "time.elapsed_time", 1, 2, true }, /* LKP's pattern wants a program before it */
		{ "vmstat.io.bo", 10, 99, false },
		{ "vmstat.io.bo", 10, 100, true },
		{ "vmstat.cpu.wa", 1, 9, false },
		{ "vmstat.cpu.wa", 1, 10, true },
		{ "iostat.sda.w_await", 1, 49, false },
		{ "iostat.sda.w_await", 1, 50, true },
		{ "iostat.sda.util", 1, 9, false },
		{ "iostat.cpu.iowait", 0.1, 1, false },
		{ "iostat.cpu.iowait", 0.1, 1.1, true },
		{ "interrupts.CPU0.LOC", 1, 99, false },
		{ "interrupts.CPU0.LOC", 1, 100, true },
		{ "softirqs.BLOCK", 1, 10000, false },
		{ "meminfo.Dirty", 1, 1000, false },
		{ "numa-meminfo.node0.Dirty", 1, 1001, true },
		{ "proc-vmstat.pgpgin", 1, 1000, false },
		{ "proc-vmstat.nr_dirty", 1, 99, false },
		{ "proc-vmstat.nr_dirty", 1, 100, true },
		{ "slabinfo.dentry.num_objs", 1000, 1100, false },
		{ "slabinfo.dentry.num_objs", 1000, 1101, true },
		{ "fio.read_iops", 1, 2, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double base[] = { rows[i].base, rows[i].base, rows[i].base };
		double other[] = { rows[i].other, rows[i].other, rows[i].other };

		if (SELECTS(LKP_RULE_DEFAULT, rows[i].name, base, other) != rows[i].is_selected)
			fail_msg("%s %g -> %g", rows[i].name, rows[i].base, rows[i].other);
	}
}

static void test_distance(void **state)
{
	static const struct lkp_rule distance = { .test = LKP_TEST_DISTANCE, .threshold = 2 };
	static const double base[] = { 100, 110, 120 };
	static const double far[] = { 150, 160, 170 };	/* gap 30 of 50 */
	static const double near[] = { 145, 160, 170 }; /* 25 of 50 */
	static const double next[] = { 121, 121, 121 }; /* whole numbers side by side */
	static const double narrow[] = { 100, 101 }, far_two[] = { 104, 104.5 },
			    near_two[] = { 103, 103.5 };
	static const double three[] = { 104, 104.2, 104.5 };

	(void)state;
	assert_true(SELECTS(distance, "a.b", base, far));
	assert_false(SELECTS(distance, "a.b", base, near));
	assert_false(SELECTS(distance, "a.b", base, next));
	assert_true(SELECTS(distance, "a.b", narrow, three));
	assert_false(SELECTS(distance, "a.b", narrow, far_two)); /* runs */
	assert_false(SELECTS(distance, "a.b", near_two, narrow));
}

static void test_spread(void **state)
{
	static const struct lkp_rule spread = { .test = LKP_TEST_SPREAD, .threshold = 3 };
	double base[10], other[10];

	(void)state;
	for (size_t i = 0; i < 10; i++) {
		base[i] = 100 + (double)i / 9;	      /* width 1 of 100 */
		other[i] = 200 + 6.5 * (double)i / 9; /* 6.5 of 203 */
	}
	assert_true(SELECTS(spread, "a.b", base, other));
	assert_true(SELECTS(spread, "a.b", other, base));
	other[9] = 206; /* 6 of 203.6: less than three times as wide */
	assert_false(SELECTS(spread, "a.b", base, other));
	other[9] = 206.5;
	assert_false(lkp_selects(&spread, "a.b", &(struct sample){ .values = base, .nr = 9 },
				 &(struct sample){ .values = other, .nr = 10 }));
}

static void test_profiles_as_meant_and_as_they_are(void **state)
{
	static const char name[] = "perf-profile.self.cycles-pp.f";
	static const double rare[] = { 0.01, 0.02, 0.03 }, less_rare[] = { 0.06, 0.06, 0.06 };
	static const double hot[] = { 6, 6.1, 6.2 }, as_hot[] = { 6, 6.1, 6.2 };
	const struct sample none = { .values = NULL, .nr = 0 };

	(void)state;
	assert_false(SELECTS(LKP_RULE_DEFAULT, name, rare, less_rare));
	assert_true(SELECTS(strict, name, rare, less_rare));
	assert_true(SELECTS(LKP_RULE_DEFAULT, name, hot, as_hot));
	assert_false(SELECTS(strict, name, hot, as_hot));
	assert_true(lkp_selects(&LKP_RULE_DEFAULT, name, &none,
				&(struct sample){ .values = hot, .nr = 3 }));
	assert_false(lkp_selects(&LKP_RULE_DEFAULT, name, &none,
				 &(struct sample){ .values = rare, .nr = 3 }));
	assert_false(lkp_selects(&LKP_RULE_DEFAULT, "fio.read_iops", &none,
				 &(struct sample){ .values = hot, .nr = 3 }));
}

static void test_peaks_of_latency(void **state)
{
	static const char name[] = "sysbench-fileio.latency_max_ms";
	static const double base[] = { 10, 20, 30 }, peak[] = { 15, 25, 91 },
			    small_peak[] = { 15, 25, 90 };

	(void)state;
	assert_true(SELECTS(LKP_RULE_DEFAULT, name, base, peak));
	assert_false(SELECTS(LKP_RULE_DEFAULT, name, base, small_peak));
	assert_false(SELECTS(strict, name, base, peak)); /* the rule is never reached */
	assert_false(SELECTS(LKP_RULE_DEFAULT, "sysbench-fileio.other", base, peak));
}

static void test_monitors(void **state)
{
	(void)state;
	assert_true(lkp_is_monitor("iostat.sda.util"));
	assert_true(lkp_is_monitor("time.user_time"));
	assert_true(lkp_is_monitor("vmstat"));
	assert_false(lkp_is_monitor("vmstat2.x"));
	assert_false(lkp_is_monitor("fio.time.user_time"));
	assert_false(lkp_is_monitor("stress-ng.iostat.x"));
	assert_false(lkp_is_monitor(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_posted_arrays),
		cmocka_unit_test(test_posted_arrays_are_too_near_for_other_tests),
		cmocka_unit_test(test_three_runs_on_one_side_suffice),
		cmocka_unit_test(test_each_median_outside_the_range),
		cmocka_unit_test(test_trimming_begins_at_32),
		cmocka_unit_test(test_ratio),
		cmocka_unit_test(test_floors),
		cmocka_unit_test(test_distance),
		cmocka_unit_test(test_spread),
		cmocka_unit_test(test_profiles_as_meant_and_as_they_are),
		cmocka_unit_test(test_peaks_of_latency),
		cmocka_unit_test(test_monitors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
