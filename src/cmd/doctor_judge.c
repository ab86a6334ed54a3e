/* SPDX-License-Identifier: GPL-2.0-or-later */
/* doctor_judge: from what was seen to fit or unfit, and to the advice that would help most. */
#include <math.h>
#include <stdlib.h>

#include "analysis/sensitivity.h"
#include "base/arena.h"
#include "caveat/caveat.h"
#include "cmd/doctor.h"

/* What a quarter of the runs show is not chance. */
#define MIN_SHARE_OF_RUNS 0.25
/* Longer runs than that are no advice. */
#define MAX_FACTOR 1000.0

const size_t doctor_budgets[DOCTOR_NR_BUDGETS] = { 10, DOCTOR_USUAL_PAIRS, 60 };

bool doctor_is_fit(const struct doctor *doctor)
{
	return doctor->nr_disqualifying == 0 && !doctor->is_too_noisy;
}

static bool is_seen_often(const struct doctor *doctor, enum note_id id)
{
	const struct note_tally *tally = &doctor->tally;
	size_t nr_runs = tally->nr_runs[SIDE_A] + tally->nr_runs[SIDE_B];
	size_t nr = tally->counts[SIDE_A][id] + tally->counts[SIDE_B][id];

	return nr && (double)nr >= MIN_SHARE_OF_RUNS * (double)nr_runs;
}

static double limit_of(const struct doctor *doctor)
{
	/* percentages compare in points, as everywhere */
	return doctor->sensitivity.scale == SCALE_RATIO ? doctor->config->min_effect
							: 100 * doctor->config->min_effect;
}

void doctor_judge(struct doctor *doctor)
{
	for (size_t i = 0; i < doctor->idle.nr; i++)
		note_add(&doctor->notes, doctor->idle.items[i].id, "before any run: %s",
			 doctor->idle.items[i].text);
	note_tally_tell(&doctor->tally, (const char *[]){ "A", "B" }, &doctor->notes);
	caveat_check_series("the first of the equal sides", doctor->campaign.stop.a,
			    doctor->campaign.look.nr_pairs, &doctor->notes);
	for (size_t i = 0; caveat_table()[i]; i++) {
		const struct caveat *caveat = caveat_table()[i];

		if (caveat->is_disqualifying && (note_list_find(&doctor->idle, caveat->id) ||
						 is_seen_often(doctor, caveat->id)))
			doctor->disqualifying[doctor->nr_disqualifying++] = caveat->id;
	}
	sensitivity_learn(&doctor->campaign.stop, &doctor->campaign.look, &doctor->sensitivity);
	doctor->is_too_noisy =
		sensitivity_rules_out(&doctor->sensitivity, DOCTOR_USUAL_PAIRS) > limit_of(doctor);
}

/* How many times longer runs would have to be, if what disturbs them averages out. */
static char *longer_runs(const struct doctor *doctor)
{
	double rules_out = sensitivity_rules_out(&doctor->sensitivity, DOCTOR_USUAL_PAIRS);
	double ratio = rules_out / limit_of(doctor);
	double factor = ceil(ratio * ratio);

	if (factor > MAX_FACTOR)
		return xstrdup("the runs have next to nothing in common: find out what else the "
			       "machine and the device do, then ask again");
	return xasprintf("longer runs: if what disturbs them averages out, %.0f times as long as "
			 "here would do (regio doctor --time=%.0fs tells)",
			 factor, factor * (double)doctor->config->time_ns / 1e9);
}

char *doctor_advice(const struct doctor *doctor)
{
	if (doctor->nr_disqualifying)
		return xstrdup(note_kind(doctor->disqualifying[0])->advice);
	/* a frequency that follows the load is the most frequent cause of noise */
	if (doctor->is_too_noisy && note_list_find(&doctor->notes, NOTE_GOVERNOR))
		return xstrdup(note_kind(NOTE_GOVERNOR)->advice);
	if (doctor->is_too_noisy)
		return longer_runs(doctor);
	if (doctor->campaign.look.mode == STOP_PAIRED)
		return xstrdup(note_kind(NOTE_PAIRED_MODE)->advice);
	for (size_t i = 0; i < doctor->notes.nr; i++) {
		enum note_id id = doctor->notes.items[i].id;

		if (caveat_find(id) || id == NOTE_NOT_INDEPENDENT)
			return xstrdup(note_kind(id)->advice);
	}
	return xstrdup("nothing: measure");
}
