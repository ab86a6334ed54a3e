/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_BASE_UTF8_H
#define REGIO_BASE_UTF8_H

/* Text of others may be any bytes; what is printed is UTF-8. */

#include <stddef.h>

/* Bytes of the character that begins here, 1 of ASCII and at the end; 0 if it is no UTF-8. */
size_t utf8_len(const char *text);

#endif
