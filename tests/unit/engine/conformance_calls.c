/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Conformance: what submit, reap and close promise about numbers of requests. */
#include "conformance.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "test.h"

#include "base/cleanup.h"
#include "scratch.h"

#define BLOCK_BYTES 4096L
#define NR_SLOTS 16
#define FILE_BYTES (64 * BLOCK_BYTES)
#define MAX_POLLS 10000000 /* of a disk that does its work meanwhile */

static const struct rig_options all_dirs = {
	.nr_slots = NR_SLOTS,
	.buf_bytes = BLOCK_BYTES,
	.dirs = 1U << IO_READ | 1U << IO_WRITE | 1U << IO_TRIM,
};

static void prepare_reads(struct rig *rig, struct io_req **reqs, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		reqs[i] = rig_prepare(rig, IO_READ, i * 2 * BLOCK_BYTES, BLOCK_BYTES);
		assert_non_null(reqs[i]);
	}
}

/* Polling returns at once, and in the end everything. */
static void case_poll(const struct rig_variant *variant)
{
	CLEANUP(fd) int fd = scratch_file(FILE_BYTES, O_RDWR);
	struct io_req *reqs[NR_SLOTS];
	size_t nr_polls = 0;
	struct rig rig;

	conformance_open(&rig, variant, &fd, 1, &all_dirs);
	assert_int_equal(rig_reap(&rig, 0, NR_SLOTS), 0);
	prepare_reads(&rig, reqs, NR_SLOTS);
	rig_submit(&rig, reqs, NR_SLOTS);
	while (rig.nr_lent > 0) {
		(void)rig_reap(&rig, 0, 1); /* checks that it is no more than one */
		assert_true(++nr_polls < MAX_POLLS);
	}
	rig_close(&rig);
	for (size_t i = 0; i < NR_SLOTS; i++)
		assert_int_equal(reqs[i]->result, BLOCK_BYTES);
}

/* reap gives at least min, at most max, and does not wait for what nobody submitted. */
static void case_reap_limits(const struct rig_variant *variant)
{
	CLEANUP(fd) int fd = scratch_file(FILE_BYTES, O_RDWR);
	struct io_req *reqs[NR_SLOTS];
	size_t nr = 0;
	struct rig rig;

	conformance_open(&rig, variant, &fd, 1, &all_dirs);
	prepare_reads(&rig, reqs, NR_SLOTS);
	rig_submit(&rig, reqs, NR_SLOTS);
	while (!rig_is_sync(&rig) && nr < NR_SLOTS)
		nr += rig_reap(&rig, 2, 3);
	assert_int_equal(rig.nr_lent, 0);
	assert_int_equal(rig_reap(&rig, 1, NR_SLOTS), 0);
	rig_close(&rig);
}

static void case_reap_all(const struct rig_variant *variant)
{
	CLEANUP(fd) int fd = scratch_file(FILE_BYTES, O_RDWR);
	struct io_req *reqs[NR_SLOTS];
	struct rig rig;

	conformance_open(&rig, variant, &fd, 1, &all_dirs);
	prepare_reads(&rig, reqs, NR_SLOTS);
	rig_submit(&rig, reqs, NR_SLOTS);
	if (!rig_is_sync(&rig))
		assert_int_equal(rig_reap(&rig, NR_SLOTS, NR_SLOTS), NR_SLOTS);
	rig_close(&rig);
}

