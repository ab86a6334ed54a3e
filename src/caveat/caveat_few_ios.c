/* SPDX-License-Identifier: GPL-2.0-or-later */
/* few_ios: a percentile is printed that so few I/Os cannot tell. */
#include <inttypes.h>

#include "caveat/caveat.h"
#include "caveat/caveat_table.h"
#include "caveat/evidence.h"
#include "model/result.h"

/* I/Os beyond a percentile that it takes to know it within about a third, as 1/sqrt(30) is a fifth;
 * the metrics leave percentiles with fewer out. */
#define MIN_BEYOND 30.0

struct worst {
	const struct job_result *job;
	enum io_dir dir;
	double percent; /* lowest that cannot be told */
	uint64_t nr;
	size_t nr_places;
};

/* The lowest percentile of the list that n I/Os cannot tell; 0: they can tell all. The upper end is
 * the greatest value there was, which is a fact. */
static double lowest_unknown(const struct job_result *job, uint64_t n)
{
	for (size_t i = 0; i < job->nr_percentiles; i++) {
		double percent = job->percentiles[i];

		if (percent < 100 && (double)n * (100 - percent) < 100 * MIN_BEYOND * (1 - 1e-9))
			return percent;
	}
	return 0;
}

static bool shows_percentiles(const struct job_result *job)
{
	return job->clat_percentiles || job->lat_percentiles || job->slat_percentiles;
}

static void look_at(const struct job_result *job, enum io_dir dir, struct worst *worst)
{
	uint64_t n = job->dir[dir].latency[LATENCY_CLAT].moments.n;
	double percent = n ? lowest_unknown(job, n) : 0;

	if (percent <= 0)
		return;
	worst->nr_places++;
	if (worst->job && n >= worst->nr)
		return;
	worst->job = job;
	worst->dir = dir;
	worst->percent = percent;
	worst->nr = n;
}

static void check(const struct result *result, struct note_list *notes)
{
	struct worst worst = { .nr_places = 0 };

	for (size_t i = 0; i < result->nr_jobs; i++) {
		if (!shows_percentiles(&result->jobs[i]))
			continue;
		for (int dir = 0; dir < IO_NR_DATA_DIRS; dir++)
			look_at(&result->jobs[i], (enum io_dir)dir, &worst);
	}
	if (worst.nr_places)
		note_add(notes, NOTE_FEW_IOS,
			 "%" PRIu64 " %ss of job '%s' say nothing of p%.9g and above, which takes "
			 "%.0f",
			 worst.nr, io_dir_name(worst.dir), worst.job->name, worst.percent,
			 MIN_BEYOND * 100 / (100 - worst.percent));
}

const struct caveat caveat_few_ios = { .id = NOTE_FEW_IOS, .check = check };
