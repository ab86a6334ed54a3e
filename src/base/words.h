/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_BASE_WORDS_H
#define REGIO_BASE_WORDS_H

/* Lists of words in one string. */

#include <stdbool.h>
#include <stddef.h>

struct strbuf;

/* One blank between, "dm_mod dm_cache"; NULL is an empty list. Whether it has the word,
 * of which only len characters count. */
bool words_have(const char *words, const char *word, size_t len);

/* ", " between, for a message: a list longer than max_len becomes "iops, bw and 57 more". */
void words_shorten(struct strbuf *list, size_t max_len);

#endif
