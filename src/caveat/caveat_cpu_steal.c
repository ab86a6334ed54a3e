/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu_steal: the hypervisor gave the CPUs of this virtual machine to others. */
#include <stdlib.h>

#include "caveat/caveat.h"
#include "caveat/caveat_table.h"
#include "caveat/evidence.h"

/* Stolen time is lost to throughput one for one where the CPU is the limit: a fifth of the smallest
 * change that is looked for by default (5 %). */
#define MAX_PERCENT 1.0
/* Two ticks of a kernel with HZ=100: one in a run of some milliseconds is a large share of it. */
#define MIN_SECONDS 0.02

static void check(const struct result *result, struct note_list *notes)
{
	const char *nr_cpus = evidence_fact(result, "cpu.nr");
	double steal = evidence_seen(result, "mpstat.cpu.all.steal%");
	double seconds =
		steal / 100 * evidence_seconds(result) * (nr_cpus ? strtod(nr_cpus, NULL) : 1);

	if (steal >= MAX_PERCENT && seconds >= MIN_SECONDS) /* false where it is absent */
		note_add(notes, NOTE_CPU_STEAL, "%.1f %% of the CPU time was stolen by the host",
			 steal);
}

const struct caveat caveat_cpu_steal = {
	.id = NOTE_CPU_STEAL,
	.is_disqualifying = true,
	.check = check,
};
