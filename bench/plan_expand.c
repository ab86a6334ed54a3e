/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan_expand: seconds to read and expand a plan of 10,000 points; the target is below one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "plan/plan.h"
#include "plan/plan_expand.h"
#include "plan/plan_parse.h"

#define NR_FACTORS 4
#define NR_VALUES 10

int main(void)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	struct matrix_plan plan = PLAN_DEFAULTS;
	struct plan_points points = { .points = { .nr = 0 } };
	struct err err = { .code = 0 };
	uint64_t start_ns;

	strbuf_add_str(&text, "cmd: x\nfactors:\n");
	for (int i = 0; i < NR_FACTORS; i++) {
		strbuf_printf(&text, "  factor%d: [", i);
		for (int j = 0; j < NR_VALUES; j++)
			strbuf_printf(&text, "%svalue%d", j ? ", " : "", j);
		strbuf_add_str(&text, "]\n");
	}
	start_ns = clock_now_ns();
	if (plan_parse("bench.yaml", strbuf_str(&text), text.len, &plan, &err) < 0 ||
	    plan_expand(&plan, &points, &err) < 0) {
		(void)fprintf(stderr, "%s\n", err.msg);
		return EXIT_FAILURE;
	}
	printf("%zu points in %.3f s\n", points.points.nr,
	       (double)(clock_now_ns() - start_ns) / 1e9);
	plan_points_release(&points);
	matrix_plan_release(&plan);
	return EXIT_SUCCESS;
}
