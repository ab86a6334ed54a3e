/* SPDX-License-Identifier: GPL-2.0-or-later */
/* script: from the lines of a file to the steps of a guest. */
#include "vm/script.h"

#include <stdarg.h>
#include <string.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "base/suggest.h"

#define BLANKS " \t\r"

struct words VEC_BODY(const char *);

struct reader {
	struct script *script;
	unsigned line;
	struct err *err;
};

static int refuse(const struct reader *reader, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static int refuse(const struct reader *reader, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	(void)err_vset_at(reader->err, ERR_INPUT, reader->script->source, reader->line, format,
			  args);
	va_end(args);
	return -ERR_INPUT;
}

/* One word at *rest, which moves behind it. NULL: a quote that does not end, or no text. */
static const char *read_word(struct arena *arena, const char **rest)
{
	CLEANUP(strbuf) struct strbuf word = STRBUF_INIT;
	const char *at = *rest;
	json_t *check;
	char quote = '\0';

	for (; *at && (quote || !strchr(BLANKS, *at)); at++) {
		if (!quote && (*at == '\'' || *at == '"'))
			quote = *at;
		else if (quote && *at == quote)
			quote = '\0';
		else
			strbuf_add_char(&word, *at);
	}
	*rest = at + strspn(at, BLANKS);
	check = quote ? NULL : json_string(strbuf_str(&word)); /* only UTF-8 can go to the guest */
	json_decref(check);
	return check ? arena_strdup(arena, strbuf_str(&word)) : NULL;
}

static int read_words(const struct reader *reader, const char *rest, struct words *words)
{
	rest += strspn(rest, BLANKS);
	while (*rest && *rest != '#') {
		const char *word = read_word(&reader->script->arena, &rest);

		if (!word)
			return refuse(reader,
				      "a quote that does not end, or a word that is not UTF-8");
		vec_push(words, word);
	}
	return 0;
}

static const struct guest_step_kind *find_kind(const struct reader *reader, const char *name)
{
	const struct guest_step_kind *kind = guest_step_find(name);
	struct suggest suggest = suggest_for(name);

	for (size_t i = 0; !kind && guest_step_at(i); i++)
		suggest_offer(&suggest, guest_step_at(i)->name);
	if (!kind && suggest_best(&suggest))
		(void)refuse(reader, "there is no step '%s', did you mean '%s'", name,
			     suggest_best(&suggest));
	else if (!kind)
		(void)refuse(reader, "there is no step '%s'", name);
	return kind;
}

/* words: the name of the step first. */
static int add_step(const struct reader *reader, const struct words *words)
{
	const char *name = words->items[0];
	struct script_step step = {
		.line = reader->line,
		.may_fail = name[0] == '-',
		.nr_words = words->nr - 1,
	};

	step.kind = find_kind(reader, name + step.may_fail);
	if (!step.kind)
		return -ERR_INPUT;
	if (step.nr_words < step.kind->min_words || step.nr_words > step.kind->max_words)
		return refuse(reader, "%s: it is written '%s%s%s'", step.kind->name,
			      step.kind->name, *step.kind->words ? " " : "", step.kind->words);
	if (reader->script->steps.nr == SCRIPT_MAX_STEPS)
		return refuse(reader, "more than %d steps", SCRIPT_MAX_STEPS);
	step.words = arena_alloc_array(&reader->script->arena, words->nr, sizeof(*step.words));
	for (size_t i = 1; i < words->nr; i++)
		step.words[i - 1] = words->items[i];
	vec_push(&reader->script->steps, step);
	return 0;
}

static int read_line(const struct reader *reader, const char *line)
{
	struct words words = VEC_INIT;
	int ret = read_words(reader, line, &words);

	if (ret == 0 && words.nr)
		ret = add_step(reader, &words);
	vec_release(&words);
	return ret;
}

static int read_lines(struct reader *reader, const char *text, size_t len)
{
	int ret = 0;

	if (len > SCRIPT_MAX_BYTES)
		return refuse(reader, "longer than %u bytes", SCRIPT_MAX_BYTES);
	while (len && ret == 0) {
		const char *end = memchr(text, '\n', len);
		size_t line_len = end ? (size_t)(end - text) : len;

		reader->line++;
		if (memchr(text, '\0', line_len))
			return refuse(reader, "a NUL byte: this is no text");
		ret = read_line(reader, arena_strndup(&reader->script->arena, text, line_len));
		text += line_len + (end != NULL);
		len -= line_len + (end != NULL);
	}
	if (ret == 0 && reader->script->steps.nr == 0) {
		reader->line += reader->line == 0;
		return refuse(reader, "there is no step in it");
	}
	return ret;
}

int script_parse(const char *source, const char *text, size_t len, struct script *ret_script,
		 struct err *err)
{
	struct script script = { .arena = ARENA_INIT };
	struct reader reader = { .script = &script, .err = err };
	int ret;

	script.source = arena_strdup(&script.arena, source);
	ret = read_lines(&reader, text, len);
	if (ret < 0)
		script_release(&script);
	else
		*ret_script = script;
	return ret;
}

void script_release(struct script *script)
{
	vec_release(&script->steps);
	arena_release(&script->arena);
	*script = (struct script){ .source = NULL };
}

int script_refuse(const struct script *script, const struct script_step *step, struct err *err)
{
	(void)err_prefix(err, "%s:%u: %s", script->source, step->line, step->kind->name);
	return -ERR_INPUT;
}

static void add_word(struct strbuf *text, const char *word)
{
	if (*word && *word != '#' && !strpbrk(word, BLANKS "\"'")) {
		strbuf_add_str(text, word);
		return;
	}
	strbuf_add_char(text, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			strbuf_add_str(text, "'\"'\"'");
		else
			strbuf_add_char(text, *word);
	}
	strbuf_add_char(text, '\'');
}

const char *script_step_text(struct script *script, const struct script_step *step)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;

	strbuf_add_str(&text, step->kind->name);
	for (size_t i = 0; i < step->nr_words; i++) {
		strbuf_add_char(&text, ' ');
		add_word(&text, step->words[i]);
	}
	return arena_strdup(&script->arena, strbuf_str(&text));
}

json_t *script_plan(const struct script *script)
{
	json_t *list = json_array();

	VEC_FOREACH (&script->steps, step) {
		json_t *words = json_array();

		for (size_t i = 0; i < step->nr_words; i++)
			(void)json_array_append_new(words, json_string(step->words[i]));
		(void)json_array_append_new(list,
					    json_pack("{s:s, s:i, s:b, s:o}", "step",
						      step->kind->name, "line", (int)step->line,
						      "may_fail", step->may_fail, "words", words));
	}
	return list;
}
