/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stream_file: offsets and lengths inside one file of a mixed stream. */
#include "load/stream_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "model/job.h"

#define MAP_WORD_BITS 64
#define ALWAYS_INLINE inline __attribute__((always_inline))
/* softrandommap: a larger map is not made. */
#define MAP_SOFT_MAX_BYTES (UINT64_C(64) << 20)

/* What random offsets of that direction are multiples of. */
uint64_t stream_unit_bytes(const struct job *job, enum io_dir dir)
{
	return job->ba_bytes[dir] ? job->ba_bytes[dir] : job->bs_min_bytes[dir];
}

bool stream_is_uneven(const struct job *job, enum io_dir dir)
{
	if (!job_does(job, dir))
		return false;
	if (job->zonemode == ZONEMODE_STRIDED)
		return true;
	return (job->rw & RW_RANDOM) &&
	       (stream_unit_bytes(job, dir) != job->bs_min_bytes[dir] ||
		job->random_percent[dir] < 100 || job->rw_sequencer != SEQUENCER_SEQUENTIAL ||
		job->distribution.kind != DISTRIBUTION_UNIFORM);
}

bool stream_has_shared_order(const struct job *job)
{
	uint64_t block_bytes = 0;

	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++) {
		if (!job_does(job, dir))
			continue;
		if (block_bytes && block_bytes != stream_unit_bytes(job, dir))
			return false;
		block_bytes = stream_unit_bytes(job, dir);
	}
	return true;
}

static enum io_dir any_dir(const struct job *job)
{
	return job_does(job, IO_READ) ? IO_READ : job_does(job, IO_WRITE) ? IO_WRITE : IO_TRIM;
}

/*
 * Blocks of several sizes in a permuted order: a permutation of the smallest blocks still
 * says where to start, and a map of the blocks taken by longer I/Os keeps every block from being
 * hit twice. Each block is looked at once a pass, so nothing is searched.
 */
static bool needs_map(const struct job *job)
{
	if (!(job->rw & RW_RANDOM) || job->norandommap || job->rw_random_every > 1 ||
	    job->distribution.kind != DISTRIBUTION_UNIFORM || !stream_has_shared_order(job))
		return false;
	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++) {
		if (job_does(job, dir) && job->bs_max_bytes[dir] > job->bs_min_bytes[dir])
			return true;
	}
	return false;
}

static size_t map_words(const struct job *job, uint64_t region_bytes)
{
	uint64_t nr_blocks = region_bytes / stream_unit_bytes(job, any_dir(job));

	return (size_t)(nr_blocks / MAP_WORD_BITS + 1);
}

uint64_t stream_map_bytes(const struct job *job, uint64_t region_bytes)
{
	uint64_t bytes = needs_map(job) ? map_words(job, region_bytes) * sizeof(uint64_t) : 0;

	return job->softrandommap && bytes > MAP_SOFT_MAX_BYTES ? 0 : bytes;
}

/* Blocks of the window at which an I/O can start. */
static uint64_t nr_blocks_of(const struct stream *stream, const struct stream_file *file,
			     enum io_dir dir)
{
	uint64_t unit = stream->unit_bytes[dir];
	uint64_t block_bytes = stream->job->bs_min_bytes[dir];
	uint64_t len_bytes = file->window.len_bytes;

	if (block_bytes > unit)
		len_bytes = len_bytes > block_bytes - unit ? len_bytes - (block_bytes - unit) : 0;
	return len_bytes / unit;
}

static void make_spreads(struct stream *stream, struct stream_file *file)
{
	const struct job *job = stream->job;

	file->spreads = xcalloc(IO_NR_DATA_DIRS, sizeof(*file->spreads));
	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++) {
		struct rng places = stream->places; /* the same blocks for all directions */

		if (job_does(job, dir))
			spread_init(&file->spreads[dir], &job->distribution, dir,
				    nr_blocks_of(stream, file, dir), stream_unit_bytes(job, dir),
				    &places);
	}
	(void)rng_next(&stream->places); /* others in the next file */
}

static struct region first_window(const struct stream *stream, const struct stream_file *file)
{
	uint64_t zone_bytes = stream->job->zone_range_bytes;
	struct region window = file->region;

	if (stream->job->zonemode == ZONEMODE_STRIDED && zone_bytes < window.len_bytes)
		window.len_bytes = zone_bytes;
	return window;
}

