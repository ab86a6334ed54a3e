/* SPDX-License-Identifier: GPL-2.0-or-later */
/* facts: one file, one fact. Which files is left to the tables of the areas. */
#include "env/facts.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "host/name_list.h"
#include "model/result.h"

#define HEAD_BYTES 16384 /* the first CPU of /proc/cpuinfo; of 1024 CPUs it has 2 MiB */
#define SECTOR_BYTES 512

char *facts_path(const struct facts *facts, const char *format, ...)
{
	CLEANUP(strbuf) struct strbuf path = STRBUF_INIT;
	va_list args;

	if (facts->context->root)
		strbuf_add_str(&path, facts->context->root);
	va_start(args, format);
	strbuf_vprintf(&path, format, args);
	va_end(args);
	return strbuf_take(&path);
}

void facts_add(struct facts *facts, const char *value, const char *key_format, ...)
{
	CLEANUP(strbuf) struct strbuf key = STRBUF_INIT;
	va_list args;

	if (!value || !*value)
		return;
	va_start(args, key_format);
	strbuf_vprintf(&key, key_format, args);
	va_end(args);
	result_add_env(facts->result, strbuf_str(&key), value);
}

void facts_add_u64(struct facts *facts, const char *key, uint64_t value)
{
	char text[UNITS_TEXT_LEN];

	(void)snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
	facts_add(facts, text, "%s", key);
}

/* ---- the forms ---- */

/* What stands in brackets; the line itself if nothing does. */
static char *chosen_of(const char *line)
{
	const char *open = strchr(line, '[');
	size_t len = open ? strcspn(open + 1, "]") : 0;

	if (!open || !open[1 + len])
		return xstrdup(line);
	return xstrndup(open + 1, len);
}

static char *on_off(const char *line, const char *on)
{
	if (strcmp(line, "0") != 0 && strcmp(line, "1") != 0)
		return NULL;
	return xstrdup(!strcmp(line, on) ? "on" : "off");
}

static char *sectors_in_bytes(const char *line)
{
	uint64_t sectors;
	uint64_t bytes;

	if (units_parse_u64(line, &sectors, NULL) < 0 ||
	    __builtin_mul_overflow(sectors, SECTOR_BYTES, &bytes))
		return NULL;
	return xasprintf("%llu", (unsigned long long)bytes);
}

static char *unless(const char *line, const char *nothing)
{
	return strcmp(line, nothing) != 0 ? xstrdup(line) : NULL;
}

static char *fact_of(const char *line, enum fact_form form)
{
	switch (form) {
	case FACT_CHOICE:
		return chosen_of(line);
	case FACT_ON_OFF:
		return on_off(line, "1");
	case FACT_OFF_ON:
		return on_off(line, "0");
	case FACT_SECTORS:
		return sectors_in_bytes(line);
	case FACT_NOT_ZERO:
		return unless(line, "0");
	case FACT_NOT_NONE:
		return unless(line, "none");
	case FACT_NAME:
		return strncmp(line, "0x", 2) != 0 ? xstrdup(line) : NULL;
	case FACT_LINE:
		break;
	}
	return xstrdup(line);
}

/* Some drivers pad with whatever was in memory, and a fact is one line of text. */
static bool is_text(const char *line)
{
	for (; *line; line++) {
		if ((unsigned char)*line < ' ' && *line != '\t')
			return false;
	}
	return true;
}

char *fact_read(const char *path, enum fact_form form)
{
	CLEANUP(strbuf) struct strbuf line = STRBUF_INIT;

	if (file_read_line(path, &line, NULL) < 0)
		return NULL;
	strbuf_trim(&line);
	if (line.len == 0 || strlen(strbuf_str(&line)) != line.len || !is_text(strbuf_str(&line)))
		return NULL;
	return fact_of(strbuf_str(&line), form);
}

/* ---- many files ---- */

/* Whether there is such a fact now. */
static bool add_file(struct facts *facts, const char *path, enum fact_form form, const char *prefix,
		     const char *key)
{
	CLEANUP(free) char *value = fact_read(path, form);

	if (!value || strlen(value) > FACT_MAX_LEN)
		return false;
	facts_add(facts, value, "%s%s", prefix, key);
	return true;
}

void facts_add_rows(struct facts *facts, const struct fact_row *rows, size_t nr_rows,
		    const char *prefix, const char *folder)
{
	const char *last = ""; /* key that was added */

	for (size_t i = 0; i < nr_rows; i++) {
		CLEANUP(free)
		char *path = folder ? xasprintf("%s/%s", folder, rows[i].path)
				    : facts_path(facts, "%s", rows[i].path);

		if (strcmp(last, rows[i].key) != 0 &&
		    add_file(facts, path, rows[i].form, prefix, rows[i].key))
			last = rows[i].key;
	}
}

void facts_add_folder(struct facts *facts, const char *prefix, const char *folder)
{
	CLEANUP(name_list) struct name_list names = NAME_LIST_INIT;

	name_list_add_folder(&names, folder);
	for (size_t i = 0; i < names.nr; i++) {
		CLEANUP(free) char *path = xasprintf("%s/%s", folder, names.items[i]);

		(void)add_file(facts, path, FACT_CHOICE, prefix, names.items[i]);
	}
}

/* ---- texts of several lines ---- */

char *fact_value_of(const char *text, const char *key)
{
	size_t key_len = strlen(key);

	for (const char *line = text; *line;) {
		size_t len = strcspn(line, "\n");
		size_t skip = key_len;

		if (!strncmp(line, key, key_len)) {
			skip += strspn(line + skip, " \t");
			if (line[skip] == ':') {
				CLEANUP(strbuf) struct strbuf value = STRBUF_INIT;

				strbuf_add(&value, line + skip + 1, len - skip - 1);
				strbuf_trim(&value);
				return strbuf_take(&value);
			}
		}
		line += len + (line[len] == '\n');
	}
	return NULL;
}

char *fact_read_head(const char *path)
{
	CLEANUP(fd) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	CLEANUP(free) char *text = xmalloc(HEAD_BYTES + 1);
	size_t len = 0;

	if (fd < 0)
		return NULL;
	while (len < HEAD_BYTES) {
		ssize_t got = read(fd, text + len, HEAD_BYTES - len);

		if (got <= 0)
			break;
		len += (size_t)got;
	}
	if (len == 0)
		return NULL;
	text[len] = '\0';
	return ptr_take(text);
}
