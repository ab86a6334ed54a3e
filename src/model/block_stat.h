/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MODEL_BLOCK_STAT_H
#define REGIO_MODEL_BLOCK_STAT_H

/* The line of /sys/block/DEV/stat: Documentation/block/stat.rst of the kernel. */

#include <stddef.h>
#include <stdint.h>

enum block_stat_field {
	BLOCK_STAT_READ_IOS,
	BLOCK_STAT_READ_MERGES,
	BLOCK_STAT_READ_SECTORS, /* of 512 bytes, whatever the block size */
	BLOCK_STAT_READ_TICKS,	 /* ms */
	BLOCK_STAT_WRITE_IOS,
	BLOCK_STAT_WRITE_MERGES,
	BLOCK_STAT_WRITE_SECTORS,
	BLOCK_STAT_WRITE_TICKS,
	BLOCK_STAT_IN_FLIGHT,
	BLOCK_STAT_IO_TICKS,
	BLOCK_STAT_IN_QUEUE,
	BLOCK_STAT_NR_BASIC, /* up to 4.17 */
	BLOCK_STAT_DISCARD_IOS = BLOCK_STAT_NR_BASIC,
	BLOCK_STAT_DISCARD_MERGES,
	BLOCK_STAT_DISCARD_SECTORS,
	BLOCK_STAT_DISCARD_TICKS,
	BLOCK_STAT_NR_DISCARD, /* since 4.18 */
	BLOCK_STAT_FLUSH_IOS = BLOCK_STAT_NR_DISCARD,
	BLOCK_STAT_FLUSH_TICKS,
	BLOCK_STAT_NR_FIELDS, /* since 5.5 */
};

/*
 * Reads the numbers at the front of the first line of text. Returns how many of fields were
 * written: BLOCK_STAT_NR_BASIC or more, by the kernel, or 0 where the line is none of them.
 */
size_t block_stat_parse(const char *text, uint64_t fields[BLOCK_STAT_NR_FIELDS]);

#endif
