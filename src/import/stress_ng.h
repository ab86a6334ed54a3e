/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_IMPORT_STRESS_NG_H
#define REGIO_IMPORT_STRESS_NG_H

/*
 * What stress-ng measured, from its log and from its YAML file. The metrics of a stressor are
 *
 *	ops, ops_per_sec (wall time), ops_per_cpu_sec, runtime_ms, usr_ms, sys_ms (sums over the
 *	instances), cpu_percent (of an instance), rss_max_bytes
 *
 * behind its name, and what it counts besides, as it calls it: "aiol.async_I/O_events_completed".
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "model/result.h"

struct err;
struct import_line;
struct import_reader;

enum stress_column {
	STRESS_OPS,
	STRESS_REAL_S,
	STRESS_USR_S,
	STRESS_SYS_S,
	STRESS_OPS_PER_SEC,
	STRESS_OPS_PER_CPU_SEC,
	STRESS_CPU_PERCENT,
	STRESS_RSS_KIB,
	STRESS_NR_COLUMNS,
};

struct stress_run {
	struct import_reader *in;
	struct result result;
	struct strbuf workload; /* "6 flock, 2 aiol" */
	bool has_hogs;		/* the log said which stressors with how many instances */
	unsigned nr_damaged;
};

void stress_run_release(struct stress_run *run);
CLEANUP_DEFINE(stress_run, struct stress_run, stress_run_release)

/* A number that cannot be true is noted and not taken. */
void stress_add_column(struct stress_run *run, const char *stressor, enum stress_column column,
		       double value, unsigned line);
void stress_add_other(struct stress_run *run, const char *stressor, const char *what, double value,
		      unsigned line);
void stress_note_damage(struct stress_run *run, unsigned line);
/* A stressor was seen, for the workload of a result that is not told it otherwise. */
void stress_add_stressor(struct stress_run *run, const char *stressor);
/* Nothing is delivered of a run without numbers and failures. */
int stress_deliver(struct stress_run *run, struct err *err);

/* Whether a block of either form begins at the current line. */
bool stress_log_begins(const struct import_line *line);
bool stress_yaml_begins(struct import_reader *in);

int stress_read_log(struct import_reader *in, struct err *err);
int stress_read_yaml(struct import_reader *in, struct err *err);

#endif
