/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_mode: answers to what scripts ask of fio; running jobs is cmd_run's. */
#include "cmd/fio_mode.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/suggest.h"
#include "base/words.h"
#include "cmd/cmd.h"
#include "engine/engine.h"
#include "job/keys.h"
#include "model/job.h"
#include "output/fio_version.h"

#define STATUS_FAILED 1 /* fio's only one */
#define STATUS_INTERRUPTED 128

bool fio_mode_is_asked(const char *program)
{
	const char *slash = strrchr(program, '/');

	return !strcmp(slash ? slash + 1 : program, "fio");
}

/* The value of "--name=value" or "-name=value", "" without one; NULL for another word. */
static const char *option_value(const char *word, const char *name)
{
	const size_t len = strlen(name);

	const size_t nr_dashes = strspn(word, "-");

	if (nr_dashes < 1 || nr_dashes > 2 || strncmp(word + nr_dashes, name, len) != 0)
		return NULL;
	word += nr_dashes + len;
	return *word == '=' ? word + 1 : *word ? NULL : "";
}

static void print_line(const struct key_row *row)
{
	printf("%-24s: %s\n", row->info.name, row->info.help);
}

static void print_details(const struct key_row *row)
{
	printf("%20s: %s\n", row->info.name, row->info.help);
	if (row->info.alias)
		printf("%20s: %s\n", "alias", row->info.alias);
	printf("%20s: %s\n", "valid values", row->info.values);
	if (*row->info.default_text)
		printf("%20s: %s\n", "default", row->info.default_text);
	if (row->engines)
		printf("%20s: %s\n", "engines", row->engines);
}

static bool is_named(const struct key_row *row, const char *name)
{
	return !strcmp(row->info.name, name) || (row->info.alias && !strcmp(row->info.alias, name));
}

static int help_options(const char *name, struct err *err)
{
	struct suggest suggest = suggest_for(name);
	size_t nr;
	const struct key_row *rows = keys_table(&nr);
	const bool is_all = !*name || !strcmp(name, "all");

	for (size_t i = 0; i < nr; i++) {
		if (is_all)
			print_line(&rows[i]);
		else if (is_named(&rows[i], name))
			return print_details(&rows[i]), 0;
		suggest_offer(&suggest, rows[i].info.name);
	}
	if (is_all)
		return 0;
	if (suggest_best(&suggest))
		return err_set(err, ERR_USAGE, "--cmdhelp: no option '%s'; did you mean '%s'?",
			       name, suggest_best(&suggest));
	return err_set(err, ERR_USAGE, "--cmdhelp: no option '%s'", name);
}

static int help_engines(const char *text, struct err *err)
{
	CLEANUP(free) char *name = xstrdup(text);
	char *option = strchr(name, ',');
	size_t nr;
	const struct key_row *rows = keys_table(&nr);

	if (option)
		*option++ = '\0';
	if (!*name) {
		puts("Available IO engines:");
		for (const struct engine_ops *const *row = engine_table(); *row; row++)
			printf("\t%s\n", (*row)->name);
		return 0;
	}
	if (!engine_find(name))
		return err_set(err, ERR_USAGE, "--enghelp: no engine '%s'", name);
	for (size_t i = 0; i < nr; i++) {
		if (!words_have(rows[i].engines, name, strlen(name)))
			continue;
		if (!option)
			print_line(&rows[i]);
		else if (is_named(&rows[i], option))
			return print_details(&rows[i]), 0;
	}
	if (option)
		return err_set(err, ERR_USAGE, "--enghelp: engine '%s' has no option '%s'", name,
			       option);
	return 0;
}

bool fio_mode_answer(int argc, char *const *argv, int *ret, struct err *err)
{
	for (int i = 0; i < argc; i++) {
		const char *value = option_value(argv[i], "cmdhelp");

		if (value)
			return *ret = help_options(value, err), true;
		value = option_value(argv[i], "enghelp");
		if (value)
			return *ret = help_engines(value, err), true;
	}
	return false;
}