void stream_file_init(struct stream *stream, struct stream_file *file, const struct region *region)
{
	size_t map_bytes = (size_t)stream_map_bytes(stream->job, region->len_bytes);

	file->region = *region;
	file->window = first_window(stream, file);
	if (map_bytes)
		file->visited = xcalloc(1, map_bytes);
	if ((stream->job->rw & RW_RANDOM) && stream->job->distribution.kind != DISTRIBUTION_UNIFORM)
		make_spreads(stream, file);
}

void stream_file_release(struct stream_file *file)
{
	free(file->visited);
	free(file->spreads);
}

/* A new order of the blocks of the window, none of them used. */
static void begin_window(struct stream *stream, struct stream_file *file, struct rng *keys)
{
	const struct job *job = stream->job;

	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++) {
		file->has_begun[dir] = false;
		file->next_bytes[dir] = 0;
		file->last_bytes[dir] = 0;
		if (job_does(job, dir))
			file->nr_starts[dir] = nr_blocks_of(stream, file, dir);
	}
	if (stream->order != STREAM_PERMUTED)
		return;
	if (stream->has_shared_order) {
		file->nr_unvisited = nr_blocks_of(stream, file, any_dir(job));
		permutation_start(&file->blocks[0], file->nr_unvisited, keys);
	} else {
		for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++) {
			if (job_does(job, dir))
				permutation_start(&file->blocks[dir],
						  nr_blocks_of(stream, file, dir), keys);
		}
	}
	if (file->visited)
		memset(file->visited, 0,
		       map_words(job, file->region.len_bytes) * sizeof(*file->visited));
}

void stream_file_begin_pass(struct stream *stream, struct stream_file *file, struct rng *keys)
{
	file->window = first_window(stream, file);
	begin_window(stream, file, keys);
}

/* zonemode=strided: after zonesize bytes on to the next zone, from the last to the first. */
static void step_zone(struct stream *stream, struct stream_file *file)
{
	const struct job *job = stream->job;
	uint64_t start_bytes = file->window.start_bytes - file->region.start_bytes;

	stream->zone_bytes = 0;
	file->window = first_window(stream, file);
	if (!__builtin_add_overflow(start_bytes, job->zone_range_bytes + job->zone_skip_bytes,
				    &start_bytes) &&
	    start_bytes < file->region.len_bytes) {
		file->window.start_bytes += start_bytes;
		if (file->window.len_bytes > file->region.len_bytes - start_bytes)
			file->window.len_bytes = file->region.len_bytes - start_bytes;
	}
	begin_window(stream, file, &stream->jumps);
}

/* bssplit: what is missing to 100 % has the largest size. */
static uint64_t draw_split(struct stream *stream, const struct bs_split *split)
{
	uint64_t ticket = rng_below(&stream->lengths, 100);

	for (size_t i = 0; i < split->nr; i++) {
		if (ticket < split->items[i].percent)
			return split->items[i].bytes;
		ticket -= split->items[i].percent;
	}
	return split->items[split->nr - 1].bytes;
}

static __attribute__((noinline)) uint64_t draw_other_len(struct stream *stream, enum io_dir dir)
{
	uint64_t min_bytes = stream->min_bytes[dir];

	if (stream->job->bs_split[dir].nr > 0)
		return draw_split(stream, &stream->job->bs_split[dir]);
	return min_bytes + rng_below(&stream->lengths, stream->max_bytes[dir] - min_bytes + 1);
}

/*
 * Length of the next I/O, as fio draws it: the range of the sizes is cut into multiples of the
 * smallest, and the largest size takes what lies over.
 */
static ALWAYS_INLINE uint64_t draw_len(struct stream *stream, enum io_dir dir)
{
	uint64_t min_bytes = stream->min_bytes[dir];
	uint64_t max_bytes = stream->max_bytes[dir];
	uint64_t len_bytes;

	if (stream->lengths_of[dir] == STREAM_ONE_LENGTH)
		return min_bytes;
	if (stream->lengths_of[dir] == STREAM_OTHER_LENGTHS)
		return draw_other_len(stream, dir);
	len_bytes = min_bytes + rng_below(&stream->lengths, max_bytes);
	len_bytes -= len_bytes % min_bytes;
	return len_bytes < max_bytes ? len_bytes : max_bytes;
}

