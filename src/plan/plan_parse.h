/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_PLAN_PLAN_PARSE_H
#define REGIO_PLAN_PLAN_PARSE_H

/*
 * Reads a plan. regio-plan(5) has the language. A file without the keys of a plan but with LKP's is
 * read as a job file of LKP. Messages carry "file:line: ", code -ERR_INPUT, or -ERR_UNSUPPORTED for
 * what is known and cannot be done here.
 */

#include <stdbool.h>
#include <stddef.h>

struct err;
struct matrix_plan;

/* path of the plan: file names in it are relative to its folder. Release *ret_plan. */
int plan_parse(const char *path, const char *text, size_t len, struct matrix_plan *ret_plan,
	       struct err *err);

/* One key of a plan for --list-plan-keys and the manual; false after the last. */
bool plan_key_info(size_t index, const char **ret_name, const char **ret_summary);

/* The keys of LKP job files that are understood; the same form. */
bool plan_lkp_key_info(size_t index, const char **ret_name, const char **ret_summary);

#endif
