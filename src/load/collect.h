/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_COLLECT_H
#define REGIO_LOAD_COLLECT_H

/* Moves what joined workers counted into the entries of a result. */

#include <stddef.h>

struct phase_clone;
struct result;

/*
 * One entry per clone, or per group where group_reporting merges it, in the order of the clones;
 * notes about what went wrong. Clones that were never started add nothing.
 */
void collect_results(struct phase_clone *clones, size_t nr, struct result *result);

#endif
