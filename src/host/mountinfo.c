/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mountinfo: /proc/PID/mountinfo line by line into a table. */
#include "host/mountinfo.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/vec.h"

#define MAX_TABLE_BYTES (64U << 20)

struct mount_vec VEC_BODY(struct mount);

static bool is_octal(char c)
{
	return c >= '0' && c <= '7';
}

void mount_unescape(char *text)
{
	char *to = text;

	while (*text) {
		if (text[0] == '\\' && is_octal(text[1]) && is_octal(text[2]) &&
		    is_octal(text[3])) {
			*to++ = (char)((text[1] - '0') << 6 | (text[2] - '0') << 3 |
				       (text[3] - '0'));
			text += 4;
			continue;
		}
		*to++ = *text++;
	}
	*to = '\0';
}

/* The next word of a line, ended and unescaped in place; NULL at its end. */
static char *next_word(char **rest)
{
	char *word = strsep(rest, " ");

	if (word)
		mount_unescape(word);
	return word;
}

/* ID PARENT MAJOR:MINOR ROOT TARGET OPTIONS [TAG..] - TYPE SOURCE FS_OPTIONS */
static bool parse_line(char *line, struct mount *ret_mount)
{
	unsigned dev_major = 0;
	unsigned dev_minor = 0;
	char *tail = strstr(line, " - ");
	char *words[6];

	if (!tail)
		return false;
	*tail = '\0';
	tail += strlen(" - ");
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		words[i] = next_word(&line);
		if (!words[i])
			return false;
	}
	if (sscanf(words[2], "%u:%u", &dev_major, &dev_minor) != 2)
		return false;
	ret_mount->dev = makedev(dev_major, dev_minor);
	ret_mount->target = words[4];
	ret_mount->options = words[5];
	ret_mount->type = next_word(&tail);
	ret_mount->source = next_word(&tail);
	ret_mount->fs_options = tail ? next_word(&tail) : "";
	return ret_mount->type && ret_mount->source;
}

void mount_table_read(const char *path, struct mount_table *ret_table)
{
	CLEANUP(strbuf) struct strbuf content = STRBUF_INIT;
	struct mount_vec mounts = VEC_INIT;
	char *rest;
	char *line;

	if (file_read(path, MAX_TABLE_BYTES, &content, NULL) < 0)
		strbuf_reset(&content);
	*ret_table = (struct mount_table){ .text = strbuf_take(&content) };
	rest = ret_table->text;
	while ((line = strsep(&rest, "\n")) != NULL) {
		struct mount mount = { .dev = 0 };

		if (parse_line(line, &mount))
			vec_push(&mounts, mount);
	}
	ret_table->items = mounts.items;
	ret_table->nr = mounts.nr;
}

void mount_table_release(struct mount_table *table)
{
	free(table->items);
	free(table->text);
	*table = (struct mount_table){ .items = NULL };
}

const struct mount *mount_table_find(const struct mount_table *table, const char *target)
{
	for (size_t i = table->nr; i > 0; i--) {
		if (!strcmp(table->items[i - 1].target, target))
			return &table->items[i - 1];
	}
	return NULL;
}

static bool is_above(const char *target, const char *path)
{
	size_t len = strlen(target);

	if (!strcmp(target, "/"))
		return path[0] == '/';
	return !strncmp(path, target, len) && (path[len] == '/' || path[len] == '\0');
}

const struct mount *mount_table_holding(const struct mount_table *table, const char *path)
{
	const struct mount *best = NULL;

	for (size_t i = table->nr; i > 0; i--) {
		const struct mount *mount = &table->items[i - 1];

		if (is_above(mount->target, path) &&
		    (!best || strlen(mount->target) > strlen(best->target)))
			best = mount;
	}
	return best;
}
