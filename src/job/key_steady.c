/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The type of steadystate: what is looked at, and how far it may move. */
#include "job/key.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/units.h"
#include "job/number.h"
#include "model/job.h"

static bool metric_find(const char *text, size_t len, struct steady_rule *rule)
{
	static const char suffix[] = "_slope";
	const size_t suffix_len = sizeof(suffix) - 1;

	rule->is_slope = len > suffix_len && !memcmp(text + len - suffix_len, suffix, suffix_len);
	if (rule->is_slope)
		len -= suffix_len;
	for (rule->metric = 0; rule->metric < STEADY_NR_METRICS; rule->metric++) {
		const char *name = steady_metric_name(rule->metric);

		if (strlen(name) == len && !memcmp(name, text, len))
			return true;
	}
	return false;
}

/* "iops_slope:0.3%", "bw:10000" */
static int steady_parse(const struct key_row *row, const char *text, struct number_reader *reader,
			struct job *job, struct err *err)
{
	const char *colon = strchr(text, ':');
	struct steady_rule rule = { .limit = 0 };
	struct short_text quoted;
	char *limit;
	size_t len;

	(void)short_text(text, &quoted);
	if (!colon)
		return err_set(err, ERR_INPUT, "'%s' has no limit (as in iops:0.3%%)", quoted.buf);
	if (!metric_find(text, (size_t)(colon - text), &rule))
		return err_set(err, ERR_INPUT, "'%s' does not begin with one of: %s", quoted.buf,
			       "iops iops_slope bw bw_slope lat lat_slope");
	limit = arena_strdup(reader->arena, colon + 1);
	len = strlen(limit);
	rule.is_percent = len > 0 && limit[len - 1] == '%';
	if (rule.is_percent)
		limit[len - 1] = '\0';
	if (units_parse_double(limit, &rule.limit, NULL) < 0 || rule.limit < 0)
		return err_set(err, ERR_INPUT, "the limit of '%s' is not a number or percentage",
			       quoted.buf);
	*(struct steady_rule *)key_field(row, job) = rule;
	return 0;
}

const struct key_type key_steady = { .parse = steady_parse };
