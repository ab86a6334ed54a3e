/* SPDX-License-Identifier: GPL-2.0-or-later */
/* utf8: which bytes are a character. */
#include "base/utf8.h"

size_t utf8_len(const char *text)
{
	const unsigned char first = (unsigned char)*text;
	size_t len = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
	unsigned char second = len ? (unsigned char)text[1] : 0;

	if (first < 0x80)
		return 1;
	if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
	    (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f))
		return 0;
	for (size_t i = 1; i < len; i++) {
		if (((unsigned char)text[i] & 0xc0) != 0x80)
			return 0;
	}
	return len;
}
