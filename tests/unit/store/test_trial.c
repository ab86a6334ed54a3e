/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_trial: what an interrupted experiment finds again, and that no trial counts twice. */
#include "fixture.h"

#include <stdlib.h>
#include <string.h>

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
	assert_int_equal(store_put_result(store, &place, &result, &run, &err) < 0, 1);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_find_unfinished, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_trials, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests_name("trial", tests, NULL, NULL);
}
