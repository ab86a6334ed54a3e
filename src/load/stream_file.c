/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stream_file: offsets and lengths inside one file of a mixed stream. */
#include "load/stream_file.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "model/job.h"

#define MAP_WORD_BITS 64

bool stream_has_shared_order(const struct job *job)
{
	uint64_t block_bytes = 0;

	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++) {
		if (!job_does(job, dir))
			continue;
		if (block_bytes && block_bytes != job->bs_min_bytes[dir])
			return false;
		block_bytes = job->bs_min_bytes[dir];
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
	    !stream_has_shared_order(job))
		return false;
	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++) {
		if (job_does(job, dir) && job->bs_max_bytes[dir] > job->bs_min_bytes[dir])
			return true;
	}
	return false;
}

static size_t map_words(const struct job *job, uint64_t region_bytes)
{
	uint64_t nr_blocks = region_bytes / job->bs_min_bytes[any_dir(job)];

	return (size_t)(nr_blocks / MAP_WORD_BITS + 1);
}

uint64_t stream_map_bytes(const struct job *job, uint64_t region_bytes)
{
	return needs_map(job) ? map_words(job, region_bytes) * sizeof(uint64_t) : 0;
}

void stream_file_init(struct stream *stream, struct stream_file *file, const struct region *region)
{
	file->region = *region;
	if (needs_map(stream->job))
		file->visited =
			xcalloc(map_words(stream->job, region->len_bytes), sizeof(*file->visited));
}

static uint64_t nr_blocks_of(const struct stream *stream, const struct stream_file *file,
			     enum io_dir dir)
{
	return file->region.len_bytes / stream->job->bs_min_bytes[dir];
}

void stream_file_begin_pass(struct stream *stream, struct stream_file *file, struct rng *keys)
{
	const struct job *job = stream->job;

	file->is_done = false;
	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++) {
		file->has_begun[dir] = false;
		file->next_bytes[dir] = 0;
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

/*
 * Length of the next I/O, as fio draws it: the range of the sizes is cut into multiples of the
 * smallest, and the largest size takes what lies over.
 */
static uint64_t draw_len(struct stream *stream, enum io_dir dir)
{
	uint64_t min_bytes = stream->job->bs_min_bytes[dir];
	uint64_t max_bytes = stream->job->bs_max_bytes[dir];
	uint64_t len_bytes;

	if (min_bytes == max_bytes)
		return min_bytes;
	len_bytes = min_bytes + rng_below(&stream->lengths, max_bytes);
	len_bytes -= len_bytes % min_bytes;
	return len_bytes < max_bytes ? len_bytes : max_bytes;
}

/* Start of the next sequential I/O. With a step it wraps where it leaves the region. */
static uint64_t sequential_position(const struct stream *stream, const struct stream_file *file,
				    enum io_dir dir)
{
	int64_t step_bytes = stream->job->rw_step_bytes;
	uint64_t len_bytes = file->region.len_bytes;
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
	return step_bytes && from_bytes >= len_bytes ? 0 : from_bytes;
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

static bool take_mapped(struct stream_file *file, uint64_t block_bytes, uint64_t *ret_start_bytes,
			uint64_t *ret_len_bytes)
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

static bool take_random(struct stream *stream, struct stream_file *file, enum io_dir dir,
			uint64_t *ret_start_bytes, uint64_t *ret_len_bytes)
{
	uint64_t block_bytes = stream->job->bs_min_bytes[dir];
	struct permutation *blocks = &file->blocks[stream->has_shared_order ? 0 : dir];
	uint64_t block;

	if (file->visited)
		return take_mapped(file, block_bytes, ret_start_bytes, ret_len_bytes);
	if (stream->order == STREAM_PERMUTED) {
		if (blocks->left == 0)
			return false;
		block = permutation_next(blocks);
	} else {
		uint64_t nr_blocks = nr_blocks_of(stream, file, dir);

		if (nr_blocks == 0)
			return false;
		block = rng_below(&stream->offsets, nr_blocks);
	}
	*ret_start_bytes = block * block_bytes;
	return true;
}

/* rw=randread:N: every Nth I/O jumps, those between go on from the one before. */
static bool must_jump(struct stream *stream, const struct stream_file *file, enum io_dir dir)
{
	if (stream->order == STREAM_SEQUENTIAL)
		return false;
	if (stream->random_left > 0 && file->has_begun[dir] &&
	    file->next_bytes[dir] + stream->job->bs_min_bytes[dir] <= file->region.len_bytes) {
		stream->random_left--;
		return false;
	}
	stream->random_left =
		stream->job->rw_random_every > 1 ? stream->job->rw_random_every - 1 : 0;
	return true;
}

bool stream_file_take(struct stream *stream, struct stream_file *file, enum io_dir dir,
		      struct io_req *req)
{
	uint64_t len_bytes = draw_len(stream, dir);
	uint64_t min_bytes = stream->job->bs_min_bytes[dir];
	uint64_t start_bytes, room_bytes;

	assert(min_bytes > 0);
	if (must_jump(stream, file, dir)) {
		if (!take_random(stream, file, dir, &start_bytes, &len_bytes))
			return false;
	} else {
		start_bytes = sequential_position(stream, file, dir);
	}

	room_bytes =
		start_bytes < file->region.len_bytes ? file->region.len_bytes - start_bytes : 0;
	if (room_bytes < min_bytes)
		return false;
	if (len_bytes > room_bytes)
		len_bytes = room_bytes - room_bytes % min_bytes;
	file->has_begun[dir] = true;
	file->next_bytes[dir] = start_bytes + len_bytes;
	req->offset_bytes = file->region.start_bytes + start_bytes;
	req->len_bytes = (uint32_t)len_bytes;
	return true;
}
