/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Journals of a run that lives. Those of killed runs are in test_journal_restore.c. */
#include "journal/journal.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "journal_steps.h"
#include "test.h"

static void test_nothing_is_created_before_the_first_record(void **state)
{
	const struct plant *plant = *state;
	struct journal *journal = open_journal(plant);
	CLEANUP(free) char *folder = plant_path(plant, "journal");
	struct journal_leftovers leftovers;

	assert_int_equal(journal_undo(journal, NULL), 0);
	assert_false(file_exists(folder));
	assert_int_equal(journal_find_leftovers(plant->root, &leftovers, NULL), 0);
	assert_int_equal(leftovers.nr, 0);
	assert_int_equal(restore_all(plant), 0);
	journal_close(journal);
	journal_close(NULL);
}

static void test_undo_newest_first(void **state)
{
	const struct plant *plant = *state;
	struct journal *journal = open_journal(plant);
	CLEANUP(free) char *folder = plant_path(plant, "journal");
	struct stat st;

	plant_file(plant, "a", "1\n");
	plant_file(plant, "log", "");
	change_file(plant, journal, "a", "2\n");
	record_command(plant, journal, "first");
	change_file(plant, journal, "a", "3\n");
	record_command(plant, journal, "second");
	assert_int_equal(count_journals(plant), 1);
	assert_int_equal(stat(folder, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	assert_int_equal(journal_undo(journal, NULL), 0);
	assert_value(plant, "a", "1");
	assert_value(plant, "log", " second first");
	assert_int_equal(count_journals(plant), 0);

	/* it can be used again */
	change_file(plant, journal, "a", "4\n");
	assert_int_equal(count_journals(plant), 1);
	journal_close(journal);
	assert_value(plant, "a", "1");
	assert_int_equal(count_journals(plant), 0);
}

static void test_undo_from_a_mark(void **state)
{
	const struct plant *plant = *state;
	struct journal *journal = open_journal(plant);
	size_t mark;

	plant_file(plant, "a", "1\n");
	plant_file(plant, "b", "1\n");
	change_file(plant, journal, "a", "2\n");
	mark = journal_mark(journal);
	change_file(plant, journal, "a", "3\n");
	change_file(plant, journal, "b", "3\n");
	assert_int_equal(journal_undo_from(journal, mark, NULL), 0);
	assert_value(plant, "a", "2");
	assert_value(plant, "b", "1");
	plant_file(plant, "b", "by someone else\n");
	assert_int_equal(journal_undo(journal, NULL), 0);
	assert_value(plant, "a", "1");
	assert_value(plant, "b", "by someone else");
	journal_close(journal);
}

static void test_failures_do_not_stop_the_rest(void **state)
{
	const struct plant *plant = *state;
	struct journal *journal = open_journal(plant);
	struct err err = { .code = 0 };
	CLEANUP(free) char *path = NULL;
	struct journal_leftovers leftovers;

	plant_file(plant, "a", "1\n");
	plant_file(plant, "log", "");
	change_file(plant, journal, "a", "2\n");
	record_command(plant, journal, "before");
	assert_int_equal(journal_record(journal,
					&(struct undo_step){
						.what = "command 'y'",
						.undo_value = "echo no such luck >&2; exit 3",
					},
					NULL),
			 0);
	record_command(plant, journal, "after");
	path = journal_path(plant);
	assert_int_equal(journal_undo(journal, &err), -ERR_SYSTEM);
	assert_non_null(strstr(err.msg, "cannot undo command 'y' by"));
	assert_non_null(strstr(err.msg, "exit status 3: no such luck; kept in "));
	assert_non_null(strstr(err.msg, path));
	assert_value(plant, "a", "1");
	assert_value(plant, "log", " after before");

	/* what failed stays for later, and only that */
	plant_file(plant, "a", "5\n");
	journal_close(journal);
	assert_int_equal(journal_find_leftovers(plant->root, &leftovers, NULL), 0);
	assert_int_equal(leftovers.nr, 1);
	assert_non_null(strstr(leftovers.what[0], "command 'y' (undone by 'echo no such"));
	journal_leftovers_release(&leftovers);
	assert_int_equal(journal_restore(plant->root, 0, &(size_t){ 0 }, &err), -ERR_SYSTEM);
	assert_value(plant, "a", "5");
	assert_value(plant, "log", " after before");
}

/* A write that the disk has no room for leaves a journal that still undoes what was recorded. */
static void test_full_disk(void **state)
{
	const struct plant *plant = *state;
	struct journal *journal = open_journal(plant);
	CLEANUP(free) char *path = NULL;
	CLEANUP(free) char *long_value = xmalloc(5000);
	struct rlimit limit;
	struct stat st;
	struct err err = { .code = 0 };
	struct undo_step change = { .what = "x", .undo_path = "/nowhere" };

	memset(long_value, 'v', 4999);
	long_value[4999] = '\0';
	change.undo_value = long_value;
	plant_file(plant, "a", "1\n");
	change_file(plant, journal, "a", "2\n");
	path = journal_path(plant);
	assert_int_equal(stat(path, &st), 0);
	assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_int_equal(
		setrlimit(RLIMIT_FSIZE, &(struct rlimit){ .rlim_cur = (rlim_t)st.st_size + 100,
							  .rlim_max = limit.rlim_max }),
		0);
	assert_int_equal(journal_record(journal, &change, &err), -ERR_SYSTEM);
	assert_non_null(strstr(err.msg, "write the undo journal "));
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);

	change_file(plant, journal, "a", "3\n");
	assert_int_equal(journal_undo(journal, &err), 0);
	assert_value(plant, "a", "1");
	journal_close(journal);
}

static void test_text_that_json_cannot_hold(void **state)
{
	const struct plant *plant = *state;
	struct journal *journal = open_journal(plant);
	struct err err = { .code = 0 };
	const struct undo_step change = {
		.what = "command 'x'",
		.undo_value = "echo \xff",
	};

	assert_int_equal(journal_record(journal, &change, &err), -ERR_USAGE);
	assert_string_equal(err.msg, "command 'x': text that is not UTF-8 cannot be journalled");
	assert_int_equal(journal_mark(journal), 0);
	journal_close(journal);
	assert_int_equal(count_journals(plant), 0);
}

static void test_folder_that_cannot_be_made(void **state)
{
	const struct plant *plant = *state;
	CLEANUP(free) char *dir = plant_path(plant, "file");
	struct journal *journal = NULL;
	struct err err = { .code = 0 };
	const struct undo_step change = { .what = "x", .undo_value = "true" };

	plant_file(plant, "file", "");
	assert_int_equal(journal_open(dir, &journal, NULL), 0);
	assert_int_equal(journal_record(journal, &change, &err), -ERR_INPUT);
	assert_non_null(strstr(err.msg, "exists and is not a directory"));
	journal_close(journal);
}

static void test_default_folder(void **state)
{
	const struct plant *plant = *state;
	struct journal *journal = NULL;

	assert_int_equal(setenv("REGIO_STATE_DIR", plant->root, 1), 0);
	plant_file(plant, "a", "1\n");
	assert_int_equal(journal_open(NULL, &journal, NULL), 0);
	change_file(plant, journal, "a", "2\n");
	assert_int_equal(count_journals(plant), 1);
	journal_close(journal);
	assert_int_equal(unsetenv("REGIO_STATE_DIR"), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, steps_setup, steps_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_nothing_is_created_before_the_first_record),
		TEST(test_undo_newest_first),
		TEST(test_undo_from_a_mark),
		TEST(test_failures_do_not_stop_the_rest),
		TEST(test_full_disk),
		TEST(test_text_that_json_cannot_hold),
		TEST(test_folder_that_cannot_be_made),
		TEST(test_default_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
