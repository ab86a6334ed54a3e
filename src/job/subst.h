/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_JOB_SUBST_H
#define REGIO_JOB_SUBST_H

/*
 * What fio replaces in an option line of a job file (not in section names, not on the command
 * line): ${VARIABLE} by the environment, empty if it is not set; $pagesize, $mb_memory and
 * $ncpus by numbers of this machine; and then "4*$ncpus" by its result.
 */

#include <stddef.h>

struct arena;
struct err;

struct subst {
	const char *text;	    /* the new line; the old one if nothing was replaced */
	const char *unset_variable; /* name of the first that is not set, or NULL */
};

/* max_len: longest line to make. -ERR_INPUT when that is exceeded or a division is by zero. */
int subst_line(const char *line, size_t max_len, struct arena *arena, struct subst *ret_subst,
	       struct err *err);

/*
 * + - * / and parentheses on 64-bit whole numbers, division cut towards zero. 0, -EINVAL when it
 * is no such expression, -ERANGE on overflow or division by zero.
 */
int subst_evaluate(const char *text, long long *ret_value);

#endif
