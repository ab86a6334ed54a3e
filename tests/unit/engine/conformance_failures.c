/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Conformance: short transfers and errors arrive as the kernel reports them. */
#include "conformance.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "test.h"

#include "base/cleanup.h"
#include "scratch.h"

#define BLOCK_BYTES 4096L
#define READS (1U << IO_READ)
#define WRITES (1U << IO_WRITE)

static const struct rig_options one_slot = { .nr_slots = 1, .buf_bytes = BLOCK_BYTES };

/* Opens with so many slots; false if the engine refused, which then must have said why. */
static bool open_may_refuse(struct rig *rig, const struct rig_variant *variant, int fd,
			    const struct rig_options *options)
{
	struct err err = { .code = 0 };

	if (rig_open(rig, variant, &fd, 1, options, &err) == 0)
		return true;
	assert_int_equal(err.code, ERR_SYSTEM);
	assert_int_not_equal(err.saved_errno, 0);
	assert_ptr_equal(strstr(err.msg, variant->ops->name), err.msg);
	return false;
}

/* Adjacent reads over the end of the file: whole, part, nothing. */
static void case_end_of_file(const struct rig_variant *variant)
{
	const uint64_t size_bytes = 10 * BLOCK_BYTES + 1000;
	CLEANUP(fd) int fd = scratch_file(size_bytes, O_RDWR);
	struct io_req *reqs[16];
	struct rig rig;

	conformance_open(
		&rig, variant, &fd, 1,
		&(struct rig_options){ .nr_slots = 16, .buf_bytes = BLOCK_BYTES, .dirs = READS });
	for (size_t i = 0; i < 16; i++)
		reqs[i] = rig_prepare(&rig, IO_READ, i * BLOCK_BYTES, BLOCK_BYTES);
	rig_submit(&rig, reqs, 16);
	rig_drain(&rig);
	for (size_t i = 0; i < 16; i++)
		assert_int_equal(reqs[i]->result, i < 10 ? BLOCK_BYTES : i == 10 ? 1000 : 0);
	assert_int_equal(rig_one(&rig, IO_READ, 1ULL << 40, BLOCK_BYTES, NULL, NULL), 0);
	rig_close(&rig);
}

static void case_empty_file(const struct rig_variant *variant)
{
	CLEANUP(fd) int fd = scratch_file(0, O_RDWR);
	struct rig_options options = one_slot;
	struct rig rig;

	options.dirs = READS;
	conformance_open(&rig, variant, &fd, 1, &options);
	assert_int_equal(rig_one(&rig, IO_READ, 0, BLOCK_BYTES, NULL, NULL), 0);
	assert_int_equal(rig_one(&rig, IO_SYNC, 0, 0, NULL, NULL), 0);
	rig_close(&rig);
}

static void expect_ebadf(const struct rig_variant *variant, int fd, unsigned dirs, enum io_dir dir)
{
	struct rig_options options = { .nr_slots = 4, .buf_bytes = BLOCK_BYTES, .dirs = dirs };
	struct rig rig;

	if (!open_may_refuse(&rig, variant, fd, &options))
		return;
	assert_int_equal(rig_one(&rig, dir, 0, BLOCK_BYTES, NULL, NULL), -EBADF);
	assert_int_equal(rig_one(&rig, dir, 0, BLOCK_BYTES, NULL, NULL), -EBADF);
	rig_close(&rig);
}

static void case_read_write_only(const struct rig_variant *variant)
{
	CLEANUP(fd) int fd = scratch_file(BLOCK_BYTES, O_WRONLY);

	expect_ebadf(variant, fd, READS, IO_READ);
}

static void case_write_read_only(const struct rig_variant *variant)
{
	CLEANUP(fd) int fd = scratch_file(BLOCK_BYTES, O_RDONLY);

	expect_ebadf(variant, fd, WRITES, IO_WRITE);
}

static void case_closed_file(const struct rig_variant *variant)
{
	int fd = scratch_file(BLOCK_BYTES, O_RDWR);
	int closed = fcntl(fd, F_DUPFD_CLOEXEC, 500);

	close(closed);
	close(fd);
	expect_ebadf(variant, closed, READS, IO_READ);
}

