/* SPDX-License-Identifier: GPL-2.0-or-later */
/* settle: samples of each interval in a window that moves on, judged when it is full. */
#include "load/settle.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/units.h"
#include "model/job.h"

bool settle_is_wanted(const struct job *job)
{
	return job->steady_duration_ns > 0;
}

bool settle_is_shared(const struct job *a, const struct job *b)
{
	return a->group_reporting && b->group_reporting && a->group_id == b->group_id;
}

bool settle_is_alike(const struct job *a, const struct job *b)
{
	if (!settle_is_wanted(a) && !settle_is_wanted(b))
		return true;
	return a->steady.metric == b->steady.metric && a->steady.is_slope == b->steady.is_slope &&
	       a->steady.is_percent == b->steady.is_percent &&
	       !(a->steady.limit < b->steady.limit || a->steady.limit > b->steady.limit) &&
	       a->steady_duration_ns == b->steady_duration_ns &&
	       a->steady_ramp_ns == b->steady_ramp_ns &&
	       a->steady_interval_ns == b->steady_interval_ns;
}

struct settle *settle_create(const struct job *job)
{
	struct settle *settle = xcalloc(1, sizeof(*settle));

	settle->job = job;
	settle->capacity = (size_t)(job->steady_duration_ns / job->steady_interval_ns);
	settle->capacity += settle->capacity == 0;
	settle->result.rule = job->steady;
	settle->result.duration_s = job->steady_duration_ns / NS_PER_S;
	settle->result.samples = xcalloc(settle->capacity, sizeof(*settle->result.samples));
	return settle;
}

void settle_free(struct settle *settle)
{
	if (!settle)
		return;
	free(settle->result.samples);
	free(settle);
}

static uint64_t per_second(uint64_t amount, uint64_t elapsed_ns)
{
	return (uint64_t)((unsigned __int128)amount * NS_PER_S / elapsed_ns);
}

static struct steady_sample make_sample(const struct settle_counts *from,
					const struct settle_counts *to, uint64_t elapsed_ns)
{
	uint64_t ios = 0, bytes = 0;

	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++) {
		ios += to->done.ios[dir] - from->done.ios[dir];
		bytes += to->done.bytes[dir] - from->done.bytes[dir];
	}
	return (struct steady_sample){
		.iops = per_second(ios, elapsed_ns),
		.bw_bytes_per_sec = per_second(bytes, elapsed_ns),
		.lat_ns = ios ? (to->lat_sum_ns - from->lat_sum_ns) / ios : 0,
	};
}

static void add_sample(struct settle *settle, const struct steady_sample *sample)
{
	struct steady_result *result = &settle->result;

	if (result->nr == settle->capacity) {
		result->nr--;
		memmove(result->samples, result->samples + 1,
			result->nr * sizeof(*result->samples));
	}
	result->samples[result->nr++] = *sample;
}

bool settle_look(struct settle *settle, uint64_t epoch_ns, uint64_t now_ns,
		 const struct settle_counts *counts)
{
	const struct job *job = settle->job;
	struct steady_sample sample;

	if (settle->result.is_attained || now_ns < epoch_ns + job->steady_ramp_ns)
		return false;
	if (settle->begin_ns == 0) {
		settle->begin_ns = now_ns;
		settle->due_ns = now_ns + job->steady_interval_ns;
		settle->counts = *counts;
		return false;
	}
	if (now_ns + SAMPLE_SLACK_NS < settle->due_ns)
		return false;
	sample = make_sample(&settle->counts, counts, now_ns - settle->begin_ns);
	add_sample(settle, &sample);
	settle->begin_ns = now_ns;
	settle->counts = *counts;
	while (settle->due_ns <= now_ns + SAMPLE_SLACK_NS)
		settle->due_ns += job->steady_interval_ns;
	settle->result.is_attained =
		steady_judge(&settle->result) && settle->result.nr == settle->capacity;
	return settle->result.is_attained;
}

struct steady_result *settle_report(const struct settle *settle)
{
	struct steady_result *copy = xcalloc(1, sizeof(*copy));

	*copy = settle->result;
	copy->samples = xcalloc(copy->nr + 1, sizeof(*copy->samples));
	memcpy(copy->samples, settle->result.samples, copy->nr * sizeof(*copy->samples));
	return copy;
}