/* Start of the next sequential I/O. With a step it wraps where it leaves the region. */
static ALWAYS_INLINE uint64_t sequential_position(const struct stream *stream,
						  const struct stream_file *file, enum io_dir dir,
						  const bool is_uneven)
{
	int64_t step_bytes = stream->job->rw_step_bytes;
	uint64_t len_bytes = file->window.len_bytes;
	uint64_t from_bytes = file->next_bytes[dir];
	uint64_t back_bytes = step_bytes < 0 ? -(uint64_t)step_bytes : 0;

	if (back_bytes) { /* downwards from the end of the region */
		if (!file->has_begun[dir] || from_bytes < back_bytes)
			from_bytes = len_bytes;
		return from_bytes < back_bytes ? 0 : from_bytes - back_bytes;
	}
	if (!file->has_begun[dir])
		return 0;
	from_bytes += (uint64_t)step_bytes;
	return (step_bytes || (is_uneven && stream->job->zonemode)) && from_bytes >= len_bytes
		       ? 0
		       : from_bytes;
}

static bool is_visited(const struct stream_file *file, uint64_t block)
{
	return file->visited[block / MAP_WORD_BITS] >> (block % MAP_WORD_BITS) & 1;
}

/* Takes the blocks from `block` on that the I/O covers and are free; returns their number. */
static uint64_t visit_blocks(struct stream_file *file, uint64_t block, uint64_t nr_wanted)
{
	uint64_t nr = 0;

	while (nr < nr_wanted && block < file->blocks[0].nr && !is_visited(file, block)) {
		file->visited[block / MAP_WORD_BITS] |= UINT64_C(1) << (block % MAP_WORD_BITS);
		block++;
		nr++;
	}
	file->nr_unvisited -= nr;
	return nr;
}

static ALWAYS_INLINE bool take_mapped(struct stream_file *file, uint64_t block_bytes,
				      uint64_t *ret_start_bytes, uint64_t *ret_len_bytes)
{
	uint64_t nr_wanted = (*ret_len_bytes + block_bytes - 1) / block_bytes;

	while (file->nr_unvisited > 0) {
		uint64_t block = permutation_next(&file->blocks[0]);
		uint64_t nr;

		if (is_visited(file, block))
			continue;
		nr = visit_blocks(file, block, nr_wanted);
		*ret_start_bytes = block * block_bytes;
		if (nr < nr_wanted)
			*ret_len_bytes = nr * block_bytes;
		return true;
	}
	return false;
}

static ALWAYS_INLINE bool take_random(struct stream *stream, struct stream_file *file,
				      enum io_dir dir, uint64_t *ret_start_bytes,
				      uint64_t *ret_len_bytes, const bool is_uneven)
{
	uint64_t block_bytes = stream->unit_bytes[dir];
	struct permutation *blocks = &file->blocks[stream->has_shared_order ? 0 : dir];
	uint64_t block;

	if (file->visited)
		return take_mapped(file, block_bytes, ret_start_bytes, ret_len_bytes);
	if (stream->order == STREAM_PERMUTED) {
		if (blocks->left == 0)
			return false;
		block = permutation_next(blocks);
	} else if (is_uneven && file->spreads && file->spreads[dir].nr > 0) {
		block = spread_draw(&file->spreads[dir], &stream->offsets);
	} else {
		if (file->nr_starts[dir] == 0)
			return false;
		block = rng_below(&stream->offsets, file->nr_starts[dir]);
	}
	*ret_start_bytes = block * block_bytes;
	return true;
}

/* percentage_random: this one goes on although nothing else keeps it from jumping. */
static bool draws_sequential(struct stream *stream, const struct stream_file *file, enum io_dir dir)
{
	const struct job *job = stream->job;

	return job->random_percent[dir] < 100 &&
	       rng_below(&stream->jumps, 100) >= job->random_percent[dir] &&
	       file->next_bytes[dir] + job->bs_min_bytes[dir] <= file->window.len_bytes;
}

/* rw=randread:N: every Nth I/O jumps, those between go on from the one before. */
static ALWAYS_INLINE bool must_jump(struct stream *stream, const struct stream_file *file,
				    enum io_dir dir, const bool is_uneven)
{
	if (stream->order == STREAM_SEQUENTIAL)
		return false;
	if (stream->random_left > 0 && file->has_begun[dir] &&
	    file->next_bytes[dir] + stream->min_bytes[dir] <= file->window.len_bytes) {
		stream->random_left--;
		return false;
	}
	if (is_uneven && draws_sequential(stream, file, dir))
		return false;
	stream->random_left = stream->jumps_every - 1;
	return true;
}

