/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_BENCH_ENGINE_RATE_H
#define REGIO_BENCH_ENGINE_RATE_H

/* What the contenders of engine_rate have in common. */

#include <stddef.h>
#include <stdint.h>

#define RATE_NR_OFFSETS (1U << 16) /* random, drawn before the run and used in turn */

struct rate_setup {
	const char *path;
	int fd;
	uint64_t size_bytes;
	uint32_t block_bytes;
	size_t depth;
	size_t batch;
	int is_write;
	int is_fixed;		 /* registered buffers and files */
	char *buffer;		 /* depth blocks */
	const uint64_t *offsets; /* RATE_NR_OFFSETS of them */
};

/* Does nr_ios I/Os with nothing around them: the loops an engine is measured against. Exits when
 * one fails. */
void rate_bare_pread(const struct rate_setup *setup, uint64_t nr_ios);
void rate_bare_uring(const struct rate_setup *setup, uint64_t nr_ios);

#endif
