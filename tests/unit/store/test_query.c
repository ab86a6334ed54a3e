/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fixture.h"

#include "../test.h"

#include "base/arena.h"
#include "base/err.h"
#include "stats/hist.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Experiment 1: A0 A2 A4(unused) B1 B3; experiment 2: A0. Not put in this order. */
static struct store *store_fill(struct fixture *fixture)
{
	struct store *store = fixture_open(fixture->path);
	int64_t first = fixture_begin(store);
	int64_t second = fixture_begin(store);
	const struct store_place places[] = {
		{ .experiment = second, .label = "A", .sequence = 0, .used = 1 },
		{ .experiment = first, .label = "B", .sequence = 3, .used = 1 },
		{ .experiment = first, .label = "A", .sequence = 4, .used = 0 },
		{ .experiment = first, .label = "A", .sequence = 2, .used = 1 },
		{ .experiment = first, .label = "B", .sequence = 1, .used = 1 },
		{ .experiment = first, .label = "A", .sequence = 0, .used = 1 },
	};

	for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		(void)fixture_put(store, &places[i],
				  10 * (unsigned)places[i].experiment + places[i].sequence);
	return store;
}

/* The fixture's total_ios is 2 * (1000 + number). */
static void check_values(struct store *store, int64_t experiment, const char *label,
			 const double *want, size_t nr_want)
{
	struct store_sample sample = { .experiment = experiment, .label = label };
	CLEANUP(free) double *values = NULL;
	size_t nr = 99;

	assert_int_equal(store_metric_values(store, &sample, "read.total_ios", &values, &nr, NULL),
			 0);
	assert_int_equal(nr, nr_want);
	for (size_t i = 0; i < nr_want; i++)
		assert_true(values[i] == 2 * (1000 + want[i]));
}

static void test_values(void **state)
{
	struct store *store = store_fill(*state);
	static const double a1[] = { 10, 12 }, b1[] = { 11, 13 }, all1[] = { 10, 11, 12, 13 },
			    a[] = { 10, 12, 20 }, all[] = { 10, 11, 12, 13, 20 };

	check_values(store, 1, "A", a1, 2);
	check_values(store, 1, "B", b1, 2);
	check_values(store, 1, NULL, all1, 4);
	check_values(store, 0, "A", a, 3);
	check_values(store, 0, NULL, all, 5);
	check_values(store, 1, "C", NULL, 0);
	check_values(store, 3, NULL, NULL, 0);
	store_close(store);
}

static void test_unknown_metric(void **state)
{
	struct store *store = store_fill(*state);
	struct store_sample sample = { .experiment = 1 };
	double *values = NULL;
	size_t nr = 99;

	assert_int_equal(store_metric_values(store, &sample, "no.such", &values, &nr, NULL), 0);
	assert_int_equal(nr, 0);
	store_close(store);
}

static void test_list(void **state)
{
	struct store *store = store_fill(*state);
	struct store_sample sample = { .experiment = 1, .label = "A" };
	CLEANUP(store_run_list) struct store_run_list runs = { .nr = 0 };

	assert_int_equal(store_list_runs(store, &sample, &runs, NULL), 0);
	assert_int_equal(runs.nr, 3);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(runs.items[i].experiment, 1);
		assert_string_equal(runs.items[i].label, "A");
		assert_int_equal(runs.items[i].sequence, 2 * i);
		assert_int_equal(runs.items[i].used, i < 2);
		assert_int_equal(runs.items[i].error, 0);
		assert_int_equal(runs.items[i].started_at_unix_ms, 1700000000010 + 2 * (int64_t)i);
	}
	store_close(store);
}

static void test_kind_of_an_experiment(void **state)
{
	struct store *store = store_fill(*state);
	CLEANUP(free) char *kind = NULL;
	CLEANUP(free) char *none = NULL;

	assert_int_equal(store_experiment_kind(store, 1, &kind, NULL), 0);
	assert_string_equal(kind, "ab");
	assert_int_equal(store_experiment_kind(store, 99, &none, NULL), 0);
	assert_string_equal(none, "");
	store_close(store);
}

static void test_list_all(void **state)
{
	struct store *store = store_fill(*state);
	CLEANUP(store_run_list) struct store_run_list runs = { .nr = 0 };

	assert_int_equal(store_list_runs(store, &(struct store_sample){ 0 }, &runs, NULL), 0);
	assert_int_equal(runs.nr, 6);
	assert_int_equal(runs.items[5].experiment, 2);
	store_close(store);
}

