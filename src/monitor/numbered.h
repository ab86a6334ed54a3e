/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MONITOR_NUMBERED_H
#define REGIO_MONITOR_NUMBERED_H

/* Private to src/monitor: sysfs folders that hold cpu0, cpu1 .. and small attributes in them. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The numbers N of the entries PREFIXN of a folder, ascending. Returns how many; the caller frees
 * *ret_numbers. */
size_t numbered_list(const char *folder, const char *prefix, unsigned **ret_numbers);

/* First word of a small file, opened only for this: there may be one for each of 1000 CPUs. */
bool sysfs_read_word(const char *path, char *buf, size_t len);
bool sysfs_read_i64(const char *path, int64_t *ret_value);

#endif
