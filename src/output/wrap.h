/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_OUTPUT_WRAP_H
#define REGIO_OUTPUT_WRAP_H

#include <stdio.h>

/*
 * Prints words so that no line is longer than width (0 = unlimited; a longer word stands alone),
 * ends with a newline. The first line goes on at column `indent`, which the caller has reached;
 * further lines are indented by it. Newlines of the text are kept, other control characters
 * become '?'.
 */
void wrap_print(const char *text, unsigned width, unsigned indent, FILE *to);

/* Columns that UTF-8 text takes: code points, which is right for all but wide scripts. */
unsigned wrap_columns(const char *text, size_t len);

#endif
