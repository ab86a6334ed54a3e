/* SPDX-License-Identifier: GPL-2.0-or-later */
/* regio: finds the command, runs it, prints the one error, turns it into the exit status. */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/args.h"
#include "base/err.h"
#include "base/file.h"
#include "base/log.h"
#include "base/suggest.h"
#include "cmd/cmd.h"
#include "cmd/fio_mode.h"
#include "job/job_parse.h"
#include "load/own_workload.h"
#include "model/note.h"
#include "model/trap.h"
#include "monitor/monitor.h"
#include "plan/plan_parse.h"
#include "stack/stack.h"

static void print_usage(FILE *to)
{
	fprintf(to, "usage: regio COMMAND [options]\n"
		    "       regio JOB.fio | --name=.. --rw=..   as `regio run`, and as for fio\n"
		    "\nFinds performance regressions in Linux block I/O and proves them.\n\n");
	for (size_t i = 0; command_table()[i]; i++)
		fprintf(to, "  %-10s %s\n", command_table()[i]->name, command_table()[i]->summary);
	fprintf(to,
		"\n`regio COMMAND --help` lists the options of a command; `regio --version`.\n");
}

/* Serves the shell completion: it holds no lists of its own. */
static int list_names(const char *command_name, struct err *err)
{
	const struct command *command;

	if (!command_name) {
		for (size_t i = 0; command_table()[i]; i++)
			printf("%s\n", command_table()[i]->name);
		return 0;
	}
	command = command_find(command_name);
	if (!command)
		return err_set(err, ERR_USAGE, "there is no command '%s'", command_name);
	args_print_names(command->spec, stdout);
	return 0;
}

/* One line per job option: name, values, default, help, tabs between. For completion and tests. */
static void list_job_options(void)
{
	const struct job_key_info *info;

	for (size_t i = 0; (info = job_key_info(i)) != NULL; i++)
		printf("%s\t%s\t%s\t%s\n", info->name, info->values, info->default_text,
		       info->help);
}

/* One line per monitor: name, what it gives. For completion and the manual. */
static void list_monitors(void)
{
	for (size_t i = 0; monitor_table()[i]; i++)
		printf("%s\t%s\n", monitor_table()[i]->name, monitor_table()[i]->summary);
}

/* One line per kind of note: name, when it is attached, advice. */
static void list_notes(void)
{
	for (int id = 0; id < NOTE_NR_IDS; id++) {
		const struct note_kind *kind = note_kind((enum note_id)id);

		printf("%s\t%s\t%s\n", kind->name, kind->when, kind->advice);
	}
}

/* One line per trap: name, what fio does, what regio does, what --fio-strict does. */
static void list_traps(void)
{
	for (int id = 0; id < TRAP_NR_IDS; id++) {
		const struct trap *trap = trap_row((enum trap_id)id);

		printf("%s\t%s\t%s\t%s\n", trap->name, trap->fio, trap->regio,
		       trap->is_strict ? "as fio" : "the same");
	}
}

/* One line per layer, and one per option of it: layer, option, what it is. */
static void list_layers(void)
{
	struct stack_word layer;
	struct stack_word option;

	for (size_t i = 0; stack_layer_info(i, &layer); i++) {
		printf("%s\t\t%s\n", layer.name, layer.summary);
		for (size_t k = 0; stack_layer_option_info(i, k, &option); k++)
			printf("%s\t%s\t%s\n", layer.name, option.name, option.summary);
	}
}

/* One line per workload that is no job, and one per option of it. */
static void list_workloads(void)
{
	const struct own_workload_ops *const *table = own_workload_table();

	for (size_t i = 0; table[i]; i++) {
		printf("%s\t\t%s\n", table[i]->name, table[i]->summary);
		for (size_t k = 0; k < table[i]->spec->nr_rows; k++)
			printf("%s\t%s\t%s\n", table[i]->name, table[i]->spec->rows[k].name,
			       table[i]->spec->rows[k].help);
	}
}

