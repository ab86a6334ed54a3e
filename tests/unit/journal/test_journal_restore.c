/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Journals that killed runs left behind. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "journal_steps.h"
#include "journal/journal.h"
#include "test.h"

static void change_a_and_run(const struct plant *plant, struct journal *journal)
{
	change_file(plant, journal, "a", "2\n");
	record_command(plant, journal, "undone");
	change_file(plant, journal, "b", "2\n");
}

static void test_restore_after_a_kill(void **state)
{
	const struct plant *plant = *state;
	struct journal_leftovers leftovers;
	size_t nr = 0;

	plant_file(plant, "a", "1\n");
	plant_file(plant, "b", "write through\n");
	plant_file(plant, "log", "");
	leave_behind(plant, change_a_and_run);
	assert_value(plant, "a", "2");

	assert_int_equal(journal_find_leftovers(plant->root, &leftovers, NULL), 0);
	assert_int_equal(leftovers.nr, 3);
	assert_non_null(strstr(leftovers.what[0], "value of a (was '1'; process "));
	journal_leftovers_release(&leftovers);
	assert_int_equal(journal_restore(plant->root, 1, &nr, NULL), 0);
	assert_int_equal(nr, 3);
	assert_value(plant, "a", "2");

	assert_int_equal(restore_all(plant), 3);
	assert_value(plant, "a", "1");
	assert_value(plant, "b", "write through");
	assert_value(plant, "log", " undone");
	assert_int_equal(count_journals(plant), 0);
	/* once is enough, twice does no harm */
	assert_int_equal(restore_all(plant), 0);
	assert_value(plant, "log", " undone");
}

static void test_live_journal_is_left_alone(void **state)
{
	const struct plant *plant = *state;
	struct journal *journal = open_journal(plant);
	struct journal_leftovers leftovers;

	plant_file(plant, "a", "1\n");
	plant_file(plant, "b", "1\n");
	plant_file(plant, "c", "1\n");
	plant_file(plant, "log", "");
	change_file(plant, journal, "c", "2\n");
	leave_behind(plant, change_a_and_run);
	assert_int_equal(count_journals(plant), 2);
	assert_int_equal(journal_find_leftovers(plant->root, &leftovers, NULL), 0);
	assert_int_equal(leftovers.nr, 3);
	journal_leftovers_release(&leftovers);
	assert_int_equal(restore_all(plant), 3);
	assert_value(plant, "a", "1");
	assert_value(plant, "c", "2");
	assert_int_equal(count_journals(plant), 1);
	journal_close(journal);
	assert_value(plant, "c", "1");
}

static void test_two_runs_on_one_file(void **state)
{
	const struct plant *plant = *state;
	struct journal *first = open_journal(plant);
	struct journal *second = open_journal(plant);
	CLEANUP(free) char *path = plant_path(plant, "a");
	const struct undo_step change = {
		.what = "value of a",
		.undo_path = path,
		.undo_value = "2",
	};
	struct err err = { .code = 0 };

	plant_file(plant, "a", "1\n");
	plant_file(plant, "b", "1\n");
	change_file(plant, first, "a", "2\n");
	assert_int_equal(journal_record(second, &change, &err), -ERR_SYSTEM);
	assert_non_null(strstr(err.msg, "another regio (process "));
	assert_non_null(strstr(err.msg, "has changed value of a or what comes"));
	/* another file is free, and the refusal has left a journal that works */
	change_file(plant, second, "b", "2\n");
	assert_int_equal(journal_undo(first, NULL), 0);
	assert_value(plant, "a", "1");
	assert_int_equal(journal_record(second, &change, NULL), 0);
	journal_close(first);
	journal_close(second);
	assert_value(plant, "a", "2"); /* as recorded */
	assert_value(plant, "b", "1");
	assert_int_equal(count_journals(plant), 0);
}

