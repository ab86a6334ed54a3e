/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_JOURNAL_ACTION_H
#define REGIO_JOURNAL_ACTION_H

/*
 * How what a run has made (a device, a mount, a file) is taken away again. One action = one file
 * action_x.c + one row in action.c. An action must be harmless when its change was recorded but
 * not made, and when somebody else has something of that name by now.
 */

#include <stdbool.h>
#include <stdint.h>

struct err;
struct undo_step;

struct undo_action {
	const char *name; /* in the journal: stays as it is for ever */
	bool survives_reboot;
	/* Ours is not there (any more). */
	bool (*is_gone)(const struct undo_step *step);
	/* Takes it away. -ERR_SYSTEM with saved_errno EBUSY or EAGAIN is tried again for a while:
	 * programs that were killed with us let go late. */
	int (*undo)(const struct undo_step *step, struct err *err);
};

/* NULL when there is none. */
const struct undo_action *undo_action_find(const char *name);

/* undo, until it is gone or stays busy for patience_ns. */
int undo_action_run(const struct undo_step *step, uint64_t patience_ns, struct err *err);

extern const struct undo_action undo_action_dm;
extern const struct undo_action undo_action_file;
extern const struct undo_action undo_action_folder;
extern const struct undo_action undo_action_loop;
extern const struct undo_action undo_action_loop_node;
extern const struct undo_action undo_action_md;
extern const struct undo_action undo_action_module;
extern const struct undo_action undo_action_mount;
extern const struct undo_action undo_action_nbd;
extern const struct undo_action undo_action_null_blk;
extern const struct undo_action undo_action_zram;
extern const struct undo_action undo_action_zram_new;

#endif
