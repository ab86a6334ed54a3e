/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_LIMITS_H
#define REGIO_LOAD_LIMITS_H

/* Limits of a run, checked before anything is allocated. */

#include <stdint.h>

struct err;

#define LOAD_MAX_WORKERS 16384		 /* threads; the kernel allows about twice as many */
#define LOAD_MAX_IODEPTH 65536		 /* fs.aio-max-nr */
#define LOAD_MAX_BLOCK_BYTES 1073741824U /* a request counts bytes in 32 bits */
#define LOAD_MAX_MEMORY_PERCENT 80U	 /* buffers must not push the machine into swap */

/* ERR_INPUT "<what> need 9TiB, more than .." */
int limits_check_memory(uint64_t bytes, const char *what, struct err *err);

#endif
