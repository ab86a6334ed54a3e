/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_VM_UNPACK_H
#define REGIO_VM_UNPACK_H

/* Compressed data and archives, through libarchive. */

#include <stddef.h>

struct err;
struct strbuf;

/* Appends what the data is once unpacked: xz, gzip, zstd, lz4, bzip2, lzma by their magic numbers;
 * other data as it is. More than max_bytes is refused. what names it in messages. */
int unpack_buffer(const void *data, size_t len, size_t max_bytes, const char *what,
		  struct strbuf *out, struct err *err);

/* Reads a file, through unpack_buffer. */
int unpack_file(const char *path, size_t max_bytes, struct strbuf *out, struct err *err);

/*
 * Writes the wanted members of the data.tar of a Debian package below folder, without leading
 * "./". wanted gets the path and returns the path to write it to below folder, or NULL to leave
 * it out; only files are written.
 */
int unpack_debian_package(const char *path, const char *folder,
			  const char *(*wanted)(void *arg, const char *member), void *arg,
			  struct err *err);

#endif
