/* SPDX-License-Identifier: GPL-2.0-or-later */
/* least_rate: compares what was done in each cycle with the least the job asks for. */
#include "load/least_rate.h"

#include "base/units.h"
#include "model/job.h"

#define GRACE_NS (2 * NS_PER_S)

static bool is_below(uint64_t amount, uint64_t elapsed_ns, uint64_t least_per_sec)
{
	return (unsigned __int128)amount * NS_PER_S < (unsigned __int128)least_per_sec * elapsed_ns;
}

static bool has_least(const struct job *job)
{
	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++) {
		if (job_does(job, dir) &&
		    (job->rate_min_bytes_per_sec[dir] || job->rate_min_iops[dir]))
			return true;
	}
	return false;
}

bool least_rate_check(struct least_rate *rate, const struct job *job, uint64_t epoch_ns,
		      uint64_t now_ns, const struct sample_counts *counts)
{
	uint64_t elapsed_ns = now_ns - rate->begin_ns;
	bool is_enough = true;

	if (!has_least(job) || now_ns < epoch_ns + GRACE_NS)
		return true;
	if (rate->begin_ns && elapsed_ns < job->rate_cycle_ns)
		return true;
	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS && rate->begin_ns; dir++) {
		if (!job_does(job, dir))
			continue;
		is_enough &= !is_below(counts->bytes[dir] - rate->begin.bytes[dir], elapsed_ns,
				       job->rate_min_bytes_per_sec[dir]);
		is_enough &= !is_below(counts->ios[dir] - rate->begin.ios[dir], elapsed_ns,
				       job->rate_min_iops[dir]);
	}
	rate->begin_ns = now_ns;
	rate->begin = *counts;
	return is_enough;
}
