/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fixture: files, results and checks that the tests of the store share. */
#include "fixture.h"

#include "../test.h"

#include "base/arena.h"
#include "base/err.h"
#include "model/metric.h"
#include "model/result.h"
#include "model/result_json.h"

#include <ftw.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int fixture_setup(void **state)
{
	struct fixture *fixture = xcalloc(1, sizeof(*fixture));

	(void)snprintf(fixture->dir, sizeof(fixture->dir), "/tmp/regio-test-store-XXXXXX");
	if (!mkdtemp(fixture->dir))
		return -1;
	(void)snprintf(fixture->path, sizeof(fixture->path), "%s/regio.db", fixture->dir);
	*state = fixture;
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

int fixture_teardown(void **state)
{
	struct fixture *fixture = *state;
	int ret = nftw(fixture->dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);

	free(fixture);
	return ret;
}

const char *fixture_file(const struct fixture *fixture, const char *name)
{
	static char path[160];

	(void)snprintf(path, sizeof(path), "%s/%s", fixture->dir, name);
	return path;
}

static void latency_fill(struct latency *latency, unsigned number, unsigned nr)
{
	struct hist *hist = latency_need_hist(latency);

	for (unsigned i = 0; i < nr; i++) {
		uint64_t value_ns = 50 + (uint64_t)number * 1000 + (uint64_t)i * i * 100;

		moments_add(&latency->moments, value_ns);
		hist_record(hist, value_ns);
	}
}

static void job_fill(struct job_result *job, unsigned number, unsigned nr)
{
	struct dir_result *read = &job->dir[IO_READ];

	job->name = xasprintf("job%u", nr);
	job->rw = xstrdup("randread");
	job->ioengine = xstrdup("psync");
	job->iodepth = 1;
	job->nr_clones = 1;
	job->kb_base = 1024;
	job->bs_min_bytes[IO_READ] = 4096;
	job->bs_max_bytes[IO_READ] = 4096;
	read->total_ios = 1000 + number;
	read->io_bytes = read->total_ios * 4096;
	read->runtime_ms = 1000;
	latency_fill(&read->latency[LATENCY_CLAT], number, 400);
	latency_fill(&job->sync, number, 40);
	job->sync_ios = 40;
	running_add(&read->iops, 1000.0 / 3.0 + number);
	job->wall_ms = 1000;
	job->usr_ms = 100;
}

void fixture_result(struct result *ret_result, unsigned number)
{
	struct result result = { .label = xasprintf("label%u", number % 2) };

	result.tool = xstrdup("regio");
	result.tool_version = xstrdup("0.1.0");
	result.target = xstrdup("local");
	result.clock = xstrdup("tsc");
	result.method_version = RESULT_METHOD_VERSION;
	result.started_at_unix_ms = 1700000000000 + number;
	result.elapsed_ms = 1234;
	result.seed = UINT64_MAX - number;
	job_fill(result_add_job(&result), number, 0);
	job_fill(result_add_job(&result), number, 1);
	result_add_disk(&result, "loop7", -1)->ios[0] = number + 1;
	result.disks[0].wall_ms = 1000;
	result_add_env(&result, "kernel.release", "6.1.0");
	result_add_env(&result, "cpu.model", "made \"up\" ü");
	result_add_setting(&result, "queue.scheduler", "bfq");
	result_add_setting(&result, "queue.scheduler", "none");
	note_add(&result.notes, NOTE_JOB_ERROR, "job %u", number);
	*ret_result = result;
}

struct store *fixture_open(const char *path)
{
	struct store *store = NULL;
	struct err err = { 0 };

	if (store_open(path, &store, &err) != 0)
		fail_msg("%s", err.msg);
	return store;
}

int64_t fixture_begin(struct store *store)
{
	struct err err = { 0 };
	int64_t id = 0;

	if (store_begin_experiment(store, "ab", "regio ab x.fio", "{}", &id, &err) != 0)
		fail_msg("%s", err.msg);
	return id;
}

int64_t fixture_put(struct store *store, const struct store_place *place, unsigned number)
{
	struct result result;
	struct err err = { 0 };
	int64_t run = 0;

	fixture_result(&result, number);
	if (store_put_result(store, place, &result, &run, &err) != 0)
		fail_msg("%s", err.msg);
	result_release(&result);
	return run;
}

static sqlite3 *raw_open(const char *path)
{
	sqlite3 *db = NULL;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	return db;
}

int64_t fixture_query(const char *path, const char *sql)
{
	sqlite3 *db = raw_open(path);
	sqlite3_stmt *stmt = NULL;
	int64_t value;

	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK ||
	    sqlite3_step(stmt) != SQLITE_ROW)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	value = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return value;
}

void fixture_exec(const char *path, const char *sql)
{
	sqlite3 *db = raw_open(path);

	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail_msg("%s", sqlite3_errmsg(db));
	sqlite3_close(db);
}

/* A stored result has what the same number makes now, in every table. */
static void check_run(struct store *store, const struct store_run *run)
{
	struct result want;
	struct result got;
	struct err err = { 0 };

	if (store_get_result(store, run->id, &got, &err) != 0)
		fail_msg("%s", err.msg);
	fixture_result(&want, (unsigned)(got.started_at_unix_ms - 1700000000000));
	CLEANUP(free) char *want_json = result_to_json(&want, 0);
	CLEANUP(free) char *got_json = result_to_json(&got, 0);

	assert_string_equal(got_json, want_json);
	result_release(&want);
	result_release(&got);
}

size_t fixture_check(const char *path)
{
	struct store *store = fixture_open(path);
	struct store_run_list runs = { .nr = 0 };
	struct metric_list metrics = { .nr = 0 };
	struct result result;
	size_t nr;

	assert_int_equal(store_list_runs(store, &(struct store_sample){ 0 }, &runs, NULL), 0);
	for (size_t i = runs.nr > 4 ? runs.nr - 4 : 0; i < runs.nr; i++)
		check_run(store, &runs.items[i]); /* the newest; all take long in a long list */
	nr = runs.nr;
	fixture_result(&result, 1);
	result_metrics(&result, &metrics);
	store_run_list_release(&runs);
	store_close(store);

	assert_int_equal(fixture_query(path, "SELECT count(*) FROM pragma_integrity_check "
					     "WHERE integrity_check <> 'ok'"),
			 0);
	assert_int_equal(fixture_query(path, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
	assert_int_equal(fixture_query(path, "SELECT count(*) FROM archive WHERE json_valid(json)"),
			 nr);
	assert_int_equal(fixture_query(path, "SELECT count(*) FROM metric_value"), nr * metrics.nr);
	assert_int_equal(fixture_query(path, "SELECT count(*) FROM histogram"), nr * 4);
	assert_int_equal(fixture_query(path, "SELECT count(*) FROM env"), nr * 2);
	assert_int_equal(fixture_query(path, "SELECT count(*) FROM setting"), nr * 2);
	assert_int_equal(fixture_query(path, "SELECT count(*) FROM note"), nr);
	metric_list_release(&metrics);
	result_release(&result);
	return nr;
}
