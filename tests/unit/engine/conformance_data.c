/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Conformance: what is written is what is read, whatever the order, depth and grouping. */
#include "conformance.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "test.h"

#include "base/cleanup.h"
#include "base/rng.h"
#include "scratch.h"

#define BLOCK_BYTES 4096L
#define NR_BLOCKS 256
#define NR_MIXED 3000
#define NR_MIXED_DIRECT 300 /* each goes to the disk */
#define DIRS (1U << IO_READ | 1U << IO_WRITE)

/* What the file should hold: block b has the pattern of its version; 0 is a block of zeros. */
struct blocks {
	uint32_t versions[NR_BLOCKS];
	bool busy[NR_BLOCKS];
	size_t nr_reads;
	size_t nr_syncs;
};

static void pattern_fill(void *buf, uint64_t block, uint32_t version)
{
	uint64_t *words = buf;

	for (uint64_t i = 0; i < BLOCK_BYTES / sizeof(*words); i++)
		words[i] = version ? rng_mix64(block << 40 | (uint64_t)version << 16 | i) : 0;
}

static void pattern_check(const void *buf, uint64_t block, uint32_t version)
{
	uint64_t expected[BLOCK_BYTES / sizeof(uint64_t)];

	pattern_fill(expected, block, version);
	assert_memory_equal(buf, expected, BLOCK_BYTES);
}

static void blocks_on_done(void *arg, const struct io_req *req)
{
	struct blocks *blocks = arg;
	size_t block = req->offset_bytes / BLOCK_BYTES;

	if (req->dir == IO_SYNC) {
		assert_int_equal(req->result, 0);
		blocks->nr_syncs++;
		return;
	}
	assert_int_equal(req->result, BLOCK_BYTES);
	blocks->busy[block] = false;
	if (req->dir == IO_READ) {
		pattern_check(req->buf, block, blocks->versions[block]);
		blocks->nr_reads++;
	}
}

/* A request for a block without another one in flight, NULL if no slot is free. */
static struct io_req *blocks_prepare(struct rig *rig, struct blocks *blocks, enum io_dir dir,
				     size_t block)
{
	struct io_req *req = rig_prepare(rig, dir, block * BLOCK_BYTES, BLOCK_BYTES);

	if (!req)
		return NULL;
	blocks->busy[block] = true;
	if (dir == IO_WRITE)
		pattern_fill(req->buf, block, ++blocks->versions[block]);
	return req;
}

/* Every block once in a random order, as many at a time as there are slots. */
static void blocks_pass(struct rig *rig, struct blocks *blocks, enum io_dir dir, struct rng *rng)
{
	size_t order[NR_BLOCKS];

	for (size_t i = 0; i < NR_BLOCKS; i++)
		order[i] = i;
	for (size_t i = NR_BLOCKS - 1; i > 0; i--) {
		size_t other = rng_below(rng, i + 1);
		size_t swapped = order[i];

		order[i] = order[other];
		order[other] = swapped;
	}
	for (size_t i = 0; i < NR_BLOCKS; i++) {
		struct io_req *req = blocks_prepare(rig, blocks, dir, order[i]);

		if (!req) {
			assert_int_not_equal(rig_reap(rig, 1, 1), 0);
			req = blocks_prepare(rig, blocks, dir, order[i]);
		}
		rig_submit(rig, &req, 1);
	}
	rig_drain(rig);
}

static struct io_req *blocks_prepare_any(struct rig *rig, struct blocks *blocks, struct rng *rng)
{
	uint64_t dice = rng_below(rng, 100); /* percent */
	size_t block;
	struct io_req *req;

	if (dice == 0) {
		req = rig_prepare(rig, IO_SYNC, 0, 0);
		if (req)
			req->datasync = rng_below(rng, 2);
		return req;
	}
	do {
		block = rng_below(rng, NR_BLOCKS);
	} while (blocks->busy[block]);
	return blocks_prepare(rig, blocks, dice < 65 ? IO_READ : IO_WRITE, block);
}

/* Reads, writes and syncs of free blocks, submitted and reaped in groups of random size. */
static void blocks_mix(struct rig *rig, struct blocks *blocks, struct rng *rng)
{
	size_t nr_slots = rig->config.nr_slots;
	size_t nr_mixed = rig->config.direct ? NR_MIXED_DIRECT : NR_MIXED;

	for (size_t nr_submitted = 0; nr_submitted < nr_mixed;) {
		struct io_req *group[RIG_MAX_SLOTS];
		size_t wanted = 1 + rng_below(rng, nr_slots);
		size_t nr = 0;

		while (nr < wanted && (group[nr] = blocks_prepare_any(rig, blocks, rng)))
			nr++;
		rig_submit(rig, group, nr);
		nr_submitted += nr;
		(void)rig_reap(rig, rng_below(rng, 2), 1 + rng_below(rng, nr_slots));
	}
	rig_drain(rig);
}

static void blocks_check_file(const struct blocks *blocks, int fd)
{
	for (size_t block = 0; block < NR_BLOCKS; block++) {
		char buf[BLOCK_BYTES];

		assert_int_equal(pread(fd, buf, BLOCK_BYTES, (off_t)(block * BLOCK_BYTES)),
				 BLOCK_BYTES);
		pattern_check(buf, block, blocks->versions[block]);
	}
}

