/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ENGINE_PLAIN_IO_H
#define REGIO_ENGINE_PLAIN_IO_H

/*
 * System calls that several engines make in the same way. Results are what io_req.result takes:
 * bytes, or -errno. EINTR is repeated, because nothing was transferred when it is reported.
 */

#include <stdint.h>

struct engine_config;
struct io_req;

/* The descriptors of all files, by their index; the caller frees. */
int *plain_io_fds(const struct engine_config *config);
/* free, as close of an engine whose state they are. */
void plain_io_free(void *fds);

/* pread or pwrite of an IO_READ or IO_WRITE. */
int64_t plain_io_transfer(int fd, const struct io_req *req);

/* What an IO_SYNC asks for; BLKDISCARD of an IO_TRIM, which files refuse (-ENOTTY). */
int64_t plain_io_control(int fd, const struct io_req *req);

#endif
