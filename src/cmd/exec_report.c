/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exec_report: what `regio run --exec` says, and `regio run aiol`. */
#include "cmd/exec_report.h"

#include <stdbool.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "cmd/terminal.h"
#include "model/metric.h"
#include "model/result.h"
#include "output/doc.h"
#include "output/output.h"

/* "aiol.ops" of the workload "aiol --requests 64". */
static bool is_own(const struct result *result, const char *name)
{
	const char *own = result->workload ? result->workload : "";
	size_t len = strcspn(own, " ");

	return len && !strncmp(name, own, len) && name[len] == '.';
}

/* Its own numbers and, of a command, those of time(1), without those of other monitors. */
static bool is_shown(const struct result *result, const char *name)
{
	return is_own(result, name) || (result->command && !strncmp(name, "time.", 5)) ||
	       !given_find(&result->monitored, name);
}

static void add_metric(struct doc_table *table, const struct metric *metric)
{
	doc_row(table);
	doc_text(table, "%s", metric->name);
	doc_number(table, metric->value, metric_unit(metric->name));
}

static void add_metrics(struct doc *doc, const struct result *result)
{
	static const struct doc_column columns[] = {
		{ "metric", DOC_LEFT },
		{ "value", DOC_RIGHT },
	};
	CLEANUP(metric_list) struct metric_list metrics = { .nr = 0 };
	struct doc_table *table = doc_table(doc, "metrics", columns, 2);

	result_metrics(result, &metrics);
	for (int pass = 0; pass < 2; pass++) { /* its own ones first */
		for (size_t i = 0; i < metrics.nr; i++) {
			if (is_shown(result, metrics.items[i].name) &&
			    is_own(result, metrics.items[i].name) == (pass == 0))
				add_metric(table, &metrics.items[i]);
		}
	}
}

int exec_report(const struct result *result, FILE *to, struct err *err)
{
	const struct output_style style = terminal_style();
	CLEANUP(doc) struct doc *doc = doc_create("regio.exec");

	if (result->output && *result->output && fputs(result->output, to) == EOF)
		return err_set_errno(err, "write");
	add_metrics(doc, result);
	if (result->notes.nr)
		doc_notes(doc, &result->notes);
	return output_find("text")->doc(doc, &style, to, err);
}
