/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report_json: pieces of JSON documents. Out of memory shows when they are dumped. */
#include "cmd/report_json.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/strbuf.h"
#include "model/metric.h"
#include "model/note.h"

json_t *report_number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

json_t *report_text(const char *text)
{
	CLEANUP(strbuf) struct strbuf ascii = STRBUF_INIT;
	json_t *string;

	if (!text)
		return json_null();
	string = json_string(text);
	if (string)
		return string;
	for (; *text; text++) /* no UTF-8: a file name, say */
		strbuf_add(&ascii, (unsigned char)*text < 0x80 ? text : "?", 1);
	return json_string(strbuf_str(&ascii));
}

json_t *report_interval(struct interval interval)
{
	return json_pack("[o, o]", report_number(interval.lo), report_number(interval.hi));
}

json_t *report_values(const double *values, size_t nr)
{
	json_t *array = json_array();

	for (size_t i = 0; i < nr; i++)
		(void)json_array_append_new(array, report_number(values[i]));
	return array;
}

void report_add_summary(json_t *object, const struct summary *summary)
{
	(void)json_object_set_new(object, "n", json_integer((json_int_t)summary->n));
	(void)json_object_set_new(object, "median", report_number(summary->median));
	(void)json_object_set_new(object, "mean", report_number(summary->mean));
	(void)json_object_set_new(object, "stddev_percent",
				  report_number(100 * summary->stddev / fabs(summary->mean)));
}

void report_add_effect(json_t *object, const struct decision *decision)
{
	const char *key = decision->scale == SCALE_RATIO ? "ratio" : "difference";

	(void)json_object_set_new(object, key, report_number(decision->effect));
	(void)json_object_set_new(object, "interval", report_interval(decision_interval(decision)));
	(void)json_object_set_new(object, "p",
				  decision->is_tested ? report_number(decision->p) : json_null());
	(void)json_object_set_new(object, "confidence",
				  report_number(decision_confidence(decision)));
}

json_t *report_metrics(const struct metric_list *metrics)
{
	json_t *object = json_object();

	for (size_t i = 0; i < metrics->nr; i++) {
		const struct metric *metric = &metrics->items[i];

		if (isfinite(metric->value) && !json_object_get(object, metric->name))
			(void)json_object_set_new(object, metric->name, json_real(metric->value));
	}
	return object;
}

json_t *report_notes(const struct note_list *notes)
{
	json_t *array = json_array();

	for (size_t i = 0; i < notes->nr; i++) {
		const struct note_kind *kind = note_kind(notes->items[i].id);

		(void)json_array_append_new(array,
					    json_pack("{s:s, s:o, s:s}", "id", kind->name, "text",
						      report_text(notes->items[i].text), "advice",
						      kind->advice));
	}
	return array;
}

char *report_dump(json_t *root)
{
	char *text = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15));

	json_decref(root);
	return text ? text : xstrdup("{}");
}
