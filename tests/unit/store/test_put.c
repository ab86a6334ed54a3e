/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fixture.h"

#include "../test.h"

#include "base/arena.h"
#include "base/err.h"
#include "model/metric.h"
#include "model/result.h"
#include "model/result_json.h"

#include <stdlib.h>
#include <string.h>

static void test_experiment(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture->path);
	int64_t first = fixture_begin(store);
	int64_t second = fixture_begin(store);
	struct err err = { 0 };

	assert_true(second > first);
	assert_int_equal(store_end_experiment(store, first, "regression", "{\"n\":1}", &err), 0);
	assert_int_equal(store_end_experiment(store, 4711, "regression", NULL, &err), -ERR_INPUT);
	assert_non_null(strstr(err.msg, "has no experiment 4711"));
	store_close(store);
	assert_int_equal(
		fixture_query(fixture->path,
			      "SELECT verdict = 'regression' AND document = '{\"n\":1}' "
			      "AND kind = 'ab' AND command = 'regio ab x.fio' AND plan = '{}' "
			      "AND ended_at_unix_ms >= started_at_unix_ms "
			      "FROM experiment WHERE id = 1"),
		1);
	assert_int_equal(fixture_query(fixture->path, "SELECT ended_at_unix_ms IS NULL "
						      "FROM experiment WHERE id = 2"),
			 1);
}

static void test_round_trip(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture->path);
	struct store_place place = { .experiment = fixture_begin(store), .label = "A", .used = 1 };
	CLEANUP(result) struct result want = { .label = NULL };
	CLEANUP(result) struct result got = { .label = NULL };
	int64_t run = fixture_put(store, &place, 7);

	fixture_result(&want, 7);
	assert_int_equal(store_get_result(store, run, &got, NULL), 0);
	CLEANUP(free) char *want_json = result_to_json(&want, 0);
	CLEANUP(free) char *got_json = result_to_json(&got, 0);

	assert_string_equal(got_json, want_json);
	assert_true(got.seed == UINT64_MAX - 7);
	store_close(store);
	assert_int_equal(fixture_check(fixture->path), 1);
}

static void test_columns(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture->path);
	struct store_place place = { .experiment = fixture_begin(store), .sequence = 3 };

	(void)fixture_put(store, &place, 7);
	store_close(store);
	assert_int_equal(
		fixture_query(
			fixture->path,
			"SELECT experiment_id = 1 AND label = 'label1' AND sequence = 3 "
			"AND used = 0 AND error = 0 AND interrupted = 0 AND tool = 'regio' "
			"AND tool_version = '0.1.0' AND target = 'local' AND clock = 'tsc' "
			"AND method_version = 2 AND seed = '18446744073709551608' "
			"AND started_at_unix_ms = 1700000000007 AND elapsed_ms = 1234 FROM run"),
		1);
	assert_int_equal(fixture_query(fixture->path, "SELECT value = 'none' FROM setting "
						      "WHERE key = 'queue.scheduler' "
						      "AND position = 1"),
			 1);
	assert_int_equal(fixture_query(fixture->path,
				       "SELECT kind = 'job-error' AND text = 'job 7' "
				       "FROM note"),
			 1);
	assert_int_equal(fixture_query(fixture->path, "SELECT value = 'made \"up\" ü' FROM env "
						      "WHERE key = 'cpu.model'"),
			 1);
}

/* Ten runs of one machine keep its environment and its texts once, and each gets it back. */
static void test_environment_is_kept_once(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture->path);
	struct store_place place = { .experiment = fixture_begin(store), .label = "A", .used = 1 };
	CLEANUP(free) char *text = NULL;

	for (int i = 0; i < 10; i++) {
		CLEANUP(result) struct result result = { .label = NULL };
		CLEANUP(result) struct result back = { .label = NULL };
		int64_t run = 0;

		result_add_env(&result, "b", "1");
		result_add_env(&result, "a.config_sha256", "x");
		result_add_env(&result, "c", i < 9 ? "same" : "other");
		result_add_attachment(&result, "a.config", "CONFIG_X=y\n");
		assert_int_equal(store_put_result(store, &place, &result, &run, NULL), 0);
		assert_int_equal(store_get_result(store, run, &back, NULL), 0);
		assert_int_equal(back.nr_env, 3);
		assert_string_equal(back.env[0].key, "b");
		assert_string_equal(result_env(&back, "c"), i < 9 ? "same" : "other");
	}
	assert_int_equal(fixture_query(fixture->path, "SELECT count(*) FROM env_set"), 2);
	assert_int_equal(fixture_query(fixture->path, "SELECT count(*) FROM env_fact"), 6);
	assert_int_equal(fixture_query(fixture->path, "SELECT count(*) FROM env"), 30);
	assert_int_equal(fixture_query(fixture->path, "SELECT count(*) FROM attachment"), 1);
	assert_int_equal(fixture_query(fixture->path,
				       "SELECT count(*) FROM archive WHERE json LIKE '%CONFIG_X%' "
				       "OR json LIKE '%\"same\"%'"),
			 0);
	/* printf 'CONFIG_X=y\n' | sha256sum */
	assert_int_equal(store_get_attachment(
				 store, "a.config",
				 "1f7630d899dcba3785654af21322a2c8853722810228d473f558cfd5513e9d72",
				 &text, NULL),
			 0);
	assert_string_equal(text, "CONFIG_X=y\n");
	store_close(store);
}

