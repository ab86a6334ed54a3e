/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report_text: numbers and names inside sentences. Tables format their cells themselves. */
#include "cmd/report_text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "model/result.h"

#define MAX_STEPS 5

/* The name of a unit on each scale, and how far they are apart. */
static const struct scale {
	const char *unit;
	double step;
	const char *names[MAX_STEPS];
} scales[] = {
	{ "B/s", 1024, { "B/s", "KiB/s", "MiB/s", "GiB/s", "TiB/s" } },
	{ "B", 1024, { "B", "KiB", "MiB", "GiB", "TiB" } },
	{ "ns", 1000, { "ns", "us", "ms", "s" } },
	{ "1/s", 1e6, { "", "M" } },
};

static const struct scale *find_scale(const char *unit)
{
	for (size_t i = 0; i < sizeof(scales) / sizeof(scales[0]); i++) {
		if (!strcmp(scales[i].unit, unit))
			return &scales[i];
	}
	return NULL;
}

/* Divides both by the step until the larger one is small; returns the name of the unit. */
static const char *reduce(double *first, double *second, const char *unit)
{
	const struct scale *scale = find_scale(unit);
	size_t i = 0;

	if (!scale)
		return unit;
	while (i + 1 < MAX_STEPS && scale->names[i + 1] &&
	       fmax(fabs(*first), fabs(*second)) >= scale->step) {
		*first /= scale->step;
		*second /= scale->step;
		i++;
	}
	return scale->names[i];
}

/* Whole numbers stay whole, as in the tables; else four digits. */
static void print_number(double value, struct strbuf *out)
{
	if (fabs(value) >= 1000.0 && fabs(value) < 1e15)
		strbuf_printf(out, "%.0f", value);
	else
		strbuf_printf(out, "%.4g", value);
}

char *report_plain(double value, const char *unit, char ret_text[REPORT_NUMBER_LEN])
{
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;
	double none = 0.0;
	const char *name = reduce(&value, &none, unit);

	print_number(value, &out);
	(void)snprintf(ret_text, REPORT_NUMBER_LEN, "%s%s%s", strbuf_str(&out), *name ? " " : "",
		       name);
	return ret_text;
}

void report_plain_change(double before, double after, const char *unit, struct strbuf *out)
{
	const char *name = reduce(&before, &after, unit);

	print_number(before, out);
	strbuf_add_str(out, " -> ");
	print_number(after, out);
	strbuf_printf(out, "%s%s", *name ? " " : "", name);
}

void report_count(size_t nr, const char *what, struct strbuf *out)
{
	strbuf_printf(out, "%zu %s%s", nr, what, nr == 1 ? "" : "s");
}

char *report_clean(const char *text)
{
	char *copy = xstrdup(text);

	for (char *c = copy; *c; c++) {
		if (iscntrl((unsigned char)*c))
			*c = '?';
	}
	return copy;
}

char *report_failure(const struct result *result)
{
	for (size_t i = 0; i < result->nr_jobs; i++) {
		const struct job_result *job = &result->jobs[i];
		const char *where = job->error_where ? job->error_where : "failed";

		if (!job_result_has_failed(job))
			continue;
		if (result->command) /* it has no errno; error_where says all */
			return xasprintf("command '%s': %s", job->name, where);
		return xasprintf("job '%s': %s: %s", job->name, where, strerror(job->error));
	}
	return NULL;
}
