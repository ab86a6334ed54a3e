/* SPDX-License-Identifier: GPL-2.0-or-later */
/* journal_steps: what the tests of journals do over and over. */
#include "journal_steps.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "host/name_list.h"
#include "journal/journal.h"
#include "test.h"

int steps_setup(void **state)
{
	struct plant *plant = xcalloc(1, sizeof(*plant));

	plant_create(plant);
	*state = plant;
	return 0;
}

int steps_teardown(void **state)
{
	plant_remove(*state);
	free(*state);
	return 0;
}

struct journal *open_journal(const struct plant *plant)
{
	struct journal *journal = NULL;

	assert_int_equal(journal_open(plant->root, &journal, NULL), 0);
	return journal;
}

/* Journals the value that the file has, then writes another, as a setting does. */
void change_file(const struct plant *plant, struct journal *journal, const char *name,
		 const char *new_value)
{
	CLEANUP(free) char *path = plant_path(plant, name);
	CLEANUP(free) char *old_value = plant_read(plant, name);
	CLEANUP(free) char *what = xasprintf("value of %s", name);

	assert_int_equal(journal_record(journal,
					&(struct undo_step){
						.what = what,
						.undo_path = path,
						.undo_value = old_value,
					},
					NULL),
			 0);
	plant_file(plant, name, new_value);
}

/* The command appends a word to the file "log". */
void record_command(const struct plant *plant, struct journal *journal, const char *word)
{
	CLEANUP(free) char *undo = xasprintf("printf ' %s' >> %s/log", word, plant->root);

	assert_int_equal(journal_record(journal,
					&(struct undo_step){
						.what = "command 'x'",
						.undo_value = undo,
					},
					NULL),
			 0);
}

void assert_value(const struct plant *plant, const char *name, const char *expected)
{
	CLEANUP(free) char *value = plant_read(plant, name);

	assert_string_equal(value, expected);
}

size_t count_journals(const struct plant *plant)
{
	CLEANUP(free) char *folder = plant_path(plant, "journal");
	CLEANUP(name_list) struct name_list names = NAME_LIST_INIT;

	name_list_add_folder(&names, folder);
	return names.nr;
}

/* Path of the only journal. */
char *journal_path(const struct plant *plant)
{
	CLEANUP(free) char *folder = plant_path(plant, "journal");
	CLEANUP(name_list) struct name_list names = NAME_LIST_INIT;

	name_list_add_folder(&names, folder);
	assert_int_equal(names.nr, 1);
	return xasprintf("%s/%s", folder, names.items[0]);
}

/* A process that makes changes and is killed before it can undo them. */
void leave_behind(const struct plant *plant,
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

size_t restore_all(const struct plant *plant)
{
	size_t nr = 99;
	struct err err = { .code = 0 };

	if (journal_restore(plant->root, 0, &nr, &err) < 0)
		fail_msg("%s", err.msg);
	return nr;
}
