/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lkp_select: LKP's rule for the rows of a comparison. */
#include "analysis/lkp_select.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/pattern.h"
#include "stats/sorted.h"

/* For the test, one value in 32 is left out at each end, at most these many. */
#define TRIM_SHIFT 5
#define MAX_TRIM 3
#define MAX_TRIM_SMALL_BASE 1
#define SMALL_BASE 3

#define MIN_RATIO 0.01	     /* a time is known to 10 ms only */
#define MIN_RATIO_OTHER 0.05 /* of what is not the performance of something */
#define MAX_RATIO 5.0
#define LATENCY_RATIO 3.0
#define SPREAD_MIN_RUNS 10
#define DISTANCE_SHARE 0.5
#define PROFILE_PREFIX "perf-profile."
#define PROFILE_FLOOR 5.0 /* per cent of the samples, on either side */

static const char *const monitors[] = {
	"boot-meminfo", "boot-memory",	 "boot-slabinfo", "boot-time",	  "buddyinfo",
	"cpuidle",	"cpufreq-stats", "diskstats",	  "dmesg",	  "energy",
	"heartbeat",	"interrupts",	 "iostat",	  "kmsg",	  "last_state",
	"lock_stat",	"max_iostat",	 "meminfo",	  "mpstat",	  "nfsstat",
	"numa-meminfo", "numa-numastat", "numa-vmstat",	  "pagetypeinfo", "perf-c2c",
	"perf-node",	"perf-profile",	 "perf-sched",	  "perf-stat",	  "pmeter",
	"proc-stat",	"proc-vmstat",	 "sched_debug",	  "slabinfo",	  "softirqs",
	"stderr",	"time",		 "turbostat",	  "uptime",	  "vmstat",
	"zoneinfo",
};

/* Monitors whose small changes count as much as those of a test. */
static const char *const performance_patterns[] = {
	"time.*",
	"*.time.*",
	"lock_stat.*contentions",
	"boot-*",
	"energy.*",
	"interrupts.CAL:Function_call_interrupts*",
	"iostat.*",
	"perf-c2c.HITM.total*",
	"perf-stat.*",
	"pmeter.*",
	"proc-vmstat.*",
	"turbostat.Bzy_MHz*",
	"turbostat.C1*",
	"turbostat.CorWatt*",
	"turbostat.Pk*",
	"turbostat.POLL%*",
	"turbostat.RAMWatt*",
	"turbostat.SYS%LPI*",
	"vmstat.cpu.*",
	"vmstat.io.*",
	"vmstat.swap.*",
	"vmstat.system.*",
};

/* Where LKP bisects latencies by their worst value. */
static const char *const latency_patterns[] = {
	"apachebench.connection_time.*.max",
	"apachebench.max_latency.*%",
	"dbench.max_latency",
	"dd.kill_time",
	"dd.startup_time",
	"iostat.*await.max",
	"iostat.*.svctm.max",
	"iostat.*.avgqu-sz.max",
	"sysbench-fileio.latency_95th_ms",
	"sysbench-fileio.latency_max_ms",
	"tbench.max_latency",
};

