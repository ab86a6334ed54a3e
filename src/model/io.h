/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MODEL_IO_H
#define REGIO_MODEL_IO_H

/* What one I/O does. The three data directions index every per-direction array. */
enum io_dir {
	IO_READ,
	IO_WRITE,
	IO_TRIM,
	IO_SYNC, /* fsync or fdatasync: counted apart, never in the arrays of IO_NR_DATA_DIRS */
};

#define IO_NR_DATA_DIRS 3

/* "read", "write", "trim", "sync". */
const char *io_dir_name(enum io_dir dir);

#endif
