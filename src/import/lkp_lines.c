/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lkp_lines: which lines belong to LKP's JSON, and what mail and grep have put before them. */
#include "import/lkp_lines.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "import/importer.h"
#include "import/json_text.h"

#define PROBE_CERTAIN 95
#define PROBE_LIKELY 75
#define MAX_BLANK_LINES 4 /* between two arrays of one file */

/* The rest of a text behind "PATH.json:" or "PATH.json-", NULL if it does not begin so. */
static const char *after_path(const char *text, size_t *ret_path_len)
{
	size_t len = strcspn(text, " ");
	const char *mark = text;

	while ((mark = strstr(mark, ".json")) && mark < text + len) {
		mark += strlen(".json");
		if (*mark == ':' || *mark == '-') {
			*ret_path_len = (size_t)(mark - text);
			return mark + 1;
		}
	}
	return NULL;
}

/* `"group.metric": [`, `"group.metric":` or `"group.metric": 1` */
static bool is_member(const char *text)
{
	const char *end = *text == '"' ? strchr(text + 1, '"') : NULL;
	const char *dot = end ? memchr(text, '.', (size_t)(end - text)) : NULL;

	if (!dot)
		return false;
	end++;
	end += strspn(end, " ");
	return *end == ':';
}

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " ");
}

static int probe_path(struct import_reader *in, const char *rest)
{
	const struct import_line *next;

	if (*skip_blanks(rest))
		return is_member(skip_blanks(rest)) ? PROBE_CERTAIN : 0;
	/* A mailer has broken the line behind the path. */
	next = import_peek(in, 1);
	return next && is_member(import_body(next)) ? PROBE_CERTAIN : 0;
}

static int probe_member(const char *text)
{
	const char *value = strchr(strchr(text + 1, '"'), ':') + 1;

	value = skip_blanks(value);
	if (*value != '[')
		return 0;
	value = skip_blanks(value + 1);
	return *value == '\0' || *value == '-' || isdigit((unsigned char)*value) ? PROBE_LIKELY : 0;
}

static int probe_document(struct import_reader *in)
{
	struct json_head head;

	if (!json_head_read(in, &head))
		return 0;
	return strchr(head.key, '.') || !strcmp(head.key, "stats_source") ? PROBE_LIKELY : 0;
}

int lkp_lines_probe(struct import_reader *in)
{
	const char *body = import_body(import_peek(in, 0));
	const char *rest;
	size_t path_len;

	if (*body == '{')
		return probe_document(in);
	if (*body == '"')
		return is_member(body) ? probe_member(body) : 0;
	rest = strstr(body, ".json") ? after_path(body, &path_len) : NULL;
	return rest ? probe_path(in, rest) : 0;
}

/* ---- the lines of a block ---- */

void lkp_lines_init(struct lkp_lines *lines, struct import_reader *in)
{
	const char *body = import_body(import_peek(in, 0));
	size_t path_len;

	*lines = (struct lkp_lines){ .in = in, .is_document = *body == '{' };
	if (lines->is_document)
		lines->stage = LKP_LINES_INSIDE;
	else if (*body != '"' && after_path(body, &path_len))
		strbuf_add(&lines->path, body, path_len);
}

void lkp_lines_close(struct lkp_lines *lines)
{
	if (lines->is_line_used)
		import_next(lines->in);
	lines->is_line_used = false;
	strbuf_release(&lines->path);
	strbuf_release(&lines->piece);
}

/* Nothing but JSON without objects: what may follow a path that was broken off. */
static bool is_fragment(const char *text)
{
	while (*text) {
		if (*text == '"') {
			text = strchr(text + 1, '"');
			if (!text)
				return false;
			text++;
			continue;
		}
		if (strchr(" ,:[]+-.0123456789eE", *text)) {
			text++;
			continue;
		}
		if (strncmp(text, "null", 4) != 0)
			return false;
		text += 4;
	}
	return true;
}

/* Adds the line to the piece without paths; false if it belongs to something else. */
static bool add_line(struct lkp_lines *lines, const char *text)
{
	strbuf_reset(&lines->piece);
	for (text = skip_blanks(text); *text; text = skip_blanks(text)) {
		size_t len = strcspn(text, " ");
		size_t path_len;
		const char *rest = *text == '"' ? NULL : after_path(text, &path_len);

		if (rest) {
			if (path_len != lines->path.len ||
			    memcmp(text, strbuf_str(&lines->path), path_len) != 0)
				return false;
			text = rest;
			continue;
		}
		strbuf_add(&lines->piece, text, len);
		strbuf_add_char(&lines->piece, ' ');
		text += len;
	}
	return is_fragment(strbuf_str(&lines->piece));
}

