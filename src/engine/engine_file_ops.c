/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filecreate, filestat, filedelete, dircreate, dirstat, dirdelete: each request is one operation
 * on the name of its file. What the others need to find is made when the engine is opened.
 */
#include "engine/engine_table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "engine/engine.h"

#define FILE_MODE 0644
#define DIR_MODE 0755

struct file_ops_state {
	const struct engine_file *files;
};

static int file_create(const char *path)
{
	int fd = open(path, O_CREAT | O_RDWR | O_CLOEXEC, FILE_MODE);

	return fd < 0 ? -1 : close(fd);
}

static int dir_create(const char *path)
{
	return mkdir(path, DIR_MODE);
}

static int name_stat(const char *path)
{
	struct stat info;

	return stat(path, &info);
}

/* Nobody's device node is to be removed by a mistaken filename. */
static int file_ops_check(const struct engine_file *file, mode_t type, bool *ret_is_there,
			  struct err *err)
{
	struct stat info;

	*ret_is_there = lstat(file->path, &info) == 0;
	if (!*ret_is_there && errno != ENOENT)
		return err_set_errno(err, "look up '%s'", file->path);
	if (*ret_is_there && (info.st_mode & S_IFMT) != type)
		return err_set(err, ERR_INPUT, "'%s' is not a %s", file->path,
			       type == S_IFDIR ? "directory" : "regular file");
	return 0;
}

static int file_ops_open_as(const struct engine_config *config, void **ret_state, mode_t type,
			    int (*make)(const char *path), struct err *err)
{
	struct file_ops_state *state;

	for (size_t i = 0; i < config->nr_files; i++) {
		const struct engine_file *file = &config->files[i];
		bool is_there;
		int ret = file_ops_check(file, type, &is_there, err);

		if (ret < 0)
			return ret;
		if (make && !is_there && make(file->path) < 0)
			return err_set_errno(err, "create '%s'", file->path);
	}
	state = xcalloc(1, sizeof(*state));
	state->files = config->files;
	*ret_state = state;
	return 0;
}

/* Files and directories that are there are made or removed; others are created first if needed. */
static int file_open_new(const struct engine_config *config, void **ret_state, struct err *err)
{
	return file_ops_open_as(config, ret_state, S_IFREG, NULL, err);
}

static int file_open_there(const struct engine_config *config, void **ret_state, struct err *err)
{
	return file_ops_open_as(config, ret_state, S_IFREG, file_create, err);
}

static int dir_open_new(const struct engine_config *config, void **ret_state, struct err *err)
{
	return file_ops_open_as(config, ret_state, S_IFDIR, NULL, err);
}

static int dir_open_there(const struct engine_config *config, void **ret_state, struct err *err)
{
	return file_ops_open_as(config, ret_state, S_IFDIR, dir_create, err);
}

/* Inlined into each engine's submit, where operate is a constant and the call direct. */
static inline __attribute__((always_inline)) int file_ops_do(const struct file_ops_state *state,
							     struct io_req *req,
							     int (*operate)(const char *path))
{
	if (req->dir == IO_SYNC)
		req->result = 0;
	else
		req->result = operate(state->files[req->file].path) < 0 ? -errno
									: (int64_t)req->len_bytes;
	return 1;
}

static int file_create_submit(void *state, struct io_req *const *reqs, size_t nr)
{
	(void)nr;
	return file_ops_do(state, reqs[0], file_create);
}

static int file_delete_submit(void *state, struct io_req *const *reqs, size_t nr)
{
	(void)nr;
	return file_ops_do(state, reqs[0], unlink);
}

static int name_stat_submit(void *state, struct io_req *const *reqs, size_t nr)
{
	(void)nr;
	return file_ops_do(state, reqs[0], name_stat);
}

static int dir_create_submit(void *state, struct io_req *const *reqs, size_t nr)
{
	(void)nr;
	return file_ops_do(state, reqs[0], dir_create);
}

static int dir_delete_submit(void *state, struct io_req *const *reqs, size_t nr)
{
	(void)nr;
	return file_ops_do(state, reqs[0], rmdir);
}

#define FILE_OPS_FLAGS (ENGINE_SYNC | ENGINE_NO_DATA | ENGINE_CHANGES_FILES | ENGINE_NAMES_ONLY)

const struct engine_ops engine_filecreate = {
	.name = "filecreate",
	.summary = "create one file for each I/O",
	.flags = FILE_OPS_FLAGS,
	.open = file_open_new,
	.submit = file_create_submit,
	.close = free,
};

const struct engine_ops engine_filestat = {
	.name = "filestat",
	.summary = "stat(2) one file for each I/O",
	.flags = FILE_OPS_FLAGS,
	.open = file_open_there,
	.submit = name_stat_submit,
	.close = free,
};

const struct engine_ops engine_filedelete = {
	.name = "filedelete",
	.summary = "unlink(2) one file for each I/O",
	.flags = FILE_OPS_FLAGS,
	.open = file_open_there,
	.submit = file_delete_submit,
	.close = free,
};

const struct engine_ops engine_dircreate = {
	.name = "dircreate",
	.summary = "mkdir(2) for each I/O",
	.flags = FILE_OPS_FLAGS,
	.open = dir_open_new,
	.submit = dir_create_submit,
	.close = free,
};

const struct engine_ops engine_dirstat = {
	.name = "dirstat",
	.summary = "stat(2) one directory for each I/O",
	.flags = FILE_OPS_FLAGS,
	.open = dir_open_there,
	.submit = name_stat_submit,
	.close = free,
};

const struct engine_ops engine_dirdelete = {
	.name = "dirdelete",
	.summary = "rmdir(2) for each I/O",
	.flags = FILE_OPS_FLAGS,
	.open = dir_open_there,
	.submit = dir_delete_submit,
	.close = free,
};
