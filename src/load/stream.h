/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_STREAM_H
#define REGIO_LOAD_STREAM_H

/*
 * A stream decides what one clone does next: direction, file, offset and length, and when the
 * amount asked for is reached. It knows nothing of time. Same configuration and seed, same
 * sequence of I/Os.
 *
 * A pass goes through the region of every file once; a loop transfers the amount of the job (size
 * or io_size) and may be less or more than a pass. A file is finished in this pass when the
 * next I/O does not fit into what is left of it; a partial last block is not issued.
 *
 * One file, one direction, one block size and no holes make a stream simple: then all checks are
 * one countdown to the next turn.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "engine/engine.h"
#include "load/file_turns.h"
#include "load/permutation.h"
#include "load/spread.h"
#include "model/io.h"

struct job;

/* The part of a file that a clone works on. */
struct region {
	uint64_t start_bytes;
	uint64_t len_bytes;
};

enum stream_order {
	STREAM_SEQUENTIAL,
	STREAM_PERMUTED,    /* random, every block once a pass */
	STREAM_INDEPENDENT, /* random, norandommap */
};

/* How the length of an I/O is chosen. */
enum stream_lengths {
	STREAM_ONE_LENGTH,
	STREAM_MULTIPLES,     /* of the smallest, up to the largest */
	STREAM_OTHER_LENGTHS, /* bssplit, bs_unaligned */
};

struct stream_file {
	struct region region;
	struct region window; /* where I/O goes at the moment: the region, or a zone of it */
	uint64_t next_bytes[IO_NR_DATA_DIRS]; /* end of the last I/O, relative to the window */
	uint64_t last_bytes[IO_NR_DATA_DIRS]; /* its start */
	bool has_begun[IO_NR_DATA_DIRS];
	/* One for all directions where they share a block size, then [0]; else one each. */
	struct permutation blocks[IO_NR_DATA_DIRS];
	struct spread *spreads; /* one per direction; NULL if all blocks are equally likely */
	uint64_t *visited; /* one bit per smallest block; only for permuted orders of bs ranges */
	uint64_t nr_unvisited;
	uint64_t nr_starts[IO_NR_DATA_DIRS]; /* blocks of the window at which an I/O can start */
};

struct stream_config {
	const struct job *job;
	const struct region *regions; /* one per file, each at least one block long */
	size_t nr_files;
	uint64_t limit_bytes;	/* per loop */
	bool is_limit_wrapping; /* io_size: goes on with another pass until it is reached */
	bool is_pausing;	/* ends after each loop, until stream_resume */
	uint64_t seed;
	/* Called at each start of a pass but the first. */
	void (*new_pass)(void *arg);
	void *arg;
};

struct stream {
	/* hot, for simple streams */
	bool is_simple;
	bool has_turned; /* the last call did slow things; whoever measures time resets it */
	enum stream_order order;
	enum io_dir dir; /* the only one, unless mixed */
	uint32_t block_bytes;
	uint64_t left; /* I/Os until the next turn */
	uint64_t start_bytes;
	uint64_t next_bytes; /* sequential: absolute */
	uint64_t nr_blocks;
	struct rng offsets;
	struct permutation blocks;

	/* accounts of both kinds */
	const struct job *job;
	struct rng base;  /* never drawn from, only split */
	uint64_t granted; /* simple: I/Os accounted for at the next turn */
	uint64_t loop_bytes;
	uint64_t nr_ios, max_ios; /* max 0: no limit */
	uint64_t limit_bytes;
	unsigned loops_left;
	uint64_t nr_passes; /* begun; names the key of the pass */
	bool is_endless;    /* time_based */
	bool is_limit_wrapping;
	bool is_pausing, is_paused;
	void (*new_pass)(void *arg);
	void *arg;

	/* mixed streams */
	bool is_plain; /* each direction has one block size, and nothing disturbs its order */
	enum stream_lengths lengths_of[IO_NR_DATA_DIRS];
	uint32_t min_bytes[IO_NR_DATA_DIRS], max_bytes[IO_NR_DATA_DIRS];
	unsigned jumps_every; /* rw=randread:N; at least 1 */
	bool is_mixed_dirs;
	bool has_shared_order;
	bool is_uneven; /* offsets follow more than order and step */
	uint64_t unit_bytes[IO_NR_DATA_DIRS];
	bool is_write_pending; /* trimwrite: the block of the last trim */
	struct rng dirs, lengths, jumps, places;
	uint64_t zone_bytes;  /* done in the current zone of zonemode=strided */
	unsigned random_left; /* sequential I/Os until the next random one, rw=randread:N */
	struct stream_file *files;
	size_t nr_files;
	struct file_turns turns;
	struct {
		uint64_t offset_bytes;
		uint32_t len_bytes, file;
	} pending;
};

/* *stream is to be released even when nothing was taken from it. */
void stream_init(struct stream *stream, const struct stream_config *config);
void stream_release(struct stream *stream);

/* The memory that stream_init will allocate for maps of visited blocks. */
uint64_t stream_map_bytes(const struct job *job, uint64_t region_bytes);

/* The I/Os so far do not count for number_ios: a ramp was over. */
void stream_forget_ios(struct stream *stream);

/* True if the stream ended only for the time being: it goes on with its next loop now. */
bool stream_resume(const struct stream *stream);

/* Simple streams: false when the amount is reached, else at least one I/O is left. */
bool stream_turn(struct stream *stream);

/* The direction of the next I/O; draws a random number if the directions are mixed. */
enum io_dir stream_dir(struct stream *stream);
/* Fills offset, length, file and dir of *req with an I/O in that direction; false at the end. */
bool stream_take(struct stream *stream, enum io_dir dir, struct io_req *req);

/* As stream_take, in the direction of its choice. The hot path. */
static inline __attribute__((always_inline)) bool stream_next(struct stream *stream,
							      struct io_req *req)
{
	if (__builtin_expect(!stream->is_simple, 0))
		return stream_take(stream, stream_dir(stream), req);
	if (__builtin_expect(stream->left == 0, 0) && !stream_turn(stream))
		return false;
	stream->left--;
	req->dir = stream->dir;
	req->file = 0;
	req->len_bytes = stream->block_bytes;
	if (stream->order == STREAM_SEQUENTIAL) {
		req->offset_bytes = stream->next_bytes;
		stream->next_bytes += stream->block_bytes;
		return true;
	}
	req->offset_bytes =
		stream->start_bytes + (stream->order == STREAM_PERMUTED
					       ? permutation_next(&stream->blocks)
					       : rng_below(&stream->offsets, stream->nr_blocks)) *
					      stream->block_bytes;
	return true;
}

#endif
