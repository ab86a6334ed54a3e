/* SPDX-License-Identifier: GPL-2.0-or-later */
/* restore: undoes what a killed run left behind. */
#include <stddef.h>
#include <stdio.h>

#include "base/args.h"
#include "base/err.h"
#include "cmd/cmd.h"
#include "journal/journal.h"

struct restore_config {
	bool dry_run;
	bool is_help;
};

static const struct arg_row restore_rows[] = {
	{ .name = "dry-run",
	  .short_name = 'n',
	  .type = ARG_BOOL,
	  .offset = offsetof(struct restore_config, dry_run),
	  .help = "only say what would be undone" },
	{ .name = "help",
	  .short_name = 'h',
	  .type = ARG_BOOL,
	  .offset = offsetof(struct restore_config, is_help),
	  .help = "this text" },
};

static const struct args_spec restore_spec = {
	.command = "regio restore",
	.summary = "undo what was left behind by a killed run",
	.rows = restore_rows,
	.nr_rows = sizeof(restore_rows) / sizeof(*restore_rows),
};

static int restore_all(const struct restore_config *config, struct err *err)
{
	struct journal_leftovers leftovers = { .nr = 0 };
	size_t nr = 0;
	int ret = journal_find_leftovers(NULL, &leftovers, err);

	if (ret < 0)
		return ret;
	for (size_t i = 0; i < leftovers.nr; i++)
		printf("%s\n", leftovers.what[i]);
	journal_leftovers_release(&leftovers);
	ret = journal_restore(NULL, config->dry_run, &nr, err);
	if (ret < 0)
		return ret;
	if (nr == 0)
		printf("nothing to restore\n");
	else
		printf("%zu change%s %s\n", nr, nr == 1 ? "" : "s",
		       config->dry_run ? "would be restored" : "restored");
	return 0;
}

static int restore_run(int argc, char *const *argv, struct err *err)
{
	struct restore_config config = { .dry_run = false };
	struct arg_list operands = { .nr = 0 };
	int ret = args_parse(&restore_spec, argc, argv, &config, &operands, err);

	arg_list_release(&operands);
	if (ret < 0)
		return ret;
	if (config.is_help) {
		args_print_usage(&restore_spec, stdout);
		return 0;
	}
	return restore_all(&config, err);
}

const struct command cmd_restore = {
	.name = "restore",
	.summary = "undo what was left behind by a killed run",
	.spec = &restore_spec,
	.run = restore_run,
};
