/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spin: how long a wait may look around before it sleeps. */
#include "engine/spin.h"

#include <sched.h>
#include <stdint.h>
#include <time.h>

#define SLEEP_COST_NS 3000 /* to sleep, be woken and run again, both CPUs together */
#define NR_MEASURED 500
#define MAX_LOOKS 3000

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

static bool has_one_cpu(void)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	/* Fails where the machine has more CPUs than the set holds. */
	return sched_getaffinity(0, sizeof(cpus), &cpus) == 0 && CPU_COUNT(&cpus) < 2;
}

void spin_init(struct spin *spin)
{
	uint64_t start_ns = now_ns();
	uint64_t took_ns;

	*spin = (struct spin){ 0 };
	if (has_one_cpu())
		return;
	for (unsigned i = 0; i < NR_MEASURED; i++)
		spin_relax();
	took_ns = now_ns() - start_ns;
	spin->limit = (unsigned)((uint64_t)SLEEP_COST_NS * NR_MEASURED / (took_ns + 1));
	if (spin->limit > MAX_LOOKS)
		spin->limit = MAX_LOOKS;
}
