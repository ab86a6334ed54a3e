/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_SETTING_JOURNAL_IMPL_H
#define REGIO_SETTING_JOURNAL_IMPL_H

/* The inside of a journal, for journal.c and journal_restore.c only. */

#include <sys/types.h>

#include "setting/change.h"

struct err;

struct journal {
	char *folder; /* that the file is in or will be in */
	char *path;   /* NULL while there is no file */
	int fd;	      /* holds the lock; -1 while there is no file */
	off_t len;    /* whole lines written so far */
	struct change_list changes;
};

/* "<state folder>/journal" as a new string. */
int journal_folder(const char *dir, char **ret_folder, struct err *err);

/* Closes and forgets without undoing anything. */
void journal_free(struct journal *journal);

#endif
