/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What comparisons ask of a sample beside its metrics, and all-or-nothing imports. */
#include "fixture.h"

#include "../test.h"

#include "base/arena.h"
#include "base/err.h"
#include "model/result.h"
#include "stats/hist.h"

#include <stdlib.h>
#include <string.h>

static int64_t put(struct store *store, int64_t experiment, const char *label, unsigned number)
{
	struct store_place place = { .experiment = experiment, .label = label, .used = 1 };

	return fixture_put(store, &place, number);
}

static void test_run_says_what_it_measured(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture->path);
	CLEANUP(store_run_list) struct store_run_list runs = { .nr = 0 };

	(void)put(store, fixture_begin(store), "A", 1);
	assert_int_equal(store_list_runs(store, &(struct store_sample){ 0 }, &runs, NULL), 0);
	assert_int_equal(runs.nr, 1);
	assert_string_equal(runs.items[0].workload,
			    "rw=randread, bs=4KiB, ioengine=psync, iodepth=1 'job0'; "
			    "rw=randread, bs=4KiB, ioengine=psync, iodepth=1 'job1'");
	assert_false(runs.items[0].is_plain);
	assert_string_equal(runs.items[0].tool, "regio");
	assert_string_equal(runs.items[0].tool_version, "0.1.0");
	assert_string_equal(runs.items[0].source, "");
	store_close(store);
}

static void test_facts_once_each(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture->path);
	int64_t experiment = fixture_begin(store);
	struct store_sample sample = { .experiment = experiment, .label = "A" };
	CLEANUP(store_facts) struct store_facts facts = { .nr_env = 0 };

	(void)put(store, experiment, "A", 1);
	(void)put(store, experiment, "A", 2);
	(void)put(store, experiment, "B", 3);
	/* the runs share one environment: give the second one of its own */
	fixture_exec(
		fixture->path,
		"INSERT INTO env_set VALUES (9, 'other'); INSERT INTO env_fact VALUES "
		"(9, 0, 'kernel.release', '6.2.0'); UPDATE run SET env_set_id = 9 WHERE id = 2");
	assert_int_equal(store_sample_facts(store, &sample, &facts, NULL), 0);
	assert_int_equal(facts.nr_env, 3);
	assert_string_equal(facts.env[0].key, "kernel.release");
	assert_string_equal(facts.env[0].value, "6.1.0");
	assert_string_equal(facts.env[1].key, "cpu.model");
	assert_string_equal(facts.env[2].value, "6.2.0");
	assert_int_equal(facts.nr_settings, 2);
	assert_string_equal(facts.settings[1].value, "none");
	assert_int_equal(facts.notes.nr, 2);
	assert_int_equal(facts.notes.items[0].id, NOTE_JOB_ERROR);
	assert_string_equal(facts.notes.items[0].text, "job 1");
	store_close(store);
}

struct seen_hists {
	int64_t runs[8];
	uint64_t totals[8];
	enum io_dir dirs[8];
	size_t nr;
};

static void take_hist(void *context, const struct store_hist *hist)
{
	struct seen_hists *seen = context;

	assert_true(seen->nr < 8);
	seen->runs[seen->nr] = hist->run;
	seen->dirs[seen->nr] = hist->dir;
	seen->totals[seen->nr++] = hist_total(hist->hist);
}

static void test_histograms_run_by_run(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture->path);
	int64_t experiment = fixture_begin(store);
	struct store_sample sample = { .experiment = experiment };
	struct seen_hists seen = { .nr = 0 };
	int64_t first = put(store, experiment, "A", 1);
	int64_t second = put(store, experiment, "A", 2);
	struct err err = { 0 };

	assert_int_equal(store_each_histogram(store, &sample, take_hist, &seen, NULL), 0);
	assert_int_equal(seen.nr, 4); /* of two jobs each: summed */
	assert_int_equal(seen.runs[0], first);
	assert_int_equal(seen.dirs[0], IO_READ);
	assert_int_equal(seen.totals[0], 2 * 400);
	assert_int_equal(seen.dirs[1], IO_SYNC);
	assert_int_equal(seen.totals[1], 2 * 40);
	assert_int_equal(seen.runs[3], second);
	fixture_exec(fixture->path, "UPDATE histogram SET counts = x'ffffffff' WHERE run_id = 2");
	seen.nr = 0;
	assert_int_equal(store_each_histogram(store, &sample, take_hist, &seen, &err), -ERR_INPUT);
	assert_non_null(strstr(err.msg, "histogram of run 2 is damaged"));
	store_close(store);
}

