/* SPDX-License-Identifier: GPL-2.0-or-later */
/* env_report: differences of environments as table, as JSON and as warnings. */
#include "cmd/env_report.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/env_diff.h"
#include "analysis/side.h"
#include "base/arena.h"
#include "base/strbuf.h"
#include "cmd/report_json.h"
#include "job/job_parse.h"
#include "model/note.h"
#include "model/result.h"
#include "output/doc.h"

#define MAX_WIDTH 40	   /* of a value in the table; of longer ones only what differs is shown */
#define MAX_CONFIG_ROWS 12 /* different kernels differ in hundreds of options */
#define MAX_NAMED 3	   /* facts that a note names */
#define CONFIG_PREFIX "kernel.config.CONFIG_"

/* ---- options of jobs ---- */

/* "fsync" of "job.fsync" and "job[NAME].fsync", NULL of other facts. */
static const char *option_of(const char *key)
{
	const char *end;

	if (strncmp(key, "job", 3) != 0)
		return NULL;
	end = key[3] == '[' ? strrchr(key, ']') : key + 2;
	return end && end[1] == '.' ? end + 2 : NULL;
}

static bool is_default(const char *option, const char *value)
{
	const struct job_key_info *info;

	for (size_t i = 0; (info = job_key_info(i)); i++) {
		if (!strcmp(info->name, option))
			return info->default_text && !strcmp(info->default_text, value);
	}
	return false;
}

static bool says_option(const struct env_facts *facts, const char *option)
{
	for (size_t i = 0; i < facts->nr_env; i++) {
		const char *other = option_of(facts->env[i].key);

		if (other && !strcmp(other, option))
			return true;
	}
	return false;
}

/*
 * Own runs say all options in force, fio what was given: a default of which the other side says
 * nothing is no difference. Caller frees the facts that stay; their texts are the side's.
 */
static struct result_pair *told_facts(const struct env_facts *facts, const struct env_facts *other,
				      size_t *ret_nr)
{
	struct result_pair *told = xcalloc(facts->nr_env + 1, sizeof(*told));
	size_t nr = 0;

	for (size_t i = 0; i < facts->nr_env; i++) {
		const char *option = option_of(facts->env[i].key);

		if (!option || says_option(other, option) ||
		    !is_default(option, facts->env[i].value))
			told[nr++] = facts->env[i];
	}
	*ret_nr = nr;
	return told;
}

void env_report_diff(const struct side *base, const struct side *new, struct env_diff *ret_diff)
{
	const struct env_facts base_all = side_facts(base), new_all = side_facts(new);
	struct env_facts base_facts = base_all, new_facts = new_all;
	CLEANUP(free) struct result_pair *base_told = NULL, *new_told = NULL;

	base_facts.env = base_told = told_facts(&base_all, &new_all, &base_facts.nr_env);
	new_facts.env = new_told = told_facts(&new_all, &base_all, &new_facts.nr_env);
	env_diff_init(ret_diff, &base_facts, &new_facts);
}

/* ---- the table ---- */

static bool has_word(const char *text, const char *word, size_t len)
{
	while (text && *text) {
		size_t word_len = strcspn(text, " ,");

		if (word_len == len && !strncmp(text, word, len))
			return true;
		text += word_len + (text[word_len] != '\0');
	}
	return false;
}

/* The beginning of a text, cut where there is more. Caller frees. */
static char *cut(const char *text)
{
	return xasprintf("%.*s%s", MAX_WIDTH, text, strlen(text) > MAX_WIDTH ? ".." : "");
}

/*
 * A value that fits; of a long list the words that the other side does not have, or the beginning
 * where it has all of them. Caller frees.
 */
static char *brief(const char *value, const char *other)
{
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;

	if (!value)
		return xstrdup("-");
	if (strlen(value) <= MAX_WIDTH && (!other || strlen(other) <= MAX_WIDTH))
		return xstrdup(value);
	if (!other)
		return cut(value);
	for (const char *at = value; *at;) {
		size_t len = strcspn(at, " ,");

		if (len && !has_word(other, at, len))
			strbuf_printf(&out, "%s%.*s", out.len ? " " : ".. ", (int)len, at);
		at += len + (at[len] != '\0');
	}
	return cut(out.len ? strbuf_str(&out) : value);
}

static char *reason_of(const struct env_diff *diff, size_t index)
{
	const struct env_diff_row *row = &diff->rows[index];

	if (index < diff->nr_settings)
		return xstrdup("setting");
	if (row->is_unsteady)
		return xstrdup("changed meanwhile");
	if (row->setting)
		return xasprintf("by %s", row->setting);
	return xstrdup("no setting");
}

