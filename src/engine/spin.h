/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ENGINE_SPIN_H
#define REGIO_ENGINE_SPIN_H

/*
 * Looking for a completion for a moment before sleeping for it. Being put to sleep and woken
 * costs a few microseconds of two CPUs; where completions come faster than that, the sleeper's
 * wakeups slow down what completes the requests. Spinning for no longer than the sleep would
 * cost loses at most that much, and after misses the next waits sleep at once.
 */

#include <stdbool.h>

#define SPIN_MAX_OFF 127

struct spin {
	unsigned limit;	 /* looks in one wait; 0: never spins */
	unsigned nr_off; /* waits that go by without a spin after the last miss */
	unsigned left;	 /* of them, still to come */
};

/* Measures how many looks fit into the time of a sleep; none where the thread has only one CPU,
 * which whoever completes the requests needs. */
void spin_init(struct spin *spin);

static inline void spin_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#else
	__asm__ volatile("" ::: "memory");
#endif
}

/* True if this wait may spin: not while earlier misses hold it back. */
static inline bool spin_allowed(struct spin *spin)
{
	if (spin->left == 0)
		return spin->limit > 0;
	spin->left--;
	return false;
}

/* Each miss in a row doubles the number of waits without a spin, a hit forgets them. */
static inline void spin_learn(struct spin *spin, bool hit)
{
	if (hit)
		spin->nr_off = 0;
	else if (spin->nr_off < SPIN_MAX_OFF)
		spin->nr_off = spin->nr_off * 2 + 1;
	spin->left = spin->nr_off;
}

#endif
