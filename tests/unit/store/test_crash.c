/* SPDX-License-Identifier: GPL-2.0-or-later */
/* crash: processes that are killed at any instant, and several at once, leave whole results. */
#include "fixture.h"

#include "../test.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "model/result.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void writer_fail(const struct err *err)
{
	(void)fprintf(stderr, "# writer: %s\n", err->msg);
	_exit(1); /* a cmocka assertion would go on with the next test, in this process too */
}

/* Puts results until killed (or nr of them), one byte to fd for each that is kept. */
static _Noreturn void writer_main(const char *path, int fd, unsigned nr)
{
	struct store_place place = { .label = "A", .used = 1 };
	struct store *store;
	struct err err = { 0 };

	if (store_open(path, &store, &err) != 0 ||
	    store_begin_experiment(store, "ab", "regio ab", NULL, &place.experiment, &err) != 0)
		writer_fail(&err);
	for (unsigned i = 0; i < nr; i++) {
		struct result result;
		int64_t run;

		place.sequence = i;
		fixture_result(&result, i);
		if (store_put_result(store, &place, &result, &run, &err) != 0)
			writer_fail(&err);
		result_release(&result);
		if (write(fd, "x", 1) != 1)
			_exit(2);
	}
	_exit(0); /* without closing the store */
}

struct writer {
	pid_t pid;
	int acks; /* read end of its pipe */
};

static struct writer writer_start(const char *path, unsigned nr)
{
	struct writer writer;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	writer.pid = fork();
	assert_true(writer.pid >= 0);
	if (writer.pid == 0)
		writer_main(path, ends[1], nr);
	close(ends[1]);
	writer.acks = ends[0];
	return writer;
}

/* Reaps it and returns how many results it was told are kept. */
static size_t writer_end(struct writer *writer, int *ret_status)
{
	char acks[4096];
	size_t nr = 0;
	ssize_t got;

	assert_int_equal(waitpid(writer->pid, ret_status, 0), writer->pid);
	while ((got = read(writer->acks, acks, sizeof(acks))) > 0)
		nr += (size_t)got;
	close(writer->acks);
	return nr;
}

/* Starts a writer and kills it after some microseconds; returns what was promised. */
static size_t writer_kill_after(const char *path, useconds_t delay_us)
{
	struct writer writer = writer_start(path, UINT32_MAX);
	int status;
	size_t nr_acks;

	(void)usleep(delay_us);
	assert_int_equal(kill(writer.pid, SIGKILL), 0);
	nr_acks = writer_end(&writer, &status);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	return nr_acks;
}

/* While the file is being made. */
static void test_kill_new_store(void **state)
{
	struct fixture *fixture = *state;
	struct rng rng;

	rng_init(&rng, 1);
	for (unsigned i = 0; i < 40; i++) {
		CLEANUP(free) char *path = xasprintf("%s/new%u/regio.db", fixture->dir, i);
		size_t nr_acks = writer_kill_after(path, (useconds_t)rng_below(&rng, 12000));
		size_t nr = fixture_check(path);

		assert_in_range(nr, nr_acks, nr_acks + 1);
	}
}

/* While one file grows; what was there before stays. */
static void test_kill_old_store(void **state)
{
	struct fixture *fixture = *state;
	size_t nr_before = 0;
	struct rng rng;

	rng_init(&rng, 2);
	for (unsigned i = 0; i < 60; i++) {
		size_t nr_acks =
			writer_kill_after(fixture->path, (useconds_t)rng_below(&rng, 30000));
		size_t nr = fixture_check(fixture->path);

		assert_in_range(nr, nr_before + nr_acks, nr_before + nr_acks + 1);
		nr_before = nr;
	}
	assert_true(nr_before > 0);
}

#define NR_WRITERS 4
#define NR_EACH 25

static void test_concurrent_writers(void **state)
{
	struct fixture *fixture = *state;
	struct writer writers[NR_WRITERS];

	for (unsigned i = 0; i < NR_WRITERS; i++)
		writers[i] = writer_start(fixture->path, NR_EACH);
	for (unsigned i = 0; i < NR_WRITERS; i++) {
		int status;

		assert_int_equal(writer_end(&writers[i], &status), NR_EACH);
		assert_int_equal(status, 0);
	}
	assert_int_equal(fixture_check(fixture->path), NR_WRITERS * NR_EACH);
	assert_int_equal(fixture_query(fixture->path, "SELECT count(*) FROM (SELECT 1 FROM run "
						      "GROUP BY experiment_id, sequence)"),
			 NR_WRITERS * NR_EACH);
}

/* A reader that looks while another process writes sees whole results and does not wait. */
static void test_reader_beside_writer(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture->path);
	struct writer writer = writer_start(fixture->path, 50);
	struct store_sample sample = { .label = "A" };
	int status;

	for (unsigned i = 0; i < 50; i++) {
		CLEANUP(store_matrix) struct store_matrix matrix = { .nr_runs = 0 };
		size_t nr_metrics;

		assert_int_equal(store_metric_matrix(store, &sample, &matrix, NULL), 0);
		nr_metrics = matrix.nr_metrics;
		for (size_t k = 0; k < nr_metrics * matrix.nr_runs; k++)
			assert_true(matrix.values[k] == matrix.values[k]); /* no NAN: no gap */
	}
	assert_int_equal(writer_end(&writer, &status), 50);
	assert_int_equal(status, 0);
	store_close(store);
	assert_int_equal(fixture_check(fixture->path), 50);
}

/*
 * What a power cut may leave of the write-ahead log: its beginning, or garbage after some point.
 * The results of the intact part are there, as a whole.
 */
static void test_cut_log(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(free) char *copy = xasprintf("%s/copy.db", fixture->dir);
	CLEANUP(free) char *copy_wal = xasprintf("%s-wal", copy);
	CLEANUP(free) char *wal = xasprintf("%s-wal", fixture->path);
	CLEANUP(strbuf) struct strbuf db_bytes = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf wal_bytes = STRBUF_INIT;
	struct writer writer = writer_start(fixture->path, 6);
	size_t nr_results = 0;
	struct rng rng;
	int status;

	assert_int_equal(writer_end(&writer, &status), 6);
	assert_int_equal(file_read(fixture->path, 1 << 26, &db_bytes, NULL), 0);
	assert_int_equal(file_read(wal, 1 << 26, &wal_bytes, NULL), 0);
	rng_init(&rng, 3);
	for (unsigned i = 0; i < 60; i++) {
		size_t len = (size_t)rng_below(&rng, wal_bytes.len + 1);
		CLEANUP(strbuf) struct strbuf cut = STRBUF_INIT;

		strbuf_add(&cut, wal_bytes.buf, len);
		if (i % 2)
			strbuf_add_repeat(&cut, (char)i, wal_bytes.len - len);
		assert_int_equal(file_write_atomic(copy, db_bytes.buf, db_bytes.len, 0600, NULL),
				 0);
		assert_int_equal(file_write_atomic(copy_wal, strbuf_str(&cut), cut.len, 0600, NULL),
				 0);
		nr_results += fixture_check(copy);
		assert_int_equal(unlink(copy), 0);
	}
	assert_in_range(nr_results, 60, 60 * 5); /* some of them, not always all */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_kill_new_store, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_kill_old_store, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_concurrent_writers, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_reader_beside_writer, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_cut_log, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
