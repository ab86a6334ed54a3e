/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of I/O engines and the look-up by name. How they work is in engine_*.c. */
#include "engine/engine.h"

#include <string.h>

#include "engine/engine_table.h"

/* clang-format off */
static const struct engine_ops *const engines[] = {
	&engine_cpuio,
	&engine_dircreate,
	&engine_dirdelete,
	&engine_dirstat,
	&engine_e4defrag,
	&engine_exec,
	&engine_falloc,
	&engine_filecreate,
	&engine_filedelete,
	&engine_filestat,
	&engine_ftruncate,
	&engine_io_uring,
	&engine_libaio,
	&engine_mmap,
	&engine_null,
	&engine_posixaio,
	&engine_psync,
	&engine_pvsync,
	&engine_pvsync2,
	&engine_splice,
	&engine_sync,
	&engine_vsync,
	NULL,
};
/* clang-format on */

const struct engine_ops *engine_find(const char *name)
{
	for (const struct engine_ops *const *row = engines; *row; row++) {
		if (strcmp((*row)->name, engine_name(name)) == 0)
			return *row;
	}
	return NULL;
}

const struct engine_ops *const *engine_table(void)
{
	return engines;
}
