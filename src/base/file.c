/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file: whole files and attribute files. Parsing what they hold is left to callers. */
#include "base/file.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/units.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_CHUNK_BYTES 65536
#define FILE_LINE_MAX_BYTES 65536 /* sysfs attributes are at most a page of up to 64 KiB */

/* Appends up to max_bytes; more is -EFBIG. Returns 0 or -errno. */
static int fd_read_all(int fd, size_t max_bytes, struct strbuf *out)
{
	size_t start_len = out->len;

	for (;;) {
		ssize_t got;

		strbuf_reserve(out, FILE_CHUNK_BYTES);
		got = read(fd, out->buf + out->len, FILE_CHUNK_BYTES);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		out->len += (size_t)got;
		out->buf[out->len] = '\0';
		if (got == 0)
			return 0;
		if (out->len - start_len > max_bytes)
			return -EFBIG;
	}
}

int file_read(const char *path, size_t max_bytes, struct strbuf *out, struct err *err)
{
	CLEANUP(fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t start_len = out->len;
	int ret;

	if (fd < 0)
		return err_set_errno(err, "open %s", path);
	ret = fd_read_all(fd, max_bytes, out);
	if (ret == 0)
		return 0;
	strbuf_truncate(out, start_len);
	if (ret == -EFBIG)
		return err_set(err, ERR_INPUT, "%s: larger than %zu bytes", path, max_bytes);
	if (ret == -EISDIR)
		return err_set(err, ERR_INPUT, "%s: is a directory", path);
	errno = -ret;
	return err_set_errno(err, "read %s", path);
}

int file_open_report(const char *path, mode_t mode, bool *ret_is_new, struct err *err)
{
	CLEANUP(fd) int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	struct stat info;

	*ret_is_new = fd >= 0;
	if (fd < 0 && errno == EEXIST)
		fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, mode);
	if (fd < 0 || fstat(fd, &info) != 0)
		return err_set_errno(err, "open '%s'", path);
	if (S_ISBLK(info.st_mode))
		return err_set(err, ERR_UNSAFE, "'%s' is a block device, not a file to write to",
			       path);
	return fd_take(&fd);
}

int file_empty_report(int fd, const char *path, struct err *err)
{
	struct stat info;

	if (fstat(fd, &info) != 0 || (S_ISREG(info.st_mode) && ftruncate(fd, 0) != 0))
		return err_set_errno(err, "empty '%s'", path);
	return 0;
}

int file_create(const char *path, mode_t mode, struct err *err)
{
	bool unused;
	CLEANUP(fd) int fd = file_open_report(path, mode, &unused, err);
	int ret = fd < 0 ? fd : file_empty_report(fd, path, err);

	return ret < 0 ? ret : fd_take(&fd);
}

int file_write_all(int fd, const void *data, size_t len)
{
	const char *pos = data;

	while (len > 0) {
		ssize_t written = write(fd, pos, len);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -errno;
		pos += written;
		len -= (size_t)written;
	}
	return 0;
}

/* Makes a rename in the directory of path durable. */
static int dir_sync(const char *path, struct err *err)
{
	const char *slash = strrchr(path, '/');
	CLEANUP(free) char *dir = NULL;
	CLEANUP(fd) int fd = -1;

	if (!slash)
		dir = xstrdup(".");
	else
		dir = slash == path ? xstrdup("/") : xstrndup(path, (size_t)(slash - path));
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return err_set_errno(err, "open %s", dir);
	/* Some filesystems cannot sync a directory and say EINVAL: nothing more can be done. */
	if (fsync(fd) < 0 && errno != EINVAL)
		return err_set_errno(err, "fsync %s", dir);
	return 0;
}

static int file_fill(int fd, const char *path, const void *data, size_t len, mode_t mode,
		     struct err *err)
{
	int ret = file_write_all(fd, data, len);

	if (ret < 0) {
		errno = -ret;
		return err_set_errno(err, "write %s", path);
	}
	if (fchmod(fd, mode) < 0)
		return err_set_errno(err, "chmod %s", path);
	if (fsync(fd) < 0)
		return err_set_errno(err, "fsync %s", path);
	return 0;
}

