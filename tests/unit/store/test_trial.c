/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_trial: what an interrupted experiment finds again, and that no trial counts twice. */
#include "fixture.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "test.h"

static int64_t begin(struct store *store, const char *kind, const char *plan)
{
	int64_t id = 0;
	struct err err = { .code = 0 };

	if (store_begin_experiment(store, kind, "regio x", plan, &id, &err) < 0)
		fail_msg("%s", err.msg);
	return id;
}

static int64_t find(struct store *store, const char *digest)
{
	CLEANUP(free) char *plan = NULL;
	int64_t id = -1;

	assert_int_equal(store_find_unfinished(store, "matrix", digest, &id, &plan, NULL), 0);
	if (id)
		assert_non_null(strstr(plan, digest));
	else
		assert_string_equal(plan, "");
	return id;
}

static void test_find_unfinished(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture->path);
	int64_t first, second;

	assert_int_equal(find(store, "d1"), 0);
	begin(store, "matrix", NULL);
	begin(store, "matrix", "no json");
	begin(store, "ab", "{\"digest\":\"d1\"}");
	assert_int_equal(find(store, "d1"), 0);
	first = begin(store, "matrix", "{\"digest\":\"d1\",\"seed\":3}");
	second = begin(store, "matrix", "{\"digest\":\"d2\"}");
	assert_int_equal(find(store, "d1"), first);
	assert_int_equal(find(store, "d2"), second);
	assert_int_equal(store_change_plan(store, second, "{\"digest\":\"d2\",\"more\":1}", NULL),
			 0);
	assert_int_equal(find(store, "d2"), second);
	assert_int_equal(store_change_plan(store, second, "{\"digest\":\"d3\"}", NULL), 0);
	assert_int_equal(find(store, "d2"), 0);
	assert_int_equal(find(store, "d3"), second);
	assert_int_equal(store_change_plan(store, 4711, "{}", NULL), -ERR_INPUT);
	assert_int_equal(store_end_experiment(store, first, "undecided", NULL, NULL), 0);
	assert_int_equal(find(store, "d1"), 0);
	store_close(store);
}

static void test_trials(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture->path);
	int64_t experiment = begin(store, "matrix", "{}");
	struct store_place place = { .experiment = experiment, .label = "A", .used = 1 };
	CLEANUP(store_trial_list) struct store_trial_list list = { .nr = 0 };
	struct result result;
	struct err err = { .code = 0 };
	int64_t run;

	fixture_put(store, &place, 1); /* without a name: not a trial */
	place.trial = "p.2.1";
	place.sequence = 2;
	run = fixture_put(store, &place, 2);
	place.trial = "p.1.1";
	place.sequence = 1;
	place.used = 0;
	fixture_put(store, &place, 3);
	/* the same trial again, as a second process might: refused, and nothing of it is left */
	fixture_result(&result, 4);
	assert_int_equal(store_put_result(store, &place, &result, &run, &err), -ERR_SYSTEM);
	assert_non_null(strstr(err.msg, "another regio has stored trial 'p.1.1' of experiment "));
	result_release(&result);
	assert_int_equal(store_list_trials(store, experiment, &list, NULL), 0);
	assert_int_equal(list.nr, 2);
	assert_string_equal(list.items[0].name, "p.1.1");
	assert_int_equal(list.items[0].used, 0);
	assert_string_equal(list.items[1].name, "p.2.1");
	assert_int_equal(list.items[1].used, 1);
	assert_int_equal(list.items[1].sequence, 2);
	store_close(store);
	assert_int_equal(fixture_check(fixture->path), 3);
}

static int64_t newest(struct store *store)
{
	CLEANUP(store_experiment) struct store_experiment experiment = { .id = 0 };

	assert_int_equal(store_get_experiment(store, "bisect", 0, &experiment, NULL), 0);
	return experiment.id;
}

/* One that failed before its first trial is not what there is to go on with. */
static void test_newest(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture->path);
	int64_t first = begin(store, "bisect", "{}");
	struct store_place place = { .experiment = first, .label = "A", .trial = "0" };
	int64_t failed, killed;

	fixture_put(store, &place, 1);
	begin(store, "matrix", "{}");
	assert_int_equal(store_end_experiment(store, first, "undecided", NULL, NULL), 0);
	failed = begin(store, "bisect", "{}");
	assert_int_equal(newest(store), failed); /* nobody knows what became of it */
	assert_int_equal(store_end_experiment(store, failed, "undecided", NULL, NULL), 0);
	assert_int_equal(newest(store), first);
	killed = begin(store, "bisect", "{}");
	assert_int_equal(newest(store), killed);
	store_close(store);
}

/* Opens the store, locks the plan, says so and waits to be killed. */
static pid_t start_holder(const struct fixture *fixture, const char *digest)
{
	int ready[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		struct store *store = fixture_open(fixture->path);

		if (store_lock_plan(store, digest, NULL) == 0 && write(ready[1], "x", 1) == 1)
			(void)pause();
		_exit(1);
	}
	(void)close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	(void)close(ready[0]);
	return pid;
}

static void test_one_process_for_a_plan(void **state)
{
	static const char one[] = "fedcba9876543210", other[] = "0123456789abcdef";
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture->path);
	pid_t holder = start_holder(fixture, one);
	struct err err = { .code = 0 };
	CLEANUP(free)
	char *message = xasprintf("another regio (process %ld) is running this plan in the store "
				  "'%s'; wait until it has ended",
				  (long)holder, fixture->path);

	assert_int_equal(store_lock_plan(store, one, &err), -ERR_SYSTEM);
	assert_string_equal(err.msg, message);
	assert_int_equal(store_lock_plan(store, other, NULL), 0);
	store_close(store);
	assert_int_equal(kill(holder, SIGKILL), 0);
	assert_int_equal(waitpid(holder, NULL, 0), holder);
	store = fixture_open(fixture->path);
	assert_int_equal(store_lock_plan(store, one, NULL), 0); /* nothing of it is left */
	store_close(store);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_find_unfinished, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_trials, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_newest, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_one_process_for_a_plan, fixture_setup,
						fixture_teardown),
	};

	return cmocka_run_group_tests_name("trial", tests, NULL, NULL);
}
