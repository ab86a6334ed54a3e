/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_SETTING_SETTING_H
#define REGIO_SETTING_SETTING_H

/*
 * Applying settings to the machine and taking them back. One namespace = one file
 * setting_x.c with a const struct setting_ops, and one row in setting.c.
 * Every change is written to the journal, and the journal to the disk, before it is made.
 */

#include <stddef.h>

#include "model/setting.h"

struct device_list;
struct err;
struct journal;
struct result;

struct setting_context {
	const char *sys_root;  /* NULL = /sys */
	const char *proc_root; /* NULL = /proc */
	const struct device_list *devices; /* under the files of the job */
};

/* One change to undo. undo_path empty: undo_value is a shell command. */
struct setting_change {
	char *what;       /* "queue.scheduler of loop0", for messages */
	char *undo_path;  /* file to write undo_value to */
	char *undo_value;
};

struct setting_ops {
	const char *namespace, *summary;
	/* Checks key and value before anything is changed. */
	int (*check)(const struct setting_context *context, const struct setting *setting,
		     struct err *err);
	/*
	 * Records each change with journal_record() before making it, then makes it and reads
	 * it back. Adds what was read back to result->settings (result may be NULL).
	 */
	int (*apply)(const struct setting_context *context, const struct setting *setting,
		     struct journal *journal, struct result *result, struct err *err);
};

/* The table, NULL-terminated. */
const struct setting_ops *const *setting_table(void);

/* Checks all, then applies all in order. On failure what was applied is undone already. */
int settings_apply(const struct setting_context *context, const struct setting_list *list,
		   struct journal *journal, struct result *result, struct err *err);

#endif
