/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wrap: breaks running text into lines. */
#include "output/wrap.h"

#include <ctype.h>
#include <string.h>

unsigned wrap_columns(const char *text, size_t len)
{
	unsigned columns = 0;

	for (size_t i = 0; i < len; i++)
		columns += ((unsigned char)text[i] & 0xc0) != 0x80; /* not a continuation byte */
	return columns;
}

static void print_word(const char *word, size_t len, FILE *to)
{
	for (size_t i = 0; i < len; i++)
		(void)fputc(iscntrl((unsigned char)word[i]) ? '?' : word[i], to);
}

void wrap_print(const char *text, unsigned width, unsigned indent, FILE *to)
{
	unsigned column = indent;

	while (*text) {
		size_t blanks = strspn(text, " ");
		size_t len = strcspn(text + blanks, " \n");
		unsigned columns = (unsigned)blanks + wrap_columns(text + blanks, len);

		if (width && column > indent && column + columns > width) {
			(void)fprintf(to, "\n%*s", (int)indent, "");
			column = indent;
			columns -= (unsigned)blanks;
		} else {
			(void)fprintf(to, "%*s", (int)blanks, "");
		}
		print_word(text + blanks, len, to);
		column += columns;
		text += blanks + len;
		if (*text == '\n') {
			text++;
			(void)fprintf(to, "\n%*s", *text && *text != '\n' ? (int)indent : 0, "");
			column = indent;
		}
	}
	(void)fputc('\n', to);
}
