/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The grammar of job files: section headers, include lines and options. */
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "job/job_parse.h"
#include "job/number.h"
#include "job/parser.h"
#include "job/subst.h"

#define MAX_INCLUDES 1000 /* of one job_parse(): files that include twice what includes twice .. */

enum section_kind {
	SECTION_NONE, /* before the first header */
	SECTION_GLOBAL,
	SECTION_JOB,
	SECTION_SKIPPED, /* not among --section */
};

/* The section that is being read. */
struct open_section {
	enum section_kind kind;
	struct section section;
};

static bool is_wanted(const struct job_parse_config *config, const char *name)
{
	for (size_t i = 0; i < config->nr_sections; i++) {
		if (!strcmp(config->sections[i], name))
			return true;
	}
	return config->nr_sections == 0;
}

static bool is_strict(const struct parser *parser)
{
	return parser->defaults.job.fio_strict;
}

static void tell_trap(struct parser *parser, const struct place *place, enum trap_id trap,
		      const char *text)
{
	warning_add_trap(&parser->warnings, parser->arena, place, trap, text);
}

/*
 * The name in a header. fio takes the last character for the ']' whatever it is; where it is
 * not, the name it would make of it is of no use to anybody.
 */
static const char *header_name(struct parser *parser, const char *line, const struct place *place)
{
	const char *bracket = strrchr(line, ']');
	struct short_text quoted;

	if (is_strict(parser))
		return arena_strndup(parser->arena, line + 1,
				     strlen(line) > 1 ? strlen(line) - 2 : 0);
	if (!bracket) {
		tell_trap(parser, place, TRAP_SECTION_BRACKET,
			  arena_printf(parser->arena, "section '%s' has no ']' at the end",
				       short_text(line, &quoted)));
		return line + 1;
	}
	if (bracket[1])
		tell_trap(parser, place, TRAP_SECTION_BRACKET,
			  arena_printf(parser->arena,
				       "'%s' after the name of the section is ignored",
				       short_text(bracket + 1, &quoted)));
	return arena_strndup(parser->arena, line + 1, (size_t)(bracket - line) - 1);
}

static int section_open(struct parser *parser, const struct source *source, const char *line,
			struct open_section *open, struct err *err)
{
	const struct place place = source_place(source);
	const char *name = header_name(parser, line, &place);

	if (!*name)
		return place_refuse(&place, ERR_INPUT, err, "the section has no name");
	open->section.name = name;
	open->section.place = place;
	vec_clear(&open->section.options);
	if (!strncmp(name, "global", strlen("global")))
		open->kind = SECTION_GLOBAL;
	else
		open->kind = is_wanted(parser->config, name) ? SECTION_JOB : SECTION_SKIPPED;
	return 0;
}

static int section_close(struct parser *parser, const struct open_section *open, struct err *err)
{
	if (open->kind == SECTION_GLOBAL)
		return parser_add_global(parser, &open->section.options, err);
	if (open->kind == SECTION_JOB)
		return parser_add_job(parser, &open->section, err);
	return 0;
}

/* Moves *text behind leading blanks and cuts trailing ones off. */
static char *trim(char *text)
{
	size_t len;

	text += strspn(text, " \t");
	len = strlen(text);
	while (len > 0 && strchr(" \t", text[len - 1]))
		len--;
	text[len] = '\0';
	return text;
}

static int option_read(struct parser *parser, const struct source *source, const char *line,
		       struct option_list *options, struct err *err)
{
	struct option option = { .place = source_place(source) };
	struct err reason = { .code = 0 };
	struct subst subst;
	char *key;
	char *equals;

	if (subst_line(line, SOURCE_MAX_LINE_BYTES, parser->arena, &subst, &reason) < 0)
		return place_refuse(&option.place, ERR_INPUT, err, "%s", reason.msg);
	key = arena_strdup(parser->arena, subst.text);
	equals = strchr(key, '=');
	if (equals) { /* blanks after it are a trap: draft.c */
		*equals = '\0';
		option.text = equals + 1;
		(void)trim(equals + 1);
	}
	option.key = trim(key);
	option.unset_variable = subst.unset_variable;
	vec_push(options, option);
	return 0;
}

static int options_read(struct parser *parser, struct source *source, struct option_list *options,
			struct err *err);

/* Reads the options of the file that an include line names. */
static int include_read(struct parser *parser, const struct source *source, const char *path,
			struct option_list *options, struct err *err)
{
	const struct place place = source_place(source);
	CLEANUP(source) struct source included = { .name = path };
	struct err reason = { .code = 0 };
	int ret;