/* In the middle of a group, a request that fails does not change the others. */
static void case_one_of_many_fails(const struct rig_variant *variant)
{
	CLEANUP(fd) int good = scratch_file(16 * BLOCK_BYTES, O_RDWR);
	CLEANUP(fd) int bad = scratch_reopen(good, O_WRONLY);
	const int fds[] = { good, bad };
	struct io_req *reqs[8];
	struct rig rig;

	conformance_open(
		&rig, variant, fds, 2,
		&(struct rig_options){ .nr_slots = 8, .buf_bytes = BLOCK_BYTES, .dirs = READS });
	for (size_t i = 0; i < 8; i++) {
		reqs[i] = rig_prepare(&rig, IO_READ, i * BLOCK_BYTES, BLOCK_BYTES);
		reqs[i]->file = i == 0 || i == 3 || i == 7;
	}
	rig_submit(&rig, reqs, 8);
	rig_drain(&rig);
	for (size_t i = 0; i < 8; i++)
		assert_int_equal(reqs[i]->result, reqs[i]->file ? -EBADF : BLOCK_BYTES);
	rig_close(&rig);
}

static void case_unaligned_direct(const struct rig_variant *variant)
{
	CLEANUP(fd) int backing = scratch_file(16 * BLOCK_BYTES, O_RDWR);
	CLEANUP(fd) int fd = scratch_loop(backing, O_RDWR | O_DIRECT);
	struct rig_options options = one_slot;
	struct rig rig;

	if (fd < 0) /* some file systems take unaligned direct I/O, devices never */
		test_skip("setting up a loop device needs root");
	options.dirs = READS;
	options.direct = true;
	conformance_open(&rig, variant, &fd, 1, &options);
	assert_int_equal(rig_one(&rig, IO_READ, 1, BLOCK_BYTES - 1, NULL, NULL), -EINVAL);
	assert_int_equal(rig_one(&rig, IO_READ, 0, BLOCK_BYTES, NULL, NULL), BLOCK_BYTES);
	rig_close(&rig);
}

