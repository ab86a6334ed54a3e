/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_AIOL_H
#define REGIO_LOAD_AIOL_H

/*
 * aiol: batches of small, adjacent, direct asynchronous writes and reads, as the stressor of that
 * name of stress-ng issues them. Each instance is a process with a file of its own. A loop writes
 * a random window of the file, reads it, writes and reads it again with the vector calls; each of
 * these phases is one io_submit of all its blocks, and then waits for all of them.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "load/own_workload.h"
#include "stats/hist.h"
#include "stats/moments.h"

struct err;

#define AIOL_BLOCK_BYTES 4096
#define AIOL_MAX_REQUESTS 4096
#define AIOL_MAX_INSTANCES 1024
#define AIOL_NR_WINDOWS 65536 /* the first block of a window is one of these */

enum aiol_phase {
	AIOL_PWRITE,
	AIOL_PREAD,
	AIOL_PWRITEV,
	AIOL_PREADV,
	AIOL_NR_PHASES,
};

struct aiol_config {
	unsigned requests;
	const char *instances_text; /* "2", "100%"; 0 = one for each CPU */
	unsigned nr_instances;	    /* out of the text, by check */
	uint64_t timeout_ns;
	uint64_t max_ops;    /* over all instances; 0 = no limit */
	bool like_stress_ng; /* its generator, error calls and polls too */
	const char *directory;
};

/* What one instance counts, in memory that it shares with the parent. */
struct aiol_counts {
	uint64_t ops; /* as stress-ng counts them */
	uint64_t nr_loops;
	uint64_t nr_completed; /* events of the wait calls */
	uint64_t nr_batches[AIOL_NR_PHASES];
	uint64_t io_bytes[AIOL_NR_PHASES];
	struct moments moments[AIOL_NR_PHASES]; /* submit call to event, in ns, each block */
	struct hist hists[AIOL_NR_PHASES];
	struct moments batch_moments[AIOL_NR_PHASES]; /* submit call to last event */
	struct hist batch_hists[AIOL_NR_PHASES];
	uint64_t nr_syncs;
	uint64_t nr_mismatches; /* blocks read that are not what was written */
	uint64_t loop_ns;	/* without opens and the removal of the file */
	uint64_t wall_ns;
	int error; /* errno that ended it */
	char error_where[128];
	bool is_buffered; /* the filesystem refused O_DIRECT */
};

/* Shared by parent and all instances. */
struct aiol_shared {
	atomic_bool is_started; /* gate of all instances */
	atomic_bool stop;
	struct aiol_counts counts[]; /* one for each instance */
};

struct aiol_instance {
	const struct aiol_config *config;
	struct aiol_shared *shared;
	struct aiol_counts *counts;
	unsigned number;
	uint64_t seed;
	uint64_t max_ops; /* of this one; 0 = no limit */
};

/* The body of a child process: waits for the gate, runs until it is to stop. */
void aiol_instance_run(const struct aiol_instance *instance);

extern const struct own_workload_ops workload_aiol;

#endif
