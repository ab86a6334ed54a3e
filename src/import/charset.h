/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_IMPORT_CHARSET_H
#define REGIO_IMPORT_CHARSET_H

#include <stddef.h>
#include <stdint.h>

struct strbuf;

/*
 * Reads one character at text (len > 0) whatever happened to its encoding and appends its plain
 * form: UTF-8, the bytes of Latin-1 and Windows-1252, UTF-8 taken for these and encoded again,
 * octal escapes. Blanks of any kind become ' ', invisible characters nothing, dashes '-', an
 * ellipsis "..."; what is no character becomes '?'. Returns the number of bytes it took.
 */
size_t charset_take(const char *text, size_t len, struct strbuf *out);

/* Appends the plain form of one code point. */
void charset_put(uint32_t code, struct strbuf *out);

/* 0 to 15; -1 if it is no digit. */
int charset_hex_digit(char c);

/* Length of the terminal escape sequence at text, written as a byte or as "^["; 0 = none. */
size_t charset_escape_len(const char *text, size_t len);

#endif
