/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clock: decides whether the TSC can measure time, and calibrates it. Reading it is inline. */
#include "base/clock.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

#if defined(__x86_64__)
#include <cpuid.h>

#define TSC_SHIFT 40 /* resolution of mult: 1e-12, far below the calibration error */
#define TSC_WINDOW_NS UINT64_C(10000000) /* with 50 ns brackets: 5e-6 at worst */
#define TSC_BRACKET_TRIES 32		 /* of which the narrowest counts */
#define TSC_BRACKET_MAX_NS 1000		 /* wider means that we were interrupted every time */
#define TSC_CALIBRATION_TRIES 4
#define TSC_AGREE_NS 5000    /* between CPUs; a bad TSC is off by far more */
#define TSC_AGREE_SHARE 1e-4 /* between two windows; NTP slews by at most 5e-4 */
#define TSC_MAX_CPUS 64	     /* enough to cover every socket */

/* One instant on both clocks. */
struct tsc_sample {
	uint64_t ticks;
	uint64_t ns;
	uint64_t width_ticks; /* uncertainty */
};

static bool tsc_is_invariant(void)
{
	unsigned eax, ebx, ecx, edx;

	if (!__get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx))
		return false;
	return edx & (1u << 8);
}

static bool tsc_is_kernel_clock(void)
{
	FILE *file =
		fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");
	char name[32] = "";

	if (!file)
		return false;
	if (!fgets(name, sizeof(name), file))
		name[0] = '\0';
	(void)fclose(file); /* only read */
	return strcmp(name, "tsc\n") == 0;
}

/* The narrowest of several brackets TSC, CLOCK_MONOTONIC, TSC. */
static struct tsc_sample tsc_sample_take(void)
{
	struct tsc_sample best = { .width_ticks = UINT64_MAX };

	for (int i = 0; i < TSC_BRACKET_TRIES; i++) {
		uint64_t before = __builtin_ia32_rdtsc();
		uint64_t ns = clock_now_ns();
		uint64_t width = __builtin_ia32_rdtsc() - before;

		if (width < best.width_ticks) {
			best.ticks = before + width / 2;
			best.ns = ns;
			best.width_ticks = width;
		}
	}
	return best;
}

/* Fills *ret_clock from two instants; false when they cannot be trusted. */
static bool tsc_from_samples(const struct tsc_sample *first, const struct tsc_sample *last,
			     struct clock *ret_clock)
{
	uint64_t ticks = last->ticks - first->ticks;
	uint64_t ns = last->ns - first->ns;
	struct clock clock = { .source = CLOCK_SOURCE_TSC, .shift = TSC_SHIFT };

	if (last->ticks <= first->ticks || last->ns <= first->ns)
		return false;
	clock.mult = (uint64_t)(((unsigned __int128)ns << TSC_SHIFT) / ticks);
	clock.ticks_per_sec = (uint64_t)((unsigned __int128)ticks * NS_PER_S / ns);
	if (clock.mult == 0 || clock.ticks_per_sec == 0)
		return false;
	if (clock_ticks_to_ns(&clock, first->width_ticks) > TSC_BRACKET_MAX_NS ||
	    clock_ticks_to_ns(&clock, last->width_ticks) > TSC_BRACKET_MAX_NS)
		return false;
	*ret_clock = clock;
	return true;
}

static bool tsc_calibrate(struct clock *ret_clock, struct tsc_sample *ret_last)
{
	for (int i = 0; i < TSC_CALIBRATION_TRIES; i++) {
		struct tsc_sample first = tsc_sample_take();
		struct tsc_sample last;

		(void)clock_sleep_until_ns(first.ns + TSC_WINDOW_NS); /* shorter is only coarser */
		last = tsc_sample_take();
		if (!tsc_from_samples(&first, &last, ret_clock))
			continue;
		*ret_last = last;
		return true;
	}
	return false;
}

/* Whether the TSC of the CPU we are on continues `base` at the rate of `clock`. */
static bool tsc_agrees_here(const struct clock *clock, const struct tsc_sample *base)
{
	for (int i = 0; i < TSC_CALIBRATION_TRIES; i++) {
		struct tsc_sample now = tsc_sample_take();
		uint64_t tsc_ns = clock_ticks_to_ns(clock, now.ticks - base->ticks);
		uint64_t ns = now.ns - base->ns;

		if (now.ticks > base->ticks &&
		    (tsc_ns > ns ? tsc_ns - ns : ns - tsc_ns) <= TSC_AGREE_NS + ns / 10000)
			return true;
	}
	return false;
}

/* Visits the CPUs that this thread may use, and returns to where it was allowed to run. */
static bool tsc_agrees_on_cpus(const struct clock *clock, const struct tsc_sample *base)
{
	cpu_set_t allowed;
	bool agrees = true;
	int nr_visited = 0;

	if (sched_getaffinity(0, sizeof(allowed), &allowed) < 0)
		return false; /* more CPUs than the set holds */
	for (int cpu = 0; cpu < CPU_SETSIZE && agrees && nr_visited < TSC_MAX_CPUS; cpu++) {
		cpu_set_t one;

		if (!CPU_ISSET(cpu, &allowed))
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		if (sched_setaffinity(0, sizeof(one), &one) < 0)
			continue; /* went offline */
		nr_visited++;
		agrees = tsc_agrees_here(clock, base);
	}
	return sched_setaffinity(0, sizeof(allowed), &allowed) == 0 && agrees;
}

static bool tsc_init(struct clock *ret_clock)
{
	struct clock clock;
	struct clock again;
	struct tsc_sample base;
	double difference;

	if (!tsc_is_invariant() || !tsc_calibrate(&clock, &base))
		return false;
	if (!tsc_is_kernel_clock()) {
		if (!tsc_agrees_on_cpus(&clock, &base) || !tsc_calibrate(&again, &base))
			return false;
		difference = (double)again.ticks_per_sec / (double)clock.ticks_per_sec - 1.0;
		if (difference > TSC_AGREE_SHARE || difference < -TSC_AGREE_SHARE)
			return false;
	}
	*ret_clock = clock;
	return true;
}
#else
static bool tsc_init(struct clock *ret_clock)
{
	(void)ret_clock;
	return false;
}
#endif

void clock_init(struct clock *clock, enum clock_preference preference)
{
	*clock = CLOCK_INIT;
	if (preference == CLOCK_PREFER_FAST)
		(void)tsc_init(clock); /* otherwise it stays MONOTONIC */
}

const char *clock_name(const struct clock *clock)
{
	return clock->source == CLOCK_SOURCE_TSC ? "tsc" : "monotonic";
}

uint64_t clock_ns_to_ticks(const struct clock *clock, uint64_t delta_ns)
{
	uint64_t rate = clock->ticks_per_sec;

	/* rate < 2^34 and the remainder < 2^30: no product overflows. */
	return delta_ns / NS_PER_S * rate + delta_ns % NS_PER_S * rate / NS_PER_S;
}

int clock_sleep_until_ns(uint64_t deadline_ns)
{
	struct timespec deadline = { .tv_sec = (time_t)(deadline_ns / NS_PER_S),
				     .tv_nsec = (long)(deadline_ns % NS_PER_S) };

	return -clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, NULL);
}

uint64_t clock_wall_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_REALTIME, &now); /* cannot fail with a valid clock and pointer */
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

char *clock_print_utc(uint64_t wall_ns, char *buf, size_t len)
{
	time_t seconds = (time_t)(wall_ns / NS_PER_S);
	struct tm parts;

	if (!gmtime_r(&seconds, &parts) || strftime(buf, len, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
		(void)snprintf(buf, len, "?");
	return buf;
}