/* One call may offer what an engine treats apart; whatever it takes comes from the front. */
static void case_mixed_offer(const struct rig_variant *variant)
{
	static const enum io_dir dirs[] = { IO_READ, IO_TRIM, IO_WRITE, IO_SYNC,
					    IO_SYNC, IO_TRIM, IO_TRIM,	IO_READ };
	const size_t nr_dirs = sizeof(dirs) / sizeof(dirs[0]);
	CLEANUP(fd) int fd = scratch_file(FILE_BYTES, O_RDWR);
	struct rig rig;

	conformance_open(&rig, variant, &fd, 1, &all_dirs);
	for (size_t round = 0; round < 2 * nr_dirs; round++) {
		struct io_req *reqs[8];
		size_t first = round % nr_dirs;

		for (size_t i = 0; i < nr_dirs; i++) {
			enum io_dir dir = dirs[(first + i) % nr_dirs];
			uint32_t len = dir == IO_SYNC ? 0 : BLOCK_BYTES;

			reqs[i] = rig_prepare(&rig, dir, i * BLOCK_BYTES, len);
			reqs[i]->datasync = i % 2;
		}
		rig_submit(&rig, reqs, nr_dirs);
		rig_drain(&rig);
		for (size_t i = 0; i < nr_dirs; i++) {
			if (reqs[i]->dir != IO_TRIM) /* a file refuses it, null does not */
				assert_int_equal(reqs[i]->result, reqs[i]->len_bytes);
		}
	}
	rig_close(&rig);
}

/* A slot may be submitted again the moment it is reaped, for a long time. */
static void case_many_cycles(const struct rig_variant *variant)
{
	CLEANUP(fd) int fd = scratch_file(FILE_BYTES, O_RDWR);
	struct rig rig;

	conformance_open(&rig, variant, &fd, 1, &all_dirs);
	for (size_t i = 0; i < 20000; i++) {
		enum io_dir dir = i % 3 == 0 ? IO_WRITE : IO_READ;
		struct io_req *req = rig_prepare(&rig, dir, i * 5 % 64 * BLOCK_BYTES, 512);

		if (!req) {
			assert_int_not_equal(rig_reap(&rig, 1, 1 + i % 4), 0);
			req = rig_prepare(&rig, dir, i * 5 % 64 * BLOCK_BYTES, 512);
		}
		rig_submit(&rig, &req, 1);
	}
	rig_drain(&rig);
	rig_close(&rig);
}

/* After close no buffer changes any more: each is read in full or not at all. */
static void case_close_in_flight(const struct rig_variant *variant)
{
	char filled[BLOCK_BYTES];
	CLEANUP(fd) int plain_fd = scratch_file(FILE_BYTES, O_RDWR);
	CLEANUP(fd) int fd = scratch_reopen(plain_fd, O_RDWR | O_DIRECT);
	struct io_req *reqs[NR_SLOTS];
	struct rig rig;

	if (fd < 0)
		test_skip("no O_DIRECT on this file system");
	memset(filled, 'f', sizeof(filled));
	for (size_t i = 0; i < 64; i++)
		assert_int_equal(pwrite(plain_fd, filled, BLOCK_BYTES, (off_t)(i * BLOCK_BYTES)),
				 BLOCK_BYTES);
	assert_int_equal(fsync(plain_fd), 0);
	for (size_t round = 0; round < 20; round++) {
		conformance_open(&rig, variant, &fd, 1, &all_dirs);
		prepare_reads(&rig, reqs, NR_SLOTS);
		rig_submit(&rig, reqs, NR_SLOTS);
		rig.ops->close(rig.state);
		for (size_t i = 0; i < NR_SLOTS; i++) {
			const char *buf = reqs[i]->buf;

			if (variant->ops->flags & ENGINE_NO_FILES)
				continue;
			assert_true(buf[0] == 'f' || buf[0] == buf[BLOCK_BYTES - 1]);
			for (size_t k = 1; k < BLOCK_BYTES; k++)
				assert_int_equal(buf[k], buf[0]);
		}
		rig_release_buffers(&rig);
	}
}

const struct conformance_case conformance_calls[] = {
	{ .name = "poll", .run = case_poll },
	{ .name = "reap limits", .run = case_reap_limits },
	{ .name = "reap all", .run = case_reap_all },
	{ .name = "mixed offer", .run = case_mixed_offer },
	{ .name = "many cycles", .run = case_many_cycles },
	{ .name = "close in flight", .run = case_close_in_flight },
	{ .name = NULL },
};