static bool is_config(const struct env_diff_row *row)
{
	return !strncmp(row->key, CONFIG_PREFIX, strlen(CONFIG_PREFIX));
}

static void add_row(struct doc_table *table, const struct env_diff *diff, size_t index)
{
	const struct env_diff_row *row = &diff->rows[index];
	CLEANUP(free) char *base = brief(row->base, row->new);
	CLEANUP(free) char *new = brief(row->new, row->base);
	CLEANUP(free) char *reason = reason_of(diff, index);

	doc_row(table);
	doc_text(table, "%s", row->key);
	doc_text(table, "%s", base);
	doc_text(table, "%s", new);
	doc_text(table, "%s", reason);
}

size_t env_report_add(struct doc *doc, const struct side *base, const struct side *new)
{
	static const struct doc_column columns[] = {
		{ "differs", DOC_LEFT },
		{ "base", DOC_LEFT },
		{ "new", DOC_LEFT },
		{ "why", DOC_LEFT },
	};
	CLEANUP(env_diff) struct env_diff diff = { .nr = 0 };
	struct doc_table *table;
	size_t nr_config = 0;

	env_report_diff(base, new, &diff);
	if (diff.nr == 0)
		return 0;
	doc_heading(doc, "differences between %s and %s", base->label, new->label);
	table = doc_table(doc, "environment", columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < diff.nr; i++) {
		nr_config += is_config(&diff.rows[i]);
		if (!is_config(&diff.rows[i]) || nr_config <= MAX_CONFIG_ROWS)
			add_row(table, &diff, i);
	}
	if (nr_config > MAX_CONFIG_ROWS)
		doc_paragraph(doc,
			      "%zu more options of the kernels' configurations differ; --json "
			      "lists all.",
			      nr_config - MAX_CONFIG_ROWS);
	return diff.nr;
}

/* ---- JSON ---- */

static void append_json(json_t *array, const struct side *base, const struct side *new)
{
	CLEANUP(env_diff) struct env_diff diff = { .nr = 0 };

	env_report_diff(base, new, &diff);
	for (size_t i = 0; i < diff.nr; i++) {
		const struct env_diff_row *row = &diff.rows[i];

		(void)json_array_append_new(
			array, json_pack("{s:o, s:o, s:o, s:o, s:b, s:o, s:b}", "key",
					 report_text(row->key), "base", report_text(row->base),
					 "new", report_text(row->new), "new_label",
					 report_text(new->label), "on_purpose", (int)row->is_meant,
					 "setting", report_text(row->setting), "changed_meanwhile",
					 (int)row->is_unsteady));
	}
}

json_t *env_report_json(const struct side *base, const struct side *new, size_t nr_new)
{
	json_t *array = json_array();

	for (size_t i = 0; i < nr_new; i++)
		append_json(array, base, &new[i]);
	return array;
}

/* ---- warnings ---- */

/* "disk.sda.queue.wbt_lat_usec (75000, then 0), and 2 more". */
static void name_rows(const struct env_diff *diff, bool is_unsteady, struct strbuf *out)
{
	size_t nr = 0;

	for (size_t i = diff->nr_meant; i < diff->nr; i++) {
		const struct env_diff_row *row = &diff->rows[i];

		if (row->is_unsteady != is_unsteady || nr++ >= MAX_NAMED)
			continue;
		strbuf_printf(out, "%s%s (%.60s, %.60s)", out->len ? "; " : "", row->key,
			      row->base ? row->base : "-", row->new ? row->new : "-");
	}
	if (nr > MAX_NAMED)
		strbuf_printf(out, "; and %zu more", nr - MAX_NAMED);
}

void env_report_notes(struct note_list *notes, const struct side *base, const struct side *new,
		      bool is_experiment)
{
	CLEANUP(env_diff) struct env_diff diff = { .nr = 0 };
	CLEANUP(strbuf) struct strbuf differs = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf changed = STRBUF_INIT;

	env_report_diff(base, new, &diff);
	name_rows(&diff, false, &differs);
	name_rows(&diff, true, &changed);
	if (differs.len && (is_experiment || diff.nr_settings))
		note_add(notes, NOTE_ENV_DIFFERS, "beside the settings '%s' and '%s' differ in %s",
			 base->label, new->label, strbuf_str(&differs));
	/* an experiment has said when, run by run */
	if (changed.len && !is_experiment)
		note_add(notes, NOTE_ENV_CHANGED, "while '%s' and '%s' were measured: %s",
			 base->label, new->label, strbuf_str(&changed));
}
