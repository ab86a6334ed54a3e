/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of the I/O directions, as they stand in metric names and in fio's output. */
#include "model/io.h"

const char *io_dir_name(enum io_dir dir)
{
	static const char *const names[] = {
		[IO_READ] = "read",
		[IO_WRITE] = "write",
		[IO_TRIM] = "trim",
		[IO_SYNC] = "sync",
	};

	return names[dir];
}
