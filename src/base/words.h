/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_BASE_WORDS_H
#define REGIO_BASE_WORDS_H

/* Lists of words in one string, one blank between: "dm_mod dm_cache". NULL is an empty list. */

#include <stdbool.h>
#include <stddef.h>

/* Whether the list has the word, of which only len characters count. */
bool words_have(const char *words, const char *word, size_t len);

#endif
