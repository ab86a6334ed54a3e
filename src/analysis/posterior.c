/* SPDX-License-Identifier: GPL-2.0-or-later */
/* posterior: where the first bad position is, from classes of runs on both sides of it. */
#include "analysis/posterior.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "stats/levels.h"
#include "stats/summary.h"

/* Chances that differ by rounding only are equal: the same query on every machine. */
#define TIE_TOLERANCE 1e-12

void classes_init(struct classes *classes, enum scale scale, const double *good, const double *bad,
		  size_t nr)
{
	double good_shifts[LEVELS_MAX_PAIRS];
	double bad_shifts[LEVELS_MAX_PAIRS];
	struct summary good_summary, bad_summary;
	double middle, width;

	assert(nr > 0 && nr <= LEVELS_MAX_PAIRS);
	for (size_t i = 0; i < nr; i++) {
		good_shifts[i] = effect_forward(scale, good[i]);
		bad_shifts[i] = effect_forward(scale, bad[i]);
	}
	summary_init(&good_summary, good_shifts, nr);
	summary_init(&bad_summary, bad_shifts, nr);
	middle = (good_summary.median + bad_summary.median) / 2.0;
	width = fabs(good_summary.median - bad_summary.median) / 2.0;
	width = fmax(width, fmax(good_summary.mad, bad_summary.mad));
	*classes = (struct classes){
		.scale = scale,
		.cuts = { middle - width, middle, middle + width },
	};
}

size_t classes_find(const struct classes *classes, double value)
{
	size_t nr = 0;
	double shift;

	/* no logarithm: below all cuts */
	if (classes->scale == SCALE_RATIO && value <= 0.0)
		return 0;
	shift = effect_forward(classes->scale, value);
	while (nr < POSTERIOR_NR_CLASSES - 1 && shift >= classes->cuts[nr])
		nr++;
	return nr;
}

static double log_gamma(size_t whole)
{
	int sign;

	return lgamma_r((double)whole, &sign);
}

void posterior_init(struct posterior *posterior, size_t last)
{
	assert(last > 0);
	*posterior = (struct posterior){
		.counts = xcalloc(last + 1, sizeof(*posterior->counts)),
		.testable = xcalloc(last + 1, sizeof(*posterior->testable)),
		.nr_testable = last + 1,
		.hypotheses = xcalloc(last, sizeof(*posterior->hypotheses)),
	};
	for (size_t i = 0; i <= last; i++)
		posterior->testable[i] = i;
	for (size_t i = 0; i < POSTERIOR_NR_CLASSES; i++)
		vec_push(&posterior->log_factorials, log_gamma(i + 1));
	posterior_update(posterior);
}

void posterior_release(struct posterior *posterior)
{
	free(posterior->counts);
	free(posterior->testable);
	free(posterior->hypotheses);
	vec_release(&posterior->log_factorials);
	*posterior = (struct posterior){ .counts = NULL };
}

void posterior_add(struct posterior *posterior, size_t position, size_t class_nr)
{
	posterior->counts[position].nr[class_nr]++;
	vec_push(&posterior->log_factorials, log_gamma(posterior->log_factorials.nr + 1));
}

void posterior_forget(struct posterior *posterior)
{
	size_t last = posterior->testable[posterior->nr_testable - 1];

	memset(posterior->counts, 0, (last + 1) * sizeof(*posterior->counts));
}

void posterior_remove(struct posterior *posterior, size_t position)
{
	size_t *testable = posterior->testable;
	size_t index = 0;

	while (testable[index] != position)
		index++;
	assert(index > 0 && index + 1 < posterior->nr_testable);
	posterior->nr_testable--;
	memmove(&testable[index], &testable[index + 1],
		(posterior->nr_testable - index) * sizeof(*testable));
}

static bool counts_are_zero(const struct class_counts *counts)
{
	return (counts->nr[0] | counts->nr[1] | counts->nr[2] | counts->nr[3]) == 0;
}

static void counts_add(struct class_counts *counts, const struct class_counts *more)
{
	for (size_t i = 0; i < POSTERIOR_NR_CLASSES; i++)
		counts->nr[i] += more->nr[i];
}

static void counts_subtract(struct class_counts *counts, const struct class_counts *less)
{
	for (size_t i = 0; i < POSTERIOR_NR_CLASSES; i++)
		counts->nr[i] -= less->nr[i];
}

/* Logarithm of the chance of these classes, without what is the same for all hypotheses. */
static double side_log_chance(const struct posterior *posterior, const struct class_counts *counts)
{
	const double *log_factorials = posterior->log_factorials.items;
	double sum = 0.0;
	size_t nr = 0;

	for (size_t i = 0; i < POSTERIOR_NR_CLASSES; i++) {
		sum += log_factorials[counts->nr[i]];
		nr += counts->nr[i];
	}
	return sum - log_factorials[nr + POSTERIOR_NR_CLASSES - 1];
}

/* Fills in the logarithms of the probabilities but for a constant; the largest one. */
static double hypotheses_weigh(struct posterior *posterior)
{
	struct class_counts left = { .nr = { 0 } };
	struct class_counts right = { .nr = { 0 } };
	double log_chance = 0.0;
	double largest = -INFINITY;

	for (size_t i = 0; i < posterior->nr_testable; i++)
		counts_add(&right, &posterior->counts[posterior->testable[i]]);
	for (size_t i = 0; i + 1 < posterior->nr_testable; i++) {
		size_t after = posterior->testable[i];
		size_t upto = posterior->testable[i + 1];
		struct search_hypothesis *hypothesis = &posterior->hypotheses[i];

		if (i == 0 || !counts_are_zero(&posterior->counts[after])) {
			counts_add(&left, &posterior->counts[after]);
			counts_subtract(&right, &posterior->counts[after]);
			log_chance = side_log_chance(posterior, &left) +
				     side_log_chance(posterior, &right);
		}
		*hypothesis = (struct search_hypothesis){
			.after = after,
			.upto = upto,
			.probability = log((double)(upto - after)) + log_chance,
		};
		largest = fmax(largest, hypothesis->probability);
	}
	return largest;
}

void posterior_update(struct posterior *posterior)
{
	double largest = hypotheses_weigh(posterior);
	size_t nr = posterior->nr_testable - 1;
	double sum = 0.0;

	for (size_t i = 0; i < nr; i++) {
		double *probability = &posterior->hypotheses[i].probability;

		*probability = exp(*probability - largest);
		sum += *probability;
	}
	for (size_t i = 0; i < nr; i++)
		posterior->hypotheses[i].probability /= sum;
}

const struct search_hypothesis *posterior_best(const struct posterior *posterior)
{
	const struct search_hypothesis *best = &posterior->hypotheses[0];

	for (size_t i = 1; i + 1 < posterior->nr_testable; i++) {
		if (posterior->hypotheses[i].probability > best->probability + TIE_TOLERANCE)
			best = &posterior->hypotheses[i];
	}
	return best;
}

size_t posterior_median(const struct posterior *posterior)
{
	double upto = 0.0;
	double nearest = INFINITY;
	size_t position = 0;

	for (size_t i = 1; i + 1 < posterior->nr_testable; i++) {
		upto += posterior->hypotheses[i - 1].probability;
		if (fabs(upto - 0.5) < nearest - TIE_TOLERANCE) {
			nearest = fabs(upto - 0.5);
			position = posterior->testable[i];
		}
	}
	return position;
}
