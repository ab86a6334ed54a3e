/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_BASE_JSON_SCAN_H
#define REGIO_BASE_JSON_SCAN_H

#include "base/cleanup.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Pull scanner for JSON of any length that arrives in pieces, as lines of a file. It keeps one
 * token and the nesting, no tree. Written for the output of programs that is damaged on its way:
 * a string may be broken by line ends (they become one blank), a comma may stand before a closing
 * bracket, "nan" and "-inf" are words as "null" is, unknown escapes mean themselves. Everything
 * else must be JSON.
 *
 * A number is only reported when what follows shows that it is whole, so that text which ends
 * inside of one never yields a part of it.
 */
#define JSON_SCAN_MAX_DEPTH 64
#define JSON_SCAN_MAX_STRING (1U << 20)
#define JSON_SCAN_MAX_BREAKS 8 /* line ends in one string */

struct json_piece {
	const char *text; /* valid until the next piece is asked for */
	size_t len;
	unsigned line;	/* on which it begins */
	bool is_joined; /* the next piece continues it; else there is white space between them */
};

struct json_source {
	/* False at the end of the text. */
	bool (*next)(void *context, struct json_piece *ret_piece);
	void *context;
};

enum json_event {
	JSON_NONE,   /* no document begins before the end of the text */
	JSON_OBJECT, /* '{' */
	JSON_ARRAY,  /* '[' */
	JSON_CLOSE,  /* the end of either; depth 0 = of the document */
	JSON_STRING,
	JSON_NUMBER,
	JSON_WORD,  /* true, false, null, nan, inf .. */
	JSON_CUT,   /* the text ended inside a document */
	JSON_FAULT, /* scan->fault says what is wrong */
};

struct json_scan {
	/* About the last event, valid until the next: */
	const char *key; /* of the member, decoded, not terminated; NULL if it is none */
	size_t key_len;
	const char *text; /* of a string (decoded), number or word, not terminated */
	size_t len;
	unsigned line;	   /* on which it began */
	unsigned depth;	   /* brackets that are open, a reported '{' or '[' included */
	const char *fault; /* a constant */

	/* Its own: */
	struct json_source source;
	const char *at, *end; /* rest of the piece */
	unsigned at_line;
	bool is_joined;				/* the piece goes on */
	bool has_text;				/* pieces are not used up */
	bool needs_comma;			/* a value was completed in the open bracket */
	bool key_is_borrowed, text_is_borrowed; /* from the piece */
	uint64_t is_object;			/* one bit for each open bracket */
	struct strbuf key_copy, text_copy;
};

/* The first piece is asked for by the first json_scan_next(). */
void json_scan_init(struct json_scan *scan, struct json_source source);
void json_scan_release(struct json_scan *scan);
CLEANUP_DEFINE(json_scan, struct json_scan, json_scan_release)

/*
 * The next event. After the JSON_CLOSE of a document the next one is looked for; commas between
 * documents are allowed. After JSON_CUT or JSON_FAULT there is nothing to be had any more.
 */
enum json_event json_scan_next(struct json_scan *scan);

/* After JSON_OBJECT or JSON_ARRAY: passes over its content; the event at its end. */
enum json_event json_scan_skip(struct json_scan *scan);

/*
 * The last event showed that a new document began inside of one that was cut off: what was open is
 * given up, and the last event is the first of the new document.
 */
void json_scan_restart(struct json_scan *scan);

/* After JSON_FAULT: the next document is looked for where the fault was. */
void json_scan_recover(struct json_scan *scan);

/* True if a document begins in the rest of the current piece; nothing is consumed. */
bool json_scan_has_more_here(const struct json_scan *scan);

/* True if the key of the last event is name. */
bool json_scan_is_key(const struct json_scan *scan, const char *name);

/*
 * Exact value of the text of a JSON_NUMBER, rounded to nearest. False if it does not fit, or has
 * more characters than any program prints.
 */
bool json_number(const char *text, size_t len, double *ret_value);
/* False unless it is a whole number without sign, fraction and exponent that fits. */
bool json_number_u64(const char *text, size_t len, uint64_t *ret_value);

#endif
