/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words and settings to a job set: what run and ab have in common before the first trial. */
#include "cmd/workload.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/args.h"
#include "base/err.h"
#include "base/log.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "cmd/stack_use.h"
#include "cmd/trial_options.h"
#include "job/job_parse.h"
#include "load/own_workload.h"
#include "model/job.h"
#include "model/setting.h"
#include "stack/stack.h"

static bool is_job_setting(const struct setting *setting)
{
	return !strcmp(setting->namespace, "job");
}

static int refuse_writers(const struct job_set *jobs, struct err *err)
{
	for (size_t i = 0; i < jobs->nr; i++) {
		const struct job *job = &jobs->jobs[i];

		if (!job_does(job, IO_WRITE) && !job_does(job, IO_TRIM))
			continue;
		(void)err_set(err, ERR_USAGE, "rw=%s, but --readonly is given", rw_name(job->rw));
		(void)job_err_prefix(job, 0, err);
		return -ERR_USAGE; /* the option, wherever the job stands */
	}
	return 0;
}

/* What a command does is out of sight, so --readonly cannot be promised. */
static int check_exec(const struct arg_list *words, const struct trial_options *options,
		      struct job_set *ret_jobs, struct err *err)
{
	if (words->nr)
		return err_set(err, ERR_USAGE,
			       "--exec runs a command in place of jobs, '%s' is one",
			       words->items[0]);
	if (options->sections.nr)
		return err_set(err, ERR_USAGE, "--section: a command of --exec has no sections");
	if (options->readonly)
		return err_set(err, ERR_USAGE,
			       "--readonly: nobody knows what the command of --exec writes");
	if (!options->exec[strspn(options->exec, " \t\n")])
		return err_set(err, ERR_USAGE, "--exec: there is no command");
	*ret_jobs = (struct job_set){ .nr = 0 };
	return 0;
}

static int parse_jobs(const struct arg_list *words, const struct setting_list *settings,
		      const struct trial_options *options, struct job_set *ret_jobs,
		      struct err *err)
{
	VEC(struct job_parse_override) overrides = VEC_INIT;
	struct job_parse_config config = {
		.words = words->items,
		.nr_words = words->nr,
		.sections = options->sections.items,
		.nr_sections = options->sections.nr,
		.command_line_wins = !options->fio_strict,
		.fio_strict = options->fio_strict,
	};
	int ret;

	if (options->exec)
		return check_exec(words, options, ret_jobs, err);
	for (size_t i = 0; i < settings->nr; i++) {
		const struct setting *setting = &settings->items[i];

		if (is_job_setting(setting))
			vec_push(&overrides,
				 (struct job_parse_override){ .key = setting->key,
							      .value = setting->value,
							      .origin = setting->origin });
	}
	config.overrides = overrides.items;
	config.nr_overrides = overrides.nr;
	ret = job_parse(&config, ret_jobs, err);
	vec_release(&overrides);
	return ret;
}

/* "--requests=128" of each job.requests=128, behind the words that it wins over. */
static void add_job_settings(struct arg_list *words, const struct setting_list *settings)
{
	for (size_t i = 0; i < settings->nr; i++) {
		const struct setting *setting = &settings->items[i];

		if (is_job_setting(setting))
			arg_list_push(words, xasprintf("--%s=%s", setting->key, setting->value));
	}
}

static int parse_own(const struct arg_list *words, const struct trial_options *options,
		     struct workload *workload, struct err *err)
{
	int ret;

	if (options->sections.nr)
		return err_set(err, ERR_USAGE, "--section: %s has no sections", words->items[0]);
	if (options->readonly)
		return err_set(err, ERR_USAGE, "--readonly is given, but %s writes",
			       words->items[0]);
	ret = own_workload_parse(words->items[0], words->items + 1, words->nr - 1, &workload->own,
				 err);
	if (ret == 0)
		ret = stack_use_apply_own(workload->stack, workload->own, err);
	return ret;
}

static int parse_words(const struct arg_list *words, const struct setting_list *settings,
		       const struct trial_options *options, struct workload *workload,
		       struct err *err)
{
	int ret = parse_jobs(words, settings, options, &workload->jobs, err);

	if (ret == 0 && options->readonly)
		ret = refuse_writers(&workload->jobs, err);
	if (ret == 0)
		ret = stack_use_apply(workload->stack, &workload->jobs, err);
	return ret;
}

/* A file of that name is told by a path: ./aiol */
static bool is_own(const struct arg_list *words, const struct trial_options *options)
{
	return !options->exec && words->nr && own_workload_find(words->items[0]);
}

