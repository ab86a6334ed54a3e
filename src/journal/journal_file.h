/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_JOURNAL_JOURNAL_FILE_H
#define REGIO_JOURNAL_JOURNAL_FILE_H

/*
 * The text of a journal, one JSON object per line:
 *
 *	{"regio_journal": 1, "boot_id": "..", "pid": 123}
 *	{"what": "queue.scheduler of loop0", "path": "/sys/..", "value": "none", ..}
 *	{"what": "command 'x'", "command": "y"}
 *	{"undone": 0}
 *
 * Changes are numbered from 0 in the order of their lines. Lines are only ever appended. A last
 * line without its newline was cut by a kill: nothing was done because of it yet.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"
#include "journal/change.h"

struct err;
struct strbuf;

#define JOURNAL_VERSION 1
#define JOURNAL_BOOT_ID_LEN 64

void journal_boot_id(char *buf, size_t len); /* "" when the kernel has none */

/* Append one line. The last fails for text that is not UTF-8, which JSON cannot hold. */
void journal_format_header(struct strbuf *out);
void journal_format_undone(struct strbuf *out, size_t index);
int journal_format_change(struct strbuf *out, const struct change *change, struct err *err);

/* One journal on disk. Zero is empty. */
struct journal_file {
	struct change_list changes;
	size_t valid_len; /* up to the end of the last whole line */
	long pid;	  /* of the run that wrote it */
	bool is_rebooted; /* the machine was booted since */
};

#define JOURNAL_FILE_INIT ((struct journal_file){ .valid_len = 0 })

void journal_file_release(struct journal_file *file);
CLEANUP_DEFINE(journal_file, struct journal_file, journal_file_release)

/* -ERR_INPUT names path, line and what is wrong. */
int journal_file_parse(const char *path, const struct strbuf *text, struct journal_file *ret_file,
		       struct err *err);

/* True for a change that still has to be undone: not marked, not undone by a reboot. */
bool journal_file_is_pending(const struct journal_file *file, const struct change *change);

#endif
