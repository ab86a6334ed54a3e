/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stream: amounts, loops and passes; simple streams entirely, the next I/O of mixed ones. */
#include "load/stream.h"

#include <assert.h>
#include <stdlib.h>

#include "base/arena.h"
#include "load/stream_file.h"
#include "model/job.h"

/* What the generators of a stream are split off by; passes start at SPLIT_PASS. */
enum stream_split {
	SPLIT_OFFSETS,
	SPLIT_DIRS,
	SPLIT_LENGTHS,
	SPLIT_JUMPS,
	SPLIT_PLACES,
	SPLIT_TURNS,
	SPLIT_PASS,
};

static uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t divide_up(uint64_t value, uint64_t by)
{
	return value / by + (value % by != 0);
}

static enum stream_order order_of(const struct job *job)
{
	if (!(job->rw & RW_RANDOM))
		return STREAM_SEQUENTIAL;
	if (job->random_generator == RANDOM_LFSR)
		return STREAM_PERMUTED;
	return job->norandommap || job->distribution.kind != DISTRIBUTION_UNIFORM
		       ? STREAM_INDEPENDENT
		       : STREAM_PERMUTED;
}

static enum io_dir first_dir(const struct job *job)
{
	enum io_dir dir = IO_READ;

	while (dir < IO_TRIM && !job_does(job, dir))
		dir++;
	return dir;
}

static bool is_simple(const struct stream_config *config)
{
	const struct job *job = config->job;
	enum io_dir dir = first_dir(job);

	return config->nr_files == 1 && (job->rw & ~RW_RANDOM) == 1U << dir &&
	       job->bs_min_bytes[dir] == job->bs_max_bytes[dir] && job->rw_step_bytes == 0 &&
	       job->rw_random_every <= 1 && !stream_is_uneven(job, dir);
}

/* (Re)starts the generators, so that what follows is the sequence of the seed from its begin. */
static void stream_seed(struct stream *stream)
{
	stream->offsets = rng_split(&stream->base, SPLIT_OFFSETS);
	stream->dirs = rng_split(&stream->base, SPLIT_DIRS);
	stream->lengths = rng_split(&stream->base, SPLIT_LENGTHS);
	stream->jumps = rng_split(&stream->base, SPLIT_JUMPS);
	stream->nr_passes = 0;
}

static void stream_begin_pass(struct stream *stream)
{
	struct rng keys = rng_split(&stream->base, SPLIT_PASS + stream->nr_passes++);

	stream->next_bytes = stream->start_bytes;
	stream->has_turned = true;
	stream->random_left = 0;
	stream->zone_bytes = 0;
	if (stream->is_simple && stream->order == STREAM_PERMUTED)
		permutation_start(&stream->blocks, stream->nr_blocks, &keys);
	if (!stream->is_simple)
		file_turns_begin_pass(&stream->turns);
	for (size_t i = 0; i < stream->nr_files; i++)
		stream_file_begin_pass(stream, &stream->files[i], &keys);
}

static void stream_new_pass(struct stream *stream)
{
	stream_begin_pass(stream);
	if (stream->new_pass)
		stream->new_pass(stream->arg);
}

static void stream_init_simple(struct stream *stream, const struct stream_config *config)
{
	stream->block_bytes = (uint32_t)config->job->bs_min_bytes[stream->dir];
	stream->start_bytes = config->regions[0].start_bytes;
	stream->nr_blocks = config->regions[0].len_bytes / stream->block_bytes;
	assert(stream->nr_blocks > 0);
}

static enum stream_lengths lengths_of(const struct job *job, enum io_dir dir)
{
	if (job->bs_min_bytes[dir] == job->bs_max_bytes[dir])
		return STREAM_ONE_LENGTH;
	return job->bs_split[dir].nr > 0 || job->bs_unaligned ? STREAM_OTHER_LENGTHS
							      : STREAM_MULTIPLES;
}

