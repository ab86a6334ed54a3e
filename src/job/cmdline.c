/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio's command-line form: sorts words into defaults, --name jobs and job files. */
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "job/job_parse.h"
#include "job/key.h"
#include "job/number.h"
#include "job/parser.h"

#define MAX_CANDIDATES 8 /* named when a prefix fits several options */

static const struct place cmdline_place = {
	.rank = RANK_COMMAND_LINE,
	.source = "command line",
};

/* A word that is written as an option: "-key", "--key", with "=value" or not. */
struct option_word {
	const char *dashes_and_key; /* for messages */
	const char *key;
	const char *value; /* NULL without '=' */
};

/* False for files, "-" and "--". */
static bool option_word_split(const char *word, struct arena *arena, struct option_word *ret_word)
{
	const size_t nr_dashes = strspn(word, "-");
	const char *equals = strchr(word, '=');
	const size_t len = equals ? (size_t)(equals - word) : strlen(word);

	if (nr_dashes < 1 || nr_dashes > 2 || len == nr_dashes)
		return false;
	ret_word->dashes_and_key = arena_strndup(arena, word, len);
	ret_word->key = ret_word->dashes_and_key + nr_dashes;
	ret_word->value = equals ? equals + 1 : NULL;
	return true;
}

/* True if the option needs a value that the word does not have. */
static bool takes_next(const struct key_name *name, const struct option_word *word)
{
	return !word->value && !(name->row && name->row->type->is_bare_allowed);
}

/* True if it may have a value and does without one here. For switches fio never looks further. */
static bool may_take_next(const struct key_name *name, const struct option_word *word)
{
	return !word->value && name->row && name->row->type->is_bare_allowed &&
	       name->row->type != &key_flag;
}

int job_word_is_option(const char *word, int *ret_takes_next)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	const struct key_name *name;
	struct option_word option;
	struct key_index index;
	size_t nr;

	if (!option_word_split(word, &arena, &option))
		return 0;
	key_index_init(&index, &arena);
	name = key_index_find_prefix(&index, option.key, &nr);
	if (!name)
		return 0;
	*ret_takes_next = takes_next(name, &option);
	return 1;
}

/* "iodepth, iodepth_batch, ..": names that start like this, as many as a line can hold. */
static void add_candidates(const struct key_index *index, const char *prefix, struct strbuf *text)
{
	const size_t len = strlen(prefix);
	size_t nr = 0;

	for (size_t i = 0; i < index->nr && nr <= MAX_CANDIDATES; i++) {
		if (strncmp(index->names[i].name, prefix, len) != 0)
			continue;
		strbuf_add_str(text, nr > 0 ? ", " : "");
		strbuf_add_str(text, nr < MAX_CANDIDATES ? index->names[i].name : "..");
		nr++;
	}
}

static int word_refuse(const struct parser *parser, const struct option_word *word, size_t nr,
		       struct err *err)
{
	CLEANUP(strbuf) struct strbuf candidates = STRBUF_INIT;
	struct err reason = { .code = 0 };

	if (nr > 1) {
		add_candidates(&parser->index, word->key, &candidates);
		return place_refuse(&cmdline_place, ERR_USAGE, err, "'%s' is short for: %s",
				    word->dashes_and_key, strbuf_str(&candidates));
	}
	(void)key_index_refuse(&parser->index, word->key, &reason);
	return place_refuse(&cmdline_place, ERR_USAGE, err, "%s", reason.msg);
}

/* Finds the value of an option in the word after it. A forgotten value would swallow an option. */
static int value_from_next(const struct option_word *word, const char *next, const char **ret_value,
			   struct err *err)
{
	int unused;
	struct short_text quoted;

	if (!next || (next[0] == '-' && job_word_is_option(next, &unused)))
		return place_refuse(&cmdline_place, ERR_USAGE, err, "'%s' needs a value",
				    short_text(word->dashes_and_key, &quoted));
	*ret_value = next;
	return 0;
}

/*
 * fio takes any next word for the value that an option may have. Here it is one unless it is an
 * option or a job file. True if it is taken.
 */
static bool takes_optional(struct parser *parser, const struct option_word *word, const char *next)
{
	struct short_text quoted;
	int unused;

	if (!next)
		return false;
	if (parser->defaults.job.fio_strict)
		return true;
	if (strcmp(next, "-") != 0 && !job_word_is_option(next, &unused) && !file_exists(next))
		return true;
	warning_add_trap(&parser->warnings, parser->arena, &cmdline_place, TRAP_SWALLOWED_WORD,
			 arena_printf(parser->arena,
				      "'%s' has no value here; fio takes '%s' for it",
				      word->dashes_and_key, short_text(next, &quoted)));
	return false;
}

/* Where the options of the command line go at the moment. */
static struct option_list *current_options(struct cmdline *cmdline, bool is_global)
{
	if (is_global || cmdline->sections.nr == 0)
		return &cmdline->defaults;
	return &vec_last(&cmdline->sections)->options;
}

static bool is_name(const struct key_name *name)
{
	return name->row && !strcmp(name->row->info.name, "name");
}

static void option_add(struct parser *parser, struct cmdline *cmdline, const struct key_name *name,
		       const char *value, bool *is_global)
{
	const char *text = value ? arena_strdup(parser->arena, value) : NULL;

	if (text && is_name(name)) {
		*is_global = !strncmp(text, "global", strlen("global"));
		if (*is_global)
			return;
		/* and is an option of the job as well: reports list it */
		vec_push(&cmdline->sections,
			 (struct section){ .name = text, .place = cmdline_place });
	}
	vec_push(current_options(cmdline, *is_global),
		 (struct option){ .key = name->name, .text = text, .place = cmdline_place });
}

/* Reads word number *i, and the one after it if that is its value. */
static int word_parse(struct parser *parser, struct cmdline *cmdline, size_t *i, bool *is_global,
		      struct err *err)
{
	const struct job_parse_config *config = parser->config;
	const char *word = config->words[*i];
	const struct key_name *name;
	struct option_word option;
	const char *next;
	size_t nr;

	if (!option_word_split(word, parser->arena, &option)) {
		if (strcmp(word, "--") != 0)
			vec_push(&cmdline->files, arena_strdup(parser->arena, word));
		return 0;
	}
	name = key_index_find_prefix(&parser->index, option.key, &nr);
	if (!name)
		return word_refuse(parser, &option, nr, err);
	next = *i + 1 < config->nr_words ? config->words[*i + 1] : NULL;
	if (takes_next(name, &option)) {
		int ret = value_from_next(&option, next, &option.value, err);

		if (ret < 0)
			return ret;
		++*i;
	} else if (may_take_next(name, &option) && takes_optional(parser, &option, next)) {
		option.value = next;
		++*i;
	}
	if (is_name(name) && !(option.value && *option.value))
		return place_refuse(&cmdline_place, ERR_USAGE, err, "name: the value is empty");
	option_add(parser, cmdline, name, option.value, is_global);
	return 0;
}

int cmdline_parse(struct parser *parser, struct cmdline *cmdline, struct err *err)
{
	bool is_global = false;

	for (size_t i = 0; i < parser->config->nr_words; i++) {
		int ret = word_parse(parser, cmdline, &i, &is_global, err);

		if (ret < 0)
			return ret;
	}
	return 0;
}

void cmdline_release(struct cmdline *cmdline)
{
	for (size_t i = 0; i < cmdline->sections.nr; i++)
		vec_release(&cmdline->sections.items[i].options);
	vec_release(&cmdline->sections);
	vec_release(&cmdline->defaults);
	vec_release(&cmdline->files);
}
