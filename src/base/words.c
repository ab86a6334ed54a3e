/* SPDX-License-Identifier: GPL-2.0-or-later */
/* words: lists of words in one string. */
#include "base/words.h"

#include <string.h>

#include "base/strbuf.h"

bool words_have(const char *words, const char *word, size_t len)
{
	while (words && *words) {
		size_t word_len = strcspn(words, " ");

		if (word_len == len && !memcmp(words, word, len))
			return true;
		words += word_len + (words[word_len] == ' ');
	}
	return false;
}

void words_shorten(struct strbuf *list, size_t max_len)
{
	const char *text = strbuf_str(list);
	const char *comma = strstr(text, ", ");
	size_t kept_len = list->len, nr_more = 0;

	if (list->len <= max_len)
		return;
	for (; comma; comma = strstr(comma + 2, ", ")) {
		size_t len = (size_t)(comma - text);

		if (nr_more == 0 || len <= max_len) {
			kept_len = len;
			nr_more = 0;
		}
		nr_more++;
	}
	strbuf_truncate(list, kept_len);
	if (nr_more)
		strbuf_printf(list, " and %zu more", nr_more);
}
