/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_json_series: whether two documents of fio's JSON report the same run (--status-interval). */
#include <string.h>

#include "import/fio_json.h"

static bool is_same_text(const char *a, const char *b)
{
	return (!a && !b) || (a && b && !strcmp(a, b));
}

/* The same jobs in the same order. A cut document may end early. */
static bool has_same_jobs(const struct fio_json_doc *before, const struct fio_json_doc *after)
{
	const struct result *a = &before->result;
	const struct result *b = &after->result;

	if (!is_same_text(a->tool_version, b->tool_version) || !a->nr_jobs || !b->nr_jobs)
		return false;
	if (a->nr_jobs != b->nr_jobs && !(after->is_cut && b->nr_jobs < a->nr_jobs))
		return false;
	for (size_t i = 0; i < b->nr_jobs; i++) {
		if (!is_same_text(a->jobs[i].name, b->jobs[i].name) ||
		    a->jobs[i].group_id != b->jobs[i].group_id)
			return false;
	}
	return true;
}

/* Zero in a document that was cut may be a number that is missing. */
static bool is_less(double after, double before, bool is_cut)
{
	return after < before && !(is_cut && after == 0);
}

/* Nothing that was counted becomes less within a run. */
static bool is_monotone(const struct fio_json_progress *a, const struct fio_json_progress *b,
			bool is_cut)
{
	for (size_t dir = 0; dir < FIO_JSON_NR_DIRS; dir++) {
		if (is_less(b->runtime_ms[dir], a->runtime_ms[dir], is_cut) ||
		    is_less(b->ios[dir], a->ios[dir], is_cut) ||
		    is_less(b->bytes[dir], a->bytes[dir], is_cut))
			return false;
	}
	return true;
}

/* The job had ended before: down to the decimals of its mean latency. */
static bool is_equal(const struct fio_json_progress *a, const struct fio_json_progress *b)
{
	bool has_mean = false;

	for (size_t dir = 0; dir < FIO_JSON_NR_DIRS; dir++) {
		if (b->runtime_ms[dir] != a->runtime_ms[dir] || b->ios[dir] != a->ios[dir] ||
		    b->bytes[dir] != a->bytes[dir] || b->mean_ns[dir] != a->mean_ns[dir])
			return false;
		has_mean |= a->mean_ns[dir] > 0;
	}
	return has_mean;
}

/*
 * A job of the later document that had already been running when the earlier one was printed:
 * then it is the same run. Times of whole seconds leave a range.
 */
static enum fio_json_relation relate_by_time(const struct fio_json_doc *before,
					     const struct fio_json_doc *after, double longest_ms)
{
	double start_ms = (double)after->time_ms - longest_ms;
	double printed_ms = (double)before->time_ms;

	if (start_ms + (after->time_step_ms - 1) < printed_ms)
		return FIO_JSON_SAME_RUN;
	if (start_ms >= printed_ms + (before->time_step_ms - 1))
		return FIO_JSON_OTHER_RUN;
	return FIO_JSON_UNKNOWN;
}

enum fio_json_relation fio_json_relate(const struct fio_json_doc *before,
				       const struct fio_json_doc *after)
{
	double longest_ms = 0;
	size_t nr_equal = 0;
	size_t nr = after->result.nr_jobs;

	if (!has_same_jobs(before, after) || before->time_ms > after->time_ms)
		return FIO_JSON_OTHER_RUN;
	for (size_t i = 0; i < nr; i++) {
		const struct fio_json_progress *a = &before->progress.items[i];
		const struct fio_json_progress *b = &after->progress.items[i];
		bool has_starts = a->start_ms && b->start_ms;

		if (!is_monotone(a, b, after->is_cut) || (has_starts && a->start_ms != b->start_ms))
			return FIO_JSON_OTHER_RUN;
		if (has_starts && a->longest_ms > 0)
			return FIO_JSON_SAME_RUN;
		nr_equal += is_equal(a, b);
		if (b->longest_ms > longest_ms && !is_equal(a, b))
			longest_ms = b->longest_ms;
	}
	if (nr_equal && nr_equal == nr)
		return FIO_JSON_SAME_RUN;
	if (!before->time_ms || !after->time_ms)
		return FIO_JSON_UNKNOWN;
	if (nr_equal && longest_ms == 0)
		return FIO_JSON_SAME_RUN;
	return relate_by_time(before, after, longest_ms);
}