/* One line per key of a plan, or of LKP's job files: name, what it is. */
static void list_keys(bool (*info)(size_t, const char **, const char **))
{
	const char *name, *summary;

	for (size_t i = 0; info(i, &name, &summary); i++)
		printf("%s\t%s\n", name, summary);
}

static void list_plan_keys(void)
{
	list_keys(plan_key_info);
}

static void list_lkp_keys(void)
{
	list_keys(plan_lkp_key_info);
}

static int unknown_command(const char *word, struct err *err)
{
	struct suggest suggest = suggest_for(word);

	if (own_workload_find(word))
		return err_set(err, ERR_USAGE,
			       "'%s' is a workload: regio run %s, regio ab %s; --help lists its "
			       "options",
			       word, word, word);
	for (size_t i = 0; command_table()[i]; i++)
		suggest_offer(&suggest, command_table()[i]->name);
	if (suggest_best(&suggest))
		return err_set(err, ERR_USAGE,
			       "'%s' is neither a command nor a job file; did you mean '%s'?", word,
			       suggest_best(&suggest));
	return err_set(err, ERR_USAGE, "'%s' is neither a command nor a job file", word);
}

/* What has no row in a command's options: one list each. */
static const struct listing {
	const char *option;
	void (*print)(void);
} listings[] = {
	{ "--list-job-options", list_job_options },
	{ "--list-layers", list_layers },
	{ "--list-lkp-keys", list_lkp_keys },
	{ "--list-monitors", list_monitors },
	{ "--list-notes", list_notes },
	{ "--list-plan-keys", list_plan_keys },
	{ "--list-traps", list_traps },
	{ "--list-workloads", list_workloads },
};

static const struct listing *listing_find(const char *word)
{
	for (size_t i = 0; i < sizeof(listings) / sizeof(listings[0]); i++) {
		if (!strcmp(listings[i].option, word))
			return &listings[i];
	}
	return NULL;
}

static int dispatch(int argc, char *const *argv, struct err *err)
{
	const char *word = argc > 1 ? argv[1] : NULL;
	const struct command *command = word ? command_find(word) : NULL;

	if (command)
		return command->run(argc - 2, argv + 2, err);
	if (!word) {
		print_usage(stderr);
		return err_set(err, ERR_USAGE, "no command given");
	}
	if (!strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help")) {
		print_usage(stdout);
		return 0;
	}
	if (!strcmp(word, "--version")) {
		printf("regio-%s\n", REGIO_VERSION);
		return 0;
	}
	if (!strcmp(word, "--list-commands"))
		return list_names(NULL, err);
	if (listing_find(word)) {
		listing_find(word)->print();
		return 0;
	}
	if (!strcmp(word, "--list-options") && argc > 2)
		return list_names(argv[2], err);
	if (word[0] == '-' || strchr(word, '.') || file_exists(word))
		return command_find("run")->run(argc - 1, argv + 1, err);
	return unknown_command(word, err);
}

/* A descriptor of 0 to 2 that is closed would be the next file's, and what is printed would go into
 * that. /dev/null keeps the place; opened the wrong way round, reads and writes fail as before. */
static int keep_standard_files(struct err *err)
{
	static const int flags[] = { O_WRONLY, O_RDONLY, O_RDONLY };

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", flags[fd]) != fd)
			return err_set_errno(err, "open /dev/null");
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct err err = { .code = 0 };
	int ret = keep_standard_files(&err);

	(void)signal(SIGXFSZ, SIG_IGN); /* the write then fails with EFBIG */
	/* characters of the terminal; numbers keep their point */
	(void)setlocale(LC_CTYPE, "");
	if (ret == 0)
		ret = fio_mode_is_asked(argv[0]) ? fio_mode_main(argc, argv, &err)
						 : dispatch(argc, argv, &err);

	/* a result that never reached its reader is a failure, whatever was measured */
	if ((fflush(stdout) | ferror(stdout)) != 0 && ret >= 0)
		ret = err_set_errno(&err, "write to stdout");
	if (err.code)
		log_error("%s", err.msg);
	return ret < 0 ? -ret : ret;
}