static void test_metrics_are_those_of_the_model(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture->path);
	struct store_place place = { .experiment = fixture_begin(store), .label = "A", .used = 1 };
	struct store_sample sample = { .label = "A" };
	CLEANUP(result) struct result result = { .label = NULL };
	CLEANUP(metric_list) struct metric_list list = { .nr = 0 };

	(void)fixture_put(store, &place, 7);
	fixture_result(&result, 7);
	result_metrics(&result, &list);
	assert_true(list.nr > 10);
	for (size_t i = 0; i < list.nr; i++) {
		CLEANUP(free) double *values = NULL;
		size_t nr = 0;

		assert_int_equal(
			store_metric_values(store, &sample, list.items[i].name, &values, &nr, NULL),
			0);
		assert_int_equal(nr, 1);
		assert_true(values[0] == list.items[i].value);
	}
	store_close(store);
}

static void test_unknown_experiment(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture->path);
	struct store_place place = { .experiment = 12, .label = "A", .used = 1 };
	CLEANUP(result) struct result result = { .label = NULL };
	struct err err = { 0 };
	int64_t run;

	fixture_result(&result, 7);
	assert_int_equal(store_put_result(store, &place, &result, &run, &err), -ERR_INPUT);
	assert_non_null(strstr(err.msg, "cannot keep the result"));
	place.experiment = fixture_begin(store);
	(void)fixture_put(store, &place, 7); /* the failure left nothing open */
	store_close(store);
	assert_int_equal(fixture_check(fixture->path), 1);
}

/* The last table fails: nothing of the result stays in the others. */
static void test_all_or_nothing(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture->path);
	struct store_place place = { .experiment = fixture_begin(store), .label = "A", .used = 1 };
	CLEANUP(result) struct result result = { .label = NULL };
	struct err err = { 0 };
	int64_t run = 4711;

	fixture_result(&result, 7);
	fixture_exec(fixture->path, "ALTER TABLE note RENAME TO elsewhere");
	assert_int_equal(store_put_result(store, &place, &result, &run, &err), -ERR_INPUT);
	assert_non_null(strstr(err.msg, "no such table: note"));
	assert_int_equal(run, 4711);
	fixture_exec(fixture->path, "ALTER TABLE elsewhere RENAME TO note");
	assert_int_equal(fixture_check(fixture->path), 0);
	assert_int_equal(store_put_result(store, &place, &result, &run, &err), 0);
	store_close(store);
	assert_int_equal(fixture_check(fixture->path), 1);
}

static void test_no_such_run(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture->path);
	struct result result;
	struct err err = { 0 };

	assert_int_equal(store_get_result(store, 5, &result, &err), -ERR_INPUT);
	assert_non_null(strstr(err.msg, "has no run 5"));
	store_close(store);
}

static void test_damaged_archive(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture->path);
	struct store_place place = { .experiment = fixture_begin(store), .label = "A", .used = 1 };
	int64_t run = fixture_put(store, &place, 1);
	struct result result;
	struct err err = { 0 };

	fixture_exec(fixture->path, "UPDATE archive SET json = substr(json, 1, 100)");
	assert_int_equal(store_get_result(store, run, &result, &err), -ERR_INPUT);
	assert_non_null(strstr(err.msg, "run 1: "));
	store_close(store);
}

/* Removing an experiment by hand takes everything of it along. */
static void test_delete_cascades(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture->path);
	struct store_place place = { .experiment = fixture_begin(store), .label = "A", .used = 1 };

	(void)fixture_put(store, &place, 1);
	store_close(store);
	fixture_exec(fixture->path, "PRAGMA foreign_keys = ON; DELETE FROM experiment");
	assert_int_equal(fixture_check(fixture->path), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_experiment, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_round_trip, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_columns, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_environment_is_kept_once, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_metrics_are_those_of_the_model, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_unknown_experiment, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_all_or_nothing, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_no_such_run, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_damaged_archive, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_delete_cascades, fixture_setup,
						fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
