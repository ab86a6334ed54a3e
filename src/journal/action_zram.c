/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * action_zram: a zram device that the run has added. The kernel chooses its number, so it is known
 * only afterwards: "zram-new" stands in the journal before, with the number expected, and takes
 * away only a device without a size, which nobody can be using yet.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "journal/action.h"
#include "journal/journal.h"

/* undo_path: "/sys/block/zram1"; undo_value: "1". The anchor tells it from a later zram1. */
static bool zram_is_gone(const struct undo_step *step)
{
	return !file_exists(step->undo_path);
}

static bool zram_new_is_gone(const struct undo_step *step)
{
	CLEANUP(free) char *size_path = xasprintf("%s/disksize", step->undo_path);
	uint64_t size_bytes = 0;

	return file_read_u64(size_path, &size_bytes, NULL) < 0 || size_bytes > 0;
}

static int zram_undo(const struct undo_step *step, struct err *err)
{
	CLEANUP(free) char *reset = xasprintf("%s/reset", step->undo_path);
	int ret = file_write_line(reset, "1", err);

	if (ret < 0)
		return ret;
	return file_write_line("/sys/class/zram-control/hot_remove", step->undo_value, err);
}

const struct undo_action undo_action_zram = {
	.name = "zram",
	.is_gone = zram_is_gone,
	.undo = zram_undo,
};

const struct undo_action undo_action_zram_new = {
	.name = "zram-new",
	.is_gone = zram_new_is_gone,
	.undo = zram_undo,
};
