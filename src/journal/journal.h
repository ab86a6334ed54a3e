/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_JOURNAL_JOURNAL_H
#define REGIO_JOURNAL_JOURNAL_H

/*
 * The undo journal: one file per running regio in the folder journal/ of the state folder
 * (REGIO_STATE_DIR, else /var/lib/regio for root, else $XDG_STATE_HOME/regio, else
 * ~/.local/state/regio), one JSON line per change, fsynced before the change is made. The owner
 * holds a lock on the file; a file that nobody holds was left behind by a killed run. The first
 * line carries the boot id: what a reboot has already undone (sysfs, sysctl) is not written again.
 */

#include <stdbool.h>
#include <stddef.h>

struct err;

/* One change to undo. */
struct undo_step {
	char *what;	 /* "queue.scheduler of loop0", for messages */
	char *undo_path; /* file to write undo_value to; NULL: undo_value is a shell command */
	char *undo_value;
	/* NULL, or a name of the table in journal/action.c: what is done to undo_path (a device, a
	 * folder ..) in place of writing; undo_value tells ours from another one of that name. */
	char *action;
	/* Folder that the file belongs to, or NULL: once another one has its place (the device was
	 * unplugged and something else has its name now), there is nothing left to undo. It must
	 * be there when the change is recorded. */
	char *anchor;
	bool is_side_effect; /* nobody asked for it: it may change along with something else */
};

struct journal;

/* Creates nothing yet: the file appears with the first record. dir: the state folder, NULL = the
 * default. */
int journal_open(const char *dir, struct journal **ret_journal, struct err *err);
/* On disk when it returns 0; only then may the changes be made. -ERR_SYSTEM also while another
 * run of the same state folder has changed one of the files (side effects are not compared). */
int journal_record(struct journal *journal, const struct undo_step *change, struct err *err);
int journal_record_all(struct journal *journal, const struct undo_step *changes, size_t nr,
		       struct err *err);

/* That change was not made, or another one recorded after it undoes it as well. */
int journal_forget(struct journal *journal, size_t index, struct err *err);

/*
 * Undoes every recorded change, newest first, and removes the file. A value that is there already
 * is not written. Goes on after a failure, keeps what failed in the file and reports the first.
 * Changes to a device that is gone are dropped.
 */
int journal_undo(struct journal *journal, struct err *err);
/* The same for the changes recorded since journal_mark(), which is the index of the next one. */
size_t journal_mark(const struct journal *journal);
int journal_undo_from(struct journal *journal, size_t mark, struct err *err);

/* Undoes what is left unless that was tried and failed, releases the lock. NULL is fine. */
void journal_close(struct journal *journal);

/* Journals left behind by killed runs: one line for each change in them that somebody asked for
 * (those that only came along are not listed); and apart what is wrong with those that cannot be
 * read. */
struct journal_leftovers {
	char **what;
	size_t nr;
	char **unreadable;
	size_t nr_unreadable;
};
int journal_find_leftovers(const char *dir, struct journal_leftovers *ret_leftovers,
			   struct err *err);
void journal_leftovers_release(struct journal_leftovers *leftovers);

/* Undoes them, as journal_undo(); *ret_nr counts the changes undone that somebody asked for.
 * dry_run only counts. A journal that cannot be read is left alone, the others are restored; the
 * first failure is told, with the number of others. */
int journal_restore(const char *dir, int dry_run, size_t *ret_nr, struct err *err);

#endif
