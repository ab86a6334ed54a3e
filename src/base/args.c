/* SPDX-License-Identifier: GPL-2.0-or-later */
/* args: fills a config struct from a command line by a table. Usage text is in args_usage.c. */
#include "base/args.h"

#include "base/err.h"
#include "base/suggest.h"
#include "base/units.h"
#include "base/vec.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* One pass over the words. */
struct parser {
	const struct args_spec *spec;
	char *const *argv;
	int argc;
	int next; /* index of the next word */
	char *config;
	struct arg_list *operands;
	struct err *err;
};

/* An option as written. */
struct option {
	const struct arg_row *row;
	const char *shown;   /* "--size" or "-s", for messages */
	const char *value;   /* NULL when the word carries none */
	bool is_negated;     /* --no-NAME */
	char shown_short[3]; /* room for "-s" */
};

void arg_list_push(struct arg_list *list, const char *text)
{
	vec_push(list, text);
}

void arg_list_release(struct arg_list *list)
{
	vec_release(list);
}

const struct arg_row *args_find(const struct args_spec *spec, const char *name, size_t name_len)
{
	for (size_t i = 0; i < spec->nr_rows; i++) {
		const struct arg_row *row = &spec->rows[i];

		if (strncmp(row->name, name, name_len) == 0 && row->name[name_len] == '\0')
			return row;
	}
	return NULL;
}

static const struct arg_row *args_find_short(const struct args_spec *spec, char short_name)
{
	for (size_t i = 0; i < spec->nr_rows; i++) {
		if (spec->rows[i].short_name == short_name && short_name)
			return &spec->rows[i];
	}
	return NULL;
}

static int value_set_string(const char *text, void *field)
{
	*(const char **)field = text;
	return 0;
}

static int value_add_string(const char *text, void *field)
{
	arg_list_push(field, text);
	return 0;
}

static int value_set_unsigned(const char *text, void *field)
{
	uint64_t value;
	int ret = units_parse_u64(text, &value, NULL);

	if (ret < 0)
		return ret;
	if (value > UINT_MAX)
		return -ERANGE;
	*(unsigned *)field = (unsigned)value;
	return 0;
}

static int value_set_u64(const char *text, void *field)
{
	return units_parse_u64(text, field, NULL);
}

static int value_set_size(const char *text, void *field)
{
	return units_parse_size(text, 1024, field, NULL);
}

static int value_set_duration(const char *text, void *field)
{
	return units_parse_duration_ns(text, field, NULL);
}

static int value_set_double(const char *text, void *field)
{
	return units_parse_double(text, field, NULL);
}

static int value_set_share(const char *text, void *field)
{
	return units_parse_share(text, field, NULL);
}

/* How each type reads its value; `expected` completes "'x' is not ..". */
static const struct {
	int (*set)(const char *text, void *field); /* 0, -EINVAL or -ERANGE */
	const char *expected;
} arg_kinds[] = {
	[ARG_BOOL] = { NULL, NULL },
	[ARG_STRING] = { value_set_string, NULL },
	[ARG_STRING_LIST] = { value_add_string, NULL },
	[ARG_UNSIGNED] = { value_set_unsigned, "a whole number" },
	[ARG_U64] = { value_set_u64, "a whole number" },
	[ARG_SIZE] = { value_set_size, "a size such as 4k or 1.5GiB" },
	[ARG_DURATION] = { value_set_duration, "a time such as 10us or 30s" },
	[ARG_DOUBLE] = { value_set_double, "a number" },
	[ARG_SHARE] = { value_set_share, "a share such as 5% or 0.05" },
};

static int option_store(const struct parser *parser, const struct option *option)
{
	void *field = parser->config + option->row->offset;
	enum arg_type type = option->row->type;
	int ret = arg_kinds[type].set(option->value, field);

	if (ret == -ERANGE)
		return err_set(parser->err, ERR_USAGE, "option '%s': '%s' is out of range for %s",
			       option->shown, option->value, arg_kinds[type].expected);
	if (ret < 0)
		return err_set(parser->err, ERR_USAGE, "option '%s': '%s' is not %s", option->shown,
			       option->value, arg_kinds[type].expected);
	return 0;
}

/* Takes the next word as the value when the option's own word has none, then stores it. */
static int option_apply(struct parser *parser, struct option *option)
{
	if (option->row->type == ARG_BOOL) {
		if (option->value)
			return err_set(parser->err, ERR_USAGE, "option '%s' takes no value",
				       option->shown);
		*(bool *)(parser->config + option->row->offset) = !option->is_negated;
		return 0;
	}
	if (!option->value) {
		const char *word = parser->next < parser->argc ? parser->argv[parser->next] : NULL;

		/* "--store --json" is a forgotten value; "--store=--json" says that it is not. */
		if (!word || strncmp(word, "--", 2) == 0)
			return err_set(parser->err, ERR_USAGE, "option '%s' needs a value",
				       option->shown);
		option->value = word;
		parser->next++;
	}
	return option_store(parser, option);
}

