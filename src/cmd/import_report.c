/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import_report: the table of what was found where. */
#include "cmd/import_summary.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/metric_group.h"
#include "base/arena.h"
#include "base/strbuf.h"
#include "cmd/report_text.h"
#include "model/metric.h"
#include "model/result.h"
#include "model/result_workload.h"
#include "output/doc.h"

static const char *const dir_metrics[] = { "iops", "bw_bytes_per_sec", "clat_ns.mean" };

/* ---- which numbers ---- */

static void take_number(struct import_group *group, const struct result *result,
			const struct metric *metric)
{
	const struct given_metric *given = given_find(&result->given, metric->name);

	if (group->nr_numbers == IMPORT_MAX_NUMBERS || !isfinite(metric->value))
		return;
	group->numbers[group->nr_numbers++] = (struct import_number){
		.metric = xstrdup(metric->name),
		.min = metric->value,
		.max = metric->value,
		.stddev_percent = given && given->nr_runs ? given->stddev_percent : (double)NAN,
	};
}

/* IOPS, bandwidth and latency of each direction. */
static void choose_of_dirs(struct import_group *group, const struct result *result,
			   const struct metric_list *metrics)
{
	for (int dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
		for (size_t i = 0; i < sizeof(dir_metrics) / sizeof(dir_metrics[0]); i++) {
			CLEANUP(free)
			char *name =
				xasprintf("%s.%s", io_dir_name((enum io_dir)dir), dir_metrics[i]);
			struct metric metric = { .name = name };

			if (metric_find(metrics, name, &metric.value) == 0)
				take_number(group, result, &metric);
		}
	}
}

static void choose_numbers(struct import_group *group, const struct result *result,
			   const struct metric_list *metrics)
{
	choose_of_dirs(group, result, metrics);
	if (group->nr_numbers)
		return;
	for (size_t i = 0; i < metrics->nr && group->nr_numbers < 3; i++) {
		if (metric_is_performance(metrics->items[i].name))
			take_number(group, result, &metrics->items[i]);
	}
	for (size_t i = 0; i < metrics->nr && group->nr_numbers == 0; i++)
		take_number(group, result, &metrics->items[i]);
}

/* ---- groups ---- */

static char *tool_text(const struct result *result)
{
	const char *version = result->tool_version ? result->tool_version : "";

	return xasprintf("%s%s%s", result->tool ? result->tool : "?", *version ? " " : "", version);
}

static bool belongs(const struct import_group *group, const struct import_group *wanted)
{
	return !strcmp(group->label, wanted->label) && !strcmp(group->file, wanted->file) &&
	       !strcmp(group->tool, wanted->tool) && !strcmp(group->workload, wanted->workload);
}

static void group_release(struct import_group *group)
{
	for (size_t i = 0; i < group->nr_numbers; i++)
		free(group->numbers[i].metric);
	free(group->file);
	free(group->tool);
	free(group->label);
	free(group->workload);
}

/* The group of the result, made if there is none; NULL when there are too many. */
static struct import_group *need_group(struct import_summary *summary, const struct result *result,
				       const struct metric_list *metrics)
{
	struct import_group wanted = {
		.file = xstrdup(result->source_file ? result->source_file : ""),
		.line = result->source_line,
		.tool = tool_text(result),
		.label = xstrdup(result->label ? result->label : ""),
		.workload = result_workload(result),
	};

	for (size_t i = summary->groups.nr; i-- > 0;) {
		struct import_group *group = &summary->groups.items[i];

		if (!belongs(group, &wanted))
			continue;
		group_release(&wanted);
		return group;
	}
	if (summary->groups.nr == IMPORT_MAX_GROUPS) {
		group_release(&wanted);
		return NULL;
	}
	choose_numbers(&wanted, result, metrics);
	vec_push(&summary->groups, wanted);
	return vec_last(&summary->groups);
}

/* "line 65: .." of importers that know more than the place of the result. */
static const char *skip_line(const char *text, unsigned *line)
{
	char *end;
	unsigned long nr;

	if (strncmp(text, "line ", 5) != 0)
		return text;
	nr = strtoul(text + 5, &end, 10);
	if (end == text + 5 || strncmp(end, ": ", 2) != 0 || nr > UINT_MAX)
		return text;
	*line = (unsigned)nr;
	return end + 2;
}

static void add_notes(struct import_summary *summary, const struct result *result)
{
	for (size_t i = 0; i < result->notes.nr; i++) {
		const struct note *note = &result->notes.items[i];

		unsigned line = result->source_line;
		const char *text = skip_line(note->text, &line);

		if (summary->notes.nr == IMPORT_MAX_NOTES)
			summary->nr_hidden_notes++;
		else
			note_add(&summary->notes, note->id, "%s:%u: %s",
				 result->source_file ? result->source_file : "", line, text);
	}
}

