/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_OUTPUT_FIO_GROUP_H
#define REGIO_OUTPUT_FIO_GROUP_H

/* What "Run status group" shows: each direction of the entries with one group id. */

#include <stddef.h>
#include <stdint.h>

#include "output/fio_number.h"

struct result;

/* The directions of a report. */
enum fio_dir { FIO_READ, FIO_WRITE, FIO_TRIM, FIO_MIXED, FIO_NR_DIRS };

/* "read", "write", "trim", "mixed". */
const char *fio_dir_name(enum fio_dir dir);

struct fio_group_dir {
	uint64_t io_bytes;
	uint64_t bw_bytes_per_sec;			     /* of all, over the longest runtime */
	uint64_t min_bw_bytes_per_sec, max_bw_bytes_per_sec; /* of single entries */
	uint64_t min_runtime_ms, max_runtime_ms;	     /* max 0: nothing ran */
};

struct fio_group {
	unsigned id;
	unsigned kb_base, unit_base, significant_figures; /* of its last entry */
	unsigned unified_rw;				  /* enum unified_rw, of its last entry */
	struct fio_group_dir dir[FIO_NR_DIRS];
};

/* One for each group id that occurs, ascending. Caller frees. */
struct fio_group *fio_groups(const struct result *result, size_t *ret_nr);
const struct fio_group *fio_group_find(const struct fio_group *groups, size_t nr, unsigned id);

/* How its numbers are printed. */
unsigned fio_group_digits(const struct fio_group *group);
enum fio_unit fio_group_rate_unit(const struct fio_group *group);

/* Share in percent of that direction's bandwidth in the group, of which samples have this mean. */
double fio_percent_of_group(const struct fio_group_dir *group, double mean_kib_per_sec);

#endif
