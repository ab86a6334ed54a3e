/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_BASE_ERR_H
#define REGIO_BASE_ERR_H

#include <stdarg.h>

/*
 * A failure: its code, which is also the exit status, and one message.
 *
 * A function that can fail takes `struct err *err` last and returns 0 or a negative code:
 *
 *	if (nr == 0)
 *		return err_set(err, ERR_INPUT, "%s: no job section", path);
 *
 * The message is written once, where the fact is known, and may be prefixed on the way up. Lower
 * case, no final dot, subject and value, user text quoted. Only main prints it. `err` may be NULL
 * everywhere: then only the code is returned. It lives on the caller's stack and owns nothing.
 */
enum err_code {
	ERR_USAGE = 2,	     /* the command line is wrong */
	ERR_INPUT = 3,	     /* the content of a file is wrong: job file, store, imported result */
	ERR_SYSTEM = 4,	     /* a system call failed; saved_errno says how */
	ERR_UNSAFE = 5,	     /* the safety guard refused */
	ERR_UNSUPPORTED = 6, /* known, but not available: option, kernel feature, driver */
	ERR_INTERRUPTED = 7, /* a signal or a stop request ended it */
};

#define ERR_MSG_LEN 512 /* longer messages are cut, marked by "..." */

struct err {
	enum err_code code; /* 0 = no error yet */
	int saved_errno;    /* 0 unless set by err_set_errno */
	char msg[ERR_MSG_LEN];
};

/* Replaces whatever err held; an argument may point into err->msg. Returns -code. */
int err_set(struct err *err, enum err_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* As err_set, with "NAME:LINE: " in front. */
int err_vset_at(struct err *err, enum err_code code, const char *name, unsigned line,
		const char *fmt, va_list args) __attribute__((format(printf, 5, 0)));

/* Appends ": " and the text of errno, which it reads on entry. Returns -ERR_SYSTEM. */
int err_set_errno(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Puts "prefix: " before the message. Returns -err->code, so it can end a function; with a NULL
 * or empty err -ERR_SYSTEM, for which reason callers that pass codes on keep their own `ret`. */
int err_prefix(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