static void random_blocks(const struct rig_variant *variant, size_t nr_slots, bool direct)
{
	CLEANUP(fd) int plain_fd = scratch_file(NR_BLOCKS * BLOCK_BYTES, O_RDWR);
	CLEANUP(fd) int fd = scratch_reopen(plain_fd, O_RDWR | (direct ? O_DIRECT : 0));
	struct blocks blocks = { .nr_reads = 0 };
	struct rng rng;
	struct rig rig;

	if (fd < 0)
		test_skip("no O_DIRECT on this file system");
	rng_init(&rng, nr_slots);
	conformance_open(&rig, variant, &fd, 1,
			 &(struct rig_options){ .nr_slots = nr_slots,
						.buf_bytes = BLOCK_BYTES,
						.dirs = DIRS,
						.direct = direct });
	rig.on_done = blocks_on_done;
	rig.arg = &blocks;
	blocks_pass(&rig, &blocks, IO_WRITE, &rng);
	blocks_mix(&rig, &blocks, &rng);
	blocks_pass(&rig, &blocks, IO_READ, &rng);
	rig_close(&rig);
	assert_true(blocks.nr_reads > NR_BLOCKS + (direct ? NR_MIXED_DIRECT : NR_MIXED) / 2);
	assert_true(blocks.nr_syncs > 0);
	blocks_check_file(&blocks, plain_fd);
}

static void case_random_depth_1(const struct rig_variant *variant)
{
	random_blocks(variant, 1, false);
}

static void case_random_depth_16(const struct rig_variant *variant)
{
	random_blocks(variant, 16, false);
}

static void case_random_direct_depth_1(const struct rig_variant *variant)
{
	random_blocks(variant, 1, true);
}

static void case_random_direct_depth_16(const struct rig_variant *variant)
{
	random_blocks(variant, 16, true);
}

/* Blocks in order of their offsets, with a jump back in the middle of the second group. */
static void case_sequential_groups(const struct rig_variant *variant)
{
	CLEANUP(fd) int fd = scratch_file(NR_BLOCKS * BLOCK_BYTES, O_RDWR);
	struct blocks blocks = { .nr_reads = 0 };
	struct rig rig;

	conformance_open(
		&rig, variant, &fd, 1,
		&(struct rig_options){ .nr_slots = 16, .buf_bytes = BLOCK_BYTES, .dirs = DIRS });
	rig.on_done = blocks_on_done;
	rig.arg = &blocks;
	for (enum io_dir dir = IO_WRITE;; dir = IO_READ) {
		for (size_t start = 0; start < NR_BLOCKS; start += 16) {
			struct io_req *group[16];

			for (size_t i = 0; i < 16; i++)
				group[i] = blocks_prepare(&rig, &blocks, dir,
							  start + (start ? (i + 8) % 16 : i));
			rig_submit(&rig, group, 16);
			rig_drain(&rig);
		}
		if (dir == IO_READ)
			break;
	}
	rig_close(&rig);
	assert_int_equal(blocks.nr_reads, NR_BLOCKS);
	blocks_check_file(&blocks, fd);
}

/* The same offsets in two files hold different blocks. */
static void case_two_files(const struct rig_variant *variant)
{
	CLEANUP(fd) int first = scratch_file(NR_BLOCKS * BLOCK_BYTES, O_RDWR);
	CLEANUP(fd) int second = scratch_file(NR_BLOCKS * BLOCK_BYTES, O_RDWR);
	const int fds[] = { first, second };
	struct rig rig;

	conformance_open(
		&rig, variant, fds, 2,
		&(struct rig_options){ .nr_slots = 4, .buf_bytes = BLOCK_BYTES, .dirs = DIRS });
	for (enum io_dir dir = IO_WRITE;; dir = IO_READ) {
		for (size_t block = 0; block < 64; block++) {
			struct io_req *pair[2];

			for (uint32_t i = 0; i < 2; i++) {
				pair[i] = rig_prepare(&rig, dir, block * BLOCK_BYTES, BLOCK_BYTES);
				pair[i]->file = i;
				if (dir == IO_WRITE)
					pattern_fill(pair[i]->buf, block, i + 1);
			}
			rig_submit(&rig, pair, 2);
			rig_drain(&rig);
			for (uint32_t i = 0; i < 2; i++) {
				assert_int_equal(pair[i]->result, BLOCK_BYTES);
				pattern_check(pair[i]->buf, block, i + 1);
			}
		}
		if (dir == IO_READ)
			break;
	}
	rig_close(&rig);
}

const struct conformance_case conformance_data[] = {
	{ "random blocks, depth 1", case_random_depth_1, ENGINE_NO_FILES },
	{ "random blocks, depth 16", case_random_depth_16, ENGINE_NO_FILES },
	{ "random blocks, direct, depth 1", case_random_direct_depth_1, ENGINE_NO_FILES },
	{ "random blocks, direct, depth 16", case_random_direct_depth_16, ENGINE_NO_FILES },
	{ "sequential groups", case_sequential_groups, ENGINE_NO_FILES },
	{ "two files", case_two_files, ENGINE_NO_FILES },
	{ .name = NULL },
};
