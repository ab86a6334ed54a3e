/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * e4defrag: each write exchanges the blocks of its range with those of a donor file on the same
 * ext4, which holds the data still while they move. The donor is removed at the end.
 */
#include "engine/engine_table.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/types.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "engine/engine.h"
#include "engine/plain_io.h"

/* ext4's own, in no header that is installed. */
struct move_extent {
	__u32 reserved;
	__u32 donor_fd;
	__u64 orig_start; /* blocks */
	__u64 donor_start;
	__u64 len;
	__u64 moved_len;
};

#define IOC_MOVE_EXT _IOWR('f', 15, struct move_extent)

struct e4defrag_state {
	int fd;
	int donor_fd;
	uint64_t block_bytes;
	bool inplace; /* the donor gets blocks for each request and gives them back */
};

static int e4defrag_open_donor(const struct engine_config *config, struct e4defrag_state *state,
			       struct err *err)
{
	const char *name = config->options.donorname;
	struct stat info;

	if (!name)
		return err_set(err, ERR_INPUT, "e4defrag: donorname is needed");
	state->donor_fd = open(name, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
	if (state->donor_fd < 0)
		return err_set_errno(err, "e4defrag: create the donor '%s'", name);
	(void)unlink(name); /* goes with its descriptor */
	if (fstat(state->fd, &info) < 0)
		return err_set_errno(err, "e4defrag: look at '%s'", config->files[0].path);
	state->block_bytes = (uint64_t)info.st_blksize;
	if (!state->inplace &&
	    fallocate(state->donor_fd, 0, 0, (off_t)config->files[0].size_bytes) < 0)
		return err_set_errno(err, "e4defrag: allocate the donor '%s'", name);
	return 0;
}

static void e4defrag_close(void *arg)
{
	struct e4defrag_state *state = arg;

	if (state->donor_fd >= 0)
		(void)close(state->donor_fd);
	free(state);
}

static int e4defrag_open(const struct engine_config *config, void **ret_state, struct err *err)
{
	struct e4defrag_state *state;
	int ret;

	if (config->nr_files != 1)
		return err_set(err, ERR_INPUT, "e4defrag: works on one file, not on %zu",
			       config->nr_files);
	state = xcalloc(1, sizeof(*state));
	*state = (struct e4defrag_state){
		.fd = config->files[0].fd,
		.donor_fd = -1,
		.inplace = config->options.inplace,
	};
	ret = e4defrag_open_donor(config, state, err);
	if (ret < 0) {
		e4defrag_close(state);
		return ret;
	}
	*ret_state = state;
	return 0;
}

static int64_t e4defrag_move(const struct e4defrag_state *state, const struct io_req *req)
{
	uint64_t first = req->offset_bytes / state->block_bytes;
	uint64_t end =
		(req->offset_bytes + req->len_bytes + state->block_bytes - 1) / state->block_bytes;
	struct move_extent move = {
		.donor_fd = (__u32)state->donor_fd,
		.orig_start = first,
		.donor_start = first,
		.len = end - first,
	};
	uint64_t moved_bytes;
	int error;

	if (state->inplace &&
	    fallocate(state->donor_fd, 0, (off_t)req->offset_bytes, (off_t)req->len_bytes) < 0)
		return -errno;
	error = ioctl(state->fd, IOC_MOVE_EXT, &move) < 0 ? errno : 0;
	moved_bytes = move.moved_len * state->block_bytes;
	if (state->inplace && ftruncate(state->donor_fd, 0) < 0 && !error)
		return -errno;
	if (moved_bytes == 0)
		return -error; /* and 0: there was nothing to move */
	return moved_bytes < req->len_bytes ? (int64_t)moved_bytes : (int64_t)req->len_bytes;
}

static int e4defrag_submit(void *arg, struct io_req *const *reqs, size_t nr)
{
	const struct e4defrag_state *state = arg;
	struct io_req *req = reqs[0];

	(void)nr;
	if (req->dir == IO_SYNC)
		req->result = plain_io_control(state->fd, req);
	else
		req->result = req->dir == IO_WRITE ? e4defrag_move(state, req) : -EINVAL;
	return 1;
}

const struct engine_ops engine_e4defrag = {
	.name = "e4defrag",
	.summary = "EXT4_IOC_MOVE_EXT: exchange blocks with a donor file for each write",
	.flags = ENGINE_SYNC | ENGINE_NO_DATA | ENGINE_CHANGES_FILES,
	.open = e4defrag_open,
	.submit = e4defrag_submit,
	.close = e4defrag_close,
};
