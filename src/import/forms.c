/* SPDX-License-Identifier: GPL-2.0-or-later */
/* forms: recognises that two results are one run in two forms. */
#include "import/forms.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "model/given.h"
#include "model/result.h"

#define PRINTED_DIGITS 0.01    /* fio prints three digits at least */
#define PRINTED_DECIMALS 0.005 /* of means: two decimals behind 2 or more of the unit */

static bool is_same_text(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

/* Versions may be missing on a side, as in parts of an output. */
static bool is_same_tool(const struct result *a, const struct result *b)
{
	/* regio writes forms of fio, not all of which say so */
	if ((is_same_text(a->tool, "regio") && is_same_text(b->tool, "fio")) ||
	    (is_same_text(a->tool, "fio") && is_same_text(b->tool, "regio")))
		return true;
	return is_same_text(a->tool, b->tool) &&
	       (!a->tool_version || !b->tool_version || !strcmp(a->tool_version, b->tool_version));
}

/* Equal as far as both have it; *nr counts those that both have. */
static bool is_same_metric(const struct job_result *a, const struct job_result *b, const char *name,
			   double tolerance, unsigned *nr)
{
	const struct given_metric *left = given_find(&a->given, name);
	const struct given_metric *right = given_find(&b->given, name);

	if (!left || !right)
		return true;
	++*nr;
	return fabs(left->value - right->value) <=
	       tolerance * (1 + fmax(left->value, right->value));
}

static bool is_same_job(const struct job_result *a, const struct job_result *b)
{
	static const char *const dirs[] = { "read", "write", "trim", "mixed" };
	static const struct {
		const char *rest;
		double tolerance;
	} metrics[] = {
		{ "runtime_ms", 0 },
		{ "total_ios", 0 },
		{ "iops", PRINTED_DIGITS },
		{ "io_bytes", PRINTED_DIGITS },
		{ "clat_ns.mean", PRINTED_DECIMALS },
		{ "lat_ns.mean", PRINTED_DECIMALS },
	};
	unsigned nr_compared = 0;

	if (!is_same_text(a->name, b->name) || a->group_id != b->group_id || a->error != b->error)
		return false;
	for (size_t dir = 0; dir < sizeof(dirs) / sizeof(dirs[0]); dir++) {
		for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++) {
			char name[32];

			(void)snprintf(name, sizeof(name), "%s.%s", dirs[dir], metrics[i].rest);
			if (!is_same_metric(a, b, name, metrics[i].tolerance, &nr_compared))
				return false;
		}
	}
	return nr_compared > 0 || (!a->given.nr && !b->given.nr);
}

bool forms_is_same_run(const struct result *a, const struct result *b)
{
	if (!is_same_tool(a, b) || a->nr_jobs != b->nr_jobs || !a->nr_jobs)
		return false;
	for (size_t i = 0; i < a->nr_jobs; i++) {
		if (!is_same_job(&a->jobs[i], &b->jobs[i]))
			return false;
	}
	return true;
}

static bool has_job(const struct result *result, const char *name)
{
	for (size_t i = 0; i < result->nr_jobs; i++) {
		if (is_same_text(result->jobs[i].name, name))
			return true;
	}
	return false;
}

bool forms_announces(const struct result *announced, const struct result *result)
{
	if (!is_same_tool(announced, result))
		return false;
	for (size_t i = 0; i < announced->nr_jobs; i++) {
		if (!has_job(result, announced->jobs[i].name))
			return false;
	}
	return announced->nr_jobs > 0;
}

bool forms_is_richer(const struct result *a, const struct result *b)
{
	size_t nr_a = a->given.nr;
	size_t nr_b = b->given.nr;

	for (size_t i = 0; i < a->nr_jobs; i++)
		nr_a += a->jobs[i].given.nr;
	for (size_t i = 0; i < b->nr_jobs; i++)
		nr_b += b->jobs[i].given.nr;
	return nr_a > nr_b;
}
