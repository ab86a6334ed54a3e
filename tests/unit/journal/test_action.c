/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Things that were made and are taken away: actions of live runs and of killed ones. */
#include "journal/action.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "journal/journal.h"
#include "journal_steps.h"
#include "test.h"

static void record(struct journal *journal, const char *action, char *path)
{
	CLEANUP(free) char *name = xstrdup(action);
	char value[] = "";
	const struct undo_step step = {
		.what = path,
		.undo_path = path,
		.undo_value = value,
		.action = name,
	};

	assert_int_equal(journal_record(journal, &step, NULL), 0);
}

/* A folder with a file in it, as a stack makes them. */
static void make(const struct plant *plant, struct journal *journal)
{
	CLEANUP(free) char *folder = plant_path(plant, "place");
	CLEANUP(free) char *file = plant_path(plant, "place/file");

	record(journal, "folder", folder);
	assert_int_equal(mkdir(folder, 0700), 0);
	record(journal, "file", file);
	plant_file(plant, "place/file", "x");
}

static bool is_there(const struct plant *plant)
{
	CLEANUP(free) char *folder = plant_path(plant, "place");

	return file_exists(folder);
}

static void test_undone_in_reverse(void **state)
{
	const struct plant *plant = *state;
	struct journal *journal = open_journal(plant);

	make(plant, journal);
	assert_int_equal(journal_undo(journal, NULL), 0);
	assert_false(is_there(plant));
	journal_close(journal);
	assert_int_equal(count_journals(plant), 0);
}

static void test_restored_after_a_kill(void **state)
{
	const struct plant *plant = *state;

	leave_behind(plant, make);
	assert_true(is_there(plant));
	assert_int_equal(restore_all(plant), 2);
	assert_false(is_there(plant));
	assert_int_equal(restore_all(plant), 0);
}

/* Files stay where they are when the machine is switched off; devices and mounts do not. */
static void test_what_a_reboot_leaves(void **state)
{
	const struct plant *plant = *state;
	CLEANUP(free)
	char *text = xasprintf(
		"{\"regio_journal\":1,\"boot_id\":\"another\",\"pid\":7}\n"
		"{\"what\":\"f\",\"path\":\"%s/place\",\"value\":\"\",\"action\":\"folder\"}\n"
		"{\"what\":\"m\",\"path\":\"%s\",\"value\":\"\",\"action\":\"mount\"}\n",
		plant->root, plant->root);

	plant_folder(plant, "place");
	plant_file(plant, "journal/7-x.jsonl", text);
	assert_int_equal(restore_all(plant), 1);
	assert_false(is_there(plant));
}

/* Recorded, but the kill came before it was made; or it is gone by itself. */
static void test_what_was_not_made(void **state)
{
	const struct plant *plant = *state;
	struct journal *journal = open_journal(plant);
	char loop[] = "/dev/loop4095";
	char dm[] = "/dev/mapper/regio-none";
	char folder[] = "/nonexistent/folder";
	char module[] = "/sys/module/regio_none";
	char nbd[] = "/dev/nbd4095";

	record(journal, "loop", loop);
	record(journal, "dm", dm);
	record(journal, "folder", folder);
	record(journal, "mount", folder);
	record(journal, "file", folder);
	record(journal, "module", module);
	record(journal, "md", loop);
	record(journal, "nbd", nbd);
	record(journal, "null_blk", folder);
	record(journal, "zram", folder);
	record(journal, "zram-new", folder);
	assert_int_equal(journal_undo(journal, NULL), 0);
	assert_int_equal(count_journals(plant), 0);
	journal_close(journal);
}

static void test_forgotten(void **state)
{
	const struct plant *plant = *state;
	struct journal *journal = open_journal(plant);
	CLEANUP(free) char *folder = plant_path(plant, "place");
	size_t index = journal_mark(journal);

	plant_folder(plant, "place");
	record(journal, "folder", folder);
	assert_int_equal(journal_forget(journal, index, NULL), 0);
	assert_int_equal(journal_undo(journal, NULL), 0);
	assert_true(is_there(plant)); /* it was somebody else's */
	journal_close(journal);
}

/* What cannot be taken away is said, kept, and taken away later. */
static void test_in_the_way(void **state)
{
	const struct plant *plant = *state;
	struct journal *journal = open_journal(plant);
	CLEANUP(free) char *file = plant_path(plant, "place/other");
	struct err err = { .code = 0 };

	make(plant, journal);
	plant_file(plant, "place/other", "x");
	assert_int_equal(journal_undo(journal, &err), -ERR_SYSTEM);
	assert_non_null(strstr(err.msg, "cannot take back "));
	assert_non_null(strstr(err.msg, "Directory not empty"));
	assert_int_equal(unlink(file), 0);
	assert_int_equal(journal_undo(journal, NULL), 0);
	assert_false(is_there(plant));
	journal_close(journal);
}

static void test_unknown_action(void **state)
{
	const struct plant *plant = *state;
	size_t nr = 0;
	struct err err = { .code = 0 };

	plant_file(plant, "journal/7-x.jsonl",
		   "{\"regio_journal\":1,\"boot_id\":\"x\",\"pid\":1}\n"
		   "{\"what\":\"x\",\"path\":\"/x\",\"value\":\"\",\"action\":\"explode\"}\n");
	assert_int_equal(journal_restore(plant->root, 0, &nr, &err), -ERR_INPUT);
	assert_non_null(strstr(err.msg, "line 2: written by a newer regio"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, steps_setup, steps_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_undone_in_reverse),
		TEST(test_restored_after_a_kill),
		TEST(test_what_a_reboot_leaves),
		TEST(test_what_was_not_made),
		TEST(test_forgotten),
		TEST(test_in_the_way),
		TEST(test_unknown_action),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
