/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import_stress_ng: stress-ng's metrics, as its log (--metrics) and its YAML have them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "import/given_unique.h"
#include "import/import_table.h"
#include "import/importer.h"
#include "import/stress_ng.h"
#include "model/result_workload.h"

#define PROBE_CERTAIN 95
#define MS_PER_S 1000.0
#define BYTES_PER_KIB 1024.0
/* No machine has counted more; near 2^64 something was subtracted from nothing. */
#define MAX_COUNT 1e18
#define MAX_DAMAGED 8 /* notes */

static const struct column_row {
	const char *name;
	double factor;
} columns[STRESS_NR_COLUMNS] = {
	[STRESS_OPS] = { "ops", 1.0 },
	[STRESS_REAL_S] = { "runtime_ms", MS_PER_S },
	[STRESS_USR_S] = { "usr_ms", MS_PER_S },
	[STRESS_SYS_S] = { "sys_ms", MS_PER_S },
	[STRESS_OPS_PER_SEC] = { "ops_per_sec", 1.0 },
	[STRESS_OPS_PER_CPU_SEC] = { "ops_per_cpu_sec", 1.0 },
	[STRESS_CPU_PERCENT] = { "cpu_percent", 1.0 },
	[STRESS_RSS_KIB] = { "rss_max_bytes", BYTES_PER_KIB },
};

void stress_run_release(struct stress_run *run)
{
	result_release(&run->result);
	strbuf_release(&run->workload);
}

static void add(struct stress_run *run, const char *name, double value, unsigned line)
{
	if (value >= 0.0 && value < MAX_COUNT) {
		given_append(&run->result.given, name, value, line);
		return;
	}
	note_add(&run->result.notes, NOTE_NUMBER_REFUSED, "line %u: %.80s = %g cannot be true",
		 line, name, value);
}

void stress_add_column(struct stress_run *run, const char *stressor, enum stress_column column,
		       double value, unsigned line)
{
	CLEANUP(free) char *name = xasprintf("%s.%s", stressor, columns[column].name);

	/* No CPU time was seen, so there is no rate over it. */
	if (column == STRESS_OPS_PER_CPU_SEC && value == 0.0)
		return;
	add(run, name, value * columns[column].factor, line);
}

void stress_add_other(struct stress_run *run, const char *stressor, const char *what, double value,
		      unsigned line)
{
	CLEANUP(free) char *name = xasprintf("%s.%s", stressor, what);

	for (char *at = name; *at; at++) {
		if (*at == ' ')
			*at = '_';
	}
	add(run, name, value, line);
}

void stress_note_damage(struct stress_run *run, unsigned line)
{
	if (run->nr_damaged++ < MAX_DAMAGED)
		note_add(&run->result.notes, NOTE_INPUT_INCOMPLETE,
			 "line %u: the numbers of a stressor are damaged, they were left out",
			 line);
}

void stress_add_stressor(struct stress_run *run, const char *stressor)
{
	if (!run->has_hogs)
		strbuf_printf(&run->workload, "%s%s", run->workload.len ? ", " : "", stressor);
}

int stress_deliver(struct stress_run *run, struct err *err)
{
	CLEANUP(free) char *workload = xasprintf("stress-ng %s", strbuf_str(&run->workload));

	if (!run->result.given.nr && !run->result.notes.nr)
		return 0;
	given_drop_repeated(&run->result.given);
	run->result.tool = xstrdup("stress-ng");
	if (run->workload.len)
		result_add_env(&run->result, RESULT_WORKLOAD_KEY, workload);
	return import_deliver(run->in, &run->result, err);
}

static int stress_ng_probe(struct import_reader *in)
{
	const struct import_line *line = import_peek(in, 0);

	if (line->is_partial)
		return 0;
	return stress_log_begins(line) || stress_yaml_begins(in) ? PROBE_CERTAIN : 0;
}

static int stress_ng_read(struct import_reader *in, struct err *err)
{
	if (stress_log_begins(import_peek(in, 0)))
		return stress_read_log(in, err);
	return stress_read_yaml(in, err);
}

const struct importer_ops importer_stress_ng = {
	.name = "stress-ng",
	.summary = "stress-ng's --metrics in its log, and its YAML",
	.probe = stress_ng_probe,
	.read = stress_ng_read,
};
