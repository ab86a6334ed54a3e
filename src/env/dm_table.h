/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ENV_DM_TABLE_H
#define REGIO_ENV_DM_TABLE_H

/* Private to src/env: the table of a device-mapper device, by the kernel's ioctl. */

#include <stddef.h>
#include <sys/types.h>

/*
 * "0 4096 striped 2 128 8:0 0 8:16 0", targets separated by "; ". Keys of encrypted targets are
 * replaced by "-". NULL where it cannot be read. Caller frees.
 */
char *dm_table_read(dev_t dev);

/*
 * The same of what the ioctl DM_TABLE_STATUS answered: len bytes that begin with a struct dm_ioctl.
 * NULL if it makes no sense.
 */
char *dm_table_text(const void *answer, size_t len);

#endif
