/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_HOST_DM_H
#define REGIO_HOST_DM_H

/*
 * Device-mapper devices by the ioctls of /dev/mapper/control, without libdevmapper or udev. A
 * device is named by its UUID once it exists.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct strbuf;

#define DM_TABLE_MAX_BYTES 65536

/* One line of a table: "0 2097152 linear 7:0 0" is start, length, target and parameters. */
struct dm_target {
	uint64_t start_sectors;
	uint64_t len_sectors;
	const char *type;
	const char *params;
};

/* False also where the kernel has no device mapper. */
bool dm_is_available(void);
bool dm_exists(const char *uuid);

/* Creates the device, loads its table and makes it live; removes it again when that fails.
 * *ret_minor is N of /dev/dm-N. The kernel's reason for refusing a table is in its log only. */
int dm_create(const char *name, const char *uuid, const struct dm_target *targets, size_t nr,
	      unsigned *ret_minor, struct err *err);
/* The same from the lines of a table, "0 2048 linear 7:0 0", between which `end` stands. Splits
 * the text in place. -ERR_INPUT for one that has no line. */
int dm_create_table(const char *name, const char *uuid, char *table, char end, unsigned *ret_minor,
		    struct err *err);
int dm_remove(const char *uuid, struct err *err);
/* "fail_path 8:0" and the like. */
int dm_message(const char *uuid, uint64_t sector, const char *text, struct err *err);

/* What the first target of the table says about itself, as `dmsetup status` prints it after its
 * name: "2 0 0 0 1 1 A 0 2 0 8:0 A 0 8:16 F 1". Appended to out. */
int dm_status(const char *uuid, struct strbuf *out, struct err *err);

/* The buffer of DM_TABLE_LOAD after its struct dm_ioctl: *ret_len bytes of new memory, that the
 * caller frees. -ERR_INPUT when they are more than DM_TABLE_MAX_BYTES. */
int dm_table_pack(const struct dm_target *targets, size_t nr, void **ret_data, size_t *ret_len,
		  struct err *err);

#endif