int args_refuse(const struct args_spec *spec, const char *word, struct err *err)
{
	const char *name = word + strspn(word, "-");
	size_t name_len = strcspn(name, "=");
	struct suggest suggest;
	char typed[SUGGEST_MAX_LEN + 1];

	if (name_len < sizeof(typed)) {
		memcpy(typed, name, name_len);
		typed[name_len] = '\0';
		suggest = suggest_for(typed);
		for (size_t i = 0; i < spec->nr_rows; i++)
			suggest_offer(&suggest, spec->rows[i].name);
		if (suggest_best(&suggest))
			return err_set(err, ERR_USAGE, "unknown option '%s'; did you mean '--%s'?",
				       word, suggest_best(&suggest));
	}
	return err_set(err, ERR_USAGE, "unknown option '%s'", word);
}

static int unknown_option(const struct parser *parser, const char *word)
{
	if (!(parser->spec->flags & ARGS_KEEP_UNKNOWN))
		return args_refuse(parser->spec, word, parser->err);
	arg_list_push(parser->operands, word);
	return 0;
}

/* --name, --name=value, --no-name */
/* name: behind the dashes. */
static int parse_long(struct parser *parser, const char *word, const char *name)
{
	size_t name_len = strcspn(name, "=");
	struct option option = { .row = args_find(parser->spec, name, name_len), .shown = word };
	char shown[64];

	if (!option.row && name_len > 3 && strncmp(name, "no-", 3) == 0) {
		option.row = args_find(parser->spec, name + 3, name_len - 3);
		option.is_negated = true;
		if (option.row && option.row->type != ARG_BOOL)
			option.row = NULL;
	}
	if (!option.row)
		return unknown_option(parser, word);
	if (name[name_len] == '=') {
		option.value = name + name_len + 1;
		(void)snprintf(shown, sizeof(shown), "--%.*s", (int)name_len, name);
		option.shown = shown;
	}
	return option_apply(parser, &option);
}

/* -f, -o value, -ovalue; flags may be joined: -qf */
static int parse_short(struct parser *parser, const char *word)
{
	for (const char *pos = word + 1; *pos; pos++) {
		struct option option = { .row = args_find_short(parser->spec, *pos) };
		bool is_flag = option.row && option.row->type == ARG_BOOL;
		int ret;

		if (!option.row)
			return unknown_option(parser, word);
		option.shown_short[0] = '-';
		option.shown_short[1] = *pos;
		option.shown = option.shown_short;
		if (!is_flag && pos[1])
			option.value = pos + 1;
		ret = option_apply(parser, &option);
		if (ret < 0 || !is_flag)
			return ret;
	}
	return 0;
}

static int parse_operand(struct parser *parser, const char *word)
{
	if (!parser->spec->operands)
		return err_set(parser->err, ERR_USAGE, "unexpected argument '%s'", word);
	arg_list_push(parser->operands, word);
	return 0;
}

/* fio's other form: -eta=never. */
static bool is_long_with_one_dash(const struct args_spec *spec, const char *word)
{
	size_t len = strcspn(word + 1, "=");

	return (spec->flags & ARGS_KEEP_UNKNOWN) && len > 1 && args_find(spec, word + 1, len);
}

int args_parse(const struct args_spec *spec, int argc, char *const *argv, void *config,
	       struct arg_list *operands, struct err *err)
{
	struct parser parser = { .spec = spec,
				 .argv = argv,
				 .argc = argc,
				 .config = config,
				 .operands = operands,
				 .err = err };
	bool only_operands = false;
	int ret = 0;

	while (ret == 0 && parser.next < argc) {
		const char *word = argv[parser.next++];

		if (only_operands || word[0] != '-' || word[1] == '\0') {
			ret = parse_operand(&parser, word);
			only_operands |= (spec->flags & ARGS_STOP_AT_OPERAND) != 0;
		} else if (strcmp(word, "--") == 0) {
			only_operands = true;
		} else if (word[1] == '-') {
			ret = parse_long(&parser, word, word + 2);
		} else if (is_long_with_one_dash(spec, word)) {
			ret = parse_long(&parser, word, word + 1);
		} else {
			ret = parse_short(&parser, word);
		}
	}
	return ret;
}

void args_release(const struct args_spec *spec, void *config)
{
	for (size_t i = 0; i < spec->nr_rows; i++) {
		if (spec->rows[i].type == ARG_STRING_LIST)
			arg_list_release((void *)((char *)config + spec->rows[i].offset));
	}
}
