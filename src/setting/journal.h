/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_SETTING_JOURNAL_H
#define REGIO_SETTING_JOURNAL_H

/*
 * The undo journal: one file per running regio in the state folder (REGIO_STATE_DIR, else
 * /var/lib/regio for root, else $XDG_STATE_HOME/regio), one JSON line per change, fsynced
 * before the change is made. The owner holds a lock on the file; a file that nobody holds
 * was left behind by a killed run. Lines carry the boot id: what a reboot has already undone
 * (sysfs, sysctl) is not written again.
 */

#include <stddef.h>

struct err;
struct setting_change;

struct journal;

/* Creates nothing yet: the file appears with the first record. dir NULL = the default. */
int journal_open(const char *dir, struct journal **ret_journal, struct err *err);
/* On disk when it returns 0; only then may the change be made. */
int journal_record(struct journal *journal, const struct setting_change *change,
		   struct err *err);
/*
 * Undoes every recorded change, newest first, and removes the file. Goes on after a failure,
 * keeps the failed lines in the file and reports the first.
 */
int journal_undo(struct journal *journal, struct err *err);
/* Undoes what is left, releases the lock. NULL is fine. */
void journal_close(struct journal *journal);

/* Journals left behind by killed runs: their number, and the changes in them as text. */
struct journal_leftovers {
	char **what;
	size_t nr;
};
int journal_find_leftovers(const char *dir, struct journal_leftovers *ret_leftovers,
			   struct err *err);
void journal_leftovers_release(struct journal_leftovers *leftovers);

/* Undoes them; *ret_nr counts the changes undone. dry_run only counts. */
int journal_restore(const char *dir, int dry_run, size_t *ret_nr, struct err *err);

#endif
