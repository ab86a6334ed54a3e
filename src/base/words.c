/* SPDX-License-Identifier: GPL-2.0-or-later */
/* words: lists of words in one string. */
#include "base/words.h"

#include <string.h>

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
