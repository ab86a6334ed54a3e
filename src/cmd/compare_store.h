/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_COMPARE_STORE_H
#define REGIO_CMD_COMPARE_STORE_H

#include "analysis/cohort.h"

struct compare;
struct err;
struct side;

/*
 * A sample out of the store: all used runs under a label, or with "7:A" those of experiment 7
 * only. ERR_USAGE if there is no such label.
 */
int compare_load_stored(const struct compare *compare, const char *operand, struct side *ret_side,
			struct err *err);

enum cohort_jobs compare_jobs(const struct compare *compare);

#endif
