/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_PLAN_PLAN_EXPAND_H
#define REGIO_PLAN_PLAN_EXPAND_H

/*
 * The points of a plan: every combination of values that is measured, once each however often the
 * plan names it. Points that differ in the compared factor only make a cell.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/strbuf.h"
#include "base/vec.h"

struct err;
struct matrix_plan;
struct setting_list;

#define PLAN_ID_LEN 17

struct plan_point {
	/*
	 * 16 hex digits of its settings, in any order of factors: it stays the same when the plan
	 * grows, and no two points of one plan share it.
	 */
	char id[PLAN_ID_LEN];
	uint16_t *values; /* one index for each factor of the plan */
	size_t cell;
};

struct plan_cell {
	struct plan_cell_points VEC_BODY(size_t) points; /* the baseline first where it is there */
};

struct plan_points {
	struct plan_point_list VEC_BODY(struct plan_point) points;
	struct plan_cell_list VEC_BODY(struct plan_cell) cells;
};

/* ERR_INPUT for more than PLAN_MAX_POINTS and for none at all. */
int plan_expand(const struct matrix_plan *plan, struct plan_points *ret_points, struct err *err);
void plan_points_release(struct plan_points *points);
CLEANUP_DEFINE(plan_points, struct plan_points, plan_points_release)

/*
 * The settings of a point, in the order: of all trials, of its factors, of the rules that it
 * matches; of one key the last counts.
 */
int plan_point_settings(const struct matrix_plan *plan, const struct plan_point *point,
			struct setting_list *into, struct err *err);

/* "scheduler=none, fs=btrfs" of the factors that vary; without the compared one for a cell. */
void plan_point_label(const struct matrix_plan *plan, const struct plan_point *point,
		      struct strbuf *out);
void plan_cell_label(const struct matrix_plan *plan, const struct plan_point *point,
		     struct strbuf *out);

#endif
