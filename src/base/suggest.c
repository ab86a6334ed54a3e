/* SPDX-License-Identifier: GPL-2.0-or-later */
/* suggest: the known name nearest to a mistyped word. Wording the message is left to callers. */
#include "base/suggest.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

static size_t size_min(size_t a, size_t b)
{
	return a < b ? a : b;
}

static int letter_fold(char c)
{
	return c == '-' ? '_' : tolower((unsigned char)c);
}

size_t suggest_distance(const char *a, const char *b)
{
	size_t a_len = strnlen(a, SUGGEST_MAX_LEN + 1);
	size_t b_len = strnlen(b, SUGGEST_MAX_LEN + 1);
	size_t rows[3][SUGGEST_MAX_LEN + 1];
	size_t *before = rows[0]; /* row i - 2 of the distance table */
	size_t *above = rows[1];  /* row i - 1 */
	size_t *row = rows[2];

	if (a_len > SUGGEST_MAX_LEN || b_len > SUGGEST_MAX_LEN)
		return SIZE_MAX;

	for (size_t j = 0; j <= b_len; j++)
		above[j] = j;
	for (size_t i = 1; i <= a_len; i++) {
		int ai = letter_fold(a[i - 1]);
		size_t *oldest = before;

		row[0] = i;
		for (size_t j = 1; j <= b_len; j++) {
			int bj = letter_fold(b[j - 1]);

			row[j] = size_min(above[j - 1] + (ai != bj),
					  size_min(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && ai == letter_fold(b[j - 2]) &&
			    bj == letter_fold(a[i - 2]))
				row[j] = size_min(row[j], before[j - 2] + 1);
		}
		before = above;
		above = row;
		row = oldest;
	}
	return above[b_len];
}

struct suggest suggest_for(const char *word)
{
	return (struct suggest){ .word = word, .best_distance = SIZE_MAX };
}

void suggest_offer(struct suggest *suggest, const char *name)
{
	size_t word_len = strlen(suggest->word);
	size_t name_len = strlen(name);
	size_t distance = suggest_distance(suggest->word, name);

	/* A word that was not finished ("iode" for iodepth) counts as one typing error. */
	if (word_len >= 3 && word_len < name_len && strncasecmp(suggest->word, name, word_len) == 0)
		distance = size_min(distance, 1);
	if (distance < suggest->best_distance) {
		suggest->best = name;
		suggest->best_distance = distance;
	}
}

const char *suggest_best(const struct suggest *suggest)
{
	/* One error in three letters, at least one and at most three: beyond that it is a guess. */
	size_t limit = size_min(strlen(suggest->word) / 3, 3);

	if (limit == 0)
		limit = strlen(suggest->word) > 1 ? 1 : 0;
	return suggest->best && suggest->best_distance <= limit ? suggest->best : NULL;
}
