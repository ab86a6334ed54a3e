/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_CLONES_H
#define REGIO_LOAD_CLONES_H

struct load_progress;
struct phase_config;

/*
 * What all clones of a run do now, in phase `phase` of it, for a progress line. Returns the states
 * that *progress points to, one letter for each clone, which the caller frees.
 */
char *clones_describe(const struct phase_config *config, unsigned phase,
		      struct load_progress *progress);

#endif
