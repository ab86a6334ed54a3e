/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_FILES_H
#define REGIO_LOAD_FILES_H

/*
 * The data files of a run: each path once, what is there, and what the jobs need there. Making
 * them so is layout.h.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/job.h"

struct err;

enum file_kind {
	FILE_ABSENT, /* will be a regular file */
	FILE_REGULAR,
	FILE_BLOCK,
	FILE_CHAR,    /* has no size of its own */
	FILE_VIRTUAL, /* of an engine without files */
};

struct file_entry {
	const char *path; /* borrowed */
	enum file_kind kind;
	uint64_t size_bytes; /* FILE_REGULAR, FILE_BLOCK */
	/* Offsets, lengths and buffers of O_DIRECT are multiples of it; 0: not known. */
	uint32_t direct_block_bytes;

	/* wishes of the jobs, for regular files */
	uint64_t needed_bytes; /* end of the farthest region */
	bool needs_content;    /* read, or mapped: up to needed_bytes before the run */
	bool needs_file;       /* not created by the job itself (create_on_open) */
	bool is_rewritten;     /* where it is too short, and fio_strict */
	bool is_never_synced;  /* create_fsync=0 */
	bool is_unlinked;      /* after the run */
	enum fallocate_mode fallocate;

	bool is_created;  /* by this run */
	bool is_unsynced; /* content was written */
};

struct file_table {
	struct file_entry *items;
	size_t nr, capacity;
	uint32_t *buckets; /* hash table of indices + 1; size is a power of two */
	size_t nr_buckets;
};

void file_table_release(struct file_table *table);

/*
 * Index of the entry of that path, which must outlive the table. A new one is looked up on disk,
 * unless it is virtual. ERR_INPUT for what is neither file nor device, ERR_SYSTEM.
 */
int file_table_add(struct file_table *table, const char *path, bool is_virtual, size_t *ret_index,
		   struct err *err);

/* "regular file", "block device" .. for messages. */
const char *file_kind_name(enum file_kind kind);

/* The folder of a path, as new string (caller frees); "." where there is none in it. */
char *file_folder(const char *path);

#endif