int workload_parse(const struct arg_list *words, const struct setting_list *settings,
		   const struct trial_options *options, struct workload *ret_workload,
		   struct err *err)
{
	CLEANUP(workload) struct workload workload = { .own = NULL };
	struct arg_list expanded = { .nr = 0 };
	int ret = stack_use_parse(options, settings, &workload.stack, err);

	if (ret < 0)
		return ret;
	stack_use_export(workload.stack);
	for (size_t i = 0; i < words->nr; i++)
		arg_list_push(&expanded, stack_use_expand(workload.stack, words->items[i]));
	if (is_own(words, options)) {
		add_job_settings(&expanded, settings);
		ret = parse_own(&expanded, options, &workload, err);
	} else {
		ret = parse_words(&expanded, settings, options, &workload, err);
	}
	for (size_t i = 0; i < expanded.nr; i++)
		free((char *)(uintptr_t)expanded.items[i]); /* whoever keeps them has copies */
	arg_list_release(&expanded);
	if (ret < 0)
		return ret;
	*ret_workload = workload;
	workload = (struct workload){ .own = NULL };
	return 0;
}

void workload_print_help(const struct args_spec *spec, const struct arg_list *words, FILE *to)
{
	const struct own_workload_ops *const *table = own_workload_table();
	const struct own_workload_ops *own = words->nr ? own_workload_find(words->items[0]) : NULL;

	if (own) {
		args_print_usage(own->spec, to);
		fprintf(to, "\nand those of %s that are not about job files: %s --help\n",
			spec->command, spec->command);
		return;
	}
	args_print_usage(spec, to);
	fputs("\nworkloads by name in place of job files:\n", to);
	for (size_t i = 0; table[i]; i++)
		fprintf(to, "  %s: %s; %s %s --help\n", table[i]->name, table[i]->summary,
			spec->command, table[i]->name);
}

void workload_release(struct workload *workload)
{
	job_set_release(&workload->jobs);
	own_workload_free(workload->own);
	stack_free(workload->stack);
	*workload = (struct workload){ .own = NULL };
}

/* "j.fio:3: TEXT (trap NAME, 4 more)" */
static void warn_once(const struct job_warning *warning)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;

	if (warning->source && warning->line)
		strbuf_printf(&text, "%s:%u: ", warning->source, warning->line);
	strbuf_add_str(&text, warning->text);
	if (warning->trap)
		strbuf_printf(&text, " (trap %s", warning->trap);
	if (warning->nr_more)
		strbuf_printf(&text, ", %u more", warning->nr_more);
	if (warning->trap)
		strbuf_add_char(&text, ')');
	log_warning("%s", strbuf_str(&text));
}

size_t workload_warn(const struct job_set *jobs, bool tells_traps)
{
	size_t nr_told = 0;

	for (size_t i = 0; i < jobs->nr_warnings; i++) {
		if (jobs->warnings[i].trap && !tells_traps)
			continue;
		warn_once(&jobs->warnings[i]);
		nr_told++;
	}
	return nr_told;
}

void workload_machine_settings(const struct setting_list *settings, struct setting_list *ret_list)
{
	*ret_list = (struct setting_list){ .nr = 0 };
	for (size_t i = 0; i < settings->nr; i++) {
		if (!is_job_setting(&settings->items[i]))
			setting_list_add(ret_list, &settings->items[i]);
	}
}

int trial_work_parse(struct trial_work *work, const struct arg_list *words,
		     const struct trial_options *options, struct err *err)
{
	workload_machine_settings(&work->settings, &work->machine_settings);
	return workload_parse(words, &work->settings, options, &work->workload, err);
}

void trial_work_release(struct trial_work *work)
{
	workload_release(&work->workload);
	setting_list_release(&work->machine_settings);
	setting_list_release(&work->settings);
}

static bool is_plain_word(const char *word)
{
	if (!*word)
		return false;
	for (; *word; word++) {
		if (!isalnum((unsigned char)*word) && !strchr("-_=+,./:@%^", *word))
			return false;
	}
	return true;
}

static void add_shell_word(struct strbuf *text, const char *word)
{
	if (is_plain_word(word)) {
		strbuf_add_str(text, word);
		return;
	}
	strbuf_add_char(text, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			strbuf_add_str(text, "'\\''");
		else
			strbuf_add_char(text, *word);
	}
	strbuf_add_char(text, '\'');
}

char *workload_command(const char *command, int argc, char *const *argv)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_printf(&text, "regio %s", command);
	for (int i = 0; i < argc; i++) {
		strbuf_add_char(&text, ' ');
		add_shell_word(&text, argv[i]);
	}
	return strbuf_take(&text);
}
