/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turns command lines and job files into a job set: who may overrule whom, and in which order
 * the jobs come. */
#include "job/job_parse.h"

#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "job/keys.h"
#include "job/number.h"
#include "job/parser.h"

int parser_add_global(struct parser *parser, const struct option_list *options, struct err *err)
{
	struct draft *defaults = &parser->defaults;
	const struct draft_context *context = &parser->context;
	struct draft_list *given = &parser->global_given;
	int ret = draft_apply(defaults, context, options, DRAFT_FIRST, given, err);

	if (ret == 0) /* an overriding kb_base holds for the sizes of the file, too */
		ret = draft_apply(defaults, context, &parser->file_overrides, DRAFT_FIRST, NULL,
				  err);
	if (ret == 0)
		ret = draft_apply(defaults, context, &parser->overrides, DRAFT_FIRST, NULL, err);
	if (ret == 0)
		ret = draft_apply(defaults, context, options, DRAFT_REST, given, err);
	return ret;
}

/* Where an option that was typed wins over one of the file. */
static void tell_of_winners(struct parser *parser)
{
	const struct option_list *winners = &parser->file_overrides;

	for (size_t i = 0; i < winners->nr; i++) {
		const struct key_name *name = key_index_find(&parser->index, winners->items[i].key);
		const struct place *place;

		if (!name || !name->row)
			continue;
		place = draft_place(&parser->draft, name->row->info.name);
		if (place->rank == RANK_FILE)
			warning_add_trap(&parser->warnings, parser->arena, place, TRAP_FILE_WINS,
					 arena_printf(parser->arena,
						      "the %s of the command line wins; fio takes "
						      "that of the file",
						      name->name));
	}
}

/* Options of the section, then what wins over them, first those that others are read by. */
static int section_apply(struct parser *parser, const struct section *section, struct err *err)
{
	const struct option_list *lists[3];
	size_t nr_lists = 0;

	lists[nr_lists++] = &section->options;
	if (section->place.rank == RANK_FILE)
		lists[nr_lists++] = &parser->file_overrides;
	lists[nr_lists++] = &parser->overrides;
	for (int pass = DRAFT_FIRST; pass <= DRAFT_REST; pass++) {
		for (size_t i = 0; i < nr_lists; i++) {
			int ret;

			if (lists[i] == &parser->file_overrides && pass == DRAFT_REST)
				tell_of_winners(parser);
			ret = draft_apply(&parser->draft, &parser->context, lists[i],
					  (enum draft_pass)pass, &parser->given, err);

			if (ret < 0)
				return ret;
		}
	}
	return 0;
}

int parser_add_job(struct parser *parser, const struct section *section, struct err *err)
{
	struct job *job = &parser->draft.job;
	int ret;

	draft_copy(&parser->draft, &parser->defaults);
	draft_list_clear(&parser->given);
	job->section = section->name;
	job->source = section->place.source;
	job->line = section->place.line;
	ret = section_apply(parser, section, err);
	if (ret < 0)
		return ret;
	job->options = draft_list_options(&parser->given, parser->arena);
	job->effective = draft_list_options(&parser->draft.applied, parser->arena);
	ret = draft_finish(parser, &parser->draft, err);
	if (ret == 0)
		ret = draft_check(&parser->draft, err);
	if (ret == 0)
		vec_push(&parser->jobs, *job);
	return ret;
}

/* As if it were the default: it is in force in every job, and given to none. */
static void set_strict(struct parser *parser)
{
	struct option option = {
		.key = "fio_strict",
		.text = "1",
		.place = { .source = "--fio-strict" },
	};
	const struct option_list list = { .items = &option, .nr = 1 };

	/* a row of the table and a value that it takes: cannot fail */
	(void)draft_apply(&parser->builtin, &parser->context, &list, DRAFT_FIRST, NULL, NULL);
	draft_copy(&parser->defaults, &parser->builtin);
}

static void parser_init(struct parser *parser, const struct job_parse_config *config)
{
	struct arena *arena = xcalloc(1, sizeof(*arena));

	*parser = (struct parser){ .config = config, .arena = arena };
	key_index_init(&parser->index, arena);
	parser->context = (struct draft_context){
		.arena = arena,
		.index = &parser->index,
		.warnings = &parser->warnings,
	};
	draft_init(&parser->builtin, arena);
	draft_init(&parser->defaults, arena);
	draft_init(&parser->draft, arena);
	draft_list_init(&parser->given, arena);
	draft_list_init(&parser->global_given, arena);
	if (config->fio_strict)
		set_strict(parser);
}

