/* SPDX-License-Identifier: GPL-2.0-or-later */
/* note: every row is complete and distinct; lists keep order and drop repetitions. */
#include "model/note.h"

#include <ctype.h>
#include <string.h>

#include "test.h"

static void test_rows_are_complete(void **state)
{
	(void)state;
	for (int id = 0; id < NOTE_NR_IDS; id++) {
		const struct note_kind *kind = note_kind((enum note_id)id);

		assert_non_null(kind->name);
		assert_non_null(kind->when);
		assert_non_null(kind->advice);
		assert_true(strlen(kind->name) > 0);
		assert_int_equal(strlen(kind->name),
				 strspn(kind->name, "abcdefghijklmnopqrstuvwxyz-"));
		assert_true(strlen(kind->advice) > 20);
		assert_true(islower((unsigned char)kind->advice[0]));
		assert_int_not_equal(kind->advice[strlen(kind->advice) - 1], '.');
		/* finds the first row of that name, so this also fails on a repeated name */
		assert_int_equal(note_id_by_name(kind->name), id);
	}
}

static void test_unknown_name(void **state)
{
	(void)state;
	assert_int_equal(note_id_by_name("no-such-note"), -1);
	assert_int_equal(note_id_by_name(""), -1);
}

static void test_add_formats_and_drops_repetitions(void **state)
{
	CLEANUP(note_list) struct note_list list = { .nr = 0 };

	(void)state;
	note_add(&list, NOTE_FEW_IOS, "job %d: p%.1f from %d I/Os", 1, 99.9, 120);
	note_add(&list, NOTE_FEW_IOS, "job %d: p%.1f from %d I/Os", 1, 99.9, 120);
	assert_int_equal(list.nr, 1);
	assert_int_equal(list.items[0].id, NOTE_FEW_IOS);
	assert_string_equal(list.items[0].text, "job 1: p99.9 from 120 I/Os");

	note_add(&list, NOTE_FEW_IOS, "job 2: p99.9 from 120 I/Os");
	note_add(&list, NOTE_INTERRUPTED, "job 1: p99.9 from 120 I/Os");
	assert_int_equal(list.nr, 3);
}

static void test_append_copies(void **state)
{
	CLEANUP(note_list) struct note_list list = { .nr = 0 };
	struct note_list more = { .nr = 0 };

	(void)state;
	note_add(&list, NOTE_SKEWED, "100%% of it"); /* a text with a percent sign */
	note_add(&more, NOTE_SKEWED, "100%% of it");
	note_add(&more, NOTE_SLOW_RUNS, "3 of 9 runs of B");
	note_list_append(&list, &more);
	note_list_release(&more);
	assert_int_equal(more.nr, 0);
	assert_int_equal(list.nr, 2);
	assert_string_equal(list.items[0].text, "100% of it");
	assert_string_equal(list.items[1].text, "3 of 9 runs of B");
}

static const struct note_list *one_note(struct note_list *list, enum note_id id, const char *text)
{
	note_list_release(list);
	note_add(list, id, "%s", text);
	return list;
}

static void test_find_takes_the_first(void **state)
{
	CLEANUP(note_list) struct note_list list = { .nr = 0 };

	(void)state;
	assert_null(note_list_find(&list, NOTE_SWAP));
	note_add(&list, NOTE_CPU_STEAL, "2.0 %%");
	note_add(&list, NOTE_SWAP, "first");
	note_add(&list, NOTE_SWAP, "second");
	assert_string_equal(note_list_find(&list, NOTE_SWAP)->text, "first");
	assert_null(note_list_find(&list, NOTE_FEW_IOS));
}

static void test_tally(void **state)
{
	static const char *const names[] = { "A", "B" };
	CLEANUP(note_tally) struct note_tally tally = { .nr_runs = { 0 } };
	CLEANUP(note_list) struct note_list run = { .nr = 0 };
	CLEANUP(note_list) struct note_list told = { .nr = 0 };

	(void)state;
	assert_true(note_kind(NOTE_CPU_STEAL)->is_of_run);
	assert_true(
		note_kind(NOTE_LOG_WAITED)->is_of_run); /* how often it waited is never the same */
	assert_false(note_kind(NOTE_SETTING_NOT_EXACT)->is_of_run);
	note_tally_add(&tally, 0, one_note(&run, NOTE_CPU_STEAL, "2.0 %"));
	note_add(&run, NOTE_CPU_STEAL, "twice in one run");
	note_tally_add(&tally, 1, &run);
	note_add(&run, NOTE_FEW_IOS, "not for a comparison");
	note_tally_add(&tally, 1, one_note(&run, NOTE_CPU_STEAL, "3.5 %"));
	note_tally_add(&tally, 0, one_note(&run, NOTE_SETTING_NOT_EXACT, "64 became 62"));
	note_tally_add(&tally, 1, &run);
	note_tally_tell(&tally, names, &told);
	assert_int_equal(told.nr, 2);
	assert_string_equal(told.items[0].text, "64 became 62");
	assert_string_equal(told.items[1].text,
			    "3 of 5 runs (A 1, B 2), in the first of them: 2.0 %");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_are_complete),
		cmocka_unit_test(test_unknown_name),
		cmocka_unit_test(test_add_formats_and_drops_repetitions),
		cmocka_unit_test(test_append_copies),
		cmocka_unit_test(test_find_takes_the_first),
		cmocka_unit_test(test_tally),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
