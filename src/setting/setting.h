/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_SETTING_SETTING_H
#define REGIO_SETTING_SETTING_H

/*
 * Applying settings to the machine and taking them back. One namespace = one file
 * setting_x.c with a const struct setting_ops, and one row in setting.c.
 * Every change is written to the journal, and the journal to the disk, before it is made.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "model/setting.h"

struct device_list;
struct err;
struct journal;
struct result;

/* Another name for a block device: the layer of a stack that it is. */
struct device_alias {
	const char *name;   /* "disk" */
	const char *device; /* "loop3" */
};

struct setting_context {
	const char *sys_root;		    /* NULL = /sys */
	const char *proc_root;		    /* NULL = /proc */
	const struct device_list *devices;  /* under the files of the job */
	const struct device_alias *aliases; /* come before kernel names; several may share one */
	size_t nr_aliases;
	const atomic_bool *stop; /* ends a command that runs; NULL = never */
};

struct setting_ops {
	const char *namespace, *summary;
	/* Checks key and value as far as that is possible before anything is changed. */
	int (*check)(const struct setting_context *context, const struct setting *setting,
		     struct err *err);
	/* Records each change with journal_record() before making it, then makes it. */
	int (*apply)(const struct setting_context *context, const struct setting *setting,
		     struct journal *journal, struct err *err);
	/*
	 * After all of the list were applied: reads setting number `at` back, which is an error
	 * where a later one has changed it without being meant for it, and adds it to
	 * result->settings. result may be NULL.
	 */
	int (*confirm)(const struct setting_context *context, const struct setting_list *list,
		       size_t at, struct result *result, struct err *err);
};

/* The table, NULL-terminated. */
const struct setting_ops *const *setting_table(void);

/*
 * Checks all, applies all in order, then reads all back into result->settings (result may be
 * NULL). A value that the kernel refuses, or takes as another one, is -ERR_USAGE. On failure what
 * this call applied is undone already.
 */
int settings_apply(const struct setting_context *context, const struct setting_list *list,
		   struct journal *journal, struct result *result, struct err *err);

#endif
