/* SPDX-License-Identifier: GPL-2.0-or-later */
/* damage: files that lost bytes and full disks give one clear line and lose nothing more. */
#include "fixture.h"

#include "../test.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "model/result.h"
#include "stats/hist.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define NR_RESULTS 8

static void store_fill(const char *path, struct strbuf *out)
{
	struct store *store = fixture_open(path);
	struct store_place place = { .experiment = fixture_begin(store), .label = "A", .used = 1 };

	for (unsigned i = 0; i < NR_RESULTS; i++) {
		place.sequence = i;
		(void)fixture_put(store, &place, i);
	}
	store_close(store);
	assert_int_equal(file_read(path, 1 << 26, out, NULL), 0);
}

/* 0, or a failure with one line that names the file. */
static int check_said(int ret, const struct err *err)
{
	if (ret == 0)
		return 0;
	assert_true(ret == -ERR_INPUT || ret == -ERR_SYSTEM);
	assert_int_equal(err->code, -ret);
	assert_non_null(strstr(err->msg, "copy.db"));
	assert_null(strchr(err->msg, '\n'));
	return 1;
}

static int put_one(struct store *store, const struct store_place *place, struct err *err)
{
	CLEANUP(result) struct result result = { .label = NULL };
	int64_t run;

	fixture_result(&result, 99);
	return store_put_result(store, place, &result, &run, err);
}

static int use_runs(struct store *store, const struct store_run_list *runs)
{
	int nr_failures = 0;

	for (size_t i = 0; i < runs->nr; i++) {
		struct result result;
		struct err err = { 0 };
		int ret = store_get_result(store, runs->items[i].id, &result, &err);

		nr_failures += check_said(ret, &err);
		if (ret == 0)
			result_release(&result);
	}
	return nr_failures;
}

/* Everything a program does with a store; the number of calls that failed. */
static int use_store(struct store *store)
{
	struct store_place place = { .experiment = 1, .label = "A", .sequence = 99, .used = 1 };
	struct store_sample sample = { .label = "A" };
	CLEANUP(store_run_list) struct store_run_list runs = { .nr = 0 };
	CLEANUP(store_matrix) struct store_matrix matrix = { .nr_runs = 0 };
	CLEANUP(free) struct hist *hist = xcalloc(1, sizeof(*hist));
	struct err err = { 0 };
	int nr_failures;

	nr_failures = check_said(store_list_runs(store, &sample, &runs, &err), &err);
	nr_failures += use_runs(store, &runs);
	nr_failures += check_said(store_metric_matrix(store, &sample, &matrix, &err), &err);
	nr_failures += check_said(
		store_merge_histogram(store, &sample, IO_READ, "clat", hist, &err), &err);
	nr_failures += check_said(put_one(store, &place, &err), &err);
	return nr_failures;
}

/* Whether the damage was noticed. Must not crash, hang or touch memory it does not own. */
static int copy_use(const char *path, const struct strbuf *bytes)
{
	struct store *store = NULL;
	struct err err = { 0 };
	int nr_failures;
	int ret;

	assert_int_equal(file_write_atomic(path, strbuf_str(bytes), bytes->len, 0600, NULL), 0);
	ret = store_open(path, &store, &err);
	nr_failures = check_said(ret, &err);
	if (ret == 0)
		nr_failures += use_store(store);
	store_close(store);
	assert_int_equal(unlink(path), 0);
	return nr_failures > 0;
}

static void copy_forget(const struct fixture *fixture)
{
	(void)unlink(fixture_file(fixture, "copy.db-wal")); /* usually gone with the last close */
	(void)unlink(fixture_file(fixture, "copy.db-shm"));
}

static void test_truncated(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(free) char *copy = xasprintf("%s/copy.db", fixture->dir);
	CLEANUP(strbuf) struct strbuf bytes = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf cut = STRBUF_INIT;

	store_fill(fixture->path, &bytes);
	for (size_t len = 1; len < bytes.len; len += len < 200 ? 7 : 1511) {
		strbuf_reset(&cut);
		strbuf_add(&cut, bytes.buf, len);
		assert_true(copy_use(copy, &cut));
		copy_forget(fixture);
	}
	assert_false(copy_use(copy, &bytes));
}