/* The larger maximum has to reach this, and the medians have to differ by half of it. */
static const struct floor_row {
	const char *pattern;
	double floor;
} floors[] = {
	{ "dd.kill_time", 10 },
	{ "dd.startup_time", 10 },
	{ "sysbench-fileio.latency_95th_ms", 10 },
	{ "interrupts.*", 100 },
	{ "iostat.*.avgrq-sz", 200 },
	{ "iostat.*await", 50 },
	{ "iostat.*.[rw]kB/s", 100 },
	{ "iostat.*.[rw]/s", 50 },
	{ "iostat.*.util", 10 },
	{ "proc-vmstat.allocstall", 100 },
	{ "proc-vmstat.compact_fail", 100 },
	{ "proc-vmstat.compact_stall", 100 },
	{ "proc-vmstat.htlb_buddy_alloc_fail", 100 },
	{ "proc-vmstat.kswapd_*_wmark_hit_quickly", 100 },
	{ "proc-vmstat.pgmigrate_fail", 100 },
	{ "*?time.elapsed_time*", 10 },
	{ "*?time.file_system_*puts", 10000 },
	{ "*?time.*voluntary_context_switches", 1000 },
	{ "*?time.*_page_faults", 1000 },
	{ "*?time.socket_messages_*", 10000 },
	{ "*?time.swaps", 1000 },
	{ "*?time.system_time", 10 },
	{ "*?time.user_time", 10 },
	{ "vmstat.cpu.id", 10 },
	{ "vmstat.cpu.st", 10 },
	{ "vmstat.cpu.sy", 50 },
	{ "vmstat.cpu.us", 10 },
	{ "vmstat.cpu.wa", 10 },
	{ "vmstat.io.b[io]", 100 },
	{ "*vmstat*nr_*", 100 },
	{ "vmstat.system.cs", 100 },
	{ "vmstat.system.in", 100 },
	{ "perf-c2c.HITM.total", 3000 },
};

/* Then these: only one of the two numbers is looked at. */
static const struct rest_row {
	const char *pattern;
	double max_above, delta_above;
} rests[] = {
	{ "iostat*", 1, -1 },		{ "pagetypeinfo*", -1, 100 }, { "buddyinfo*", -1, 100 },
	{ "slabinfo*", -1, 100 },	{ "proc-vmstat*", 1000, -1 }, { "*meminfo*", 1000, -1 },
	{ "lock_stat*time", -1, 1000 }, { "lock_stat*", -1, 10000 },  { "softirqs*", 10000, -1 },
};

#define NR(array) (sizeof(array) / sizeof((array)[0]))

size_t lkp_group_len(const char *name)
{
	return strcspn(name, ".");
}

bool lkp_is_monitor(const char *name)
{
	size_t len = lkp_group_len(name);

	for (size_t i = 0; i < NR(monitors); i++) {
		if (strlen(monitors[i]) == len && strncmp(monitors[i], name, len) == 0)
			return true;
	}
	return false;
}

/* What the tests look at. The middle is the upper one of an even number. */
struct range {
	double min, middle, max;
	size_t nr;
};

static struct range range_of(const struct sample *sample, size_t max_trim)
{
	CLEANUP(free) double *values = sorted_copy(sample->values, sample->nr);
	size_t trim = sample->nr >> TRIM_SHIFT;
	size_t nr;

	if (trim > max_trim)
		trim = max_trim;
	nr = sample->nr - 2 * trim;
	return (struct range){ .min = values[trim],
			       .middle = values[trim + nr / 2],
			       .max = values[trim + nr - 1],
			       .nr = nr };
}

static bool is_apart(const struct range *low, const struct range *high, double share)
{
	return high->min > low->max && high->min - low->max > share * (high->middle - low->middle);
}

/* Fewer than three runs on a side: the gap against the wider range. */
static bool is_far(const struct range *low, const struct range *high, double factor)
{
	double wider = fmax(low->max - low->min, high->max - high->min);

	return high->min - low->max > factor * wider;
}

static bool are_neighbours(const struct range *a, const struct range *b)
{
	return a->max == trunc(a->max) && (a->min - b->max == 1.0 || b->min - a->max == 1.0);
}

static bool is_distant(const struct lkp_rule *rule, const struct range *a, const struct range *b)
{
	if (are_neighbours(a, b))
		return false;
	if (a->nr < LKP_MIN_RUNS || b->nr < LKP_MIN_RUNS)
		return is_far(a, b, rule->threshold) || is_far(b, a, rule->threshold);
	return is_apart(a, b, DISTANCE_SHARE) || is_apart(b, a, DISTANCE_SHARE);
}

