/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_VERIFY_MAP_H
#define REGIO_LOAD_VERIFY_MAP_H

/*
 * What a clone has written: for every interval of its regions the number of the write that went
 * there last. So the newest write counts however often a block is written, and nothing grows
 * during the run. With a state file the map is that file: whatever kills the process, the kernel
 * has the map of that moment.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "load/stream.h"

struct err;

/* An entry: flags and the number of the write, 0 = never written. */
#define VERIFY_ENTRY_IN_FLIGHT (UINT32_C(1) << 31)
#define VERIFY_ENTRY_CHECKED (UINT32_C(1) << 30) /* and not written since */
#define VERIFY_ENTRY_NUMBER (VERIFY_ENTRY_CHECKED - 1)
#define VERIFY_ENTRY_TRIMMED VERIFY_ENTRY_NUMBER /* in place of a number */
#define VERIFY_MAX_NUMBER (VERIFY_ENTRY_TRIMMED - 1)

struct verify_map_file {
	struct region region;
	size_t first; /* entry */
	size_t nr;
};

struct verify_map {
	uint32_t interval_bytes;
	struct verify_map_file *files;
	size_t nr_files;
	uint32_t *entries;
	size_t nr_entries;
	uint64_t *last_number; /* of the writes so far; in the mapping */
	void *mapping;
	size_t mapping_bytes;
};

struct verify_map_config {
	const struct region *regions;
	size_t nr_files;
	uint32_t interval_bytes;
	const char *state_path; /* NULL: memory */
	bool is_loaded;		/* the state file is there; else it is made anew */
	bool is_kept;		/* what happens now goes into the state file */
};

/* Memory that a map of these regions takes, of which only what is written to is ever used. */
uint64_t verify_map_bytes(const struct region *regions, size_t nr_files, uint32_t interval_bytes);

/*
 * ERR_SYSTEM, or ERR_INPUT where a state file is damaged or of another job. *map is to be released
 * in any case.
 */
int verify_map_open(struct verify_map *map, const struct verify_map_config *config,
		    struct err *err);
void verify_map_release(struct verify_map *map);

/* The entries of an I/O; NULL unless it lies in its region and begins at an interval. */
uint32_t *verify_map_at(const struct verify_map *map, uint32_t file, uint64_t offset_bytes,
			uint32_t len_bytes, size_t *ret_nr);

/* Where a search for what is to be checked goes on. Zero is its begin. */
struct verify_cursor {
	size_t file, entry; /* within the file */
};

/* Neighbouring intervals of one write (or trimmed ones), at most max_bytes of them. */
struct verify_run {
	uint32_t file;
	uint64_t offset_bytes;
	uint32_t len_bytes;
	uint32_t entry; /* as it stands in the map */
};

/* The next run that is not checked yet; false at the end. */
bool verify_map_next(const struct verify_map *map, struct verify_cursor *cursor, uint32_t max_bytes,
		     struct verify_run *ret_run);

#endif
