/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ENGINE_ENGINE_TABLE_H
#define REGIO_ENGINE_ENGINE_TABLE_H

/* The records that engine.c lists; everybody else finds them by name. */

struct engine_ops;

extern const struct engine_ops engine_cpuio;
extern const struct engine_ops engine_dircreate;
extern const struct engine_ops engine_dirdelete;
extern const struct engine_ops engine_dirstat;
extern const struct engine_ops engine_e4defrag;
extern const struct engine_ops engine_exec;
extern const struct engine_ops engine_falloc;
extern const struct engine_ops engine_filecreate;
extern const struct engine_ops engine_filedelete;
extern const struct engine_ops engine_filestat;
extern const struct engine_ops engine_ftruncate;
extern const struct engine_ops engine_io_uring;
extern const struct engine_ops engine_libaio;
extern const struct engine_ops engine_mmap;
extern const struct engine_ops engine_null;
extern const struct engine_ops engine_posixaio;
extern const struct engine_ops engine_psync;
extern const struct engine_ops engine_pvsync;
extern const struct engine_ops engine_pvsync2;
extern const struct engine_ops engine_splice;
extern const struct engine_ops engine_sync;
extern const struct engine_ops engine_vsync;

#endif
