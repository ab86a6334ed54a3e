/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log: lines to stderr at four levels. Holds the only mutable file-scope state of regio. */
#include "base/log.h"

#include "base/file.h"
#include "base/strbuf.h"

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

__attribute__((format(printf, 2, 0))) static void log_line(enum log_level level, const char *fmt,
							   va_list args)
{
	static const char *const prefixes[] = {
		[LOG_LEVEL_ERROR] = "regio: error: ",
		[LOG_LEVEL_WARNING] = "regio: warning: ",
		[LOG_LEVEL_INFO] = "regio: ",
		[LOG_LEVEL_DEBUG] = "regio: debug: ",
	};
	CLEANUP(strbuf) struct strbuf line = STRBUF_INIT;

	if (!log_is_enabled(level))
		return;
	strbuf_add_str(&line, prefixes[level]);
	strbuf_vprintf(&line, fmt, args);
	for (size_t i = 0; i < line.len; i++) {
		if (iscntrl((unsigned char)line.buf[i]) && line.buf[i] != '\t')
			line.buf[i] = '?';
	}
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