static int64_t find_same(struct store *store, int64_t experiment, const char *label,
			 const struct result *result)
{
	struct store_place place = { .experiment = experiment, .label = label };
	int64_t run = -1;

	assert_int_equal(store_find_same(store, &place, result, &run, NULL), 0);
	return run;
}

static void test_same_result_is_found(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture->path);
	int64_t experiment = fixture_begin(store);
	int64_t run = put(store, experiment, "A", 1);
	CLEANUP(result) struct result same = { .nr_jobs = 0 };
	CLEANUP(result) struct result other = { .nr_jobs = 0 };

	fixture_result(&same, 1);
	fixture_result(&other, 2);
	assert_int_equal(find_same(store, experiment + 1, "A", &same), run);
	assert_int_equal(find_same(store, experiment, "A", &same), 0); /* its own experiment */
	assert_int_equal(find_same(store, experiment + 1, "B", &same), 0);
	assert_int_equal(find_same(store, experiment + 1, "A", &other), 0);
	store_close(store);
}

static void single_value(struct result *result, const char *file, unsigned line)
{
	*result = (struct result){ .tool = xstrdup("csv"), .source_file = xstrdup(file) };
	result->source_line = line;
	given_append(&result->given, "ops", 112.31, line);
}

/* Two runs may well have the same single number; the same line of the same file is one. */
static void test_single_number_is_the_same_only_at_its_place(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture->path);
	struct store_place place = { .experiment = fixture_begin(store), .label = "A", .used = 1 };
	CLEANUP(result) struct result first = { .nr_jobs = 0 };
	CLEANUP(result) struct result elsewhere = { .nr_jobs = 0 };
	int64_t run = 0;

	single_value(&first, "a.csv", 1);
	single_value(&elsewhere, "a.csv", 2);
	assert_int_equal(store_put_result(store, &place, &first, &run, NULL), 0);
	assert_int_equal(find_same(store, place.experiment + 1, "A", &first), run);
	assert_int_equal(find_same(store, place.experiment + 1, "A", &elsewhere), 0);
	store_close(store);
}

static void test_batch_is_kept_as_a_whole(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture->path);

	assert_int_equal(store_begin_batch(store, NULL), 0);
	(void)put(store, fixture_begin(store), "A", 1);
	assert_int_equal(fixture_query(fixture->path, "SELECT count(*) FROM run"), 0);
	assert_int_equal(store_end_batch(store, 0, NULL), 0);
	assert_int_equal(fixture_query(fixture->path, "SELECT count(*) FROM run"), 1);
	(void)put(store, fixture_begin(store), "A", 2); /* and single results as before */
	assert_int_equal(fixture_query(fixture->path, "SELECT count(*) FROM run"), 2);
	store_close(store);
}

static void test_failed_batch_leaves_nothing(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture->path);

	assert_int_equal(store_begin_batch(store, NULL), 0);
	(void)put(store, fixture_begin(store), "A", 1);
	(void)put(store, fixture_begin(store), "A", 2);
	assert_int_equal(store_end_batch(store, -ERR_INPUT, NULL), -ERR_INPUT);
	assert_int_equal(fixture_query(fixture->path, "SELECT count(*) FROM run"), 0);
	assert_int_equal(fixture_query(fixture->path, "SELECT count(*) FROM experiment"), 0);
	assert_int_equal(store_begin_batch(store, NULL), 0); /* the store goes on working */
	(void)put(store, fixture_begin(store), "A", 3);
	assert_int_equal(store_end_batch(store, 0, NULL), 0);
	assert_int_equal(fixture_check(fixture->path), 1);
	store_close(store);
}

/* A store closed inside a batch, as by a program that was killed. */
static void test_unfinished_batch_leaves_nothing(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture->path);

	assert_int_equal(store_begin_batch(store, NULL), 0);
	(void)put(store, fixture_begin(store), "A", 1);
	store_close(store);
	store_close(fixture_open(fixture->path));
	assert_int_equal(fixture_query(fixture->path, "SELECT count(*) FROM run"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_run_says_what_it_measured, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_facts_once_each, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_histograms_run_by_run, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_same_result_is_found, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_single_number_is_the_same_only_at_its_place,
						fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_batch_is_kept_as_a_whole, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_failed_batch_leaves_nothing, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_unfinished_batch_leaves_nothing, fixture_setup,
						fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
