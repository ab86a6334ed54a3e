/* SPDX-License-Identifier: GPL-2.0-or-later */
/* setting: splits K=V,K=V arguments into settings. What they do is left to src/setting. */
#include "model/setting.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/suggest.h"

struct setting_namespace {
	const char *name;
	bool has_key; /* "queue.scheduler=": a key after the dot; not "cmd=" */
	const char *example;
};

static const struct setting_namespace namespaces[] = {
	{ "job", true, "job.iodepth=64" },
	{ "queue", true, "queue.scheduler=bfq" },
	{ "iosched", true, "iosched.async_depth=1" },
	{ "sysctl", true, "sysctl.vm.dirty_ratio=5" },
	{ "stack", true, "stack.fs=xfs" },
	{ "stack", false, "stack=loop:1G,ext4" },
	{ "cmd", false, "cmd=COMMAND" },
	{ "kernel", false, "kernel=PATH" },
};

#define NR_NAMESPACES (sizeof(namespaces) / sizeof(namespaces[0]))

bool setting_is_whole(const char *name)
{
	for (size_t i = 0; i < NR_NAMESPACES; i++) {
		if (!namespaces[i].has_key && !strcmp(name, namespaces[i].name))
			return true;
	}
	return false;
}

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " \t\n");
}

/* The namespace that text starts with, including its '.' or '='; NULL if none. */
static const struct setting_namespace *namespace_at(const char *text)
{
	for (size_t i = 0; i < NR_NAMESPACES; i++) {
		const struct setting_namespace *row = &namespaces[i];
		size_t len = strlen(row->name);

		if (!strncmp(text, row->name, len) && text[len] == (row->has_key ? '.' : '='))
			return row;
	}
	return NULL;
}

/* The known namespace that text means but does not spell; NULL unless one is near. */
static const char *namespace_meant(const char *text, struct strbuf *word)
{
	struct suggest suggest;

	strbuf_reset(word);
	strbuf_add(word, text, strcspn(text, ".=,: \t"));
	suggest = suggest_for(strbuf_str(word));
	for (size_t i = 0; i < NR_NAMESPACES; i++)
		suggest_offer(&suggest, namespaces[i].name);
	return suggest_best(&suggest);
}

static int refuse_piece(const char *text, struct err *err)
{
	CLEANUP(strbuf) struct strbuf word = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf known = STRBUF_INIT;
	const char *meant = namespace_meant(text, &word);
	const char *equals = strchr(text, '=');

	if (!equals)
		return err_set(err, ERR_USAGE, "setting '%s' is not KEY=VALUE%s", text,
			       file_exists(text) ? "; files of settings are not read: a plan of "
						   "regio matrix holds them"
						 : "");
	if (meant)
		return err_set(err, ERR_USAGE,
			       "setting '%s': unknown namespace '%s', did you mean '%s'", text,
			       strbuf_str(&word), meant);
	if (!memchr(text, '.', (size_t)(equals - text))) /* most likely an option of the job */
		return err_set(err, ERR_USAGE,
			       "setting '%s' has no namespace; for a job option write job.%s", text,
			       text);
	for (size_t i = 0; i < NR_NAMESPACES; i++)
		strbuf_printf(&known, "%s%s", i ? ", " : "", namespaces[i].example);
	return err_set(err, ERR_USAGE, "setting '%s' has no known namespace; settings look like %s",
		       text, strbuf_str(&known));
}

/* "quue.nr_requests=": shaped like a setting, with a name one slip away from a namespace. */
static bool is_misspelt_setting(const char *text)
{
	CLEANUP(strbuf) struct strbuf word = STRBUF_INIT;
	size_t name_len = strspn(text, "abcdefghijklmnopqrstuvwxyz_");
	size_t key_len;

	if (!name_len || text[name_len] != '.')
		return false;
	key_len = strcspn(text + name_len + 1, "=, \t");
	return key_len && text[name_len + 1 + key_len] == '=' && namespace_meant(text, &word);
}

