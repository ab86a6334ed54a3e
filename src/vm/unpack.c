/* SPDX-License-Identifier: GPL-2.0-or-later */
/* unpack: libarchive reads what is compressed and the archive in an archive that a .deb is. */
#include "vm/unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"

#define BLOCK_BYTES (256UL << 10)

static void reader_release(struct archive **reader)
{
	if (*reader)
		(void)archive_read_free(*reader);
}

CLEANUP_DEFINE(reader, struct archive *, reader_release)

static int refuse(struct archive *reader, const char *what, struct err *err)
{
	const char *reason = archive_error_string(reader);

	return err_set(err, ERR_INPUT, "%s: %s", what, reason ? reason : "cannot be unpacked");
}

/* What kernels, modules and packages are packed with. Of all that libarchive knows some would start
 * a program of that name. */
static void support_filters(struct archive *reader)
{
	(void)archive_read_support_filter_bzip2(reader);
	(void)archive_read_support_filter_gzip(reader);
	(void)archive_read_support_filter_lz4(reader);
	(void)archive_read_support_filter_lzma(reader);
	(void)archive_read_support_filter_xz(reader);
	(void)archive_read_support_filter_zstd(reader);
}

int unpack_buffer(const void *data, size_t len, size_t max_bytes, const char *what,
		  struct strbuf *out, struct err *err)
{
	CLEANUP(reader) struct archive *reader = archive_read_new();
	CLEANUP(free) char *block = xmalloc(BLOCK_BYTES);
	struct archive_entry *entry;
	size_t start = out->len;

	if (len == 0)
		return 0;
	support_filters(reader);
	(void)archive_read_support_format_raw(reader);
	if (archive_read_open_memory(reader, data, len) != ARCHIVE_OK ||
	    archive_read_next_header(reader, &entry) != ARCHIVE_OK)
		return refuse(reader, what, err);
	for (;;) {
		la_ssize_t got = archive_read_data(reader, block, BLOCK_BYTES);

		if (got < 0)
			return refuse(reader, what, err);
		if (got == 0)
			return 0;
		if (out->len - start + (size_t)got > max_bytes)
			return err_set(err, ERR_INPUT, "%s: more than %zu bytes when unpacked",
				       what, max_bytes);
		strbuf_add(out, block, (size_t)got);
	}
}

int unpack_file(const char *path, size_t max_bytes, struct strbuf *out, struct err *err)
{
	CLEANUP(strbuf) struct strbuf packed = STRBUF_INIT;
	int ret = file_read(path, max_bytes, &packed, err);

	return ret < 0 ? ret
		       : unpack_buffer(strbuf_str(&packed), packed.len, max_bytes, path, out, err);
}

/* ---- packages ---- */

/* The inner archive reads the member of the outer one that the outer stands at. */
struct inner {
	struct archive *outer;
	char block[BLOCK_BYTES];
};

static la_ssize_t inner_read(struct archive *reader, void *arg, const void **ret_block)
{
	struct inner *inner = arg;

	(void)reader;
	*ret_block = inner->block;
	return archive_read_data(inner->outer, inner->block, sizeof(inner->block));
}

/* "a/../b" and "/a" never leave the folder: only plain relative names are written. */
static int is_safe(const char *path)
{
	return path[0] != '/' && strcmp(path, "..") != 0 && strncmp(path, "../", 3) != 0 &&
	       !strstr(path, "/../");
}

/* -1: it is the package that cannot be read. */
static int write_member(struct archive *reader, const char *folder, const char *name,
			struct err *err)
{
	CLEANUP(free) char *path = xasprintf("%s/%s", folder, name);
	CLEANUP(free) char *parent = xstrndup(path, (size_t)(strrchr(path, '/') - path));
	CLEANUP(fd) int fd = -1;
	int ret = file_make_dirs(parent, 0755, err);

	if (ret < 0)
		return ret;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0)
		return err_set_errno(err, "create %s", path);
	if (archive_read_data_into_fd(reader, fd) == ARCHIVE_OK)
		return 0;
	errno = archive_errno(reader);
	if (errno == ENOSPC || errno == EDQUOT || errno == EIO)
		return err_set_errno(err, "write %s", path);
	return -1;
}

static int write_members(struct archive *reader, const char *folder,
			 const char *(*wanted)(void *arg, const char *member), void *arg,
			 struct err *err)
{
	struct archive_entry *entry;
	int got;

	while ((got = archive_read_next_header(reader, &entry)) == ARCHIVE_OK) {
		const char *path = archive_entry_pathname(entry);
		const char *name;
		int ret;

		if (!path || archive_entry_filetype(entry) != AE_IFREG)
			continue;
		if (!strncmp(path, "./", 2))
			path += 2;
		name = is_safe(path) ? wanted(arg, path) : NULL;
		if (!name)
			continue;
		ret = write_member(reader, folder, name, err);
		if (ret < 0)
			return ret;
	}
	return got == ARCHIVE_EOF ? 0 : -1;
}

int unpack_debian_package(const char *path, const char *folder,
			  const char *(*wanted)(void *arg, const char *member), void *arg,
			  struct err *err)
{
	CLEANUP(reader) struct archive *outer = archive_read_new();
	CLEANUP(reader) struct archive *reader = archive_read_new();
	CLEANUP(free) struct inner *inner = xmalloc(sizeof(*inner));
	struct archive_entry *entry;
	int ret;

	(void)archive_read_support_format_ar(outer);
	if (archive_read_open_filename(outer, path, BLOCK_BYTES) != ARCHIVE_OK)
		return refuse(outer, path, err);
	do {
		if (archive_read_next_header(outer, &entry) != ARCHIVE_OK)
			return err_set(err, ERR_INPUT,
				       "%s: not a Debian package: no data.tar in it", path);
	} while (strncmp(archive_entry_pathname(entry), "data.tar", strlen("data.tar")) != 0);
	inner->outer = outer;
	support_filters(reader);
	(void)archive_read_support_format_tar(reader);
	if (archive_read_open(reader, inner, NULL, inner_read, NULL) != ARCHIVE_OK)
		return refuse(reader, path, err);
	ret = write_members(reader, folder, wanted, arg, err);
	return ret == -1 ? refuse(reader, path, err) : ret;
}
