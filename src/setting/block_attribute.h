/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_SETTING_BLOCK_ATTRIBUTE_H
#define REGIO_SETTING_BLOCK_ATTRIBUTE_H

/*
 * Settings that are files in a folder of /sys/block/DEV: "queue" or "queue/iosched". Writing one
 * attribute can change others: a scheduler brings its own nr_requests and iosched/ and turns
 * write-back throttling on or off, nr_requests resets async_depth, max_sectors_kb read_ahead_kb.
 * So all attributes of the queue that can be written are journalled before any is, and those that
 * differ in the end are put back.
 */

#include <stddef.h>

struct err;
struct journal;
struct result;
struct setting;
struct setting_context;
struct setting_list;

/* Every device has the attribute, and it can be written. */
int block_attribute_check(const struct setting_context *context, const struct setting *setting,
			  const char *folder, struct err *err);
int block_attribute_apply(const struct setting_context *context, const struct setting *setting,
			  const char *folder, struct journal *journal, struct err *err);
/* Devices that a later setting of the list means as well are left to that one. */
int block_attribute_confirm(const struct setting_context *context, const struct setting_list *list,
			    size_t at, const char *folder, struct result *result, struct err *err);

#endif