/* Everything but what went into the set. */
static void parser_release(struct parser *parser)
{
	warning_list_release(&parser->warnings);
	vec_release(&parser->jobs);
	vec_release(&parser->overrides);
	vec_release(&parser->file_overrides);
	draft_release(&parser->builtin);
	draft_release(&parser->defaults);
	draft_release(&parser->draft);
	draft_list_release(&parser->given);
	draft_list_release(&parser->global_given);
}

static void add_overrides(struct parser *parser, const struct cmdline *cmdline)
{
	const struct job_parse_config *config = parser->config;
	const size_t nr_from_words = config->command_line_wins ? cmdline->defaults.nr : 0;

	for (size_t i = 0; i < nr_from_words; i++) {
		struct option option = cmdline->defaults.items[i];

		option.place.rank = RANK_OVERRIDE;
		vec_push(&parser->file_overrides, option);
	}
	for (size_t i = 0; i < config->nr_overrides; i++) {
		const struct job_parse_override *override = &config->overrides[i];

		vec_push(&parser->overrides,
			 (struct option){
				 .key = arena_strdup(parser->arena, override->key),
				 .text = arena_strdup(parser->arena, override->value),
				 .place = { .rank = RANK_OVERRIDE,
					    .source = override->origin
							      ? arena_printf(parser->arena,
									     "%s: setting",
									     override->origin)
							      : "setting" },
			 });
	}
}

/* The jobs of --name. The options before them stay as defaults for the first file. */
static int add_named_jobs(struct parser *parser, const struct cmdline *cmdline, struct err *err)
{
	int ret = 0;

	if (cmdline->sections.nr > 0 || !parser->config->command_line_wins)
		ret = parser_add_global(parser, &cmdline->defaults, err);
	for (size_t i = 0; ret == 0 && i < cmdline->sections.nr; i++)
		ret = parser_add_job(parser, &cmdline->sections.items[i], err);
	if (parser->config->command_line_wins)
		draft_copy(&parser->defaults, &parser->builtin);
	return ret;
}

static int add_file(struct parser *parser, struct source *source, size_t number, struct err *err)
{
	if (number > 0) {
		draft_copy(&parser->defaults, &parser->builtin);
		parser->is_wall_next = true;
	}
	return source_parse(parser, source, err);
}

/* As source_open(), with a hint where a job file is named like an option without its dashes. */
static int file_open(const struct parser *parser, const char *path, struct source *ret_source,
		     struct err *err)
{
	const size_t key_len = strcspn(path, "=");
	struct err reason = { .code = 0 };
	struct short_text quoted;
	int ret = source_open(path, ret_source, &reason);

	if (ret == 0)
		return 0;
	if (path[key_len] == '=' && reason.saved_errno == ENOENT &&
	    key_index_find(&parser->index, arena_strndup(parser->arena, path, key_len)))
		return err_set(err, reason.code, "%s (did you mean '--%s'?)", reason.msg,
			       short_text(path, &quoted));
	if (err)
		*err = reason;
	return ret;
}

static int add_files(struct parser *parser, const struct cmdline *cmdline, struct err *err)
{
	const struct job_parse_config *config = parser->config;
	size_t number = 0;
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < config->nr_texts; i++) {
		CLEANUP(source) struct source source = { .name = "" };
		struct job_parse_text text = config->texts[i];

		text.name = arena_strdup(parser->arena, text.name);
		source_open_text(&text, &source);
		ret = add_file(parser, &source, number++, err);
	}
	for (size_t i = 0; ret == 0 && i < cmdline->files.nr; i++) {
		CLEANUP(source) struct source source = { .name = "" };

		ret = file_open(parser, cmdline->files.items[i], &source, err);
		if (ret == 0)
			ret = add_file(parser, &source, number++, err);
	}
	return ret;
}