static void test_changed_bytes(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(free) char *copy = xasprintf("%s/copy.db", fixture->dir);
	CLEANUP(strbuf) struct strbuf bytes = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf changed = STRBUF_INIT;
	struct rng rng;
	int nr_noticed = 0;

	rng_init(&rng, 1);
	store_fill(fixture->path, &bytes);
	for (unsigned i = 0; i < 150; i++) {
		strbuf_reset(&changed);
		strbuf_add(&changed, bytes.buf, bytes.len);
		for (unsigned k = 0; k <= i % 40; k++)
			changed.buf[rng_below(&rng, i % 3 ? bytes.len : 4096)] =
				(char)rng_next(&rng);
		nr_noticed += copy_use(copy, &changed);
		copy_forget(fixture);
	}
	assert_true(nr_noticed > 0);
}

/* Puts until the disk is full; how many were kept. */
static size_t put_until_full(struct store *store, const struct store_place *place, struct err *err)
{
	size_t nr = 0;

	while (nr < 10000 && put_one(store, place, err) == 0)
		nr++;
	return nr;
}

static void test_file_size_limit(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture->path);
	struct store_place place = { .experiment = fixture_begin(store), .label = "A", .used = 1 };
	struct rlimit old;
	struct err err = { 0 };
	size_t nr;

	(void)signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){ .rlim_cur = 600000,
								   .rlim_max = old.rlim_max }),
			 0);
	nr = put_until_full(store, &place, &err);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_true(nr > 0 && nr < 10000);
	assert_int_equal(err.code, ERR_SYSTEM);
	assert_int_equal(put_one(store, &place, &err), 0); /* room again: goes on */
	store_close(store);
	assert_int_equal(fixture_query(fixture->path, "SELECT count(*) FROM archive"), nr + 1);
	assert_int_equal(fixture_query(fixture->path, "SELECT count(*) FROM pragma_integrity_check "
						      "WHERE integrity_check <> 'ok'"),
			 0);
}

/* A tmpfs on dir that only this process sees and that ends with it; -1: may not mount. */
static int small_disk(const char *dir, const char *options)
{
	assert_int_equal(mkdir(dir, 0700), 0);
	if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
		return -1;
	return mount("none", dir, "tmpfs", 0, options);
}

static void ballast_write(const char *path, size_t len)
{
	CLEANUP(strbuf) struct strbuf zeros = STRBUF_INIT;

	strbuf_add_repeat(&zeros, '\0', len);
	assert_int_equal(file_write_atomic(path, zeros.buf, len, 0600, NULL), 0);
}

static void test_full_disk(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(free) char *dir = xasprintf("%s/small", fixture->dir);
	CLEANUP(free) char *path = xasprintf("%s/regio.db", dir);
	CLEANUP(free) char *ballast = xasprintf("%s/ballast", dir);
	struct store_place place = { .label = "A", .used = 1 };
	struct store *store;
	struct err err = { 0 };
	size_t nr;

	if (small_disk(dir, "size=2m") != 0)
		test_skip("needs root to mount a small tmpfs");
	ballast_write(ballast, 500000);
	store = fixture_open(path);
	place.experiment = fixture_begin(store);
	nr = put_until_full(store, &place, &err);
	assert_true(nr > 0 && nr < 10000);
	assert_int_equal(err.code, ERR_SYSTEM);
	if (!strstr(err.msg, "No space left on device"))
		fail_msg("%s", err.msg);
	assert_int_equal(unlink(ballast), 0);
	assert_int_equal(put_one(store, &place, &err), 0); /* room again: goes on */
	store_close(store);
	assert_int_equal(fixture_check(path), nr + 1);
	assert_int_equal(umount(dir), 0);
}

/* No room even for an empty store; once there is, the same path works. */
static void test_no_room(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(free) char *dir = xasprintf("%s/small", fixture->dir);
	CLEANUP(free) char *path = xasprintf("%s/regio.db", dir);
	CLEANUP(free) char *ballast = xasprintf("%s/ballast", dir);
	struct store *store = NULL;
	struct err err = { 0 };

	if (small_disk(dir, "size=600k") != 0)
		test_skip("needs root to mount a small tmpfs");
	ballast_write(ballast, 593920);
	assert_int_equal(store_open(path, &store, &err), -ERR_SYSTEM);
	if (!strstr(err.msg, "No space left on device"))
		fail_msg("%s", err.msg);
	assert_int_equal(unlink(ballast), 0);
	store_close(fixture_open(path));
	assert_int_equal(umount(dir), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_truncated, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_changed_bytes, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_file_size_limit, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_full_disk, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_no_room, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