static void append_to_journal(const struct plant *plant, const char *text)
{
	CLEANUP(free) char *path = journal_path(plant);
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(file_write_all(fd, text, strlen(text)), 0);
	close(fd);
}

static void change_a_fail_b(const struct plant *plant, struct journal *journal)
{
	CLEANUP(free) char *undo = xasprintf("test -e %s/allowed", plant->root);

	change_file(plant, journal, "a", "2\n");
	assert_int_equal(journal_record(journal,
					&(struct undo_step){
						.what = "command 'z'",
						.undo_value = undo,
					},
					NULL),
			 0);
}

/* Also: marks written after such a line make a journal that can still be read. */
static void test_torn_last_line(void **state)
{
	const struct plant *plant = *state;
	struct err err = { .code = 0 };

	plant_file(plant, "a", "1\n");
	leave_behind(plant, change_a_fail_b);
	append_to_journal(plant, "{\"what\":\"cut");
	assert_int_equal(journal_restore(plant->root, 0, &(size_t){ 0 }, &err), -ERR_SYSTEM);
	assert_value(plant, "a", "1");
	plant_file(plant, "allowed", "");
	assert_int_equal(restore_all(plant), 1);
	assert_int_equal(count_journals(plant), 0);
}

static void test_journal_without_a_whole_line(void **state)
{
	const struct plant *plant = *state;

	plant_file(plant, "journal/1-aaaaaa.jsonl", "");
	plant_file(plant, "journal/1-bbbbbb.jsonl", "{\"regio_jour");
	plant_file(plant, "journal/README", "not a journal");
	assert_int_equal(restore_all(plant), 0);
	assert_int_equal(count_journals(plant), 1);
}

static void test_damaged_journals(void **state)
{
	static const char header[] = "{\"regio_journal\":1,\"boot_id\":\"x\",\"pid\":1}\n";
	static const struct {
		const char *start, *rest, *words;
	} rows[] = {
		{ "", "garbage\n", "line 1: not a JSON object" },
		{ "", "[]\n", "line 1: not a JSON object" },
		{ "", "{\"undone\":0}\n", "line 1: not the first line of a journal" },
		{ "", "{\"regio_journal\":2,\"boot_id\":\"x\"}\n",
		  "line 1: written by a newer regio" },
		{ header, "{\"what\":\"x\"}\n", "line 2: not a change" },
		{ header, "{\"what\":\"x\",\"path\":\"relative\",\"value\":\"1\"}\n",
		  "line 2: not a change" },
		{ header, "{\"undone\":0}\n", "line 2: marks a change that is not there" },
		{ header, "{\"what\":\"x\",\"command\":\"y\"}\n{\"undone\":-1}\n",
		  "line 3: marks a change that is not there" },
		{ header, "{\"what\":\"x\",\"command\":\"touch /tmp/regio-never\"}\n\n",
		  "line 3: not a JSON object" },
	};
	const struct plant *plant = *state;

	plant_file(plant, "a", "1\n");
	plant_file(plant, "b", "1\n");
	plant_file(plant, "log", "");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CLEANUP(free) char *content = xasprintf("%s%s", rows[i].start, rows[i].rest);
		CLEANUP(free)
		char *words = xasprintf("undo journal %s/journal/0-damage.jsonl is damaged: %s",
					plant->root, rows[i].words);
		struct journal_leftovers leftovers;
		struct err err = { .code = 0 };

		leave_behind(plant, change_a_and_run);
		plant_file(plant, "journal/0-damage.jsonl", content);
		assert_int_equal(journal_find_leftovers(plant->root, &leftovers, NULL), 0);
		assert_int_equal(leftovers.nr, 3);
		assert_int_equal(leftovers.nr_unreadable, 1);
		assert_string_equal(leftovers.unreadable[0], words);
		journal_leftovers_release(&leftovers);
		/* the other one is restored, this one is kept as it is */
		assert_int_equal(journal_restore(plant->root, 0, &(size_t){ 0 }, &err), -ERR_INPUT);
		assert_string_equal(err.msg, words);
		assert_value(plant, "a", "1");
		assert_int_equal(count_journals(plant), 1);
	}
	assert_false(file_exists("/tmp/regio-never"));
}

