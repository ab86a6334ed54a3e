/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_plan: plans and job files of LKP; what is accepted expands to points with settings. */
#include "fuzz.h"

#include "base/err.h"
#include "model/setting.h"
#include "plan/plan.h"
#include "plan/plan_expand.h"
#include "plan/plan_parse.h"

#include <assert.h>
#include <string.h>

#define MAX_SETTINGS 50 /* points whose settings are made; the rest is the same work again */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct matrix_plan plan = PLAN_DEFAULTS;
	struct plan_points points = { .points = { .nr = 0 } };
	struct err err = { .code = 0 };

	if (plan_parse("plan.yaml", (const char *)data, len, &plan, &err) < 0) {
		assert(!strncmp(err.msg, "plan.yaml", 9) && !strchr(err.msg, '\n'));
		return 0;
	}
	if (plan_expand(&plan, &points, &err) == 0) {
		assert(points.points.nr > 0 && points.points.nr <= PLAN_MAX_POINTS);
		assert(points.cells.nr > 0 && points.cells.nr <= points.points.nr);
		for (size_t i = 0; i < points.points.nr && i < MAX_SETTINGS; i++) {
			struct setting_list settings = { .nr = 0 };

			(void)plan_point_settings(&plan, &points.points.items[i], &settings, &err);
			setting_list_release(&settings);
		}
	}
	plan_points_release(&points);
	matrix_plan_release(&plan);
	return 0;
}