static int refuse_empty(const struct parser *parser, const struct cmdline *cmdline, struct err *err)
{
	const struct job_parse_config *config = parser->config;
	const char *file = cmdline->files.nr > 0 ? cmdline->files.items[0] : NULL;
	struct short_text quoted;

	if (config->nr_texts > 0)
		file = config->texts[0].name;
	if (!file)
		return err_set(err, ERR_USAGE,
			       "no job: give a job file or --name=NAME with options");
	if (config->nr_sections > 0)
		return err_set(err, ERR_USAGE, "%s: no section is named '%s'", file,
			       short_text(config->sections[0], &quoted));
	return err_set(err, ERR_INPUT, "%s: no job section", file);
}

/* Moves the jobs and warnings into the set, which owns the arena from now on. */
static void parser_take_set(struct parser *parser, struct job_set *ret_set)
{
	struct arena *arena = parser->arena;

	*ret_set = (struct job_set){
		.arena = arena,
		.jobs = arena_memdup(arena, parser->jobs.items,
				     parser->jobs.nr * sizeof(*parser->jobs.items)),
		.nr = parser->jobs.nr,
		.nr_clones = parser->nr_clones,
		.global_options = draft_list_options(&parser->global_given, arena),
		.warnings = arena_memdup(arena, parser->warnings.told.items,
					 parser->warnings.told.nr *
						 sizeof(*parser->warnings.told.items)),
		.nr_warnings = parser->warnings.told.nr,
		.include_error = parser->include_error,
	};
	parser->arena = NULL;
}

/* The one other job of that name; NULL and a message if there is none or more than one. */
static const struct job *waited_for(const struct parser *parser, const struct job *job,
				    struct err *err)
{
	const struct job *found = NULL;
	struct short_text quoted;

	(void)short_text(job->wait_for, &quoted);
	for (size_t i = 0; i < parser->jobs.nr; i++) {
		const struct job *other = &parser->jobs.items[i];

		if (strcmp(other->name, job->wait_for) != 0)
			continue;
		if (found || other == job) {
			(void)err_set(err, ERR_INPUT,
				      other == job && !found
					      ? "wait_for: '%s' waits for itself"
					      : "wait_for: several jobs are named '%s'",
				      quoted.buf);
			return NULL;
		}
		found = other;
	}
	if (!found)
		(void)err_set(err, ERR_INPUT, "wait_for: there is no job '%s'", quoted.buf);
	return found;
}

/* wait_for of the job leads to an end, and not behind a stonewall. */
static int check_wait(const struct parser *parser, const struct job *job, struct err *err)
{
	const struct job *next = job;
	size_t nr = 0;

	while (next->wait_for) {
		const unsigned phase = next->phase;

		next = waited_for(parser, next, err);
		if (!next)
			return -ERR_INPUT;
		if (next->phase > phase)
			return err_set(err, ERR_INPUT,
				       "wait_for: '%s' starts later, behind a stonewall",
				       next->name);
		if (nr++ > parser->jobs.nr)
			return err_set(err, ERR_INPUT, "wait_for: the jobs wait for each other");
	}
	return 0;
}

static int check_waits(const struct parser *parser, struct err *err)
{
	for (size_t i = 0; i < parser->jobs.nr; i++) {
		const struct job *job = &parser->jobs.items[i];
		int ret = check_wait(parser, job, err);

		if (ret < 0)
			return job_err_prefix(job, ret, err);
	}
	return 0;
}

static int parse_all(struct parser *parser, struct cmdline *cmdline, struct err *err)
{
	int ret = cmdline_parse(parser, cmdline, err);

	if (ret < 0)
		return ret;
	add_overrides(parser, cmdline);
	ret = add_named_jobs(parser, cmdline, err);
	if (ret == 0)
		ret = add_files(parser, cmdline, err);
	if (ret == 0 && parser->jobs.nr == 0)
		ret = refuse_empty(parser, cmdline, err);
	if (ret == 0)
		ret = check_waits(parser, err);
	if (ret == 0)
		warn_of_shared_files(parser);
	return ret;
}

int job_parse(const struct job_parse_config *config, struct job_set *ret_set, struct err *err)
{
	struct cmdline cmdline = { .files = VEC_INIT };
	struct parser parser;
	int ret;

	parser_init(&parser, config);
	ret = parse_all(&parser, &cmdline, err);
	if (ret == 0)
		parser_take_set(&parser, ret_set);
	cmdline_release(&cmdline);
	parser_release(&parser);
	if (parser.arena)
		arena_release(parser.arena);
	free(parser.arena);
	return ret;
}
