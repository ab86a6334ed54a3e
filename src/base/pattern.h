/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_BASE_PATTERN_H
#define REGIO_BASE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

/* Whether one of the patterns of fnmatch(3) is that of the text. */
bool pattern_any(const char *text, const char *const *patterns, size_t nr);

/* The same with an array. */
#define PATTERN_ANY(text, patterns)                                                                \
	pattern_any(text, patterns, sizeof(patterns) / sizeof((patterns)[0]))

#endif
