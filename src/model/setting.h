/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MODEL_SETTING_H
#define REGIO_MODEL_SETTING_H

/*
 * A setting is one "key=value" that changes one thing for a trial: job.iodepth=64,
 * queue.scheduler=bfq, sysctl.vm.dirty_ratio=5, cmd=.. The part of the key before the first
 * dot (all of it for cmd) is the namespace. What a namespace does lives in src/setting/;
 * "job" is applied by the job parser; "stack" names what stands in the text of a stack.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"

struct err;

struct setting {
	char *namespace; /* "job", "queue", "iosched", "sysctl", "stack", "cmd" */
	char *key;	 /* rest of the key: "iodepth", "scheduler"; "" for cmd and stack=.. */
	char *value;
	char *origin; /* "plan.yaml:7", in front of what is wrong with it; NULL = a command line */
};

struct setting_list {
	struct setting *items;
	size_t nr;
};

/* Whether a name is all of a setting before its '=': "kernel", "cmd". */
bool setting_is_whole(const char *name);

/*
 * Appends the settings of one K=V[,K=V].. argument. A comma starts a new setting only where
 * a namespace follows it ("job.bs=4k,8k" is one setting). Does not check that keys exist.
 * ERR_USAGE names the piece that is not K=V or has an unknown namespace.
 */
int setting_list_parse(struct setting_list *list, const char *text, struct err *err);
/* Appends a copy of one that is known to be right. */
void setting_list_add(struct setting_list *list, const struct setting *setting);
/* Those from index `from` on stand in that line of that file. */
void setting_list_mark(struct setting_list *list, size_t from, const char *file, unsigned line);
void setting_list_release(struct setting_list *list);
CLEANUP_DEFINE(setting_list, struct setting_list, setting_list_release)

/* "queue.scheduler=bfq" into a new string (caller frees). */
char *setting_text(const struct setting *setting);
/* "K=V,K=V"; "(none)" for an empty list. Caller frees. */
char *setting_list_text(const struct setting_list *list);

#endif
