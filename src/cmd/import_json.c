/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import_json: one imported result in the stable JSON form, schema regio.import. */
#include "cmd/import_summary.h"

#include "cmd/report_json.h"
#include "model/metric.h"
#include "model/result.h"
#include "model/result_workload.h"

static json_t *job_json(const struct job_result *job)
{
	CLEANUP(metric_list) struct metric_list metrics = { .nr = 0 };

	job_result_metrics(job, &metrics);
	return json_pack("{s:o, s:i, s:o}", "name", report_text(job->name ? job->name : ""),
			 "error", job->error, "metrics", report_metrics(&metrics));
}

static json_t *jobs_json(const struct result *result)
{
	json_t *array = json_array();

	for (size_t i = 0; i < result->nr_jobs; i++)
		(void)json_array_append_new(array, job_json(&result->jobs[i]));
	return array;
}

/* Of the metrics that are means of several runs; NULL if there is none. */
static json_t *means_json(const struct result *result)
{
	json_t *object = NULL;

	for (size_t i = 0; i < result->given.nr; i++) {
		const struct given_metric *given = &result->given.items[i];
		json_t *runs;

		if (!given->nr_runs)
			continue;
		if (!object)
			object = json_object();
		runs = given->nr_runs == GIVEN_RUNS_UNKNOWN ? json_null()
							    : json_integer(given->nr_runs);
		(void)json_object_set_new(object, given->name,
					  json_pack("{s:o, s:o, s:o}", "runs", runs,
						    "stddev_percent",
						    report_number(given->stddev_percent), "change",
						    report_number(given->change)));
	}
	return object;
}

char *import_result_json(const struct result *result)
{
	CLEANUP(metric_list) struct metric_list metrics = { .nr = 0 };
	CLEANUP(free) char *workload = result_workload(result);
	json_t *means = means_json(result);
	json_t *object;

	result_metrics(result, &metrics);
	object = json_pack("{s:o, s:o, s:o, s:{s:o, s:i}, s:o, s:o, s:o, s:o}", "label",
			   report_text(result->label), "tool", report_text(result->tool),
			   "tool_version", report_text(result->tool_version), "source", "file",
			   report_text(result->source_file), "line", (int)result->source_line,
			   "workload", report_text(workload), "jobs", jobs_json(result), "metrics",
			   report_metrics(&metrics), "notes", report_notes(&result->notes));
	if (means)
		(void)json_object_set_new(object, "means", means);
	return report_dump(object);
}