/* Options of fio that are none of run. */
static const struct fio_word {
	const char *name;
	bool has_value;
	const char *why; /* it is refused; NULL: it is about fio's own memory, and accepted */
} fio_words[] = {
	{ "alloc-size", true, NULL },
	{ "max-jobs", true, NULL },
	{ "aux-path", true, "state and dump files go to the current folder" },
	{ "client", true, "there are no clients and servers; --on runs jobs elsewhere" },
	{ "cpuclock-test", false, "the clock is tested in every run; doctor says which it is" },
	{ "crctest", false, "sums are not timed" },
	{ "daemonize", true, "there are no clients and servers" },
	{ "debug", true, "there is no debug output" },
	{ "idle-prof", true, "--monitors=idle and --monitors=cpu watch the CPUs" },
	{ "inflate-log", true, "logs are never compressed" },
	{ "merge-blktrace-only", false, "no traces are replayed" },
	{ "remote-config", true, "there are no clients and servers" },
	{ "server", false, "there are no clients and servers; --on runs jobs elsewhere" },
	{ "trigger", true, "there are no triggers" },
	{ "trigger-file", true, "there are no triggers" },
	{ "trigger-remote", true, "there are no triggers" },
	{ "trigger-timeout", true, "there are no triggers" },
};

static const struct fio_word *fio_word_find(const char *word)
{
	for (size_t i = 0; i < sizeof(fio_words) / sizeof(*fio_words); i++) {
		if (option_value(word, fio_words[i].name))
			return &fio_words[i];
	}
	return NULL;
}

int fio_mode_filter(int argc, char *const *argv, struct arg_list *ret_words, struct err *err)
{
	const bool is_fio = argc > 0 && !strcmp(argv[0], "--" FIO_MODE_OPTION);

	for (int i = 0; i < argc; i++) {
		const struct fio_word *word = fio_word_find(argv[i]);

		if (word && word->why)
			return err_set(err, ERR_UNSUPPORTED,
				       "--%s is an option of fio that regio does not have: %s",
				       word->name, word->why);
		if (word && word->has_value && !strchr(argv[i], '='))
			i++;
		else if (!word && is_fio && !strcmp(argv[i], "--bandwidth-log"))
			arg_list_push(ret_words, "--bandwidth-log=agg"); /* no value there */
		else if (!word)
			arg_list_push(ret_words, argv[i]);
	}
	return 0;
}

static void show_options(const struct job_options *options)
{
	for (size_t i = 0; i < options->nr; i++) {
		const struct job_option *option = &options->items[i];

		if (!strcmp(option->key, "name"))
			continue;
		printf(*option->value ? " --%s=%s" : " --%s%s", option->key, option->value);
	}
}

void fio_mode_show(const struct job_set *jobs)
{
	printf("fio");
	show_options(&jobs->global_options);
	for (size_t i = 0; i < jobs->nr; i++) {
		printf(" --name=%s", jobs->jobs[i].name);
		show_options(&jobs->jobs[i].options);
	}
	printf("\n");
}

static int fio_status(int ret)
{
	if (ret >= 0)
		return ret;
	return ret == -ERR_INTERRUPTED ? STATUS_INTERRUPTED : STATUS_FAILED;
}

int fio_mode_main(int argc, char *const *argv, struct err *err)
{
	const struct command *run = command_find("run");
	struct arg_list words = { .nr = 0 };
	int ret;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--version") || !strcmp(argv[i], "-v")) {
			puts(FIO_FORM_VERSION);
			return 0;
		}
	}
	arg_list_push(&words, "--" FIO_MODE_OPTION);
	arg_list_push(&words, "--fio-strict");
	arg_list_push(&words, "--no-save");
	arg_list_push(&words, "--eta=auto");
	for (int i = 1; i < argc; i++)
		arg_list_push(&words, argv[i]);
	ret = run->run((int)words.nr, (char *const *)words.items, err);
	arg_list_release(&words);
	return fio_status(ret);
}
