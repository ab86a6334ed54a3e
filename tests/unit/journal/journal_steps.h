/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_UNIT_JOURNAL_JOURNAL_STEPS_H
#define REGIO_TESTS_UNIT_JOURNAL_JOURNAL_STEPS_H

/* Steps of the tests of journals. The root of the plant is the state folder and holds the
 * "attributes" too; it is the state of each test case. Every step asserts that it worked. */

#include <stddef.h>

#include "plant.h"

struct journal;

int steps_setup(void **state);
int steps_teardown(void **state);

struct journal *open_journal(const struct plant *plant);
/* Journals the value that the file has, then writes another, as a setting does. */
void change_file(const struct plant *plant, struct journal *journal, const char *name,
		 const char *new_value);
/* A command that appends a word to the file "log". */
void record_command(const struct plant *plant, struct journal *journal, const char *word);
void assert_value(const struct plant *plant, const char *name, const char *expected);
size_t count_journals(const struct plant *plant);
/* Path of the only journal; new string. */
char *journal_path(const struct plant *plant);
/* A process that makes changes and is killed before it can undo them. */
void leave_behind(const struct plant *plant,
		  void (*act)(const struct plant *plant, struct journal *journal));
/* Number of changes restored. */
size_t restore_all(const struct plant *plant);

#endif
