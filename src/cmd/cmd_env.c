/* SPDX-License-Identifier: GPL-2.0-or-later */
/* env: the environment here or of a stored sample, and what differs between two samples. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/vec.h"
#include "cmd/cmd.h"
#include "cmd/compare.h"
#include "cmd/compare_store.h"
#include "cmd/env_report.h"
#include "cmd/env_show.h"
#include "cmd/report_json.h"
#include "cmd/terminal.h"
#include "env/env.h"
#include "job/job_facts.h"
#include "job/job_parse.h"
#include "model/job.h"
#include "model/result.h"
#include "output/doc.h"
#include "output/output.h"
#include "target/job_paths.h"

#define ENV_DIFF_JSON_VERSION 1
#define PLAIN_WIDTH 100 /* where the output is no terminal */

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
	.command = "regio env",
	.operands = "[FILE | DEVICE | JOB.fio].. | LABEL | diff BASE NEW [NEW2]",
	.summary = "machine, kernel and block stack under files, or what differs between samples",
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

/* ---- one environment ---- */

/* What the operands mean, and the facts about it. */
struct env_show {
	const struct compare_options *options;
	struct arena arena;
	VEC(const char *) paths;
	struct result result;
	struct side side; /* of a stored label */
	const char *of;
};

static void env_show_release(struct env_show *show)
{
	vec_release(&show->paths);
	result_release(&show->result);
	side_release(&show->side);
	arena_release(&show->arena);
}
CLEANUP_DEFINE(env_show, struct env_show, env_show_release)

static bool is_job_file(const char *word)
{
	size_t len = strlen(word);

	return len > 4 && !strcmp(word + len - 4, ".fio");
}

/* The files of its jobs, and their options as facts. */
static int add_job_file(struct env_show *show, const char *word, struct err *err)
{
	const struct job_parse_config config = { .words = &word, .nr_words = 1 };
	struct job_set jobs = { .nr = 0 };
	struct job_paths paths;
	struct job_paths places;
	int ret = job_parse(&config, &jobs, err);

	if (ret < 0)
		return ret;
	job_paths_collect(&jobs, &show->arena, &paths);
	job_paths_for_devices(&paths, &show->arena, &places);
	for (size_t i = 0; i < places.nr; i++)
		vec_push(&show->paths, arena_strdup(&show->arena, places.items[i].path));
	job_facts_add(&jobs, &show->result);
	job_set_release(&jobs);
	return 0;
}

static int add_stored(struct env_show *show, const char *label, struct err *err)
{
	const struct compare compare = { .config = show->options };
	int ret = compare_load_stored(&compare, label, &show->side, err);

	for (size_t i = 0; ret == 0 && i < show->side.env.nr; i++)
		result_add_env(&show->result, show->side.env.items[i].key,
			       show->side.env.items[i].value);
	return ret;
}

static int collect(struct env_show *show, const struct arg_list *operands, struct err *err)
{
	struct env_context context = { .is_brief = true, .all_disks = operands->nr == 0 };

	show->of = operands->nr == 1 ? operands->items[0] : NULL;
	if (operands->nr == 1 && !is_job_file(show->of) && !file_exists(show->of))
		return add_stored(show, show->of, err);
	for (size_t i = 0; i < operands->nr; i++) {
		const char *word = operands->items[i];
		int ret = 0;

		if (is_job_file(word))
			ret = add_job_file(show, word, err);
		else if (file_exists(word))
			vec_push(&show->paths, word);
		else
			ret = err_set(err, ERR_SYSTEM, "'%s' is no file, device or job file", word);
		if (ret < 0)
			return ret;
	}
	context.paths = show->paths.items;
	context.nr_paths = show->paths.nr;
	env_collect(&context, &show->result);
	return 0;
}

static int env_show(const struct compare_options *options, const struct arg_list *operands,
		    struct err *err)
{
	CLEANUP(env_show) struct env_show show = { .options = options };
	struct env_view view;
	unsigned width = terminal_style().width;
	int ret = collect(&show, operands, err);

	if (ret < 0)
		return ret;
	view = (struct env_view){ .env = show.result.env, .nr = show.result.nr_env };
	if (options->json) {
		CLEANUP(free) char *text = report_dump(env_show_json(&view, show.of));

		(void)printf("%s\n", text);
		return 0;
	}
	env_show_stack(&view, width ? width : PLAIN_WIDTH, stdout);
	env_show_machine(&view, width ? width : PLAIN_WIDTH, stdout);
	return 0;
}

static int env_run(int argc, char *const *argv, struct err *err)
{
	struct compare_options options = { .format = "text", .min_effect = 0.05, .alpha = 0.05 };
	struct arg_list operands = { .nr = 0 };
	bool is_diff = argc > 0 && !strcmp(argv[0], "diff");
	int ret = args_parse(&env_spec, argc - is_diff, argv + is_diff, &options, &operands, err);

	if (ret == 0 && options.is_help)
		args_print_usage(&env_spec, stdout);
	else if (ret == 0 && is_diff)
		ret = env_diff(&options, &operands, err);
	else if (ret == 0)
		ret = env_show(&options, &operands, err);
	arg_list_release(&operands);
	args_release(&env_spec, &options);
	return ret;
}

const struct command cmd_env = {
	.name = "env",
	.summary = "machine, kernel and block stack; diff: what differs between two samples",
	.spec = &env_spec,
	.run = env_run,
};
