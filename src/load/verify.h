/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_VERIFY_H
#define REGIO_LOAD_VERIFY_H

/*
 * Verification of one clone: what it puts into the blocks it writes, what it remembers of them,
 * and whether blocks that were read are the ones that were written. The order in which that
 * happens is worker_verify.c's; threads that compare are verify_pool.h's.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"
#include "load/verify_map.h"
#include "verify/block.h"

struct clone_plan;
struct err;
struct file_table;
struct job;
struct verify_pool;

#define VERIFY_MAX_REPORTS 16 /* failures that are told one by one */

/* What a slot of the worker is used for. */
enum verify_use {
	VERIFY_IDLE,
	VERIFY_WRITING,
	VERIFY_READING, /* to be checked when it is there */
	VERIFY_TRIMMING,
	VERIFY_OTHER, /* in flight, of no further interest */
};

/* The I/O of a slot as it was issued: a request that is continued loses its begin. */
struct verify_io {
	enum verify_use use;
	uint32_t file;
	uint64_t offset_bytes;
	uint32_t len_bytes;
	uint32_t entry; /* of the map, if is_known */
	bool is_known;
};

/* Failures, from the worker and from its threads. */
struct verify_reports {
	pthread_mutex_t lock;
	char *texts[VERIFY_MAX_REPORTS]; /* owned */
	size_t nr_texts;
	_Atomic uint64_t nr_failed;  /* I/Os */
	_Atomic uint64_t nr_unknown; /* wrong blocks whose last write has not ended */
};

/* Blocks written since the last look at them, in a ring. */
struct verify_backlog {
	struct verify_io *ios;
	size_t capacity, first, nr;
	uint64_t due_at; /* nr_writes */
	size_t left;	 /* of the batch that is being worked on */
};

enum verify_stage {
	VERIFY_STAGE_RUN,
	VERIFY_STAGE_BACK, /* reading back */
};

struct verify {
	const struct job *job;
	const struct clone_plan *plan;
	const struct file_table *table;
	struct block_format format;
	uint32_t interval_bytes;
	uint32_t max_bytes;	      /* of an I/O that reads back */
	bool is_pattern_per_interval; /* I/Os vary, so that their begin is not known afterwards */
	bool is_checking_reads;	      /* the job itself reads what was written before */
	bool has_map;
	uint64_t seed;
	uint16_t thread;

	struct verify_map map;
	struct verify_cursor cursor;
	enum verify_stage stage;
	struct verify_io *ios; /* one for each slot */
	size_t nr_ios;
	struct verify_backlog written, to_trim;
	struct verify_reports reports;
	uint64_t nr_passed_over;  /* of those that failed: continue_on_error */
	struct verify_pool *pool; /* or NULL */
	char *state_path;	  /* or NULL */
};

struct verify_config {
	const struct clone_plan *plan;
	const struct file_table *table;
	uint64_t seed;
	uint32_t max_bytes;
	size_t nr_slots;
};

/* True if the job has anything for it to do. */
bool verify_is_wanted(const struct job *job);
/* True if blocks are read back that the job itself has written. */
bool verify_reads_back(const struct job *job);
/* True if some of what the job writes is trimmed afterwards. */
bool verify_trims(const struct job *job);
/* Bytes from header to header: verify_interval, or what all block sizes are multiples of. */
uint32_t verify_interval_of(const struct job *job);

/* NULL with *err. */
struct verify *verify_create(const struct verify_config *config, struct err *err);
/* Accepts NULL. */
void verify_free(struct verify *verify);

/* Fills and seals the blocks of a write and remembers it. False if its place is none of the map. */
bool verify_seal(struct verify *verify, const struct io_req *req);
/* The write or trim of a slot has been completed. */
void verify_settle(struct verify *verify, const struct verify_io *io);
/* The blocks of an I/O are all right and need not be read again. */
void verify_mark_checked(struct verify *verify, const struct verify_io *io);

/*
 * Checks what was read into buf, of which got_bytes are there; reports each failure. May be called
 * from any thread. True if all is good.
 */
bool verify_check(struct verify *verify, const struct verify_io *io, void *buf, uint32_t got_bytes);

/* True if the I/O of another slot in flight has bytes in common with it. */
bool verify_overlaps(const struct verify *verify, const struct io_req *req);

#endif
