/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ENGINE_RW_FLAGS_H
#define REGIO_ENGINE_RW_FLAGS_H

/* Flags of one read or write (preadv2, IORING_OP_READ, IO_CMD_PREAD) that options ask for. */

#include <linux/fs.h>

#include "model/engine_options.h"

#ifndef RWF_DONTCACHE
#define RWF_DONTCACHE ((__kernel_rwf_t)0x00000080) /* Linux 6.14 */
#endif

/* Without RWF_HIPRI, which is not for every request. */
static inline int rw_flags_of(const struct engine_options *options)
{
	return (options->nowait ? RWF_NOWAIT : 0) | (options->uncached ? RWF_DONTCACHE : 0);
}

#endif
