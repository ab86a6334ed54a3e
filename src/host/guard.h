/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_HOST_GUARD_H
#define REGIO_HOST_GUARD_H

/*
 * The guard stands between a job and a block device it would write to: a device that is
 * mounted, held (dm, md, swap, any exclusive opener) or carries a signature is refused
 * unless the user named it with --allow-destructive=DEVICE. Plain files pass.
 */

#include <stddef.h>

struct err;

struct guard {
	int *fds; /* exclusive claims on the devices let through, held for the run */
	size_t nr;
};

/*
 * Claims path for writing. allowed: device paths the user named (compared by device number,
 * so links count). Regular files and absent paths always pass. -ERR_UNSAFE with the reason
 * and the option that allows it; a directory is ERR_USAGE.
 */
int guard_claim(struct guard *guard, const char *path, const char *const *allowed,
		size_t nr_allowed, struct err *err);
void guard_release(struct guard *guard);

#endif
