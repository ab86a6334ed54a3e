/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "setting/journal.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "host/name_list.h"
#include "plant.h"
#include "setting/setting.h"
#include "test.h"

/* plant.root is the state folder and holds the "attributes" too. */
static int setup(void **state)
{
	struct plant *plant = xcalloc(1, sizeof(*plant));

	plant_create(plant);
	*state = plant;
	return 0;
}

static int teardown(void **state)
{
	plant_remove(*state);
	free(*state);
	return 0;
}

static struct journal *open_journal(const struct plant *plant)
{
	struct journal *journal = NULL;

	assert_int_equal(journal_open(plant->root, &journal, NULL), 0);
	return journal;
}

/* Journals the value that the file has, then writes another, as a setting does. */
static void change_file(const struct plant *plant, struct journal *journal, const char *name,
			const char *new_value)
{
	CLEANUP(free) char *path = plant_path(plant, name);
	CLEANUP(free) char *old_value = plant_read(plant, name);
	CLEANUP(free) char *what = xasprintf("value of %s", name);

	assert_int_equal(journal_record(journal,
					&(struct setting_change){
						.what = what,
						.undo_path = path,
						.undo_value = old_value,
					},
					NULL),
			 0);
	plant_file(plant, name, new_value);
}

/* The command appends a word to the file "log". */
static void record_command(const struct plant *plant, struct journal *journal, const char *word)
{
	CLEANUP(free) char *undo = xasprintf("printf ' %s' >> %s/log", word, plant->root);

	assert_int_equal(journal_record(journal,
					&(struct setting_change){
						.what = "command 'x'",
						.undo_value = undo,
					},
					NULL),
			 0);
}

static void assert_value(const struct plant *plant, const char *name, const char *expected)
{
	CLEANUP(free) char *value = plant_read(plant, name);

	assert_string_equal(value, expected);
}

static size_t count_journals(const struct plant *plant)
{
	CLEANUP(free) char *folder = plant_path(plant, "journal");
	CLEANUP(name_list) struct name_list names = NAME_LIST_INIT;

	name_list_add_folder(&names, folder);
	return names.nr;
}

/* Path of the only journal. */
static char *journal_path(const struct plant *plant)
{
	CLEANUP(free) char *folder = plant_path(plant, "journal");
	CLEANUP(name_list) struct name_list names = NAME_LIST_INIT;

	name_list_add_folder(&names, folder);
	assert_int_equal(names.nr, 1);
	return xasprintf("%s/%s", folder, names.items[0]);
}

/* A process that makes changes and is killed before it can undo them. */
static void leave_behind(const struct plant *plant,
			 void (*act)(const struct plant *plant, struct journal *journal))
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		act(plant, open_journal(plant));
		(void)raise(SIGKILL);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static size_t restore(const struct plant *plant)
{
	size_t nr = 99;
	struct err err = { .code = 0 };

	if (journal_restore(plant->root, 0, &nr, &err) < 0)
		fail_msg("%s", err.msg);
	return nr;
}

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
	assert_int_equal(restore(plant), 0);
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
					&(struct setting_change){
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
	assert_non_null(strstr(leftovers.what[0], "command 'y': to be undone by 'echo no such"));
	journal_leftovers_release(&leftovers);
	assert_int_equal(journal_restore(plant->root, 0, &(size_t){ 0 }, &err), -ERR_SYSTEM);
	assert_value(plant, "a", "5");
	assert_value(plant, "log", " after before");
}

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
	assert_non_null(strstr(leftovers.what[0], "value of a: was '1' (left by process "));
	journal_leftovers_release(&leftovers);
	assert_int_equal(journal_restore(plant->root, 1, &nr, NULL), 0);
	assert_int_equal(nr, 3);
	assert_value(plant, "a", "2");

	assert_int_equal(restore(plant), 3);
	assert_value(plant, "a", "1");
	assert_value(plant, "b", "write through");
	assert_value(plant, "log", " undone");
	assert_int_equal(count_journals(plant), 0);
	/* once is enough, twice does no harm */
	assert_int_equal(restore(plant), 0);
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
	assert_int_equal(restore(plant), 3);
	assert_value(plant, "a", "1");
	assert_value(plant, "c", "2");
	assert_int_equal(count_journals(plant), 1);
	journal_close(journal);
	assert_value(plant, "c", "1");
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
					&(struct setting_change){
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
	assert_int_equal(restore(plant), 1);
	assert_int_equal(count_journals(plant), 0);
}

static void test_journal_without_a_whole_line(void **state)
{
	const struct plant *plant = *state;

	plant_file(plant, "journal/1-aaaaaa.jsonl", "");
	plant_file(plant, "journal/1-bbbbbb.jsonl", "{\"regio_jour");
	plant_file(plant, "journal/README", "not a journal");
	assert_int_equal(restore(plant), 0);
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
		assert_int_equal(leftovers.nr, 4);
		assert_string_equal(leftovers.what[0], words);
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
	assert_int_equal(restore(plant), 1);
	assert_value(plant, "a", "new");
	assert_value(plant, "log", "undone");
	assert_int_equal(count_journals(plant), 0);
}

static void change_anchored(const struct plant *plant, struct journal *journal)
{
	CLEANUP(free) char *path = plant_path(plant, "disk/queue/attribute");
	CLEANUP(free) char *anchor = plant_path(plant, "disk/queue");

	assert_int_equal(journal_record(journal,
					&(struct setting_change){
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
			       "queue.attribute of disk: gone, nothing to undo (left by process "));
	journal_leftovers_release(&leftovers);
	assert_int_equal(restore(plant), 0);
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
	assert_int_equal(restore(plant), 0);
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
	assert_int_equal(restore(plant), 3);
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
	struct setting_change change = { .what = "x", .undo_path = "/nowhere" };

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
	const struct setting_change change = {
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
	const struct setting_change change = { .what = "x", .undo_value = "true" };

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
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_nothing_is_created_before_the_first_record,
						setup, teardown),
		cmocka_unit_test_setup_teardown(test_undo_newest_first, setup, teardown),
		cmocka_unit_test_setup_teardown(test_undo_from_a_mark, setup, teardown),
		cmocka_unit_test_setup_teardown(test_failures_do_not_stop_the_rest, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_restore_after_a_kill, setup, teardown),
		cmocka_unit_test_setup_teardown(test_live_journal_is_left_alone, setup, teardown),
		cmocka_unit_test_setup_teardown(test_torn_last_line, setup, teardown),
		cmocka_unit_test_setup_teardown(test_journal_without_a_whole_line, setup, teardown),
		cmocka_unit_test_setup_teardown(test_damaged_journals, setup, teardown),
		cmocka_unit_test_setup_teardown(test_journal_from_before_the_boot, setup, teardown),
		cmocka_unit_test_setup_teardown(test_device_that_is_gone, setup, teardown),
		cmocka_unit_test_setup_teardown(test_device_that_was_replaced, setup, teardown),
		cmocka_unit_test_setup_teardown(test_other_writers_are_not_trusted, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_link_in_the_folder_is_not_followed, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_full_disk, setup, teardown),
		cmocka_unit_test_setup_teardown(test_text_that_json_cannot_hold, setup, teardown),
		cmocka_unit_test_setup_teardown(test_folder_that_cannot_be_made, setup, teardown),
		cmocka_unit_test_setup_teardown(test_default_folder, setup, teardown),
		cmocka_unit_test_setup_teardown(test_many_processes_at_once, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