/* After a reboot sysfs and sysctl have their defaults; commands may have changed disks. */
static void test_journal_from_before_the_boot(void **state)
{
	const struct plant *plant = *state;
	CLEANUP(free)
	char *content =
		xasprintf("{\"regio_journal\":1,\"boot_id\":\"another\",\"pid\":7}\n"
			  "{\"what\":\"a\",\"path\":\"%s/a\",\"value\":\"old\"}\n"
			  "{\"what\":\"command 'x'\",\"command\":\"printf undone > %s/log\"}\n",
			  plant->root, plant->root);
	struct journal_leftovers leftovers;

	plant_file(plant, "a", "new\n");
	plant_file(plant, "log", "");
	plant_file(plant, "journal/7-aaaaaa.jsonl", content);
	assert_int_equal(journal_find_leftovers(plant->root, &leftovers, NULL), 0);
	assert_int_equal(leftovers.nr, 1);
	assert_non_null(strstr(leftovers.what[0], "command 'x'"));
	journal_leftovers_release(&leftovers);
	assert_int_equal(restore_all(plant), 1);
	assert_value(plant, "a", "new");
	assert_value(plant, "log", "undone");
	assert_int_equal(count_journals(plant), 0);
}

static void change_anchored(const struct plant *plant, struct journal *journal)
{
	CLEANUP(free) char *path = plant_path(plant, "disk/queue/attribute");
	CLEANUP(free) char *anchor = plant_path(plant, "disk/queue");

	assert_int_equal(journal_record(journal,
					&(struct undo_step){
						.what = "queue.attribute of disk",
						.undo_path = path,
						.undo_value = "old",
						.anchor = anchor,
					},
					NULL),
			 0);
	plant_file(plant, "disk/queue/attribute", "new\n");
}

static void remove_tree(const struct plant *plant, const char *name)
{
	CLEANUP(free) char *attribute = xasprintf("%s/%s/queue/attribute", plant->root, name);
	CLEANUP(free) char *queue = xasprintf("%s/%s/queue", plant->root, name);
	CLEANUP(free) char *disk = plant_path(plant, name);

	assert_int_equal(unlink(attribute), 0);
	assert_int_equal(rmdir(queue), 0);
	assert_int_equal(rmdir(disk), 0);
}

static void test_device_that_is_gone(void **state)
{
	const struct plant *plant = *state;
	struct journal_leftovers leftovers;

	plant_file(plant, "disk/queue/attribute", "old\n");
	leave_behind(plant, change_anchored);
	remove_tree(plant, "disk");
	assert_int_equal(journal_find_leftovers(plant->root, &leftovers, NULL), 0);
	assert_int_equal(leftovers.nr, 1);
	assert_non_null(strstr(leftovers.what[0],
			       "queue.attribute of disk (gone, nothing to undo; process "));
	journal_leftovers_release(&leftovers);
	assert_int_equal(restore_all(plant), 0);
	assert_int_equal(count_journals(plant), 0);
}

/* Another device by the name of the one that was changed must keep its own value. */
static void test_device_that_was_replaced(void **state)
{
	const struct plant *plant = *state;
	CLEANUP(free) char *old = plant_path(plant, "disk");
	CLEANUP(free) char *moved = plant_path(plant, "unplugged");

	plant_file(plant, "disk/queue/attribute", "old\n");
	leave_behind(plant, change_anchored);
	assert_int_equal(rename(old, moved), 0);
	plant_file(plant, "disk/queue/attribute", "of the new one\n");
	assert_int_equal(restore_all(plant), 0);
	assert_value(plant, "disk/queue/attribute", "of the new one");
	assert_int_equal(count_journals(plant), 0);
}

