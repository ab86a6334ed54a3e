/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_JOURNAL_JOURNAL_IMPL_H
#define REGIO_JOURNAL_JOURNAL_IMPL_H

/* The inside of a journal, for journal.c and journal_restore.c only. */

#include <sys/types.h>

#include "journal/change.h"

#define JOURNAL_MAX_BYTES (16U << 20) /* thousands of settings; more is no journal */

struct err;

struct journal {
	char *folder;	  /* that the file is in or will be in */
	char *path;	  /* NULL while there is no file */
	int fd;		  /* holds the lock; -1 while there is no file */
	off_t len;	  /* whole lines written so far */
	bool is_given_up; /* undoing all of it has failed */
	struct change_list changes;
};

/* "<state folder>/journal" as a new string. */
int journal_folder(const char *dir, char **ret_folder, struct err *err);

/* From looking at the journals of others to the new lines on disk, one process at a time. Closing
 * the descriptor releases it; -1 where that cannot be had. */
int journal_lock_folder(const struct journal *journal);

/* -ERR_SYSTEM when a live journal of another process holds one of the files to be changed. */
int journal_check_others(const struct journal *journal, const struct undo_step *changes, size_t nr,
			 struct err *err);

/* Closes and forgets without undoing anything. */
void journal_free(struct journal *journal);

#endif
