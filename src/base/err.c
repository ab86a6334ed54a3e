/* SPDX-License-Identifier: GPL-2.0-or-later */
/* err: formats the one message of a failure. Printing it is left to main. */
#include "base/err.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* A message is one line: what was quoted may hold line ends and other control characters. */
static void keep_one_line(char *text)
{
	for (; *text; text++) {
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = '?';
	}
}

/* Stores `text`, whose untruncated length is `full_len`; a cut text ends in "...". */
static void err_store(struct err *err, enum err_code code, const char *text, size_t full_len)
{
	static const char mark[] = "...";

	err->code = code;
	memcpy(err->msg, text, strnlen(text, sizeof(err->msg) - 1) + 1);
	if (full_len >= sizeof(err->msg))
		memcpy(err->msg + sizeof(err->msg) - sizeof(mark), mark, sizeof(mark));
	keep_one_line(err->msg);
}

int err_set(struct err *err, enum err_code code, const char *fmt, ...)
{
	char text[ERR_MSG_LEN]; /* arguments may point into err->msg */
	va_list args;
	int len;

	if (!err)
		return -(int)code;

	va_start(args, fmt);
	len = vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);

	err->saved_errno = 0;
	err_store(err, code, text, len < 0 ? 0 : (size_t)len);
	return -(int)code;
}

int err_vset_at(struct err *err, enum err_code code, const char *name, unsigned line,
		const char *fmt, va_list args)
{
	char text[ERR_MSG_LEN];

	(void)vsnprintf(text, sizeof(text), fmt, args);
	return err_set(err, code, "%s:%u: %s", name, line, text);
}

int err_set_errno(struct err *err, const char *fmt, ...)
{
	int saved_errno = errno;
	char text[ERR_MSG_LEN];
	char full[2 * ERR_MSG_LEN];
	va_list args;
	int len;

	if (!err)
		return -ERR_SYSTEM;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args); /* cut is fine: the cause must fit too */
	va_end(args);

	len = snprintf(full, sizeof(full), "%s: %s", text, strerror(saved_errno));
	err->saved_errno = saved_errno;
	full[ERR_MSG_LEN - 1] = '\0';
	err_store(err, ERR_SYSTEM, full, len < 0 ? 0 : (size_t)len);
	return -ERR_SYSTEM;
}

int err_prefix(struct err *err, const char *fmt, ...)
{
	char prefix[ERR_MSG_LEN];
	char full[2 * ERR_MSG_LEN];
	va_list args;
	int len;

	if (!err || !err->code)
		return -ERR_SYSTEM;

	va_start(args, fmt);
	(void)vsnprintf(prefix, sizeof(prefix), fmt, args);
	va_end(args);

	len = snprintf(full, sizeof(full), "%s: %s", prefix, err->msg);
	full[ERR_MSG_LEN - 1] = '\0';
	err_store(err, err->code, full, len < 0 ? 0 : (size_t)len);
	return -(int)err->code;
}
