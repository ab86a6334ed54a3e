/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_JOB_NUMBER_EXPR_H
#define REGIO_JOB_NUMBER_EXPR_H

/*
 * Arithmetic in a value: "(2 * 1.5m + 4k)". + - * / % ^, minus signs, parentheses, decimals, and
 * the suffixes of the kind of value. Nothing is rounded on the way.
 */

#include <stdbool.h>
#include <stdint.h>

struct err;
struct number_reader;

struct number_expr_units {
	/* The factor of a suffix; false if there is none of that name. */
	bool (*factor)(const void *arg, const char *suffix, long double *ret_factor);
	const void *arg;
	uint64_t unit; /* what the result counts in */
};

/* 0, -EINVAL where text is no such expression, -ERANGE where it cannot be computed. */
int number_expr_evaluate(const char *text, const struct number_expr_units *units,
			 long double *ret_value);

/* The same as a number of a job, result times unit: whole and not negative. */
int number_expr_parse(struct number_reader *reader, const char *text,
		      const struct number_expr_units *units, uint64_t *ret_value, struct err *err);

#endif
