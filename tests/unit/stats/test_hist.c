/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Histogram layout, recording, merging and quantiles. */
#include "stats/hist.h"

#include <stdlib.h>

#include "test.h"
#include "golden.h"

static void test_bins_match_golden(void **state)
{
	json_t *root = golden_load();
	json_t *row;
	size_t i;

	(void)state;
	json_array_foreach(golden_get(root, "latency_bins"), i, row)
	{
		size_t index = hist_index((uint64_t)golden_number(row, "ns"));

		assert_int_equal(index, golden_size(row, "idx"));
		assert_int_equal(hist_value(index), (uint64_t)golden_number(row, "mid"));
	}
	assert_true(i > 0);
	json_decref(root);
}

static void test_every_bucket_holds_its_midpoint(void **state)
{
	(void)state;
	for (size_t i = 0; i < HIST_NR_BUCKETS; i++)
		assert_int_equal(hist_index(hist_value(i)), i);
	for (size_t i = 1; i < HIST_NR_BUCKETS; i++)
		assert_true(hist_value(i) > hist_value(i - 1));
}

static void test_index_never_falls_and_never_overruns(void **state)
{
	size_t before = 0;

	(void)state;
	for (int shift = 0; shift < 64; shift++) {
		for (uint64_t step = 0; step < 4; step++) {
			uint64_t value_ns = (1ULL << shift) + step * ((1ULL << shift) / 4);
			size_t index = hist_index(value_ns);

			assert_true(index >= before);
			assert_true(index < HIST_NR_BUCKETS);
			before = index;
		}
	}
	assert_int_equal(hist_index(UINT64_MAX), HIST_NR_BUCKETS - 1);
	assert_int_equal(hist_value(HIST_NR_BUCKETS - 1), 17112760320ULL);
}

static void hist_from_golden(struct hist *hist, const json_t *pairs)
{
	json_t *pair;
	size_t i;

	json_array_foreach(pairs, i, pair) hist->counts[(size_t)golden_item(pair, 0)] +=
		(uint64_t)golden_item(pair, 1);
}

static void test_quantiles_match_golden(void **state)
{
	json_t *root = golden_load();
	const char *text;
	json_t *row, *expected;
	size_t i;

	(void)state;
	json_array_foreach(golden_get(root, "latency_quantiles"), i, row)
	{
		struct hist *hist = calloc(1, sizeof(*hist));

		assert_non_null(hist);
		hist_from_golden(hist, golden_get(row, "hist"));
		json_object_foreach(golden_get(row, "q"), text, expected) assert_int_equal(
			hist_quantile(hist, strtod(text, NULL)), json_integer_value(expected));
		free(hist);
	}
	assert_true(i > 0);
	json_decref(root);
}

static void test_quantile_takes_rank_ceil_of_q_n(void **state)
{
	static const double qs[] = { 0.0, 0.07, 0.5, 0.99, 0.995, 1.0 };
	static const uint64_t expected[] = { 1, 7, 50, 99, 100, 100 };
	struct hist *hist = calloc(1, sizeof(*hist));
	uint64_t values_ns[6];

	(void)state;
	assert_non_null(hist);
	for (uint64_t value_ns = 1; value_ns <= 100; value_ns++)
		hist_record(hist, value_ns);
	hist_quantiles(hist, qs, 6, values_ns);
	for (size_t i = 0; i < 6; i++) {
		assert_int_equal(values_ns[i], expected[i]);
		assert_int_equal(hist_quantile(hist, qs[i]), expected[i]);
	}
	free(hist);
}

static void test_empty_gives_zero(void **state)
{
	struct hist *hist = calloc(1, sizeof(*hist));

	(void)state;
	assert_non_null(hist);
	assert_int_equal(hist_total(hist), 0);
	assert_int_equal(hist_quantile(hist, 0.5), 0);
	free(hist);
}

static void test_merge_adds_counts(void **state)
{
	struct hist *hists = calloc(2, sizeof(*hists));

	(void)state;
	assert_non_null(hists);
	hist_record(&hists[0], 10);
	hist_record(&hists[1], 10);
	hist_record(&hists[1], 5000);
	hist_merge(&hists[0], &hists[1]);
	assert_int_equal(hist_total(&hists[0]), 3);
	assert_int_equal(hists[0].counts[10], 2);
	assert_int_equal(hists[0].counts[hist_index(5000)], 1);
	assert_int_equal(hist_total(&hists[1]), 2);
	free(hists);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bins_match_golden),
		cmocka_unit_test(test_every_bucket_holds_its_midpoint),
		cmocka_unit_test(test_index_never_falls_and_never_overruns),
		cmocka_unit_test(test_quantiles_match_golden),
		cmocka_unit_test(test_quantile_takes_rank_ceil_of_q_n),
		cmocka_unit_test(test_empty_gives_zero),
		cmocka_unit_test(test_merge_adds_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