static bool is_plain(const struct stream *stream, const struct job *job)
{
	if (stream->is_uneven || job->rw_step_bytes || job->rw_random_every > 1)
		return false;
	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++) {
		if (job_does(job, dir) && job->bs_min_bytes[dir] != job->bs_max_bytes[dir])
			return false;
	}
	return true;
}

static void stream_init_mixed(struct stream *stream, const struct stream_config *config)
{
	struct rng turns;

	stream->is_mixed_dirs = job_does(config->job, IO_READ) && job_does(config->job, IO_WRITE);
	stream->has_shared_order = stream_has_shared_order(config->job);
	stream->nr_files = config->nr_files;
	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++) {
		stream->unit_bytes[dir] = stream_unit_bytes(config->job, dir);
		stream->is_uneven |= stream_is_uneven(config->job, dir);
		stream->lengths_of[dir] = lengths_of(config->job, dir);
		stream->min_bytes[dir] = (uint32_t)config->job->bs_min_bytes[dir];
		stream->max_bytes[dir] = (uint32_t)config->job->bs_max_bytes[dir];
	}
	stream->jumps_every = config->job->rw_random_every ? config->job->rw_random_every : 1;
	stream->is_plain = is_plain(stream, config->job);
	stream->places = rng_split(&stream->base, SPLIT_PLACES);
	turns = rng_split(&stream->base, SPLIT_TURNS);
	file_turns_init(&stream->turns, config->job, config->nr_files, &turns);
	stream->files = xcalloc(config->nr_files, sizeof(*stream->files));
	for (size_t i = 0; i < config->nr_files; i++)
		stream_file_init(stream, &stream->files[i], &config->regions[i]);
}

void stream_init(struct stream *stream, const struct stream_config *config)
{
	const struct job *job = config->job;

	*stream = (struct stream){
		.is_simple = is_simple(config),
		.order = order_of(job),
		.dir = first_dir(job),
		.job = job,
		.max_ios = job->number_ios * (job->loops ? job->loops : 1),
		.limit_bytes = config->limit_bytes,
		.is_limit_wrapping = config->is_limit_wrapping,
		.is_pausing = config->is_pausing,
		.loops_left = job->loops ? job->loops : 1,
		.is_endless = job->time_based && job->runtime_ns > 0 && !job->verify_only,
		.new_pass = config->new_pass,
		.arg = config->arg,
	};
	rng_init(&stream->base, config->seed);
	if (stream->is_simple)
		stream_init_simple(stream, config);
	else
		stream_init_mixed(stream, config);
	stream_seed(stream);
	stream_begin_pass(stream);
}

void stream_release(struct stream *stream)
{
	for (size_t i = 0; i < stream->nr_files; i++)
		stream_file_release(&stream->files[i]);
	free(stream->files);
	file_turns_release(&stream->turns);
	*stream = (struct stream){ .job = NULL };
}

void stream_forget_ios(struct stream *stream)
{
	/* what was granted and is still left is accounted for at the next turn; 0 for mixed ones */
	stream->nr_ios = stream->left - stream->granted;
}

/* With randrepeat every loop repeats the sequence of the first. */
static bool stream_next_loop(struct stream *stream)
{
	if (stream->is_pausing && !stream->is_paused && stream->loops_left > 1) {
		stream->is_paused = true; /* being asked again means to go on */
		return false;
	}
	stream->is_paused = false;
	if (--stream->loops_left == 0) {
		stream->loops_left = 1; /* stays at its end however often it is asked */
		return false;
	}
	stream->loop_bytes = 0;
	if (stream->job->randrepeat)
		stream_seed(stream);
	stream_new_pass(stream);
	return true;
}

bool stream_resume(const struct stream *stream)
{
	return stream->is_paused;
}

static bool is_amount_reached(const struct stream *stream)
{
	return !stream->is_endless && stream->loop_bytes >= stream->limit_bytes;
}

static bool are_ios_reached(const struct stream *stream)
{
	return stream->max_ios && stream->nr_ios >= stream->max_ios;
}

