/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sample: turns counters read now and then into bandwidth and IOPS samples. */
#include "load/sample.h"

#include "base/units.h"

void sampler_begin(struct sampler *sampler, uint64_t window_ns, uint64_t now_ns,
		   const struct sample_counts *counts)
{
	sampler->has_begun = true;
	sampler->window_ns = window_ns ? window_ns : SAMPLE_WINDOW_NS;
	if (sampler->window_ns < SAMPLE_MIN_WINDOW_NS)
		sampler->window_ns = SAMPLE_MIN_WINDOW_NS;
	sampler->begin_ns = now_ns;
	sampler->due_ns = now_ns + sampler->window_ns;
	sampler->begin = *counts;
}

static uint64_t per_second(uint64_t amount, uint64_t elapsed_ns)
{
	return (uint64_t)((unsigned __int128)amount * NS_PER_S / elapsed_ns);
}

void sampler_take(struct sampler *sampler, uint64_t now_ns, const struct sample_counts *counts)
{
	uint64_t elapsed_ns = now_ns - sampler->begin_ns;
	uint64_t due_ns = sampler->due_ns;

	if (!sampler->has_begun || now_ns + SAMPLE_SLACK_NS < due_ns)
		return;
	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++) {
		uint64_t ios = counts->ios[dir] - sampler->begin.ios[dir];
		uint64_t bytes = counts->bytes[dir] - sampler->begin.bytes[dir];
		uint64_t kib_per_sec = per_second(bytes, elapsed_ns) / 1024;

		if (ios == 0)
			continue;
		running_add(&sampler->bw_kib_per_sec[dir], (double)kib_per_sec);
		running_add(&sampler->iops[dir], (double)per_second(ios, elapsed_ns));
	}
	sampler->begin_ns = now_ns;
	sampler->begin = *counts;
	/* what was slept through altogether is one long window */
	sampler->due_ns +=
		(now_ns + SAMPLE_SLACK_NS - due_ns) / sampler->window_ns * sampler->window_ns +
		sampler->window_ns;
}
