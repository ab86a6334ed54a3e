/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_BASE_LOG_H
#define REGIO_BASE_LOG_H

#include <stdbool.h>

/*
 * Lines to stderr, for src/cmd and main only: lower folders return errors or notes instead. The
 * one place of the program with mutable state at file scope (the level). One write per line, so
 * lines of several threads do not mix.
 */
enum log_level {
	LOG_LEVEL_ERROR,
	LOG_LEVEL_WARNING, /* the default */
	LOG_LEVEL_INFO,
	LOG_LEVEL_DEBUG,
};

void log_set_level(enum log_level level); /* messages above it are dropped */
bool log_is_enabled(enum log_level level);

/* "regio: error: ", "regio: warning: ", "regio: " or "regio: debug: ", the text and a newline.
 * Control characters of the text become '?', so that file content cannot drive a terminal. */
void log_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_info(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_debug(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