static bool is_wider(const struct range *a, const struct range *b, double ratio)
{
	return (a->max - a->min) * b->middle > ratio * (b->max - b->min) * a->middle;
}

static bool is_out_of_range(const struct range *low, const struct range *high)
{
	return high->min > low->middle && high->middle > low->max;
}

static bool passes_test(const struct lkp_rule *rule, const struct range *a, const struct range *b)
{
	switch (rule->test) {
	case LKP_TEST_RANGES:
		return is_out_of_range(a, b) || is_out_of_range(b, a);
	case LKP_TEST_DISTANCE:
		return is_distant(rule, a, b);
	case LKP_TEST_GAP:
		return is_apart(a, b, rule->threshold) || is_apart(b, a, rule->threshold);
	case LKP_TEST_SPREAD:
		return is_wider(a, b, rule->threshold) || is_wider(b, a, rule->threshold);
	}
	return false;
}

/* More than LKP's rule does here: it never gets to it, and it would hide smaller changes. */
static bool is_slow_peak(const char *name, const struct range *a, const struct range *b)
{
	return PATTERN_ANY(name, latency_patterns) &&
	       (a->max > LATENCY_RATIO * b->max || b->max > LATENCY_RATIO * a->max);
}

static bool is_performance(const char *name)
{
	return !lkp_is_monitor(name) || PATTERN_ANY(name, performance_patterns);
}

static bool reaches_floor(const char *name, double max, double delta)
{
	for (size_t i = 0; i < NR(floors); i++) {
		if (fnmatch(floors[i].pattern, name, 0) == 0)
			return max >= floors[i].floor && delta >= floors[i].floor / 2;
	}
	for (size_t i = 0; i < NR(rests); i++) {
		if (fnmatch(rests[i].pattern, name, 0) == 0)
			return max > rests[i].max_above && delta > rests[i].delta_above;
	}
	return true;
}

static bool is_large_enough(const char *name, const struct range *a, const struct range *b)
{
	double high = fmax(a->middle, b->middle);
	double low = fmin(a->middle, b->middle);
	double ratio = low > 0.0 ? fmin(high / low, MAX_RATIO) : MAX_RATIO;

	if (!(ratio > 1.0 + MIN_RATIO))
		return false;
	if (!(ratio > 1.0 + MIN_RATIO_OTHER) && !is_performance(name))
		return false;
	return reaches_floor(name, fmax(a->max, b->max), high - low);
}

static bool is_enough(const struct lkp_rule *rule, const struct sample *base,
		      const struct sample *other)
{
	if (rule->test == LKP_TEST_SPREAD &&
	    (base->nr < SPREAD_MIN_RUNS || other->nr < SPREAD_MIN_RUNS))
		return false;
	return base->nr >= LKP_MIN_RUNS || other->nr >= LKP_MIN_RUNS;
}

bool lkp_is_profile(const char *name)
{
	return strncmp(name, PROFILE_PREFIX, strlen(PROFILE_PREFIX)) == 0;
}

static bool is_hot(const struct sample *sample)
{
	return sample->nr && range_of(sample, MAX_TRIM).middle > PROFILE_FLOOR;
}

bool lkp_selects(const struct lkp_rule *rule, const char *name, const struct sample *base,
		 const struct sample *other)
{
	size_t max_trim = base->nr <= SMALL_BASE ? MAX_TRIM_SMALL_BASE : MAX_TRIM;
	struct range a, b;

	if (!is_enough(rule, base, other))
		return false;
	if (lkp_is_profile(name) && !rule->is_strict)
		return is_hot(base) || is_hot(other);
	if (!base->nr || !other->nr)
		return false;
	a = range_of(base, MAX_TRIM);
	b = range_of(other, max_trim);
	if (lkp_is_profile(name))
		return passes_test(rule, &a, &b);
	if (!passes_test(rule, &a, &b) && (rule->is_strict || !is_slow_peak(name, &a, &b)))
		return false;
	return is_large_enough(name, &a, &b);
}
