/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_UNIT_LOAD_FIXTURE_H
#define REGIO_TESTS_UNIT_LOAD_FIXTURE_H

/* Jobs, clocks and folders for the tests of src/load. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "model/job.h"

#define KIB UINT64_C(1024)
#define MIB (KIB * KIB)
#define BLOCK (4 * KIB) /* bs of fixture_job */

/* A job as the parser would make it without any option, on the null engine with 1 MiB. */
static inline struct job fixture_job(void)
{
	struct job job = {
		.name = "job",
		.section = "job",
		.source = "test",
		.filename_format = "$jobname.$jobnum.$filenum",
		.nr_files = 1,
		.size = { .bytes = MIB, .is_set = true },
		.rw = RW_READ,
		.rwmix_read_percent = 50,
		.loops = 1,
		.randrepeat = true,
		.randseed = 137,
		.ioengine = "null",
		.iodepth = 1,
		.iodepth_batch = 1,
		.iodepth_batch_complete_min = 1,
		.iodepth_batch_complete_max = 1,
		.iodepth_low = 1,
		.invalidate = true,
		.allow_file_create = true,
		.create_fsync = true,
		.scramble_buffers = true,
		.buffer_compress_chunk_bytes = 512,
		.fadvise_hint = FADVISE_BY_RW,
		.thinktime_blocks = 1,
		.nr_clones = 1,
		.thread = true,
		.kb_base = 1024,
		.clat_percentiles = true,
	};

	for (unsigned dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
		job.bs_min_bytes[dir] = job.bs_max_bytes[dir] = 4 * KIB;
		job.random_percent[dir] = 100;
	}
	return job;
}

static inline void fixture_set_bs(struct job *job, uint64_t min_bytes, uint64_t max_bytes)
{
	for (unsigned dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
		job->bs_min_bytes[dir] = min_bytes;
		job->bs_max_bytes[dir] = max_bytes;
	}
}

static inline void fixture_set_depth(struct job *job, unsigned iodepth)
{
	job->iodepth = iodepth;
	job->iodepth_low = iodepth;
}

/* A new folder; fixture_remove_folder removes it with the files in it. */
static inline char *fixture_folder(void)
{
	const char *base = getenv("TMPDIR");
	char *path = xasprintf("%s/regio-load-XXXXXX", base ? base : "/tmp");

	if (!mkdtemp(path)) {
		perror("mkdtemp");
		abort();
	}
	return path;
}

static inline void fixture_remove_folder(char *path)
{
	char *command = xasprintf("rm -rf -- '%s'", path);

	if (system(command) != 0)
		perror(command);
	free(command);
	free(path);
}

/* A file of `len` bytes, each of them `fill`. */
static inline void fixture_write(const char *path, size_t len, int fill)
{
	FILE *file = fopen(path, "we");

	if (!file)
		abort();
	for (size_t i = 0; i < len; i++)
		(void)fputc(fill, file);
	if (fclose(file) != 0)
		abort();
}

/* Size of a file, -1 if there is none. */
static inline int64_t fixture_size(const char *path)
{
	struct stat info;

	return stat(path, &info) == 0 ? (int64_t)info.st_size : -1;
}

#endif
