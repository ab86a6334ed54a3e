/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exec_report: what `regio run --exec` says. */
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

/* Its own numbers and those of time(1), without those of other monitors. */
static bool is_shown(const struct result *result, const char *name)
{
	return !strncmp(name, "time.", 5) || !given_find(&result->monitored, name);
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
	for (size_t i = 0; i < metrics.nr; i++) {
		const char *name = metrics.items[i].name;

		if (!is_shown(result, name))
			continue;
		doc_row(table);
		doc_text(table, "%s", name);
		doc_number(table, metrics.items[i].value, metric_unit(name));
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
