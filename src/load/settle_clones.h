/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_SETTLE_CLONES_H
#define REGIO_LOAD_SETTLE_CLONES_H

/* steadystate= over the clones of a phase: those that settle together, and their end. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct phase_clone;

struct settle_view {
	struct phase_clone *clones; /* of all phases */
	size_t nr;
	unsigned phase;
	uint64_t base_ticks; /* 0 ns */
};

/* The workers of the phase have been created. True if some are to settle. */
bool settle_clones_begin(const struct settle_view *view);

/* Ends the clones that have settled. Returns when the next look is due; UINT64_MAX: never. */
uint64_t settle_clones_look(const struct settle_view *view, uint64_t now_ns);

#endif
