/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STATS_MULTIPLE_H
#define REGIO_STATS_MULTIPLE_H

#include <stddef.h>

/*
 * p-values adjusted for having tested nr hypotheses, in the order of the input; ret_adjusted may
 * be p itself. Compare an adjusted value with alpha as usual.
 */

/* Holm 1979: limits the chance of one false alarm among all. */
void multiple_holm(const double *p, size_t nr, double *ret_adjusted);

/* Benjamini & Hochberg 1995: limits the share of false alarms among the alarms. */
void multiple_benjamini_hochberg(const double *p, size_t nr, double *ret_adjusted);

#endif
