/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rig: a worker without clock, pattern or statistics, that distrusts its engine. */
#include "rig.h"

#include <errno.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "test.h"

#define GUARD_BYTE 0xa5
#define WIPED_BYTE 0x5a

static void rig_init_slots(struct rig *rig)
{
	memset(rig->config.buffer, GUARD_BYTE, rig->config.buffer_bytes);
	for (size_t i = 0; i < rig->config.nr_slots; i++) {
		void *buf = (char *)rig->config.buffer + i * rig->stride_bytes + RIG_GUARD_BYTES;

		rig->reqs[i] = (struct io_req){ .slot = (uint32_t)i, .buf = buf };
		memset(buf, WIPED_BYTE, rig->buf_bytes);
	}
}

static void rig_init_files(struct rig *rig, const int *fds, size_t nr_fds)
{
	for (size_t i = 0; i < nr_fds; i++) {
		struct stat status = { .st_size = 0 };
		uint64_t size_bytes;

		(void)fstat(fds[i], &status); /* a closed descriptor is one of the cases */
		size_bytes = (uint64_t)status.st_size;
		if (S_ISBLK(status.st_mode))
			assert_int_equal(ioctl(fds[i], BLKGETSIZE64, &size_bytes), 0);
		rig->files[i] = (struct engine_file){ .path = "rig",
						      .fd = fds[i],
						      .size_bytes = size_bytes };
	}
}

int rig_open(struct rig *rig, const struct rig_variant *variant, const int *fds, size_t nr_fds,
	     const struct rig_options *options, struct err *err)
{
	size_t stride = options->buf_bytes + 2 * RIG_GUARD_BYTES;
	int ret;

	assert_in_range(options->nr_slots, 1, RIG_MAX_SLOTS);
	assert_in_range(nr_fds, 0, RIG_MAX_FILES);
	*rig = (struct rig){ .ops = engine_choose(variant->ops, &variant->options,
						  options->nr_slots),
			     .buf_bytes = options->buf_bytes,
			     .stride_bytes = stride };
	rig->config = (struct engine_config){
		.files = rig->files,
		.nr_files = nr_fds,
		.reqs = rig->reqs,
		.nr_slots = options->nr_slots,
		.buffer_bytes = stride * options->nr_slots,
		.dirs = options->dirs,
		.random = true,
		.direct = options->direct,
		.options = variant->options,
	};
	rig->config.buffer = mmap(NULL, rig->config.buffer_bytes, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(rig->config.buffer, MAP_FAILED);
	rig_init_slots(rig);
	rig_init_files(rig, fds, nr_fds);
	ret = rig->ops->open(&rig->config, &rig->state, err);
	if (ret < 0)
		munmap(rig->config.buffer, rig->config.buffer_bytes);
	return ret;
}

static bool bytes_are(const unsigned char *bytes, size_t len, unsigned char value)
{
	for (size_t i = 0; i < len; i++) {
		if (bytes[i] != value)
			return false;
	}
	return true;
}

static void rig_check_guards(const struct rig *rig, const struct io_req *req)
{
	const unsigned char *start = req->buf;
	const unsigned char *end = start + rig->buf_bytes;

	assert_true(bytes_are(start - RIG_GUARD_BYTES, RIG_GUARD_BYTES, GUARD_BYTE));
	assert_true(bytes_are(end, RIG_GUARD_BYTES, GUARD_BYTE));
	if (req->dir == IO_READ)
		assert_true(bytes_are(start + req->len_bytes, rig->buf_bytes - req->len_bytes,
				      WIPED_BYTE));
}

void rig_release_buffers(struct rig *rig)
{
	for (size_t i = 0; i < rig->config.nr_slots; i++)
		rig_check_guards(rig, &rig->reqs[i]);
	munmap(rig->config.buffer, rig->config.buffer_bytes);
}

void rig_close(struct rig *rig)
{
	rig->ops->close(rig->state);
	rig_release_buffers(rig);
}

struct io_req *rig_prepare(struct rig *rig, enum io_dir dir, uint64_t offset_bytes,
			   uint32_t len_bytes)
{
	size_t slot = 0;
	struct io_req *req;

	while (slot < rig->config.nr_slots && rig->is_lent[slot])
		slot++;
	if (slot == rig->config.nr_slots)
		return NULL;
	assert_true(len_bytes <= rig->buf_bytes);
	rig->is_lent[slot] = true; /* from now on, so that several can be prepared */
	req = &rig->reqs[slot];
	req->dir = dir;
	req->offset_bytes = offset_bytes;
	req->len_bytes = len_bytes;
	req->file = 0;
	req->datasync = false;
	req->result = INT64_MIN;
	memset(req->buf, WIPED_BYTE, rig->buf_bytes);
	return req;
}

static void rig_done(struct rig *rig, const struct io_req *req)
{
	assert_true(rig->is_lent[req->slot]);
	assert_ptr_equal(req, &rig->reqs[req->slot]);
	assert_true(req->result != INT64_MIN);
	assert_true(req->result <= (int64_t)req->len_bytes);
	rig_check_guards(rig, req);
	rig->is_lent[req->slot] = false;
	rig->nr_lent--;
	if (rig->on_done)
		rig->on_done(rig->arg, req);
}

bool rig_is_sync(const struct rig *rig)
{
	return !engine_is_async(rig->ops);
}

size_t rig_submit_some(struct rig *rig, struct io_req *const *reqs, size_t nr)
{
	size_t offered = rig_is_sync(rig) ? 1 : nr;
	int ret = rig->ops->submit(rig->state, reqs, offered);

	if (ret == -EAGAIN) {
		assert_false(rig_is_sync(rig));
		return 0;
	}
	assert_in_range(ret, 1, offered);
	rig->nr_lent += (size_t)ret;
	if (rig_is_sync(rig))
		rig_done(rig, reqs[0]);
	return (size_t)ret;
}

void rig_submit(struct rig *rig, struct io_req *const *reqs, size_t nr)
{
	while (nr > 0) {
		size_t taken = rig_submit_some(rig, reqs, nr);

		if (taken == 0)
			assert_int_not_equal(rig_reap(rig, 1, rig->config.nr_slots), 0);
		reqs += taken;
		nr -= taken;
	}
}

size_t rig_reap(struct rig *rig, size_t min, size_t max)
{
	struct io_req *done[RIG_MAX_SLOTS];
	size_t expected_min = min < rig->nr_lent ? min : rig->nr_lent;
	int ret;

	if (rig_is_sync(rig))
		return 0;
	ret = rig->ops->reap(rig->state, done, min, max);
	assert_in_range(ret, expected_min, max);
	for (int i = 0; i < ret; i++)
		rig_done(rig, done[i]);
	return (size_t)ret;
}

void rig_drain(struct rig *rig)
{
	while (rig->nr_lent > 0)
		assert_int_not_equal(rig_reap(rig, 1, rig->config.nr_slots), 0);
}

int64_t rig_one(struct rig *rig, enum io_dir dir, uint64_t offset_bytes, uint32_t len_bytes,
		const void *data, const void **ret_buf)
{
	struct io_req *req = rig_prepare(rig, dir, offset_bytes, len_bytes);

	assert_non_null(req);
	if (data)
		memcpy(req->buf, data, len_bytes);
	rig_submit(rig, &req, 1);
	rig_drain(rig);
	if (ret_buf)
		*ret_buf = req->buf;
	return req->result;
}