static void test_matrix(void **state)
{
	struct store *store = store_fill(*state);
	struct store_sample sample = { .experiment = 1 };
	CLEANUP(store_matrix) struct store_matrix matrix = { .nr_runs = 0 };
	const double *column;

	assert_int_equal(store_metric_matrix(store, &sample, &matrix, NULL), 0);
	assert_int_equal(matrix.nr_runs, 4);
	assert_true(matrix.nr_metrics > 10);
	column = store_matrix_column(&matrix, "read.total_ios");
	assert_non_null(column);
	for (unsigned i = 0; i < 4; i++)
		assert_true(column[i] == 2 * (1010 + i));
	assert_null(store_matrix_column(&matrix, "no.such"));
	store_close(store);
}

/* Each metric of the matrix is what store_metric_values says, also where runs lack some. */
static void test_matrix_with_gaps(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = store_fill(fixture);
	struct store_sample sample = { .experiment = 1 };
	CLEANUP(store_matrix) struct store_matrix matrix = { .nr_runs = 0 };

	/* run 6 is A0, the first; 5 is B1 */
	fixture_exec(fixture->path,
		     "DELETE FROM metric_value WHERE run_id = 5;"
		     "DELETE FROM metric_value WHERE run_id = 6 AND metric_id % 2 = 1");
	assert_int_equal(store_metric_matrix(store, &sample, &matrix, NULL), 0);
	assert_int_equal(matrix.nr_runs, 4);
	for (size_t i = 0; i < matrix.nr_metrics; i++) {
		const double *column = matrix.values + i * matrix.nr_runs;
		CLEANUP(free) double *values = NULL;
		size_t nr = 0;
		size_t next = 0;

		assert_int_equal(
			store_metric_values(store, &sample, matrix.metrics[i], &values, &nr, NULL),
			0);
		assert_true(isnan(column[1]));
		for (size_t run = 0; run < 4; run++) {
			if (!isnan(column[run]))
				assert_true(column[run] == values[next++]);
		}
		assert_int_equal(next, nr);
	}
	store_close(store);
}

static void test_empty_matrix(void **state)
{
	struct store *store = store_fill(*state);
	struct store_sample sample = { .label = "none" };
	CLEANUP(store_matrix) struct store_matrix matrix = { .nr_runs = 9 };

	assert_int_equal(store_metric_matrix(store, &sample, &matrix, NULL), 0);
	assert_int_equal(matrix.nr_runs, 0);
	assert_int_equal(matrix.nr_metrics, 0);
	store_close(store);
}

static void test_matrix_damaged(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = store_fill(fixture);
	struct store_sample sample = { .experiment = 1 };
	struct store_matrix matrix;
	struct err err = { 0 };

	fixture_exec(fixture->path, "DELETE FROM metric_name WHERE id = 3");
	assert_int_equal(store_metric_matrix(store, &sample, &matrix, &err), -ERR_INPUT);
	assert_non_null(strstr(err.msg, "damaged"));
	(void)fixture_begin(store); /* the failed read left no transaction open */
	store_close(store);
}

static void test_histogram(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = store_fill(fixture);
	struct store_sample sample = { .experiment = 1, .label = "A" };
	CLEANUP(free) struct hist *hist = xcalloc(1, sizeof(*hist));
	struct err err = { 0 };

	assert_int_equal(store_merge_histogram(store, &sample, IO_READ, "clat", hist, NULL), 0);
	assert_int_equal(hist_total(hist), 2 * 2 * 400); /* used runs, jobs */
	assert_int_equal(store_merge_histogram(store, &sample, IO_SYNC, "lat", hist, NULL), 0);
	assert_int_equal(hist_total(hist), 2 * 2 * (400 + 40));
	assert_int_equal(store_merge_histogram(store, &sample, IO_WRITE, "clat", hist, NULL), 0);
	assert_int_equal(hist_total(hist), 2 * 2 * (400 + 40));
	fixture_exec(fixture->path, "UPDATE histogram SET counts = x'ffffffff'");
	assert_int_equal(store_merge_histogram(store, &sample, IO_READ, "clat", hist, &err),
			 -ERR_INPUT);
	assert_int_equal(hist_total(hist), 2 * 2 * (400 + 40));
	store_close(store);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_values, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_unknown_metric, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_list, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_kind_of_an_experiment, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_list_all, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_matrix, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_matrix_with_gaps, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_empty_matrix, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_matrix_damaged, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_histogram, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
