/* SPDX-License-Identifier: GPL-2.0-or-later */
/* LKP's names of metrics, to regio's and back, and the directions of both. */
#include "model/metric_alias.h"

#include "model/metric.h"
#include "test.h"

static const struct row {
	const char *lkp, *ours;
	double factor;
	bool is_unit_wrong;
	bool is_old; /* LKP has another name for it now */
} rows[] = {
	{ "fio.read_iops", "read.iops", 1.0, false, false },
	{ "fio.write_iops", "write.iops", 1.0, false, false },
	{ "fio.write_bw_MBps", "write.bw_bytes_per_sec", 1048576.0, false, false },
	{ "fio.read_clat_mean_ns", "read.clat_ns.mean", 1.0, false, false },
	{ "fio.read_clat_mean_us", "read.clat_ns.mean", 1.0, true, true },
	{ "fio.read_clat_stddev", "read.clat_ns.stddev", 1.0, false, false },
	{ "fio.trim_clat_99%_ns", "trim.clat_ns.p99", 1.0, false, false },
	{ "fio.read_clat_99.9%_us", "read.clat_ns.p99.9", 1.0, true, true },
	{ "fio.read_slat_mean_us", "read.slat_ns.mean", 1.0, true, false },
	{ "fio.read_slat_stddev", "read.slat_ns.stddev", 1.0, false, false },
	{ "fio.workload", "total.total_ios", 1.0, false, true },
	{ "stress-ng.aiol.ops_per_sec", "aiol.ops_per_sec", 1.0, false, false },
	{ "stress-ng.flock.ops", "flock.ops", 1.0, false, true },
};

static void test_renamed(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *row = &rows[i];
		CLEANUP(metric_alias) struct metric_alias ours = { .name = NULL };
		CLEANUP(metric_alias) struct metric_alias back = { .name = NULL };

		metric_alias_from_lkp(row->lkp, &ours);
		assert_string_equal(ours.name, row->ours);
		assert_true(ours.factor == row->factor);
		assert_true(ours.is_renamed);
		assert_int_equal(ours.is_unit_wrong, row->is_unit_wrong);
		if (row->is_old)
			continue;
		metric_alias_to_lkp(row->ours, &back);
		assert_string_equal(back.name, row->lkp);
		assert_true(back.factor == 1.0 / row->factor);
	}
}

static void test_kept(void **state)
{
	static const char *const names[] = {
		"",
		"fio.",
		"fio.read",
		"fio.readahead",
		"fio.read_",
		"fio.read_clat_%_ns",
		"fio.read_clat_99%",
		"fio.read_clat_99%_ms",
		"fio.latency_20ms%",
		"fio.time.elapsed_time",
		"stress-ng.time.user_time",
		"stress-ng.ops",
		"iostat.sda.await",
		"perf-profile.children.cycles-pp.read.iops",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		CLEANUP(metric_alias) struct metric_alias alias = { .name = NULL };
		CLEANUP(metric_alias) struct metric_alias back = { .name = NULL };

		metric_alias_from_lkp(names[i], &alias);
		assert_string_equal(alias.name, names[i]);
		assert_false(alias.is_renamed);
		metric_alias_to_lkp(names[i], &back);
		assert_string_equal(back.name, names[i]);
	}
}

static void test_not_to_lkp(void **state)
{
	static const char *const names[] = { "read.clat_ns.p",	 "read.clat_ns.p99x",
					     "read.lat_ns.mean", "total.iops",
					     "reading.iops",	 "flock.ops" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		CLEANUP(metric_alias) struct metric_alias alias = { .name = NULL };

		metric_alias_to_lkp(names[i], &alias);
		assert_string_equal(alias.name, names[i]);
		assert_false(alias.is_renamed);
	}
}

/* A number must not change its direction with its name. */
static void test_same_direction_under_both_names(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(metric_polarity(rows[i].lkp), metric_polarity(rows[i].ours));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_renamed),
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_not_to_lkp),
		cmocka_unit_test(test_same_direction_under_both_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
