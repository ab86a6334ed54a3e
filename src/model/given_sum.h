/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MODEL_GIVEN_SUM_H
#define REGIO_MODEL_GIVEN_SUM_H

struct result;

/*
 * Completes the given metrics of a result from those of its jobs, and "total.*" over the
 * directions; names that the result has already are kept, as a program's own sum is the better
 * one. Amounts are added, IOPS and bandwidth are the amount over the time (longest runtime of
 * each phase, phases one after the other) or, in one phase, the sum of the rates; means and
 * deviations of latencies are merged by the number of I/Os. Percentiles cannot be merged and
 * exist only where one job has that direction. A sum with an unknown part is absent.
 */
void result_sum_given(struct result *result);

#endif