int file_write_atomic(const char *path, const void *data, size_t len, mode_t mode, struct err *err)
{
	CLEANUP(free) char *temp_path = xasprintf("%s.XXXXXX", path);
	CLEANUP(fd) int fd = mkostemp(temp_path, O_CLOEXEC);
	int ret;

	if (fd < 0)
		return err_set_errno(err, "create a temporary file for %s", path);
	ret = file_fill(fd, temp_path, data, len, mode, err);
	if (ret == 0 && rename(temp_path, path) < 0)
		ret = err_set_errno(err, "rename %s to %s", temp_path, path);
	if (ret < 0) {
		(void)unlink(temp_path); /* the first error is the one to report */
		return ret;
	}
	return dir_sync(path, err);
}

static int dir_make(const char *path, mode_t mode, struct err *err)
{
	struct stat st;

	if (mkdir(path, mode) == 0)
		return 0;
	if (errno != EEXIST)
		return err_set_errno(err, "create directory %s", path);
	if (stat(path, &st) < 0)
		return err_set_errno(err, "stat %s", path);
	if (!S_ISDIR(st.st_mode))
		return err_set(err, ERR_INPUT, "%s: exists and is not a directory", path);
	return 0;
}

int file_make_dirs(const char *path, mode_t mode, struct err *err)
{
	CLEANUP(free) char *partial = xstrdup(path);

	for (char *pos = partial + 1; partial[0] && *pos; pos++) {
		int ret;

		if (*pos != '/' || pos[-1] == '/')
			continue;
		*pos = '\0';
		ret = dir_make(partial, mode, err);
		if (ret < 0)
			return ret;
		*pos = '/';
	}
	return dir_make(partial, mode, err);
}

bool file_exists(const char *path)
{
	return access(path, F_OK) == 0;
}

int file_read_line(const char *path, struct strbuf *out, struct err *err)
{
	CLEANUP(strbuf) struct strbuf content = STRBUF_INIT;
	int ret = file_read(path, FILE_LINE_MAX_BYTES, &content, err);

	if (ret < 0)
		return ret;
	strbuf_reset(out);
	strbuf_add(out, strbuf_str(&content), strcspn(strbuf_str(&content), "\n"));
	return 0;
}

int file_write_line(const char *path, const char *text, struct err *err)
{
	CLEANUP(fd) int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	size_t len = strlen(text);
	ssize_t written;

	if (fd < 0)
		return err_set_errno(err, "open %s", path);
	do {
		written = write(fd, text, len);
	} while (written < 0 && errno == EINTR);
	if (written < 0)
		return err_set_errno(err, "write '%s' to %s", text, path);
	if ((size_t)written != len)
		return err_set(err, ERR_SYSTEM, "write '%s' to %s: only %zd bytes were taken", text,
			       path, written);
	return 0;
}

int file_read_u64(const char *path, uint64_t *ret_value, struct err *err)
{
	CLEANUP(strbuf) struct strbuf line = STRBUF_INIT;
	int ret = file_read_line(path, &line, err);

	if (ret < 0)
		return ret;
	strbuf_trim(&line);
	if (units_parse_u64(strbuf_str(&line), ret_value, NULL) < 0)
		return err_set(err, ERR_INPUT, "%s: '%.64s' is not a whole number", path,
			       strbuf_str(&line));
	return 0;
}

int file_copy_stream(FILE *from, FILE *to, struct err *err)
{
	char buf[16384];
	size_t len;

	if (fflush(from) != 0 || fseek(from, 0, SEEK_SET) < 0)
		return err_set_errno(err, "write a temporary file");
	while ((len = fread(buf, 1, sizeof(buf), from)) > 0) {
		if (fwrite(buf, 1, len, to) != len)
			return err_set_errno(err, "write");
	}
	return ferror(from) ? err_set_errno(err, "read a temporary file") : 0;
}

/* The XDG base directory specification: a relative path is to be ignored. */
char *file_cache_folder(const char *name)
{
	const char *cache = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");

	if (cache && cache[0] == '/')
		return xasprintf("%s/regio/%s", cache, name);
	return home && home[0] == '/' ? xasprintf("%s/.cache/regio/%s", home, name) : NULL;
}