static void case_file_size_limit(const struct rig_variant *variant)
{
	CLEANUP(fd) int fd = scratch_file(BLOCK_BYTES, O_RDWR);
	struct rig_options options = one_slot;
	struct rlimit before;
	struct rlimit limit;
	struct rig rig;

	options.dirs = WRITES;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	limit = before;
	limit.rlim_cur = 2 * BLOCK_BYTES + 512;
	conformance_open(&rig, variant, &fd, 1, &options);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_int_equal(rig_one(&rig, IO_WRITE, 1 * BLOCK_BYTES, BLOCK_BYTES, NULL, NULL),
			 BLOCK_BYTES);
	assert_int_equal(rig_one(&rig, IO_WRITE, 2 * BLOCK_BYTES, BLOCK_BYTES, NULL, NULL), 512);
	assert_int_equal(rig_one(&rig, IO_WRITE, 3 * BLOCK_BYTES, BLOCK_BYTES, NULL, NULL), -EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	rig_close(&rig);
}

/* Writes to a sparse file until its file system is full. */
static void case_no_space(const struct rig_variant *variant)
{
	const size_t nr_blocks = 128;
	CLEANUP(fd) int fd = scratch_full_fs(nr_blocks / 2 * BLOCK_BYTES);
	struct rig_options options = one_slot;
	char data[BLOCK_BYTES] = "data";
	size_t nr_written = 0;
	struct rig rig;

	if (fd < 0)
		test_skip("mounting a small tmpfs needs root");
	assert_int_equal(ftruncate(fd, (off_t)(nr_blocks * BLOCK_BYTES)), 0);
	options.dirs = READS | WRITES;
	conformance_open(&rig, variant, &fd, 1, &options);
	for (size_t i = 0; i < nr_blocks; i++) {
		int64_t result = rig_one(&rig, IO_WRITE, i * BLOCK_BYTES, BLOCK_BYTES, data, NULL);

		if (result == BLOCK_BYTES)
			nr_written++;
		else
			assert_int_equal(result, -ENOSPC);
	}
	assert_in_range(nr_written, nr_blocks / 4, nr_blocks / 2);
	rig_close(&rig);
}

static void case_io_error(const struct rig_variant *variant)
{
	const uint64_t size_bytes = 64 * BLOCK_BYTES;
	CLEANUP(fd) int backing = scratch_file(size_bytes, O_RDWR);
	CLEANUP(fd) int fd = scratch_loop(backing, O_RDWR | O_DIRECT);
	struct rig_options options = one_slot;
	struct rig rig;

	if (fd < 0)
		test_skip("setting up a loop device needs root");
	options.dirs = READS;
	options.direct = true;
	conformance_open(&rig, variant, &fd, 1, &options);
	assert_int_equal(rig_one(&rig, IO_READ, 32 * BLOCK_BYTES, BLOCK_BYTES, NULL, NULL),
			 BLOCK_BYTES);
	assert_int_equal(ftruncate(backing, 16 * BLOCK_BYTES), 0); /* the device keeps its size */
	assert_int_equal(rig_one(&rig, IO_READ, 48 * BLOCK_BYTES, BLOCK_BYTES, NULL, NULL), -EIO);
	assert_int_equal(rig_one(&rig, IO_READ, 8 * BLOCK_BYTES, BLOCK_BYTES, NULL, NULL),
			 BLOCK_BYTES);
	rig_close(&rig);
}

static void case_trim_file(const struct rig_variant *variant)
{
	CLEANUP(fd) int fd = scratch_file(16 * BLOCK_BYTES, O_RDWR);
	struct rig_options options = one_slot;
	struct rig rig;

	options.dirs = READS | WRITES | 1U << IO_TRIM;
	conformance_open(&rig, variant, &fd, 1, &options);
	assert_int_equal(rig_one(&rig, IO_TRIM, 0, BLOCK_BYTES, NULL, NULL), -ENOTTY);
	rig_close(&rig);
}

static void expect_block(struct rig *rig, size_t block, char byte)
{
	const void *buf;
	char expected[BLOCK_BYTES];

	memset(expected, byte, sizeof(expected));
	assert_int_equal(rig_one(rig, IO_READ, block * BLOCK_BYTES, BLOCK_BYTES, NULL, &buf),
			 BLOCK_BYTES);
	assert_memory_equal(buf, expected, BLOCK_BYTES);
}

/* A loop device turns discard into a hole of its file, which reads as zeros. */
static void case_trim_device(const struct rig_variant *variant)
{
	CLEANUP(fd) int backing = scratch_file(64 * BLOCK_BYTES, O_RDWR);
	CLEANUP(fd) int fd = scratch_loop(backing, O_RDWR | O_DIRECT);
	struct rig_options options = one_slot;
	char data[BLOCK_BYTES];
	struct rig rig;

	if (fd < 0)
		test_skip("setting up a loop device needs root");
	options.dirs = READS | WRITES | 1U << IO_TRIM;
	options.direct = true;
	memset(data, 'd', sizeof(data));
	conformance_open(&rig, variant, &fd, 1, &options);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(rig_one(&rig, IO_WRITE, i * BLOCK_BYTES, BLOCK_BYTES, data, NULL),
				 BLOCK_BYTES);
	assert_int_equal(rig_one(&rig, IO_SYNC, 0, 0, NULL, NULL), 0);
	assert_int_equal(rig_one(&rig, IO_TRIM, 1 * BLOCK_BYTES, BLOCK_BYTES, NULL, NULL),
			 BLOCK_BYTES);
	expect_block(&rig, 0, 'd');
	expect_block(&rig, 1, 0);
	expect_block(&rig, 2, 'd');
	rig_close(&rig);
}

const struct conformance_case conformance_failures[] = {
	{ "end of file", case_end_of_file, ENGINE_NO_FILES },
	{ "empty file", case_empty_file, ENGINE_NO_FILES },
	{ "read of a write-only file", case_read_write_only, ENGINE_NO_FILES },
	{ "write to a read-only file", case_write_read_only, ENGINE_NO_FILES },
	{ "closed file", case_closed_file, ENGINE_NO_FILES | ENGINE_NEEDS_MMAP },
	{ "one of many fails", case_one_of_many_fails, ENGINE_NO_FILES | ENGINE_NEEDS_MMAP },
	{ "unaligned direct I/O", case_unaligned_direct, ENGINE_NO_FILES | ENGINE_NEEDS_MMAP },
	{ "file size limit", case_file_size_limit, ENGINE_NO_FILES | ENGINE_NEEDS_MMAP },
	{ "no space", case_no_space, ENGINE_NO_FILES },
	{ "I/O error", case_io_error, ENGINE_NO_FILES },
	{ "trim of a file", case_trim_file, ENGINE_NO_FILES },
	{ "trim of a device", case_trim_device, ENGINE_NO_FILES },
	{ .name = NULL },
};
