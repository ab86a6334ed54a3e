/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_BASE_FILE_H
#define REGIO_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdint.h>
#include <sys/types.h>

struct err;
struct strbuf;

/*
 * Whole files and one-line attribute files. Messages name the path and the reason. -ERR_SYSTEM
 * keeps errno in err->saved_errno, for callers to whom ENOENT or EACCES is not a failure.
 */

/* Appends the content to out; more than max_bytes is -ERR_INPUT, a directory -ERR_INPUT. Works on
 * /proc files and pipes, which have no size. "-" is not special. */
int file_read(const char *path, size_t max_bytes, struct strbuf *out, struct err *err);

/* Replaces path by the data or leaves it as it was, also across a power cut: temporary file in
 * the same directory, fsync, rename, fsync of the directory. mode is used as it is (no umask). */
int file_write_atomic(const char *path, const void *data, size_t len, mode_t mode, struct err *err);

/* Creates or empties a file for what the user asked to be written there. A block device is refused
 * with -ERR_UNSAFE, whatever is on it: no report belongs there. Descriptor, or -code. */
int file_create(const char *path, mode_t mode, struct err *err);

/* The same in two steps: what is in the file stays until there is something to be written. */
int file_open_report(const char *path, mode_t mode, bool *ret_is_new, struct err *err);
int file_empty_report(int fd, const char *path, struct err *err);

/* write(2) until all is written; EINTR is retried. Returns 0 or -errno. */
int file_write_all(int fd, const void *data, size_t len);

/* mkdir -p. An existing directory is success, anything else in the way is an error. */
int file_make_dirs(const char *path, mode_t mode, struct err *err);

bool file_exists(const char *path); /* false also when it may not be looked at */

/* First line of an attribute (sysfs, /proc/sys) without its newline; replaces out. */
int file_read_line(const char *path, struct strbuf *out, struct err *err);

/* Writes text in one write(2), as attributes want it; does not create the file. The message quotes
 * the text: "write 'bfq' to /sys/..: Invalid argument". */
int file_write_line(const char *path, const char *text, struct err *err);

/* An attribute that holds one unsigned decimal number; other content is -ERR_INPUT. */
int file_read_u64(const char *path, uint64_t *ret_value, struct err *err);

/* All of a temporary file, from its start, behind what `to` has. */
int file_copy_stream(FILE *from, FILE *to, struct err *err);

/* $XDG_CACHE_HOME/regio/NAME, else ~/.cache/regio/NAME, which need not be there. NULL without a
 * home. Caller frees. */
char *file_cache_folder(const char *name);

#endif
