/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ENV_SUPERBLOCK_H
#define REGIO_ENV_SUPERBLOCK_H

/* Private to src/env: what filesystems keep only in their superblock. */

#include <stddef.h>

/*
 * Features that are on, by the names of the filesystem's own tools and separated by blanks, in what
 * begins a device of that filesystem ("ext4", "xfs"). NULL where nothing is known of that type, or
 * the bytes are no such filesystem. Caller frees.
 */
char *superblock_features(const char *type, const void *bytes, size_t len);

/* Bytes from the front of the device that superblock_features wants. */
#define SUPERBLOCK_BYTES 4096

#endif