static void count_brackets(struct lkp_lines *lines)
{
	bool is_string = false;

	for (const char *at = strbuf_str(&lines->piece); *at; at++) {
		is_string ^= *at == '"';
		if (!is_string && *at == '[')
			lines->nr_open++;
		else if (!is_string && *at == ']' && lines->nr_open)
			lines->nr_open--;
	}
}

static void use_line(struct lkp_lines *lines, const struct import_line *line)
{
	lines->is_line_used = true;
	lines->last_line = line->nr;
}

static bool next_of_document(struct lkp_lines *lines, const struct import_line *line,
			     struct json_piece *ret_piece)
{
	use_line(lines, line);
	*ret_piece = (struct json_piece){ .text = line->text,
					  .len = line->len,
					  .line = line->nr,
					  .is_joined = line->is_partial };
	return true;
}

/* Passes over blank lines, and what grep puts between two finds, if more of the file follows. */
static bool skip_gap(struct lkp_lines *lines)
{
	size_t nr = 0;
	const struct import_line *line;
	size_t path_len;
	const char *body;

	while ((line = import_peek(lines->in, nr)) && nr <= MAX_BLANK_LINES) {
		body = import_body(line);
		if (*body && strcmp(body, "--") != 0)
			break;
		nr++;
	}
	if (!line || !nr)
		return line != NULL;
	body = import_body(line);
	if (!lines->nr_open && !(lines->path.len && after_path(body, &path_len)) &&
	    !is_member(body))
		return false;
	while (nr--)
		import_next(lines->in);
	return true;
}

static bool next_of_arrays(struct lkp_lines *lines, struct json_piece *ret_piece)
{
	const struct import_line *line = skip_gap(lines) ? import_peek(lines->in, 0) : NULL;
	const char *body = line ? import_body(line) : "";

	if (!line || line->is_partial || !add_line(lines, body) ||
	    (!lines->nr_open && !lines->path.len && !is_member(body)))
		return false;
	count_brackets(lines);
	use_line(lines, line);
	*ret_piece = (struct json_piece){ .text = strbuf_str(&lines->piece),
					  .len = lines->piece.len,
					  .line = line->nr };
	return true;
}

static struct json_piece bracket(const struct lkp_lines *lines, const char *text)
{
	return (struct json_piece){ .text = text, .len = 1, .line = lines->last_line };
}

static bool next_piece(void *context, struct json_piece *ret_piece)
{
	struct lkp_lines *lines = context;
	const struct import_line *line;

	if (lines->is_line_used)
		import_next(lines->in);
	lines->is_line_used = false;
	line = import_peek(lines->in, 0);
	if (lines->is_document)
		return line && next_of_document(lines, line, ret_piece);
	switch (lines->stage) {
	case LKP_LINES_OPEN:
		lines->stage = LKP_LINES_INSIDE;
		*ret_piece = bracket(lines, "{");
		return true;
	case LKP_LINES_INSIDE:
		if (line && next_of_arrays(lines, ret_piece))
			return true;
		lines->stage = LKP_LINES_END;
		if (lines->nr_open)
			return false; /* cut */
		*ret_piece = bracket(lines, "}");
		return true;
	default:
		return false;
	}
}

struct json_source lkp_lines_source(struct lkp_lines *lines)
{
	return (struct json_source){ .next = next_piece, .context = lines };
}

/* ---- what the path says ---- */

static const char *path_of(const struct lkp_lines *lines)
{
	return lines->path.len ? strbuf_str(&lines->path) : import_source(lines->in);
}

const char *lkp_lines_file(const struct lkp_lines *lines)
{
	const char *slash = strrchr(path_of(lines), '/');

	return slash ? slash + 1 : path_of(lines);
}

char *lkp_lines_kernel(const struct lkp_lines *lines)
{
	const char *path = strbuf_str(&lines->path);
	const char *slash = strrchr(path, '/');
	const char *start = slash;

	if (!slash || slash == path)
		return NULL;
	while (start > path && start[-1] != '/')
		start--;
	return xstrndup(start, (size_t)(slash - start));
}
