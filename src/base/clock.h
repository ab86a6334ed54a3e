/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_BASE_CLOCK_H
#define REGIO_BASE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/*
 * The measuring clock. Hot loops count ticks and convert differences only:
 *
 *	uint64_t start_ticks = clock_ticks(clock);
 *	..
 *	uint64_t lat_ns = clock_ticks_to_ns(clock, clock_ticks(clock) - start_ticks);
 *
 * A tick of CLOCK_SOURCE_MONOTONIC is one nanosecond. A tick of CLOCK_SOURCE_TSC is one cycle of
 * the CPU's time stamp counter, used only where the CPU declares it invariant and either the
 * kernel keeps time with it or it agreed with CLOCK_MONOTONIC on every CPU. Ticks of two sources
 * or machines have nothing in common. A clock is read-only after clock_init, so threads share it.
 */
enum clock_source {
	CLOCK_SOURCE_MONOTONIC, /* clock_gettime(CLOCK_MONOTONIC); zero, so always safe */
	CLOCK_SOURCE_TSC,
};

enum clock_preference {
	CLOCK_PREFER_FAST,	/* the TSC when it can be trusted */
	CLOCK_PREFER_MONOTONIC, /* never the TSC */
};

struct clock {
	enum clock_source source;
	unsigned shift; /* ns = ticks * mult >> shift */
	uint64_t mult;
	uint64_t ticks_per_sec; /* calibrated; 1000000000 for MONOTONIC */
};

/* A clock that needs no calibration: CLOCK_MONOTONIC. */
#define CLOCK_INIT                                                                                 \
	((struct clock){ .source = CLOCK_SOURCE_MONOTONIC, .mult = 1, .ticks_per_sec = 1000000000 })

/* Chooses and calibrates, which takes 20-150 ms for the TSC. Cannot fail: when the TSC does not
 * qualify, the clock is MONOTONIC. */
void clock_init(struct clock *clock, enum clock_preference preference);

const char *clock_name(const struct clock *clock); /* "tsc", "monotonic": stored with results */

/* CLOCK_MONOTONIC now. */
static inline uint64_t clock_now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now); /* cannot fail with a valid clock and pointer */
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline uint64_t clock_ticks(const struct clock *clock)
{
#if defined(__x86_64__)
	if (clock->source == CLOCK_SOURCE_TSC)
		return __builtin_ia32_rdtsc(); /* not serialising: a few ns of slack, by choice */
#else
	(void)clock;
#endif
	return clock_now_ns();
}

/* Rounded down. Exact to 1 ns for differences of an hour, and to the calibration (about 1e-6)
 * beyond; only results of 2^64 ns (584 years) and more overflow. */
static inline uint64_t clock_ticks_to_ns(const struct clock *clock, uint64_t delta_ticks)
{
#if defined(__x86_64__)
	return (uint64_t)((unsigned __int128)delta_ticks * clock->mult >> clock->shift);
#else
	(void)clock;
	return delta_ticks; /* always MONOTONIC */
#endif
}

/* For deadlines: the ticks that last delta_ns, rounded down. */
uint64_t clock_ns_to_ticks(const struct clock *clock, uint64_t delta_ns);

/* Sleeps until clock_now_ns() reaches deadline_ns. Returns 0, or -EINTR when a signal came. */
int clock_sleep_until_ns(uint64_t deadline_ns);

/* Wall clock: nanoseconds since 1970-01-01 UTC. For labels, never for measuring. */
uint64_t clock_wall_ns(void);

/* "2024-05-31T12:34:56Z" for that instant; len >= CLOCK_TEXT_LEN. Returns buf. */
#define CLOCK_TEXT_LEN 32
char *clock_print_utc(uint64_t wall_ns, char *buf, size_t len);

#endif
