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

struct engine_options {
	/* several */
	bool hipri;    /* polled completion: io_uring, pvsync2 */
	bool uncached; /* leave no pages in the cache: io_uring, pvsync2 */
	bool nowait;   /* fail where the kernel would wait: io_uring, libaio, pvsync2 */

	/* pvsync2 */
	unsigned hipri_percent; /* share of the polled ones with hipri; always set by the job */

	/* io_uring */
	bool fixedbufs;	    /* registered buffers */
	bool registerfiles; /* registered files */
};

#endif
