/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verdict: one line and an exit status about samples that were measured, for scripts. */
#include <stdio.h>
#include <string.h>

#include "base/args.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "cmd/cmd.h"
#include "cmd/compare.h"
#include "cmd/git_bisect.h"

struct verdict_options {
	struct compare_options compare; /* first: the shared rows point into it */
	bool git_bisect;
};

static const struct arg_row verdict_rows[] = {
	{ .name = "git-bisect",
	  .type = ARG_BOOL,
	  .offset = offsetof(struct verdict_options, git_bisect),
	  .help = GIT_BISECT_HELP },
	JUDGE_OPTION_ROWS(struct compare_options),
	{ .name = "help",
	  .short_name = 'h',
	  .type = ARG_BOOL,
	  .offset = offsetof(struct compare_options, is_help),
	  .help = "this text" },
};

static const struct args_spec verdict_spec = {
	.command = "regio verdict",
	.operands = "BASE NEW | FILE",
	.summary = "whether NEW is a regression, by exit status: operands as of regio compare",
	.rows = verdict_rows,
	.nr_rows = sizeof(verdict_rows) / sizeof(*verdict_rows),
};

static size_t nr_deciding(const struct metric_table *table)
{
	size_t nr = 0;

	for (size_t i = 0; i < table->nr; i++)
		nr += table->rows[i].use == ROW_PRIMARY;
	return nr;
}

static void print_line(const struct compare *compare)
{
	size_t nr = nr_deciding(&compare->table);
	const struct metric_row *row = metric_table_worst(&compare->table);
	CLEANUP(free) char *text = NULL;

	if (!row) {
		printf("undecided: no metric is known to decide here; name one with --metric\n");
		return;
	}
	text = compare_conclusion(compare, row);
	printf("%s", text);
	if (nr > 1)
		printf(" (one of %zu that decide)", nr);
	if (verdict_has_no_direction(row->verdict)) {
		CLEANUP(free) char *hint = better_option_text(row->metric);

		printf("; %s", hint);
	}
	printf("\n");
}

/* Whether what failed is of NEW alone: the base was read already, or a file that holds both. */
static bool is_of_new(const struct compare *compare, const struct arg_list *operands, int ret)
{
	if (operands->nr == 1)
		return ret == -ERR_INPUT;
	return compare->nr_sides > 0 && compare->nr_sides < operands->nr;
}

/* ret_is_of_new: an error is one of NEW, not of the words or the base. */
static int verdict_start(struct compare *compare, const struct arg_list *operands,
			 bool *ret_is_of_new, struct err *err)
{
	int ret = compare_check_options(compare->config, err);

	if (ret < 0)
		return ret;
	ret = compare_load(compare, operands, err);
	if (ret < 0) {
		*ret_is_of_new = is_of_new(compare, operands, ret);
		return ret;
	}
	ret = compare_judge(compare, err);
	if (ret < 0) {
		*ret_is_of_new = compare_check_base(compare, NULL) == 0;
		return ret;
	}
	print_line(compare);
	return verdict_exit_status(metric_table_verdict(&compare->table));
}

static int verdict_run(int argc, char *const *argv, struct err *err)
{
	struct verdict_options options = { .compare = COMPARE_OPTIONS_INIT };
	struct compare compare = { .config = &options.compare };
	struct arg_list operands = { .nr = 0 };
	bool is_of_new = false;
	int ret = args_parse(&verdict_spec, argc, argv, &options, &operands, err);

	if (ret < 0)
		options.git_bisect = git_bisect_is_asked(argc, argv);
	else if (options.compare.is_help)
		args_print_usage(&verdict_spec, stdout);
	else
		ret = verdict_start(&compare, &operands, &is_of_new, err);
	if (options.git_bisect)
		ret = git_bisect_status(ret, is_of_new);
	compare_release(&compare);
	arg_list_release(&operands);
	args_release(&verdict_spec, &options);
	return ret;
}

const struct command cmd_verdict = {
	.name = "verdict",
	.summary = "one line and exit status of such a comparison, also for `git bisect run`",
	.spec = &verdict_spec,
	.run = verdict_run,
};
