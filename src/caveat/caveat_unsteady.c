/* SPDX-License-Identifier: GPL-2.0-or-later */
/* unsteady: the run never settled, so its mean depends on how long it was. */
#include <math.h>

#include "caveat/caveat.h"
#include "caveat/caveat_table.h"
#include "model/result.h"
#include "stats/mser.h"
#include "stats/running.h"
#include "stats/timeline.h"

/*
 * MSER-5 (White, Cobb & Spratt 2000) looks for the end of a warm-up in the first half of a run.
 * That it finds none before the last two batches of that half is no proof with few batches, so
 * two more things are asked for: the halves differ by as much as is looked for by default, and by
 * far more than their own scatter. Error rates: tests/unit/caveat/test_unsteady.c.
 */
#define MIN_BATCHES 8
#define BATCH_LEN 5
#define LATE_BATCHES 2
#define MIN_CHANGE 0.05
#define MIN_ERRORS 5.0

/* Means of batches of five, whose scatter is not that of their neighbours. */
static void add_half(const double *rates, size_t nr, struct running *half)
{
	for (size_t i = 0; i + BATCH_LEN <= nr; i += BATCH_LEN) {
		double sum = 0;

		for (size_t j = 0; j < BATCH_LEN; j++)
			sum += rates[i + j];
		running_add(half, sum / BATCH_LEN);
	}
}

static void check_phase(const struct timeline *timeline, struct note_list *notes)
{
	double rates[TIMELINE_MAX_POINTS];
	size_t nr = timeline_rates(timeline, rates);
	struct running first = { .n = 0 }, second = { .n = 0 };
	double change, error;

	if (nr < MIN_BATCHES * BATCH_LEN ||
	    mser5(rates, nr).nr_drop + LATE_BATCHES * BATCH_LEN < nr / 2)
		return;
	add_half(rates, nr / 2, &first);
	add_half(rates + nr / 2, nr - nr / 2, &second);
	change = second.mean - first.mean;
	error = hypot(running_stddev(&first) / sqrt((double)first.n),
		      running_stddev(&second) / sqrt((double)second.n));
	if (fabs(change) < MIN_CHANGE * first.mean || fabs(change) < MIN_ERRORS * error)
		return;
	note_add(notes, NOTE_UNSTEADY,
		 "the run did not settle: %.4g I/Os per second in its first half, %.4g in its "
		 "second",
		 first.mean, second.mean);
}

static void check(const struct result *result, struct note_list *notes)
{
	for (size_t i = 0; i < result->nr_timelines; i++)
		check_phase(&result->timelines[i], notes);
}

const struct caveat caveat_unsteady = { .id = NOTE_UNSTEADY, .check = check };
