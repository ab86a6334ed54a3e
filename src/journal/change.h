/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_JOURNAL_CHANGE_H
#define REGIO_JOURNAL_CHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "journal/journal.h"

struct err;

/* A change as it stands in a journal: where it is undone, and whether that is still needed. */
struct change {
	struct undo_step fields; /* strings owned */
	uint64_t anchor_inode;	 /* 0 = no anchor */
	bool is_undone;
};

struct change_list {
	struct change *items;
	size_t nr;
	size_t capacity;
};

/* Copies the strings, notes which folder the anchor is now. */
void change_list_add(struct change_list *list, const struct undo_step *fields);
void change_list_truncate(struct change_list *list, size_t nr);
void change_list_release(struct change_list *list);

/* True when the device or attribute of the change is not there any more. */
bool change_is_gone(const struct change *change);

/* Puts the old value back unless it is there, or runs the command. Gone is success. What is busy is
 * asked again for patience_ns. */
int change_undo(const struct change *change, uint64_t patience_ns, struct err *err);

/* For an anchored change, because attributes of one device disturb each other: puts the old value
 * back again if something undone later changed it. Not to get exactly that value is an error. */
int change_settle(const struct change *change, struct err *err);

#endif
