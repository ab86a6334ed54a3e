/* SPDX-License-Identifier: GPL-2.0-or-later */
/* action_dm: a device-mapper device, told from others by its UUID. */
#include "base/err.h"
#include "host/dm.h"
#include "journal/action.h"
#include "journal/journal.h"

/* undo_path: "/dev/mapper/NAME"; undo_value: the UUID */
static bool dm_is_gone(const struct undo_step *step)
{
	return !dm_exists(step->undo_value);
}

static int dm_undo(const struct undo_step *step, struct err *err)
{
	return dm_remove(step->undo_value, err);
}

const struct undo_action undo_action_dm = {
	.name = "dm",
	.is_gone = dm_is_gone,
	.undo = dm_undo,
};
