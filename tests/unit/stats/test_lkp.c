/* SPDX-License-Identifier: GPL-2.0-or-later */
/* LKP's number formats, from the golden file and from a posted report. */
#include "stats/lkp.h"

#include <math.h>
#include <stdlib.h>

#include "test.h"
#include "golden.h"

static void test_summary_matches_golden(void **state)
{
	json_t *root = golden_load();
	json_t *row;
	size_t i;

	(void)state;
	json_array_foreach(golden_get(root, "lkp_format"), i, row)
	{
		double mean = golden_number(row, "mean");
		struct summary summary = {
			.n = 5,
			.mean = mean,
			.stddev_population = golden_number(row, "pct_stddev") * mean / 100.0,
		};
		char text[LKP_TEXT_LEN];

		lkp_format_summary(&summary, text);
		assert_string_equal(text, json_string_value(golden_get(row, "text")));
	}
	assert_true(i > 0);
	json_decref(root);
}

static void test_mean_changes_form_with_size(void **state)
{
	static const struct {
		double mean;
		const char *text;
	} rows[] = {
		{ 0.0, "0.00" },      { -0.006, "-0.01" },	 { 999.994, "999.99" },
		{ 1000.0, "1000" },   { 1999.9, "1999" },	 { -1999.9, "-1999" },
		{ 1e8, "100000000" }, { 1.998e10, "1.998e+10" }, { -1.998e10, "-1.998e+10" },
		{ 1.235, "1.24" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[LKP_TEXT_LEN];

		lkp_format_mean(rows[i].mean, text);
		assert_string_equal(text, rows[i].text);
	}
}

static void test_stddev_is_truncated_and_hidden_up_to_two(void **state)
{
	static const struct {
		size_t n;
		double mean;
		double stddev;
		const char *text;
	} rows[] = {
		{ 6, 100.0, 2.0, "" },	      { 6, 100.0, 2.9, " ±  2%" },
		{ 6, 100.0, 17.9, " ± 17%" }, { 6, 10.0, 12.5, " ±125%" },
		{ 1, 100.0, 50.0, "" },	      { 6, -100.0, 50.0, "" },
		{ 6, 0.0, 4.5, " ±  4%" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct summary summary = {
			.n = rows[i].n,
			.mean = rows[i].mean,
			.stddev_population = rows[i].stddev,
		};
		char text[LKP_TEXT_LEN];

		lkp_format_stddev(&summary, text);
		assert_string_equal(text, rows[i].text);
	}
}

static void check_change(const json_t *root, const char *base, const char *other, const char *text)
{
	json_t *data = golden_get(root, "data");
	struct summary summary_base, summary_other;
	char change[LKP_TEXT_LEN];
	double *values;
	size_t nr;

	values = golden_array(root, golden_get(data, base), &nr);
	summary_init(&summary_base, values, nr);
	free(values);
	values = golden_array(root, golden_get(data, other), &nr);
	summary_init(&summary_other, values, nr);
	free(values);
	lkp_format_change(summary_base.mean, summary_other.mean, false, change);
	assert_string_equal(change, text);
}

static void test_change_as_posted(void **state)
{
	json_t *root = golden_load();

	(void)state;
	check_change(root, "aiol/mq-deadline/v6.12-rc4", "aiol/mq-deadline/a3396b9999", "-0.6%");
	check_change(root, "aiol/mq-deadline/v6.12-rc4", "aiol/mq-deadline/e70c301fae", "-47.6%");
	check_change(root, "aiol/none/v6.12-rc4", "aiol/none/a3396b9999", "-1.9%");
	check_change(root, "aiol/none/v6.12-rc4", "aiol/none/e70c301fae", "-32.4%");
	json_decref(root);
}

static void test_change_at_the_edges(void **state)
{
	char text[LKP_TEXT_LEN];

	(void)state;
	lkp_format_change(1.0, 2001.0, false, text);
	assert_string_equal(text, "+2e+05%");
	lkp_format_change(0.0, 2.0, false, text);
	assert_string_equal(text, "+2e+102%");
	lkp_format_change(44.0, 44.4, true, text);
	assert_string_equal(text, "+0.4");
	lkp_format_change(44.0, 39.25, true, text);
	assert_string_equal(text, "-4.8");
	lkp_format_change(0.0, 250000.0, true, text);
	assert_string_equal(text, "+2.5e+05");
	lkp_format_change(1000.0, 1123.5, false, text);
	assert_string_equal(text, "+12.4%");
}

static void test_spread_as_a_number(void **state)
{
	static const double values[] = { 90.0, 110.0 };
	struct summary summary;
	char text[LKP_TEXT_LEN];

	(void)state;
	summary_init(&summary, values, 2);
	assert_true(lkp_spread_percent(&summary) == 10.0);
	lkp_format_spread(10.0, text);
	assert_string_equal(text, " ± 10%");
	summary_init(&summary, values, 1);
	assert_true(isnan(lkp_spread_percent(&summary)));
	lkp_format_spread(NAN, text);
	assert_string_equal(text, "");
}

/* 0.1 ten times is 0.9999999999999999 if it is only added. */
static void test_average_of_compensated_sums(void **state)
{
	static const double tenths[] = { 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1 },
			    large[] = { 1e16, 1.0, -1e16, 1.0 };
	double mean, spread;

	(void)state;
	lkp_average(tenths, 10, &mean, &spread);
	assert_true(mean == 0.1);
	assert_true(spread == 0.0);
	lkp_average(large, 4, &mean, &spread);
	assert_true(mean == 0.5);
	lkp_average(large, 1, &mean, &spread);
	assert_true(mean == 1e16 && isnan(spread));
}

static void test_change_fits_rounded_means(void **state)
{
	static const struct {
		double base, mean, change;
		bool absolute, fits;
	} rows[] = {
		{ 187.64, 98.29, -47.6, false, true },
		{ 187.64, 98.29, -47.5, false, false },
		{ 0.37, 0.38, 2.6, false, true },
		{ 0.37, 0.38, 1.2, false, true },
		{ 0.37, 0.38, 6.0, false, false },
		{ 1995, 1844, -7.6, false, true },
		{ 1.998e10, 2.226e10, 11.4, false, true },
		{ 1.998e10, 2.226e10, 11.6, false, false },
		{ 4.49, 1.98, -2.5, true, true },
		{ 4.49, 1.98, -2.6, true, false },
		{ 0.0, 2.0, 2e102, false, true },
		{ 0.0, 0.22, 0.2, true, true },
		{ 0.01, 300.0, 2.9e6, false, true },
		{ -5.0, 5.0, -200.0, false, true },
		{ 0.0, 0.0, -100.0, false, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (lkp_change_fits(rows[i].base, rows[i].mean, rows[i].absolute, rows[i].change) !=
		    rows[i].fits)
			fail_msg("row %zu", i);
	}
}

static void test_absolute_metrics(void **state)
{
	(void)state;
	assert_true(lkp_is_absolute("mpstat.cpu.all.idle%"));
	assert_true(lkp_is_absolute("perf-profile.children.cycles-pp.submit_bio"));
	assert_false(lkp_is_absolute("iostat.cpu.idle"));
	assert_false(lkp_is_absolute("fio.read_clat_90%_us"));
	assert_false(lkp_is_absolute(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_summary_matches_golden),
		cmocka_unit_test(test_mean_changes_form_with_size),
		cmocka_unit_test(test_stddev_is_truncated_and_hidden_up_to_two),
		cmocka_unit_test(test_change_as_posted),
		cmocka_unit_test(test_change_at_the_edges),
		cmocka_unit_test(test_spread_as_a_number),
		cmocka_unit_test(test_average_of_compensated_sums),
		cmocka_unit_test(test_change_fits_rounded_means),
		cmocka_unit_test(test_absolute_metrics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
