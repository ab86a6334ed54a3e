/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare: two or three samples that were measured already, stored or posted. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/suggest.h"
#include "cmd/cmd.h"
#include "cmd/compare.h"
#include "cmd/terminal.h"
#include "output/doc.h"
#include "output/output.h"

static const struct arg_row compare_rows[] = {
	JUDGE_OPTION_ROWS(struct compare_options),
	{ .name = "all-metrics",
	  .type = ARG_BOOL,
	  .offset = offsetof(struct compare_options, all_metrics),
	  .help = "show every metric, of single jobs too" },
	{ .name = "format",
	  .type = ARG_STRING,
	  .offset = offsetof(struct compare_options, format),
	  .value_name = "NAME",
	  .help = "text (default), csv, markdown, json or lkp" },
	{ .name = "json",
	  .type = ARG_BOOL,
	  .offset = offsetof(struct compare_options, json),
	  .help = "the same as --format=json" },
	{ .name = "lkp-strict",
	  .type = ARG_BOOL,
	  .offset = offsetof(struct compare_options, lkp_strict),
	  .help = "--format=lkp with LKP's defects: what a run lacks is 0, ..." },
	{ .name = "help",
	  .short_name = 'h',
	  .type = ARG_BOOL,
	  .offset = offsetof(struct compare_options, is_help),
	  .help = "this text" },
};

static const struct args_spec compare_spec = {
	.command = "regio compare",
	.operands = "BASE NEW [NEW2] | FILE",
	.summary =
		"compare samples: stored labels, files that hold results, FILE:LABEL, - for stdin",
	.rows = compare_rows,
	.nr_rows = sizeof(compare_rows) / sizeof(*compare_rows),
};

static const struct output_ops *find_format(const char *name, struct err *err)
{
	const struct output_ops *format = output_find(name);
	struct suggest suggest = suggest_for(name);

	if (format && format->doc)
		return format;
	for (size_t i = 0; output_table()[i]; i++) {
		if (output_table()[i]->doc)
			suggest_offer(&suggest, output_table()[i]->name);
	}
	if (suggest_best(&suggest))
		(void)err_set(err, ERR_USAGE, "--format: unknown format '%s', did you mean '%s'?",
			      name, suggest_best(&suggest));
	else
		(void)err_set(err, ERR_USAGE,
			      "--format: unknown format '%s'; there are text, csv, markdown, json "
			      "and lkp",
			      name);
	return NULL;
}

static int compare_start(struct compare *compare, const struct arg_list *operands, struct err *err)
{
	const struct output_style style = terminal_style();
	const struct output_ops *format = find_format(compare->config->format, err);
	CLEANUP(doc) struct doc *doc = NULL;
	int ret = format ? compare_check_options(compare->config, err) : -ERR_USAGE;

	if (ret == 0)
		ret = compare_load(compare, operands, err);
	if (ret == 0)
		ret = compare_judge(compare, err);
	if (ret < 0)
		return ret;
	doc = compare_report(compare);
	ret = format->doc(doc, &style, stdout, err);
	return ret < 0 ? ret : verdict_exit_status(metric_table_verdict(&compare->table));
}

static int compare_run(int argc, char *const *argv, struct err *err)
{
	struct compare_options options = COMPARE_OPTIONS_INIT;
	struct compare compare = { .config = &options };
	struct arg_list operands = { .nr = 0 };
	int ret = args_parse(&compare_spec, argc, argv, &options, &operands, err);

	if (options.json)
		options.format = "json";
	if (ret == 0 && options.is_help)
		args_print_usage(&compare_spec, stdout);
	else if (ret == 0)
		ret = compare_start(&compare, &operands, err);
	compare_release(&compare);
	arg_list_release(&operands);
	args_release(&compare_spec, &options);
	return ret;
}

const struct command cmd_compare = {
	.name = "compare",
	.summary = "compare samples that were measured already: stored, or in files and mails",
	.spec = &compare_spec,
	.run = compare_run,
};
