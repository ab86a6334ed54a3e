/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare: two or three samples that were measured already, stored or posted. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/suggest.h"
#include "cmd/cmd.h"
#include "cmd/compare.h"
#include "cmd/terminal.h"
#include "output/doc.h"
#include "output/output.h"

static const struct arg_row compare_rows[] = {
	{ .name = "metric",
	  .short_name = 'm',
	  .type = ARG_STRING_LIST,
	  .offset = offsetof(struct compare_options, metrics),
	  .value_name = "NAME",
	  .help = "what decides: iops, bw, clat_p99, write.lat_mean .. (up to three times)" },
	SAMPLE_OPTION_ROWS(struct compare_options),
	{ .name = "better",
	  .type = ARG_STRING,
	  .offset = offsetof(struct compare_options, better),
	  .value_name = "WHICH",
	  .help = "higher or lower: what is good, where regio does not know the metric" },
	{ .name = "min-effect",
	  .type = ARG_SHARE,
	  .offset = offsetof(struct compare_options, min_effect),
	  .value_name = "X",
	  .help = "smallest difference that matters (default 5%)" },
	{ .name = "alpha",
	  .type = ARG_DOUBLE,
	  .offset = offsetof(struct compare_options, alpha),
	  .value_name = "P",
	  .help = "chance of a false alarm (default 0.05)" },
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

static int check_options(const struct compare_options *options, struct err *err)
{
	if (!(options->alpha > 0.0 && options->alpha < 1.0))
		return err_set(err, ERR_USAGE, "--alpha: %g is not between 0 and 1",
			       options->alpha);
	if (!(options->min_effect >= 0.0 && options->min_effect < 1.0))
		return err_set(err, ERR_USAGE, "--min-effect: %g %% is not in 0..100 %%",
			       100 * options->min_effect);
	if (options->better && strcmp(options->better, "higher") != 0 &&
	    strcmp(options->better, "lower") != 0)
		return err_set(err, ERR_USAGE, "--better: '%s' is neither higher nor lower",
			       options->better);
	if (options->metrics.nr > METRIC_MAX_PRIMARY)
		return err_set(err, ERR_USAGE, "--metric: at most %d metrics can decide",
			       METRIC_MAX_PRIMARY);
	return 0;
}

static void match_sides(struct compare *compare)
{
	for (size_t side = 1; side < compare->nr_sides; side++) {
		size_t before = compare->pairs.nr;

		cohorts_match(&compare->sides[0], &compare->sides[side], &compare->pairs);
		compare->pair_sides = xreallocarray(compare->pair_sides, compare->pairs.nr + 1,
						    sizeof(*compare->pair_sides));
		for (size_t i = before; i < compare->pairs.nr; i++)
			compare->pair_sides[i] = side;
	}
}

static enum polarity polarity_of(const struct compare_options *options)
{
	if (!options->better)
		return POLARITY_NONE;
	return !strcmp(options->better, "higher") ? POLARITY_HIGHER_IS_BETTER
						  : POLARITY_LOWER_IS_BETTER;
}

static int compare_judge(struct compare *compare, struct err *err)
{
	const struct table_config config = {
		.rule = { .alpha = compare->config->alpha,
			  .min_effect = compare->config->min_effect },
		.metrics = compare->config->metrics.items,
		.nr_metrics = compare->config->metrics.nr,
		.polarity = polarity_of(compare->config),
	};
	int ret;

	match_sides(compare);
	ret = metric_table_init(&compare->table, &config, &compare->pairs, err);
	if (ret == 0)
		compare_add_notes(compare);
	return ret;
}

static int compare_start(struct compare *compare, const struct arg_list *operands, struct err *err)
{
	const struct output_style style = terminal_style();
	const struct output_ops *format = find_format(compare->config->format, err);
	CLEANUP(doc) struct doc *doc = NULL;
	int ret = format ? check_options(compare->config, err) : -ERR_USAGE;

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
	struct compare_options options = {
		.format = "text",
		.min_effect = 0.05,
		.alpha = 0.05,
	};
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
