/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an examination found: the document for people, and the JSON form, schema regio.doctor. */
#include <jansson.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "cmd/doctor.h"
#include "cmd/report_json.h"
#include "model/metric.h"
#include "output/doc.h"

#define DOCTOR_JSON_VERSION 1
#define PERCENT 100.0

static bool is_ratio(const struct doctor *doctor)
{
	return doctor->sensitivity.scale == SCALE_RATIO;
}

/* A size of a change as people read it: "4.2 %", or "3.1" in units of the metric. */
#define SIZE_TEXT_LEN 32
static const char *size_text(const struct doctor *doctor, double size, char ret[SIZE_TEXT_LEN])
{
	if (is_ratio(doctor))
		(void)snprintf(ret, SIZE_TEXT_LEN, "%.2g %%", PERCENT * size);
	else
		(void)snprintf(ret, SIZE_TEXT_LEN, "%.3g", size);
	return ret;
}

static double seconds_of(const struct doctor *doctor, size_t nr_pairs)
{
	return 2.0 * (double)nr_pairs * (double)doctor->trial_ns / NS_PER_S;
}

static const char *duration_text(double seconds, char ret[UNITS_TEXT_LEN])
{
	return units_print_duration_ns((uint64_t)seconds * UINT64_C(1000000000), ret,
				       UNITS_TEXT_LEN);
}

static void add_reasons(struct doc *doc, const struct doctor *doctor)
{
	char spread[SIZE_TEXT_LEN], limit[SIZE_TEXT_LEN];
	double wanted = doctor->config->min_effect * (is_ratio(doctor) ? 1 : PERCENT);

	doc_paragraph(doc,
		      "Equal runs of %.2g s differ by %s (standard deviation of %s in %zu "
		      "pairs%s).",
		      (double)doctor->run_ns / NS_PER_S,
		      size_text(doctor, doctor->sensitivity.spread, spread), doctor->metric,
		      doctor->campaign.look.nr_pairs,
		      doctor->campaign.look.mode == STOP_PAIRED ? ", drift taken out" : "");
	if (doctor->is_too_noisy)
		doc_paragraph(doc,
			      "Too noisy: %d pairs cannot tell whether anything changed by %s.",
			      DOCTOR_USUAL_PAIRS, size_text(doctor, wanted, limit));
	for (size_t i = 0; i < doctor->nr_disqualifying; i++)
		doc_paragraph(doc, "Not clean: %s.", note_kind(doctor->disqualifying[i])->when);
}

static void add_table(struct doc *doc, const struct doctor *doctor)
{
	static const struct doc_column columns[] = {
		{ "pairs", DOC_RIGHT },
		{ "take about", DOC_RIGHT },
		{ "find a change of", DOC_RIGHT },
		{ "rule out a change of", DOC_RIGHT },
	};
	struct doc_table *table =
		doc_table(doc, "power", columns, sizeof(columns) / sizeof(*columns));

	for (size_t i = 0; i < DOCTOR_NR_BUDGETS; i++) {
		size_t nr = doctor_budgets[i];
		double finds = sensitivity_finds(&doctor->sensitivity, nr);
		double rules_out = sensitivity_rules_out(&doctor->sensitivity, nr);
		char duration[UNITS_TEXT_LEN];
		char finds_text[SIZE_TEXT_LEN], rules_out_text[SIZE_TEXT_LEN];

		doc_row(table);
		doc_text(table, "%zu", nr);
		doc_text(table, "%s", duration_text(seconds_of(doctor, nr), duration));
		doc_text(table, "%s", size_text(doctor, finds, finds_text));
		doc_text(table, "%s", size_text(doctor, rules_out, rules_out_text));
	}
}

struct doc *doctor_report(const struct doctor *doctor)
{
	struct doc *doc = doc_create("regio.doctor");
	CLEANUP(free) char *advice = doctor_advice(doctor);

	doc_heading(doc, "%s: %s", doctor->place.subject,
		    doctor_is_fit(doctor) ? "fit to measure" : "not fit to measure");
	add_reasons(doc, doctor);
	add_table(doc, doctor);
	doc_paragraph(doc, "Each in 4 of 5 comparisons by `regio ab` with runs like these.");
	if (doctor->notes.nr)
		doc_notes(doc, &doctor->notes);
	doc_paragraph(doc, "What would help most: %s.", advice);
	return doc;
}

/* ---- JSON ---- */

static json_t *reasons_json(const struct doctor *doctor)
{
	json_t *array = json_array();

	if (doctor->is_too_noisy)
		(void)json_array_append_new(array, json_string("noise"));
	for (size_t i = 0; i < doctor->nr_disqualifying; i++)
		(void)json_array_append_new(array,
					    json_string(note_kind(doctor->disqualifying[i])->name));
	return array;
}

static json_t *budgets_json(const struct doctor *doctor)
{
	const double scale = is_ratio(doctor) ? PERCENT : 1;
	json_t *array = json_array();

	for (size_t i = 0; i < DOCTOR_NR_BUDGETS; i++) {
		size_t nr = doctor_budgets[i];
		double finds = sensitivity_finds(&doctor->sensitivity, nr);
		double rules_out = sensitivity_rules_out(&doctor->sensitivity, nr);

		(void)json_array_append_new(
			array, json_pack("{s:i, s:o, s:o, s:o}", "pairs", (int)nr, "seconds",
					 report_number(seconds_of(doctor, nr)), "finds",
					 report_number(scale * finds), "rules_out",
					 report_number(scale * rules_out)));
	}
	return array;
}

char *doctor_report_json(const struct doctor *doctor)
{
	const struct campaign *campaign = &doctor->campaign;
	const size_t nr = campaign->look.nr_pairs;
	const double scale = is_ratio(doctor) ? PERCENT : 1;
	CLEANUP(free) char *advice = doctor_advice(doctor);
	json_t *root = json_pack("{s:s, s:i, s:o, s:b, s:o}", "schema", "regio.doctor", "version",
				 DOCTOR_JSON_VERSION, "subject", report_text(doctor->place.subject),
				 "fit", doctor_is_fit(doctor), "reasons", reasons_json(doctor));

	(void)json_object_set_new(root, "metric", json_string(doctor->metric));
	(void)json_object_set_new(root, "unit", json_string(metric_unit(doctor->metric)));
	(void)json_object_set_new(root, "run_seconds",
				  report_number((double)doctor->run_ns / NS_PER_S));
	(void)json_object_set_new(root, "pairs", json_integer((json_int_t)nr));
	(void)json_object_set_new(root, "paired", json_boolean(campaign->look.mode == STOP_PAIRED));
	(void)json_object_set_new(root, "effects_in",
				  json_string(is_ratio(doctor) ? "percent" : "unit"));
	(void)json_object_set_new(root, "spread",
				  report_number(scale * doctor->sensitivity.spread));
	(void)json_object_set_new(root, "min_effect", report_number(doctor->config->min_effect));
	(void)json_object_set_new(root, "comparisons", budgets_json(doctor));
	(void)json_object_set_new(root, "a", report_values(campaign->stop.a, nr));
	(void)json_object_set_new(root, "b", report_values(campaign->stop.b, nr));
	(void)json_object_set_new(root, "notes", report_notes(&doctor->notes));
	(void)json_object_set_new(root, "advice", report_text(advice));
	return report_dump(root);
}
