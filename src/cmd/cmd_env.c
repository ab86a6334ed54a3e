/* SPDX-License-Identifier: GPL-2.0-or-later */
/* env: what differs between the environments that two samples were measured in. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "cmd/cmd.h"
#include "cmd/compare.h"
#include "cmd/env_report.h"
#include "cmd/report_json.h"
#include "cmd/terminal.h"
#include "output/doc.h"
#include "output/output.h"

#define ENV_DIFF_JSON_VERSION 1

static const struct arg_row env_rows[] = {
	SAMPLE_OPTION_ROWS(struct compare_options),
	{ .name = "json",
	  .type = ARG_BOOL,
	  .offset = offsetof(struct compare_options, json),
	  .help = "one JSON document on stdout" },
	{ .name = "help",
	  .short_name = 'h',
	  .type = ARG_BOOL,
	  .offset = offsetof(struct compare_options, is_help),
	  .help = "this text" },
};

static const struct args_spec env_spec = {
	.command = "regio env diff",
	.operands = "BASE NEW [NEW2] | FILE",
	.summary = "what differs between the machines, kernels and settings of two samples",
	.rows = env_rows,
	.nr_rows = sizeof(env_rows) / sizeof(*env_rows),
};

static int print_json(const struct compare *compare, struct err *err)
{
	json_t *root = json_pack(
		"{s:s, s:i, s:o, s:o, s:o}", "schema", "regio.env_diff", "version",
		ENV_DIFF_JSON_VERSION, "base", report_text(compare->sides[0].label), "new",
		report_text(compare->sides[1].label), "environment",
		env_report_json(&compare->sides[0], &compare->sides[1], compare->nr_sides - 1));
	CLEANUP(free) char *text = report_dump(root);

	return printf("%s\n", text) < 0 ? err_set_errno(err, "write to stdout") : 0;
}

static int print_text(const struct compare *compare, struct err *err)
{
	const struct output_style style = terminal_style();
	CLEANUP(doc) struct doc *doc = doc_create("regio.env_diff");

	for (size_t side = 1; side < compare->nr_sides; side++) {
		const struct side *base = &compare->sides[0];
		const struct side *new = &compare->sides[side];

		if (base->env.nr + base->settings.nr == 0 || new->env.nr + new->settings.nr == 0)
			doc_paragraph(doc, "%s has recorded nothing about its environment.",
				      base->env.nr + base->settings.nr ? new->label : base->label);
		else if (env_report_add(doc, base, new) == 0)
			doc_paragraph(doc, "%s and %s: nothing that was recorded differs.",
				      base->label, new->label);
	}
	return output_find("text")->doc(doc, &style, stdout, err);
}

static int env_diff(const struct compare_options *options, const struct arg_list *operands,
		    struct err *err)
{
	struct compare compare = { .config = options };
	int ret = compare_load(&compare, operands, err);

	if (ret == 0)
		ret = options->json ? print_json(&compare, err) : print_text(&compare, err);
	compare_release(&compare);
	return ret;
}

static int env_run(int argc, char *const *argv, struct err *err)
{
	struct compare_options options = { .format = "text", .min_effect = 0.05, .alpha = 0.05 };
	struct arg_list operands = { .nr = 0 };
	bool is_diff = argc > 0 && !strcmp(argv[0], "diff");
	int ret = args_parse(&env_spec, argc - is_diff, argv + is_diff, &options, &operands, err);

	if (ret == 0 && options.is_help)
		args_print_usage(&env_spec, stdout);
	else if (ret == 0 && !is_diff)
		ret = err_set(err, ERR_USAGE, "regio env: say what: regio env diff BASE NEW");
	else if (ret == 0)
		ret = env_diff(&options, &operands, err);
	arg_list_release(&operands);
	args_release(&env_spec, &options);
	return ret;
}

const struct command cmd_env = {
	.name = "env",
	.summary = "env diff: what differs between the environments of two samples",
	.spec = &env_spec,
	.run = env_run,
};