/* A pass is through and the amount is not reached. */
static bool stream_after_pass(struct stream *stream)
{
	if (!stream->is_endless && !stream->is_limit_wrapping)
		return stream_next_loop(stream);
	stream_new_pass(stream);
	return true;
}

/* I/Os left in the pass. */
static uint64_t blocks_left(const struct stream *stream)
{
	uint64_t done_bytes = stream->next_bytes - stream->start_bytes;

	switch (stream->order) {
	case STREAM_SEQUENTIAL:
		return stream->nr_blocks - done_bytes / stream->block_bytes;
	case STREAM_PERMUTED:
		return stream->blocks.left;
	case STREAM_INDEPENDENT:
		break;
	}
	return UINT64_MAX;
}

bool stream_turn(struct stream *stream)
{
	stream->nr_ios += stream->granted;
	stream->loop_bytes += stream->granted * stream->block_bytes;
	stream->granted = 0;
	if (are_ios_reached(stream))
		return false;
	if (is_amount_reached(stream)) {
		if (!stream_next_loop(stream))
			return false;
	} else if (blocks_left(stream) == 0) {
		if (!stream_after_pass(stream))
			return false;
	}

	/* far below any overflow of granted * block_bytes, and a turn costs nothing by then */
	stream->left = min_u64(blocks_left(stream), UINT64_C(1) << 30);
	if (!stream->is_endless)
		stream->left =
			min_u64(stream->left, divide_up(stream->limit_bytes - stream->loop_bytes,
							stream->block_bytes));
	if (stream->max_ios)
		stream->left = min_u64(stream->left, stream->max_ios - stream->nr_ios);
	stream->granted = stream->left;
	return true;
}

enum io_dir stream_dir(struct stream *stream)
{
	if (stream->is_mixed_dirs)
		return rng_below(&stream->dirs, 100) < stream->job->rwmix_read_percent ? IO_READ
										       : IO_WRITE;
	if (stream->job->rw & RW_TRIM_THEN_WRITE)
		return stream->is_write_pending ? IO_WRITE : IO_TRIM;
	return stream->dir;
}

/* trimwrite: the write that belongs to the last trim. It counts neither as bytes nor as I/O. */
static bool take_pending(struct stream *stream, struct io_req *req)
{
	stream->is_write_pending = false;
	req->dir = IO_WRITE;
	req->file = stream->pending.file;
	req->offset_bytes = stream->pending.offset_bytes;
	req->len_bytes = stream->pending.len_bytes;
	return true;
}

/* The next file in turn that has an I/O left; false when no file has. */
static bool take_from_files(struct stream *stream, enum io_dir dir, struct io_req *req)
{
	size_t index;

	while ((index = file_turns_next(&stream->turns)) != FILE_TURNS_NONE) {
		if (stream_file_take(stream, &stream->files[index], dir, req)) {
			req->file = (uint32_t)index;
			req->dir = dir;
			return true;
		}
		file_turns_finish(&stream->turns);
	}
	return false;
}

static bool stream_take_mixed(struct stream *stream, enum io_dir dir, struct io_req *req)
{
	bool is_fresh = false; /* a whole pass without room for one I/O: give up */

	if (are_ios_reached(stream))
		return false;
	if (is_amount_reached(stream) && !stream_next_loop(stream))
		return false;
	while (!take_from_files(stream, dir, req)) {
		if (is_fresh || !stream_after_pass(stream))
			return false;
		is_fresh = true;
	}
	stream->nr_ios++;
	stream->loop_bytes += req->len_bytes;
	return true;
}

bool stream_take(struct stream *stream, enum io_dir dir, struct io_req *req)
{
	if (stream->is_simple)
		return stream_next(stream, req);
	if (stream->is_write_pending)
		return take_pending(stream, req);
	if (!stream_take_mixed(stream, dir, req))
		return false;
	if (stream->job->rw & RW_TRIM_THEN_WRITE) {
		stream->is_write_pending = true;
		stream->pending.file = req->file;
		stream->pending.offset_bytes = req->offset_bytes;
		stream->pending.len_bytes = req->len_bytes;
	}
	return true;
}
