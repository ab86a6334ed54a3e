/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lines: reads a file with one candidate in each line. */
#include "candidate/lines.h"

#include <ctype.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/name_index.h"
#include "base/strbuf.h"

#define LINES_MAX_BYTES (64u << 20)

/* Into the line without the white space around it, in place. */
static char *trim(char *line, size_t *len)
{
	while (*len && isspace((unsigned char)line[*len - 1]))
		--*len;
	line[*len] = '\0';
	for (; isspace((unsigned char)*line); line++)
		--*len;
	return line;
}

/* seen: the lines before it; borrows this one. */
static int check_line(const char *line, size_t len, struct name_index *seen, struct err *err)
{
	if (strlen(line) != len)
		return err_set(err, ERR_INPUT, "a line with a NUL character is no candidate");
	if (name_index_find(seen, line))
		return err_set(err, ERR_INPUT, "candidate '%s' stands in the list twice", line);
	(void)name_index_place(seen, line, 0);
	return 0;
}

int lines_read(const char *path, int (*take)(void *arg, const char *line, struct err *err),
	       void *arg, struct err *err)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	CLEANUP(name_index) struct name_index seen = { .nr = 0 };
	int ret = file_read(path, LINES_MAX_BYTES, &text, err);
	char *pos = text.buf;
	unsigned nr = 0;

	while (ret == 0 && pos && pos < text.buf + text.len) {
		size_t left = (size_t)(text.buf + text.len - pos);
		char *newline = memchr(pos, '\n', left);
		size_t len = newline ? (size_t)(newline - pos) : left;
		const char *line = trim(pos, &len);

		nr++;
		if (len && *line != '#') {
			ret = check_line(line, len, &seen, err);
			if (ret == 0)
				ret = take(arg, line, err);
		}
		if (ret < 0)
			(void)err_prefix(err, "%s:%u", path, nr);
		pos = newline ? newline + 1 : NULL;
	}
	return ret;
}