static void test_other_writers_are_not_trusted(void **state)
{
	const struct plant *plant = *state;
	CLEANUP(free) char *path = NULL;
	struct err err = { .code = 0 };

	plant_file(plant, "a", "1\n");
	plant_file(plant, "b", "1\n");
	plant_file(plant, "log", "");
	leave_behind(plant, change_a_and_run);
	path = journal_path(plant);
	assert_int_equal(chmod(path, 0666), 0);
	assert_int_equal(journal_restore(plant->root, 0, &(size_t){ 0 }, &err), -ERR_UNSAFE);
	assert_value(plant, "log", "");
	assert_int_equal(chmod(path, 0600), 0);
	if (geteuid() == 0) {
		assert_int_equal(chown(path, 12345, 12345), 0);
		assert_int_equal(journal_restore(plant->root, 0, &(size_t){ 0 }, &err),
				 -ERR_UNSAFE);
		assert_value(plant, "log", "");
		assert_int_equal(chown(path, 0, 0), 0);
	}
	assert_int_equal(restore_all(plant), 3);
}

static void test_link_in_the_folder_is_not_followed(void **state)
{
	const struct plant *plant = *state;
	CLEANUP(free) char *target = plant_path(plant, "elsewhere");
	CLEANUP(free) char *link = plant_path(plant, "journal/1-aaaaaa.jsonl");
	struct err err = { .code = 0 };

	plant_file(plant, "elsewhere", "{\"regio_journal\":1,\"boot_id\":\"x\",\"pid\":1}\n");
	plant_folder(plant, "journal");
	assert_int_equal(symlink(target, link), 0);
	assert_int_equal(journal_restore(plant->root, 0, &(size_t){ 0 }, &err), -ERR_SYSTEM);
	assert_true(file_exists(target));
}

/* Many processes come and go while others restore: nothing is lost, nothing is undone for a live
 * one. Each owner checks its own attribute at its end. */
static void test_many_processes_at_once(void **state)
{
	enum { NR_OWNERS = 4, NR_ROUNDS = 25 };
	const struct plant *plant = *state;
	pid_t pids[NR_OWNERS];

	plant_folder(plant, "journal");
	for (int i = 0; i < NR_OWNERS; i++) {
		pids[i] = fork();
		assert_true(pids[i] >= 0);
		if (pids[i] == 0) {
			char name[16];

			(void)snprintf(name, sizeof(name), "a%d", i);
			plant_file(plant, name, "old\n");
			for (int round = 0; round < NR_ROUNDS; round++) {
				struct journal *journal = open_journal(plant);

				change_file(plant, journal, name, "new\n");
				usleep(500);
				assert_value(plant, name, "new");
				journal_close(journal);
				assert_value(plant, name, "old");
			}
			_exit(0);
		}
	}
	for (int nr_left = NR_OWNERS; nr_left > 0;) {
		int status;
		pid_t pid = waitpid(-1, &status, WNOHANG);
		size_t nr;

		assert_int_equal(journal_restore(plant->root, 0, &nr, NULL), 0);
		assert_int_equal(nr, 0);
		if (pid > 0) {
			assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
			nr_left--;
		}
	}
	assert_int_equal(count_journals(plant), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, steps_setup, steps_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_restore_after_a_kill),
		TEST(test_live_journal_is_left_alone),
		TEST(test_two_runs_on_one_file),
		TEST(test_torn_last_line),
		TEST(test_journal_without_a_whole_line),
		TEST(test_damaged_journals),
		TEST(test_journal_from_before_the_boot),
		TEST(test_device_that_is_gone),
		TEST(test_device_that_was_replaced),
		TEST(test_other_writers_are_not_trusted),
		TEST(test_link_in_the_folder_is_not_followed),
		TEST(test_many_processes_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
