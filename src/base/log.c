/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log: lines to stderr at four levels. Holds the only mutable file-scope state of regio. */
#include "base/log.h"

#include "base/file.h"
#include "base/strbuf.h"
#include "base/utf8.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int log_level_now = LOG_LEVEL_WARNING;

void log_set_level(enum log_level level)
{
	atomic_store_explicit(&log_level_now, (int)level, memory_order_relaxed);
}

bool log_is_enabled(enum log_level level)
{
	return (int)level <= atomic_load_explicit(&log_level_now, memory_order_relaxed);
}

/* Names and words of files are quoted as they are: a terminal is not to obey them. */
static void add_clean(struct strbuf *line, const char *text)
{
	while (*text) {
		size_t len = utf8_len(text);

		if (len == 0)
			strbuf_printf(line, "\\x%02x", (unsigned)(unsigned char)*text);
		else if (len == 1 && iscntrl((unsigned char)*text) && *text != '\t')
			strbuf_add_char(line, '?');
		else
			strbuf_add(line, text, len);
		text += len ? len : 1;
	}
}

__attribute__((format(printf, 2, 0))) static void log_line(enum log_level level, const char *fmt,
							   va_list args)
{
	static const char *const prefixes[] = {
		[LOG_LEVEL_ERROR] = "regio: error: ",
		[LOG_LEVEL_WARNING] = "regio: warning: ",
		[LOG_LEVEL_INFO] = "regio: ",
		[LOG_LEVEL_DEBUG] = "regio: debug: ",
	};
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf line = STRBUF_INIT;

	if (!log_is_enabled(level))
		return;
	strbuf_vprintf(&text, fmt, args);
	strbuf_add_str(&line, prefixes[level]);
	add_clean(&line, strbuf_str(&text));
	strbuf_add_char(&line, '\n');
	(void)file_write_all(STDERR_FILENO, line.buf, line.len); /* nowhere left to complain */
}

void log_error(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	log_line(LOG_LEVEL_ERROR, fmt, args);
	va_end(args);
}

void log_warning(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	log_line(LOG_LEVEL_WARNING, fmt, args);
	va_end(args);
}

void log_info(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	log_line(LOG_LEVEL_INFO, fmt, args);
	va_end(args);
}

void log_debug(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	log_line(LOG_LEVEL_DEBUG, fmt, args);
	va_end(args);
}