/* A column of a posted table. */
static bool is_means(const struct result *result)
{
	for (size_t i = 0; i < result->given.nr; i++) {
		if (!result->given.items[i].nr_runs)
			return false;
	}
	return result->given.nr > 0;
}

void import_summary_add(struct import_summary *summary, const struct result *result)
{
	CLEANUP(metric_list) struct metric_list metrics = { .nr = 0 };
	struct import_group *group;

	result_metrics(result, &metrics);
	add_notes(summary, result);
	summary->nr_results++;
	group = need_group(summary, result, &metrics);
	if (!group) {
		summary->nr_hidden++;
		return;
	}
	group->nr_results++;
	group->nr_failed += result_error(result) != 0;
	group->nr_means += is_means(result);
	for (size_t i = 0; i < group->nr_numbers; i++) {
		struct import_number *number = &group->numbers[i];
		double value;

		if (metric_find(&metrics, number->metric, &value) < 0)
			continue;
		number->min = fmin(number->min, value);
		number->max = fmax(number->max, value);
	}
}

void import_summary_release(struct import_summary *summary)
{
	VEC_FOREACH (&summary->groups, group)
		group_release(group);
	vec_release(&summary->groups);
	note_list_release(&summary->notes);
}

/* ---- the document ---- */

static void add_value(const struct import_number *number, const char *unit, struct strbuf *out)
{
	char text[REPORT_NUMBER_LEN];

	if (number->min < number->max) {
		strbuf_printf(out, "%s .. ", report_plain(number->min, unit, text));
		strbuf_add_str(out, report_plain(number->max, unit, text));
		return;
	}
	strbuf_add_str(out, report_plain(number->min, unit, text));
	if (!isnan(number->stddev_percent))
		strbuf_printf(out, " ± %.0f %%", floor(number->stddev_percent));
}

/* "write 2518 IOPS", "write 315 MiB/s", "write clat 1.213 s", "aiol.ops_per_sec 187.6". */
static void add_number(const struct import_number *number, struct strbuf *out)
{
	const char *dot = strchr(number->metric, '.');
	const char *rest = dot ? dot + 1 : "";
	int dir_len = dot ? (int)(dot - number->metric) : 0;
	const char *unit = metric_unit(number->metric);

	if (!strcmp(rest, dir_metrics[0])) {
		strbuf_printf(out, "%.*s ", dir_len, number->metric);
		add_value(number, unit, out);
		strbuf_add_str(out, " IOPS");
		return;
	}
	if (!strcmp(rest, dir_metrics[1]))
		strbuf_printf(out, "%.*s ", dir_len, number->metric);
	else if (!strcmp(rest, dir_metrics[2]))
		strbuf_printf(out, "%.*s clat ", dir_len, number->metric);
	else
		strbuf_printf(out, "%s ", number->metric);
	add_value(number, unit, out);
}

static char *numbers_text(const struct import_group *group)
{
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;

	for (size_t i = 0; i < group->nr_numbers; i++) {
		if (i)
			strbuf_add_str(&out, ", ");
		add_number(&group->numbers[i], &out);
	}
	if (group->nr_failed)
		strbuf_printf(&out, "%s%zu failed", out.len ? ", " : "", group->nr_failed);
	return strbuf_take(&out);
}

/* "24", "means", "24 + means" */
static void add_runs(const struct import_group *group, struct doc_table *table)
{
	size_t nr_runs = group->nr_results - group->nr_means;

	if (!group->nr_means)
		doc_number(table, (double)nr_runs, "");
	else if (!nr_runs)
		doc_number_as(table, 0, "", "means");
	else
		doc_number_as(table, (double)nr_runs, "", "%zu + means", nr_runs);
}

void import_summary_report(const struct import_summary *summary, struct doc *doc)
{
	static const struct doc_column columns[] = {
		{ "found at", DOC_LEFT },
		{ "program", DOC_LEFT },
		{ "label", DOC_LEFT },
		{ "runs", DOC_RIGHT },
		{ "what was measured", DOC_DATA },
		{ "numbers", DOC_LEFT },
	};
	struct doc_table *table =
		doc_table(doc, "results", columns, sizeof(columns) / sizeof(columns[0]));

	VEC_FOREACH (&summary->groups, group) {
		CLEANUP(free) char *numbers = numbers_text(group);

		doc_row(table);
		doc_text(table, "%s:%u", group->file, group->line);
		doc_text(table, "%s", group->tool);
		doc_text(table, "%s", group->label);
		add_runs(group, table);
		doc_text(table, "%s", group->workload);
		doc_text(table, "%s", numbers);
	}
	if (summary->nr_hidden)
		doc_paragraph(doc, "%zu more results are not listed.", summary->nr_hidden);
	doc_notes(doc, &summary->notes);
	if (summary->nr_hidden_notes)
		doc_paragraph(doc, "%zu more notes are not listed.", summary->nr_hidden_notes);
}
