/* SPDX-License-Identifier: GPL-2.0-or-later */
/* env_text: machine, kernel and versions for people, area by area. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "cmd/env_show.h"
#include "model/result.h"

#define KEY_COLUMNS 28
#define NOT_AFFECTED "Not affected"
#define MITIGATION "mitigation."

/* In this order; kinds that are not here follow in theirs. */
static const struct area {
	const char *kind;
	bool is_list; /* one item behind the other: they are many and short */
} areas[] = {
	{ "kernel", false },  { "cpu", false },		{ "numa", false },  { "memory", false },
	{ "machine", false }, { "clocksource", false }, { "sysctl", true }, { "module", true },
	{ "regio", true },    { "library", true },	{ "tool", true },   { "job", true },
};

static bool is_of_kind(const char *key, const char *kind)
{
	size_t len = strlen(kind);

	return !strncmp(key, kind, len) && (key[len] == '.' || !key[len]);
}

static bool is_of_area(const char *key)
{
	for (size_t i = 0; i < sizeof(areas) / sizeof(areas[0]); i++) {
		if (is_of_kind(key, areas[i].kind))
			return true;
	}
	return is_of_kind(key, "fs") || is_of_kind(key, "disk");
}

/* What is behind the kind: "governor"; the kind itself where nothing is. */
static const char *short_key(const char *key, const char *kind)
{
	size_t len = strlen(kind);

	return key[len] == '.' ? key + len + 1 : key;
}

static void show_list(const struct env_view *view, const char *kind, unsigned width, FILE *to)
{
	CLEANUP(strbuf) struct strbuf items = STRBUF_INIT;

	for (size_t i = 0; i < view->nr; i++) {
		if (is_of_kind(view->env[i].key, kind))
			strbuf_printf(&items, "%s%s=%s", items.len ? "\n" : "",
				      short_key(view->env[i].key, kind), view->env[i].value);
	}
	if (items.len)
		env_show_line("", kind, strbuf_str(&items), width, to);
}

static void show_fact(const char *label, const char *key, const char *value, FILE *to)
{
	(void)fprintf(to, "%-12s%-*s  %s\n", label, KEY_COLUMNS, key, value);
}

/* One a line, but for holes that this CPU does not have, which are only named. */
static void show_lines(const struct env_view *view, const char *kind, unsigned width, FILE *to)
{
	CLEANUP(strbuf) struct strbuf clean = STRBUF_INIT;
	const char *label = kind;

	for (size_t i = 0; i < view->nr; i++) {
		const char *key = view->env[i].key;
		const char *value = view->env[i].value;
		const char *own;

		if (!is_of_kind(key, kind))
			continue;
		own = short_key(key, kind);
		if (!strncmp(own, MITIGATION, strlen(MITIGATION)) && !strcmp(value, NOT_AFFECTED)) {
			strbuf_printf(&clean, "%s%s", clean.len ? "\n" : "",
				      own + strlen(MITIGATION));
			continue;
		}
		show_fact(label, own, value, to);
		label = "";
	}
	if (clean.len) {
		CLEANUP(free) char *text = xasprintf("not affected by:\n%s", strbuf_str(&clean));

		env_show_line("", label, text, width, to);
	}
}

void env_show_machine(const struct env_view *view, unsigned width, FILE *to)
{
	for (size_t i = 0; i < sizeof(areas) / sizeof(areas[0]); i++) {
		if (areas[i].is_list)
			show_list(view, areas[i].kind, width, to);
		else
			show_lines(view, areas[i].kind, width, to);
	}
	for (size_t i = 0; i < view->nr; i++) {
		if (!is_of_area(view->env[i].key))
			show_fact("", view->env[i].key, view->env[i].value, to);
	}
}
