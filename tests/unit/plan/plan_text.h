/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_UNIT_PLAN_PLAN_TEXT_H
#define REGIO_TESTS_UNIT_PLAN_PLAN_TEXT_H

/* Plans out of texts, and the messages about bad ones. */

#include <string.h>

#include "base/err.h"
#include "plan/plan.h"
#include "plan/plan_parse.h"
#include "test.h"

static inline void plan_from(const char *text, struct matrix_plan *plan)
{
	struct err err = { .code = 0 };

	if (plan_parse("dir/p.yaml", text, strlen(text), plan, &err) < 0)
		fail_msg("refused: %s", err.msg);
}

/* One line that begins with the place and contains the words. */
static inline void assert_refused(const char *text, unsigned line, const char *words)
{
	struct err err = { .code = 0 };
	struct matrix_plan plan = PLAN_DEFAULTS;
	char place[64];

	if (plan_parse("dir/p.yaml", text, strlen(text), &plan, &err) == 0) {
		matrix_plan_release(&plan);
		fail_msg("accepted: %s", text);
	}
	(void)snprintf(place, sizeof(place), "dir/p.yaml:%u: ", line);
	if (strncmp(err.msg, place, strlen(place)) != 0 || !strstr(err.msg, words) ||
	    strchr(err.msg, '\n'))
		fail_msg("'%s' does not begin with '%s' and contain '%s'", err.msg, place, words);
}

#endif
