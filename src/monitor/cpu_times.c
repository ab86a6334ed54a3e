/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu_times: lines "cpu .." of /proc/stat and the shares of time between two of them. */
#include "monitor/cpu_times.h"

bool cpu_times_parse(struct scan *line, struct cpu_times *ret_times)
{
	struct cpu_times times;

	if (scan_u64s(line, times.ticks, CPU_NR_TIMES) != CPU_NR_TIMES)
		return false;
	*ret_times = times;
	return true;
}

/* idle and iowait may go back by some ticks when a CPU sleeps (proc(5)). */
static double advance(uint64_t before, uint64_t after)
{
	return after > before ? (double)(after - before) : 0.0;
}

static double without(double all, double part)
{
	return all > part ? all - part : 0.0;
}

bool cpu_times_shares(const struct cpu_times *before, const struct cpu_times *after,
		      struct cpu_shares *ret_shares)
{
	double ticks[CPU_NR_TIMES];
	double total = 0;

	for (unsigned i = 0; i < CPU_NR_TIMES; i++)
		ticks[i] = advance(before->ticks[i], after->ticks[i]);
	ticks[CPU_USER] = without(ticks[CPU_USER], ticks[CPU_GUEST]);
	ticks[CPU_NICE] = without(ticks[CPU_NICE], ticks[CPU_GUEST_NICE]);
	for (unsigned i = 0; i < CPU_NR_TIMES; i++)
		total += ticks[i];
	if (total <= 0)
		return false;
	for (unsigned i = 0; i < CPU_NR_TIMES; i++)
		ret_shares->percent[i] = 100.0 * ticks[i] / total;
	return true;
}
