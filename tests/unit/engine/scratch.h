/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_UNIT_ENGINE_SCRATCH_H
#define REGIO_TESTS_UNIT_ENGINE_SCRATCH_H

/* Files, a small file system and loop devices to test on. Nothing of it has a name afterwards. */

#include <stdbool.h>
#include <stdint.h>

/* An unlinked file of that size full of zeros, open with flags (O_RDWR, O_DIRECT ..). Returns a
 * descriptor, or -1 where the file system has no O_DIRECT. */
int scratch_file(uint64_t size_bytes, int flags);

/* The same file again, opened with other flags; -1 as above. */
int scratch_reopen(int fd, int flags);

/* A loop device over the file, gone when the descriptor is closed; -1 without the right to. */
int scratch_loop(int backing_fd, int flags);

/* A file on a tmpfs of so many bytes, which ends with the descriptor; -1 without the right to. */
int scratch_full_fs(uint64_t fs_bytes);

/* Makes path read as text for this process, until it ends; false without the right to. */
bool scratch_replace(const char *path, const char *text);

#endif
