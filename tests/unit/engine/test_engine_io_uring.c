/* SPDX-License-Identifier: GPL-2.0-or-later */
/* io_uring: what only this engine can be asked to do. */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "test.h"

#include "base/err.h"
#include "engine/engine.h"
#include "scratch.h"

#define WATCHDOG_SECONDS 30
#define NR_SLOTS 4
#define BLOCK_BYTES 4096L

static void open_on(int fd, struct io_req *reqs, void *buffer, void **ret_state)
{
	struct engine_file file = { .path = "pipe", .fd = fd };
	struct engine_config config = { .files = &file,
					.nr_files = 1,
					.reqs = reqs,
					.nr_slots = NR_SLOTS,
					.buffer = buffer,
					.buffer_bytes = NR_SLOTS * BLOCK_BYTES,
					.dirs = 1U << IO_READ };
	struct err err = { .code = 0 };

	if (engine_find("io_uring")->open(&config, ret_state, &err) < 0)
		fail_msg("%s", err.msg);
}

/* Reads that would wait for ever are cancelled by close, which returns. */
static void test_close_cancels(void **state)
{
	static char buffer[NR_SLOTS * BLOCK_BYTES];
	const struct engine_ops *ops = engine_find("io_uring");
	struct io_req reqs[NR_SLOTS];
	struct io_req *done[NR_SLOTS];
	int pipe_fds[2];
	void *ring;

	(void)state;
	assert_int_equal(pipe(pipe_fds), 0);
	open_on(pipe_fds[0], reqs, buffer, &ring);
	for (uint32_t i = 0; i < NR_SLOTS; i++) {
		struct io_req *req = &reqs[i];

		*req = (struct io_req){ .slot = i,
					.buf = buffer + i * BLOCK_BYTES,
					.len_bytes = BLOCK_BYTES };
		assert_int_equal(ops->submit(ring, &req, 1), 1);
	}
	assert_int_equal(ops->reap(ring, done, 0, NR_SLOTS), 0);
	ops->close(ring);
	assert_int_equal(write(pipe_fds[1], "data", 4), 4);
	assert_int_equal(buffer[0], 0);
	close(pipe_fds[0]);
	close(pipe_fds[1]);
}

/* The kernel registers at most 1 GiB as one buffer, so the slots are spread over several. */
static void test_large_fixed_buffers(void **state)
{
	const size_t slot_bytes = 64UL << 20;
	const struct engine_ops *ops = engine_find("io_uring");
	struct io_req reqs[17];
	struct engine_file file = { .path = "file", .fd = scratch_file(BLOCK_BYTES, O_RDWR) };
	struct engine_config config = { .files = &file,
					.nr_files = 1,
					.reqs = reqs,
					.nr_slots = 17,
					.buffer_bytes = 17 * slot_bytes,
					.options = { .fixedbufs = true } };
	int memory = memfd_create("slots", MFD_CLOEXEC);
	struct err err = { .code = 0 };
	void *ring;
	int ret;

	(void)state;
	/* All slots share one piece of memory: only the addresses matter here. */
	assert_int_equal(ftruncate(memory, (off_t)slot_bytes), 0);
	config.buffer =
		mmap(NULL, config.buffer_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(config.buffer, MAP_FAILED);
	for (size_t i = 0; i < 17; i++)
		assert_ptr_not_equal(mmap((char *)config.buffer + i * slot_bytes, slot_bytes,
					  PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, memory,
					  0),
				     MAP_FAILED);
	ret = ops->open(&config, &ring, &err);
	for (uint32_t i = 0; ret == 0 && i < 17; i++) {
		struct io_req *req = &reqs[i];
		struct io_req *done;

		*req = (struct io_req){ .slot = i,
					.buf = (char *)config.buffer + (i + 1) * slot_bytes -
					       BLOCK_BYTES,
					.len_bytes = BLOCK_BYTES };
		assert_int_equal(ops->submit(ring, &req, 1), 1);
		assert_int_equal(ops->reap(ring, &done, 1, 1), 1);
		assert_int_equal(req->result, BLOCK_BYTES);
	}
	if (ret == 0)
		ops->close(ring);
	munmap(config.buffer, config.buffer_bytes);
	close(memory);
	close(file.fd);
	if (ret == -ERR_UNSUPPORTED)
		test_skip(err.msg); /* more than this user may lock */
	assert_int_equal(ret, 0);
}

static void test_depth_limit(void **state)
{
	struct engine_config config = { .nr_slots = 32769 };
	struct err err = { .code = 0 };
	void *ring;

	(void)state;
	assert_int_equal(engine_find("io_uring")->open(&config, &ring, &err), -ERR_UNSUPPORTED);
	assert_string_equal(err.msg,
			    "io_uring: iodepth 32769 is more than the kernel's limit of 32768");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_close_cancels),
		cmocka_unit_test(test_large_fixed_buffers),
		cmocka_unit_test(test_depth_limit),
	};

	(void)alarm(WATCHDOG_SECONDS);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
