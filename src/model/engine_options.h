/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MODEL_ENGINE_OPTIONS_H
#define REGIO_MODEL_ENGINE_OPTIONS_H

/*
 * Job options that belong to single engines: they travel from the job to the engine as one
 * struct, so that a new one is a field here, a row in job/keys.c that names its engines, and the
 * engine that reads it. Zero is each one's default.
 */

#include <stdbool.h>
#include <stdint.h>

enum engine_vectors {
	ENGINE_VECTORS_PROBE, /* without where the kernel can */
	ENGINE_VECTORS,	      /* READV and WRITEV */
	ENGINE_NO_VECTORS,    /* READ and WRITE */
};

enum engine_cpu_mode {
	ENGINE_CPU_SPIN,
	ENGINE_CPU_QSORT,
};

struct engine_options {
	/* several */
	bool hipri;    /* polled completion: io_uring, pvsync2 */
	bool uncached; /* leave no pages in the cache: io_uring, pvsync2 */
	bool atomic;   /* writes are never torn: io_uring, libaio, pvsync2 */
	bool nowait;   /* fail where the kernel would wait: io_uring, libaio, pvsync2 */

	/* pvsync2 */
	unsigned hipri_percent; /* share of the polled ones with hipri; always set by the job */

	/* io_uring */
	bool fixedbufs;	    /* registered buffers */
	bool registerfiles; /* registered files */
	bool sqthread_poll; /* a thread of the kernel submits */
	bool is_sqthread_cpu_set;
	unsigned sqthread_cpu;
	enum engine_vectors nonvectored;
	unsigned force_async; /* every so many go to a worker of the kernel; 0: none */

	/* libaio */
	bool userspace_reap; /* is always so */

	/* cpuio; the first two are always set by the job */
	unsigned cpuload; /* per cent; 0: not given */
	uint64_t cpuchunks_ns;
	enum engine_cpu_mode cpumode;
	bool exit_on_io_done; /* ends when only such jobs are left */

	/* exec */
	const char *program; /* NULL: not given */
	const char *arguments;
	uint64_t grace_ns; /* between SIGTERM and SIGKILL */
	bool std_redirect;

	/* e4defrag */
	const char *donorname; /* NULL: not given */
	bool inplace;
};

/* The name under which an engine stands in the table: "libaio" for "aio". */
const char *engine_name(const char *name);

#endif
