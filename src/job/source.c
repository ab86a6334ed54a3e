/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads job files into lines. What the lines say is left to parse.c. */
#include "job/source.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "job/job_parse.h"
#include "job/number.h"

#define MAX_DEPTH 16 /* of includes: more is a mistake */

void source_release(struct source *source)
{
	strbuf_release(&source->content);
}

struct place source_place(const struct source *source)
{
	return (struct place){ .rank = RANK_FILE, .source = source->name, .line = source->line };
}

static void skip_byte_order_mark(struct source *source)
{
	static const char mark[] = "\xef\xbb\xbf";

	if (source->content.len >= strlen(mark) && !memcmp(source->content.buf, mark, strlen(mark)))
		source->pos = strlen(mark);
	source->has_mark = source->pos > 0;
}

int source_open(const char *path, struct source *ret_source, struct err *err)
{
	const bool is_stdin = !strcmp(path, "-");
	struct source source = { .name = is_stdin ? "stdin" : path };
	struct stat status;
	int ret = file_read(is_stdin ? "/dev/stdin" : path, SOURCE_MAX_BYTES, &source.content, err);

	if (ret < 0) {
		source_release(&source);
		return ret;
	}
	if (!is_stdin && stat(path, &status) == 0) {
		source.is_file = true;
		source.dev = status.st_dev;
		source.ino = status.st_ino;
	}
	skip_byte_order_mark(&source);
	*ret_source = source;
	return 0;
}

void source_open_text(const struct job_parse_text *text, struct source *ret_source)
{
	struct source source = { .name = text->name };

	strbuf_add(&source.content, text->data, text->len);
	skip_byte_order_mark(&source);
	*ret_source = source;
}

/* path, or path beside the including file if only that exists. */
static const char *include_path(const struct source *parent, const char *path, struct arena *arena)
{
	const char *slash = strrchr(parent->name, '/');
	const char *beside;

	if (file_exists(path) || path[0] == '/' || !slash)
		return path;
	beside = arena_printf(arena, "%.*s%s", (int)(slash - parent->name) + 1, parent->name, path);
	return file_exists(beside) ? beside : path;
}

static int include_check(const struct source *parent, const char *path, struct err *err)
{
	struct short_text quoted;
	struct stat status;

	(void)short_text(path, &quoted);
	if (parent->depth + 1 >= MAX_DEPTH)
		return err_set(err, ERR_INPUT, "include '%s': nested more than %d deep", quoted.buf,
			       MAX_DEPTH);
	if (stat(path, &status) < 0)
		return err_set(err, ERR_INPUT, "include '%s': %s", quoted.buf, strerror(errno));
	if (!S_ISREG(status.st_mode))
		return err_set(err, ERR_INPUT, "include '%s': not a regular file", quoted.buf);
	for (; parent; parent = parent->parent) {
		if (parent->is_file && parent->dev == status.st_dev && parent->ino == status.st_ino)
			return err_set(err, ERR_INPUT, "include '%s': the file includes itself",
				       quoted.buf);
	}
	return 0;
}

int source_open_include(const struct source *parent, const char *path, struct arena *arena,
			struct source *ret_source, struct err *err)
{
	const char *found = include_path(parent, path, arena);
	struct short_text quoted;
	int ret = include_check(parent, found, err);

	if (ret < 0)
		return ret;
	ret = source_open(found, ret_source, err);
	if (ret < 0)
		return err_prefix(err, "include '%s'", short_text(path, &quoted));
	ret_source->parent = parent;
	ret_source->depth = parent->depth + 1;
	return 0;
}

static bool is_blank(char c)
{
	return (unsigned char)c <= ' ' || c == 0x7f;
}

/* Cuts the comment and the blanks at both ends: the bytes start..end of text remain. */
static void line_trim(const char *text, size_t *start, size_t *end)
{
	for (size_t i = *start; i < *end; i++) {
		if (text[i] == ';' || text[i] == '#')
			*end = i;
	}
	while (*end > *start && is_blank(text[*end - 1]))
		(*end)--;
	while (*start < *end && is_blank(text[*start]))
		(*start)++;
}

/* Refuses what no text file holds. len is the length of the line. */
static int line_check(const struct source *source, const char *line, size_t len, struct err *err)
{
	const struct place place = source_place(source);

	if (len > SOURCE_MAX_LINE_BYTES)
		return place_refuse(&place, ERR_INPUT, err, "the line is longer than %u bytes",
				    SOURCE_MAX_LINE_BYTES);
	if (memchr(line, '\0', len))
		return place_refuse(&place, ERR_INPUT, err,
				    "the line has a NUL byte: this is no job file");
	return 0;
}

int source_next(struct source *source, struct arena *arena, const char **ret_line, struct err *err)
{
	const struct strbuf *content = &source->content;

	while (source->pos < content->len) {
		const char *line = content->buf + source->pos;
		const char *newline = memchr(line, '\n', content->len - source->pos);
		size_t start = 0;
		size_t end = newline ? (size_t)(newline - line) : content->len - source->pos;
		int ret;

		source->pos += end + 1;
		source->line++;
		ret = line_check(source, line, end, err);
		if (ret < 0)
			return ret;
		line_trim(line, &start, &end);
		if (start == end)
			continue;
		*ret_line = arena_strndup(arena, line + start, end - start);
		return 1;
	}
	return 0;
}