	if (++parser->nr_includes > MAX_INCLUDES)
		return place_refuse(&place, ERR_INPUT, err, "more than %d includes", MAX_INCLUDES);
	ret = source_open_include(source, path, parser->arena, &included, &reason);
	if (ret < 0) {
		parser->include_error = arena_strdup(parser->arena, reason.msg);
		return place_refuse(&place, (enum err_code) - ret, err, "%s", reason.msg);
	}
	return options_read(parser, &included, options, err);
}

/* The path of an include line, NULL if it is another line. */
static const char *include_line_path(const char *line)
{
	static const char word[] = "include";

	if (strncmp(line, word, strlen(word)) != 0 || !strchr(" \t", line[strlen(word)]))
		return NULL;
	line += strlen(word);
	return line + strspn(line, " \t");
}

/* One line within a section: an include, or an option. */
static int line_read(struct parser *parser, const struct source *source, const char *line,
		     struct option_list *options, struct err *err)
{
	const char *path = include_line_path(line);
	const struct place place = source_place(source);

	if (path && !*path) {
		parser->include_error = "include names no file";
		return place_refuse(&place, ERR_INPUT, err, "include names no file");
	}
	if (path)
		return include_read(parser, source, path, options, err);
	return option_read(parser, source, line, options, err);
}

static int options_read(struct parser *parser, struct source *source, struct option_list *options,
			struct err *err)
{
	const char *line;
	int ret;

	while ((ret = source_next(source, parser->arena, &line, err)) > 0) {
		const struct place place = source_place(source);

		if (line[0] == '[')
			return place_refuse(&place, ERR_INPUT, err,
					    "an included file cannot start a section");
		ret = line_read(parser, source, line, options, err);
		if (ret < 0)
			return ret;
	}
	return ret;
}

/*
 * One line within a section of the file. Strict: what was read before a failed include is run, and
 * what follows it in the section stands in none.
 */
static int section_line_read(struct parser *parser, const struct source *source, const char *line,
			     struct open_section *open, struct err *err)
{
	const struct place place = { .rank = RANK_FILE, .source = source->name };
	const size_t nr_before = open->section.options.nr;
	struct err reason = { .code = 0 };
	int ret = line_read(parser, source, line, &open->section.options, &reason);

	if (ret == 0)
		return 0;
	if (!is_strict(parser) || !include_line_path(line)) {
		if (err)
			*err = reason;
		return ret;
	}
	tell_trap(parser, &place, TRAP_FAILED_INCLUDE, reason.msg);
	open->section.options.nr = nr_before; /* nothing of it */
	ret = section_close(parser, open, err);
	open->kind = SECTION_NONE;
	return ret;
}

/* One line of the file itself. */
static int file_line_read(struct parser *parser, const struct source *source, const char *line,
			  struct open_section *open, struct err *err)
{
	const struct place place = source_place(source);
	struct short_text quoted;
	int ret;

	if (line[0] == '[') {
		ret = section_close(parser, open, err);
		return ret < 0 ? ret : section_open(parser, source, line, open, err);
	}
	if (open->kind == SECTION_NONE)
		return place_refuse(&place, ERR_INPUT, err,
				    "'%s' stands before the first [section]",
				    short_text(line, &quoted));
	if (open->kind == SECTION_SKIPPED)
		return 0;
	return section_line_read(parser, source, line, open, err);
}

/* fio takes the mark for the beginning of an option. */
static int mark_check(struct parser *parser, const struct source *source, struct err *err)
{
	const struct place place = { .rank = RANK_FILE, .source = source->name, .line = 1 };

	if (!source->has_mark)
		return 0;
	if (is_strict(parser))
		return place_refuse(&place, ERR_INPUT, err,
				    "a byte order mark stands before the first [section]");
	tell_trap(parser, &place, TRAP_BYTE_ORDER_MARK, "the byte order mark is skipped");
	return 0;
}

int source_parse(struct parser *parser, struct source *source, struct err *err)
{
	struct open_section open = { .kind = SECTION_NONE };
	const char *line;
	int ret = mark_check(parser, source, err);

	if (ret < 0)
		return ret;
	while ((ret = source_next(source, parser->arena, &line, err)) > 0) {
		ret = file_line_read(parser, source, line, &open, err);
		if (ret < 0)
			break;
	}
	if (ret == 0)
		ret = section_close(parser, &open, err);
	vec_release(&open.section.options);
	return ret;
}
