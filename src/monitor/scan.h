/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MONITOR_SCAN_H
#define REGIO_MONITOR_SCAN_H

/*
 * Private to src/monitor: reads the texts of /proc and sysfs word by word where they are. A scan
 * is what is left of a text or line; the calls take from its front.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scan {
	const char *pos;
	const char *end;
};

struct scan_word {
	const char *text; /* not terminated */
	size_t len;
};

static inline struct scan scan_text(const char *text, size_t len)
{
	return (struct scan){ .pos = text, .end = text + len };
}

/* The next line, without its newline. False at the end. */
bool scan_line(struct scan *text, struct scan *ret_line);

/* The next word between blanks. False if there is none. */
bool scan_word(struct scan *line, struct scan_word *ret_word);

/* The next word if it is a decimal number that fits, else nothing is taken. */
bool scan_u64(struct scan *line, uint64_t *ret_value);

/* Numbers from the front of the line, at most max. Returns how many. */
size_t scan_u64s(struct scan *line, uint64_t *values, size_t max);

/* Takes the prefix if the rest begins with it. */
bool scan_skip(struct scan *scan, const char *prefix);

/* Takes the blanks at the front. */
void scan_blanks(struct scan *scan);

/* Up to the character c, which is taken too but is not in the word. False if there is none. */
bool scan_until(struct scan *scan, char c, struct scan_word *ret_word);

bool scan_word_is(const struct scan_word *word, const char *text);
bool scan_word_begins(const struct scan_word *word, const char *prefix);
/* The whole word is a decimal number. */
bool scan_word_u64(const struct scan_word *word, uint64_t *ret_value);

#endif