/* Length of the setting at text: up to the comma before the next one, or all of it. */
static int piece_len(const char *text, size_t *ret_len, struct err *err)
{
	const char *comma = text;
	bool is_command = !strncmp(text, "cmd=", 4); /* shell text may hold anything */

	while ((comma = strchr(comma, ','))) {
		const char *next = skip_blanks(comma + 1);

		if (namespace_at(next))
			break;
		if (!is_command && is_misspelt_setting(next))
			return refuse_piece(next, err);
		comma++;
	}
	*ret_len = comma ? (size_t)(comma - text) : strlen(text);
	return 0;
}

static int parse_piece(const char *piece, struct setting *ret_setting, struct err *err)
{
	const struct setting_namespace *row = namespace_at(piece);
	const char *equals = strchr(piece, '=');
	const char *key;

	if (!row || !equals)
		return refuse_piece(piece, err);
	key = piece + strlen(row->name) + 1;
	if (!row->has_key)
		key = equals;
	if (row->has_key && key == equals)
		return err_set(err, ERR_USAGE, "setting '%s' has no key after '%s.'", piece,
			       row->name);
	if (!row->has_key && !*skip_blanks(equals + 1))
		return err_set(err, ERR_USAGE, "setting '%s' has no %s", piece,
			       !strcmp(row->name, "cmd") ? "command" : "value");
	*ret_setting = (struct setting){
		.namespace = xstrdup(row->name),
		.key = xstrndup(key, (size_t)(equals - key)),
		.value = xstrdup(equals + 1),
	};
	return 0;
}

static void setting_release(struct setting *setting)
{
	free(setting->namespace);
	free(setting->key);
	free(setting->value);
	free(setting->origin);
}

static void setting_list_truncate(struct setting_list *list, size_t nr)
{
	while (list->nr > nr)
		setting_release(&list->items[--list->nr]);
}

static void setting_list_push(struct setting_list *list, const struct setting *setting)
{
	list->items = xreallocarray(list->items, list->nr + 1, sizeof(*list->items));
	list->items[list->nr++] = *setting;
}

void setting_list_add(struct setting_list *list, const struct setting *setting)
{
	setting_list_push(list, &(struct setting){
					.namespace = xstrdup(setting->namespace),
					.key = xstrdup(setting->key),
					.value = xstrdup(setting->value),
					.origin = setting->origin ? xstrdup(setting->origin) : NULL,
				});
}

void setting_list_mark(struct setting_list *list, size_t from, const char *file, unsigned line)
{
	for (size_t i = from; i < list->nr; i++) {
		free(list->items[i].origin);
		list->items[i].origin = xasprintf("%s:%u", file, line);
	}
}

int setting_list_parse(struct setting_list *list, const char *text, struct err *err)
{
	size_t nr_before = list->nr;

	text = skip_blanks(text);
	do {
		CLEANUP(free) char *piece = NULL;
		struct setting setting;
		size_t len = 0;
		int ret = piece_len(text, &len, err);

		if (ret == 0) {
			piece = xstrndup(text, len);
			ret = parse_piece(piece, &setting, err);
		}
		if (ret < 0) {
			setting_list_truncate(list, nr_before);
			return ret;
		}
		setting_list_push(list, &setting);
		text += len;
		text = *text ? skip_blanks(text + 1) : text;
	} while (*text);
	return 0;
}

void setting_list_release(struct setting_list *list)
{
	setting_list_truncate(list, 0);
	free(list->items);
	list->items = NULL;
}

char *setting_text(const struct setting *setting)
{
	return xasprintf("%s%s%s=%s", setting->namespace, setting->key[0] ? "." : "", setting->key,
			 setting->value);
}

char *setting_list_text(const struct setting_list *list)
{
	struct strbuf text = STRBUF_INIT;

	if (list->nr == 0)
		return xstrdup("(none)");
	for (size_t i = 0; i < list->nr; i++) {
		CLEANUP(free) char *one = setting_text(&list->items[i]);

		strbuf_printf(&text, "%s%s", i ? "," : "", one);
	}
	return strbuf_take(&text);
}
