/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ENGINE_RW_FLAGS_H
#define REGIO_ENGINE_RW_FLAGS_H

/* Flags of one read or write (preadv2, IORING_OP_READ, IO_CMD_PREAD) that options ask for. */

#include <linux/fs.h>

#include "model/engine_options.h"
#include "model/io.h"

#ifndef RWF_DONTCACHE
#define RWF_DONTCACHE ((__kernel_rwf_t)0x00000080) /* Linux 6.14 */
#endif

#ifndef RWF_ATOMIC
#define RWF_ATOMIC ((__kernel_rwf_t)0x00000040) /* Linux 6.11 */
#endif

/* Without RWF_HIPRI, which is not for every request. RWF_ATOMIC is refused for reads. */
static inline int rw_flags_of(const struct engine_options *options, enum io_dir dir)
{
	return (options->nowait ? RWF_NOWAIT : 0) | (options->uncached ? RWF_DONTCACHE : 0) |
	       (options->atomic && dir == IO_WRITE ? RWF_ATOMIC : 0);
}

#endif