/* Where the I/O starts in the window; false if there is no place left. */
static ALWAYS_INLINE bool choose_start(struct stream *stream, struct stream_file *file,
				       enum io_dir dir, uint64_t *ret_start_bytes,
				       uint64_t *ret_len_bytes, const bool is_uneven)
{
	bool is_repeated = is_uneven && stream->random_left > 0 &&
			   stream->job->rw_sequencer == SEQUENCER_IDENTICAL;

	if (must_jump(stream, file, dir, is_uneven))
		return take_random(stream, file, dir, ret_start_bytes, ret_len_bytes, is_uneven);
	*ret_start_bytes = is_repeated ? file->last_bytes[dir]
				       : sequential_position(stream, file, dir, is_uneven);
	return true;
}

/* What is left from that place of a zone on: an I/O may go beyond its end, not the region's. */
static uint64_t room_of_region(const struct stream_file *file, uint64_t start_bytes)
{
	uint64_t from_bytes = file->window.start_bytes + start_bytes;
	uint64_t end_bytes = file->region.start_bytes + file->region.len_bytes;

	return from_bytes < end_bytes ? end_bytes - from_bytes : 0;
}

/* Fills offset and length of an I/O of len_bytes or, where there is less room, less. */
static ALWAYS_INLINE bool place(struct stream *stream, struct stream_file *file, enum io_dir dir,
				uint64_t start_bytes, uint64_t len_bytes, uint64_t room_bytes,
				struct io_req *req)
{
	uint64_t min_bytes = stream->min_bytes[dir];

	if (room_bytes < min_bytes)
		return false;
	if (len_bytes > room_bytes)
		len_bytes = room_bytes - room_bytes % min_bytes;
	file->has_begun[dir] = true;
	file->next_bytes[dir] = start_bytes + len_bytes;
	req->offset_bytes = file->window.start_bytes + start_bytes;
	req->len_bytes = (uint32_t)len_bytes;
	return true;
}

static __attribute__((noinline)) bool take_uneven(struct stream *stream, struct stream_file *file,
						  enum io_dir dir, struct io_req *req)
{
	bool is_strided = stream->job->zonemode == ZONEMODE_STRIDED;
	uint64_t len_bytes = draw_len(stream, dir);
	uint64_t start_bytes;

	if (is_strided && stream->zone_bytes >= stream->job->zone_size_bytes)
		step_zone(stream, file);
	if (!choose_start(stream, file, dir, &start_bytes, &len_bytes, true)) {
		if (!is_strided || nr_blocks_of(stream, file, dir) == 0)
			return false;
		begin_window(stream, file, &stream->jumps); /* a zone may be done several times */
		if (!choose_start(stream, file, dir, &start_bytes, &len_bytes, true))
			return false;
	}
	if (!place(stream, file, dir, start_bytes, len_bytes, room_of_region(file, start_bytes),
		   req))
		return false;
	file->last_bytes[dir] = start_bytes;
	stream->zone_bytes += req->len_bytes;
	return true;
}

/* The start of a block of the only size; false if there is none left. */
static ALWAYS_INLINE bool choose_plain_start(struct stream *stream, struct stream_file *file,
					     enum io_dir dir, uint64_t *ret_start_bytes)
{
	uint32_t len_bytes = stream->min_bytes[dir];
	struct permutation *blocks = &file->blocks[stream->has_shared_order ? 0 : dir];

	if (stream->order == STREAM_PERMUTED) {
		if (blocks->left == 0)
			return false;
		*ret_start_bytes = permutation_next(blocks) * len_bytes;
		return true;
	}
	if (file->nr_starts[dir] == 0)
		return false;
	if (stream->order == STREAM_INDEPENDENT) {
		*ret_start_bytes = rng_below(&stream->offsets, file->nr_starts[dir]) * len_bytes;
		return true;
	}
	*ret_start_bytes = file->next_bytes[dir];
	file->next_bytes[dir] += len_bytes;
	return file->next_bytes[dir] <= file->window.len_bytes;
}

bool stream_file_take(struct stream *stream, struct stream_file *file, enum io_dir dir,
		      struct io_req *req)
{
	uint64_t len_bytes, start_bytes, room_bytes;

	if (stream->is_plain) {
		if (!choose_plain_start(stream, file, dir, &start_bytes))
			return false;
		req->offset_bytes = file->region.start_bytes + start_bytes;
		req->len_bytes = stream->min_bytes[dir];
		return true;
	}
	if (stream->is_uneven)
		return take_uneven(stream, file, dir, req);
	len_bytes = draw_len(stream, dir);
	if (!choose_start(stream, file, dir, &start_bytes, &len_bytes, false))
		return false;
	room_bytes =
		start_bytes < file->window.len_bytes ? file->window.len_bytes - start_bytes : 0;
	return place(stream, file, dir, start_bytes, len_bytes, room_bytes, req);
}
