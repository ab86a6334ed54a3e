/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_SETTING_BLOCK_TARGETS_H
#define REGIO_SETTING_BLOCK_TARGETS_H

/*
 * Which block devices a setting queue.KEY or iosched.KEY means. A key is ATTR (of the devices
 * under the job) or ATTR@DEV, with DEV the name of a layer, one of /sys/block or a path like
 * /dev/disk/by-id/X.
 */

#include <stddef.h>

#include "base/cleanup.h"
#include "host/name_list.h"

struct err;
struct setting;
struct setting_context;

/* Zero is empty. */
struct block_targets {
	char *attribute;	  /* ATTR */
	struct name_list devices; /* kernel names, at least one */
};

#define BLOCK_TARGETS_INIT ((struct block_targets){ .attribute = NULL })

void block_targets_release(struct block_targets *targets);
CLEANUP_DEFINE(block_targets, struct block_targets, block_targets_release)

/* Without @DEV these are the queue owners under the job; for read_ahead_kb the uppermost
 * devices, because the page cache reads ahead by the device that the filesystem is on. */
int block_targets_find(const struct setting_context *context, const struct setting *setting,
		       struct block_targets *ret_targets, struct err *err);

#endif
