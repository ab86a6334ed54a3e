/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lines: reads a file with one candidate in each line. */
#include "candidate/lines.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"

#define LINES_MAX_BYTES (64u << 20)

static int take_line(const char *text, size_t len,
		     int (*take)(void *arg, const char *line, struct err *err), void *arg,
		     struct err *err)
{
	CLEANUP(strbuf) struct strbuf line = STRBUF_INIT;

	strbuf_add(&line, text, len);
	strbuf_trim(&line);
	if (line.len == 0 || line.buf[0] == '#')
		return 0;
	if (strlen(line.buf) != line.len)
		return err_set(err, ERR_INPUT, "a line with a NUL character is no candidate");
	return take(arg, line.buf, err);
}

int lines_read(const char *path, int (*take)(void *arg, const char *line, struct err *err),
	       void *arg, struct err *err)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	int ret = file_read(path, LINES_MAX_BYTES, &text, err);
	const char *pos = strbuf_str(&text);
	const char *end = pos + text.len;
	unsigned nr = 0;

	while (ret == 0 && pos < end) {
		const char *newline = memchr(pos, '\n', (size_t)(end - pos));
		const char *line_end = newline ? newline : end;

		nr++;
		ret = take_line(pos, (size_t)(line_end - pos), take, arg, err);
		if (ret < 0)
			(void)err_prefix(err, "%s:%u", path, nr);
		pos = newline ? newline + 1 : end;
	}
	return ret;
}
