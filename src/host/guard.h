/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_HOST_GUARD_H
#define REGIO_HOST_GUARD_H

/*
 * The guard stands between a job and a block device it would write to: a device that is
 * mounted, held (dm, md, swap, any exclusive opener) or carries a signature is refused
 * unless the user named it with --allow-destructive=DEVICE. Plain files pass, but not one
 * that a loop device or swap lives in. Devices let through are opened exclusively, so that
 * nobody mounts or assembles them during the run.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "host/guard_use.h"

struct err;

/* Zero is a valid empty guard. */
struct guard {
	int *fds; /* exclusive claims on the devices let through, held for the run */
	size_t nr;
	struct guard_use_files files; /* looked up once, for the first plain file */
	bool has_files;
};

/*
 * Claims path for writing. allowed: devices (or files in use) that the user named, compared by
 * device number, so links count; naming a disk does not allow its partitions, nor the reverse.
 * A second claim of one device is fine. Absent paths pass, except in /dev: that is a mistyped
 * device. -ERR_UNSAFE with the reason and the option that allows it; -ERR_USAGE for what no
 * option allows: a directory, fifo, socket, a file of the kernel, a character device other than
 * null, zero and full;
 * -ERR_SYSTEM for a device that is read-only, empty or cannot be opened.
 */
int guard_claim(struct guard *guard, const char *path, const char *const *allowed,
		size_t nr_allowed, struct err *err);
/*
 * Of a path that a job only reads, what would be written is the layout of a file that is absent
 * or too short: -ERR_USAGE for an absent one in /dev and for files of the kernel (/proc, /sys).
 * What cannot be looked at passes; opening it will tell.
 */
int guard_check_read(const char *path, struct err *err);
/* Whether the device was let through: to be asked again about what a job has really opened. */
bool guard_holds(const struct guard *guard, dev_t dev);
void guard_release(struct guard *guard);

#endif
