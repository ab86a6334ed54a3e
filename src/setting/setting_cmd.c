/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd: a shell command before the trial, and one after it: cmd=DO or cmd=DO ::: UNDO. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/child.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "model/result.h"
#include "model/setting.h"
#include "journal/journal.h"
#include "setting/setting_table.h"

#define SEPARATOR ":::"

struct command_pair {
	char *run;
	char *undo; /* NULL if there is none */
};

#define COMMAND_PAIR_INIT ((struct command_pair){ .run = NULL })

static void command_pair_release(struct command_pair *pair)
{
	free(pair->run);
	free(pair->undo);
}

CLEANUP_DEFINE(command_pair, struct command_pair, command_pair_release)

static struct command_pair command_pair_take(struct command_pair *pair)
{
	struct command_pair taken = *pair;

	*pair = COMMAND_PAIR_INIT;
	return taken;
}

static char *trimmed(const char *text, size_t len)
{
	CLEANUP(strbuf) struct strbuf copy = STRBUF_INIT;

	strbuf_add(&copy, text, len);
	strbuf_trim(&copy);
	return strbuf_take(&copy);
}

static int command_pair_parse(const char *value, struct command_pair *ret_pair, struct err *err)
{
	const char *separator = strstr(value, SEPARATOR);
	const char *undo = separator ? separator + strlen(SEPARATOR) : NULL;
	CLEANUP(command_pair) struct command_pair pair = COMMAND_PAIR_INIT;

	if (undo && strstr(undo, SEPARATOR))
		return err_set(err, ERR_USAGE, "more than one '" SEPARATOR "'");
	pair.run = trimmed(value, separator ? (size_t)(separator - value) : strlen(value));
	if (undo)
		pair.undo = trimmed(undo, strlen(undo));
	if (!pair.run[0])
		return err_set(err, ERR_USAGE, "there is no command");
	if (pair.undo && !pair.undo[0])
		return err_set(err, ERR_USAGE, "there is no command after '" SEPARATOR "'");
	*ret_pair = command_pair_take(&pair);
	return 0;
}

static int cmd_check(const struct setting_context *context, const struct setting *setting,
		     struct err *err)
{
	CLEANUP(command_pair) struct command_pair pair = COMMAND_PAIR_INIT;

	(void)context;
	return command_pair_parse(setting->value, &pair, err);
}

static int cmd_apply(const struct setting_context *context, const struct setting *setting,
		     struct journal *journal, struct err *err)
{
	CLEANUP(command_pair) struct command_pair pair = COMMAND_PAIR_INIT;
	CLEANUP(free) char *what = NULL;
	int ret = command_pair_parse(setting->value, &pair, err);

	if (ret < 0)
		return ret;
	what = xasprintf("command '%.200s'", pair.run);
	if (pair.undo) {
		const struct undo_step change = {
			.what = what,
			.undo_value = pair.undo,
		};

		ret = journal_record(journal, &change, err);
	}
	if (ret == 0) {
		const struct child_spec spec = { .shell = pair.run, .stop = context->stop };

		ret = child_run_checked(&spec, "sh", NULL, err);
	}
	return ret;
}

/* There is nothing to read back: the command as it was given. */
static int cmd_confirm(const struct setting_context *context, const struct setting_list *list,
		       size_t at, struct result *result, struct err *err)
{
	(void)context;
	(void)err;
	if (result)
		result_add_setting(result, "cmd", list->items[at].value);
	return 0;
}

const struct setting_ops setting_cmd = {
	.namespace = "cmd",
	.summary = "shell command before the trial, and after it: cmd=DO or cmd=DO ::: UNDO",
	.check = cmd_check,
	.apply = cmd_apply,
	.confirm = cmd_confirm,
};
