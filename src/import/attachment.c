/* SPDX-License-Identifier: GPL-2.0-or-later */
/* attachment: names of the parts of a mail out of the prose above them. */
#include "import/attachment.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/vec.h"

static const char *const extensions[] = { ".txt", ".log",  ".out",  ".json", ".csv", ".fio",
					  ".job", ".conf", ".yaml", ".yml",  ".sh",  ".patch" };

static const char *const pairing_words[] = { "respectively", "correspondingly" };

struct words VEC_BODY(const char *);

/* ---- words ---- */

void attachments_add(struct attachments *attachments, const char *line)
{
	struct strbuf *prose = &attachments->prose;

	for (; *line && prose->len < ATTACHMENT_MAX_PROSE; line++) {
		if (*line != ' ')
			strbuf_add_char(prose, *line);
		else if (prose->len && prose->buf[prose->len - 1] != ' ')
			strbuf_add_char(prose, ' ');
	}
	if (prose->len && prose->buf[prose->len - 1] != ' ')
		strbuf_add_char(prose, ' ');
}

/* The words of the prose without punctuation around them; those that end a sentence keep their
 * dot as a word of its own. */
static void split_words(const struct attachments *attachments, struct arena *arena,
			struct words *words)
{
	const char *text = strbuf_str(&attachments->prose);

	while (*text) {
		size_t len = strcspn(text, " ");
		const char *start = text;
		const char *end = text + len;
		bool is_last;

		text += len + (text[len] == ' ');
		while (start < end && strchr("\"'`([<,;:-*", *start))
			start++;
		is_last = end > start && strchr(".!?", end[-1]);
		while (end > start && strchr("\"'`)]>,;:.!?", end[-1]))
			end--;
		if (end > start)
			vec_push(words, arena_strndup(arena, start, (size_t)(end - start)));
		if (is_last)
			vec_push(words, ".");
	}
}

static bool is_file_name(const char *word)
{
	size_t len = strlen(word);

	if (strchr(word, '/') || strchr(word, ':'))
		return false;
	for (size_t i = 0; i < sizeof(extensions) / sizeof(extensions[0]); i++) {
		size_t end_len = strlen(extensions[i]);

		if (len > end_len && strcasecmp(word + len - end_len, extensions[i]) == 0)
			return true;
	}
	return false;
}

static bool has_word(const struct words *words, const char *word)
{
	VEC_FOREACH (words, it) {
		if (strcmp(*it, word) == 0)
			return true;
	}
	return false;
}

/* File names in the order in which they are first mentioned. */
static void find_names(const struct words *words, struct words *names)
{
	VEC_FOREACH (words, word) {
		if (is_file_name(*word) && !has_word(names, *word))
			vec_push(names, *word);
	}
}

static bool speaks_of_attachments(const struct words *words)
{
	VEC_FOREACH (words, word) {
		if (strncasecmp(*word, "attach", 6) == 0)
			return true;
	}
	return false;
}

/* ---- "X and Y .. P and Q respectively" ---- */

static bool is_pairing_word(const char *word)
{
	for (size_t i = 0; i < sizeof(pairing_words) / sizeof(pairing_words[0]); i++) {
		if (strcasecmp(word, pairing_words[i]) == 0)
			return true;
	}
	return false;
}

struct pairs {
	const char *left[2], *right[2];
	size_t nr; /* more than 2 = not to be paired */
};

/* The "left and right" of the sentence around a word. */
static void find_pairs(const struct words *words, size_t place, struct pairs *pairs)
{
	size_t first = place, last = place;

	while (first > 0 && strcmp(words->items[first - 1], ".") != 0)
		first--;
	while (last < words->nr && strcmp(words->items[last], ".") != 0)
		last++;
	*pairs = (struct pairs){ .nr = 0 };
	for (size_t i = first + 1; i + 1 < last; i++) {
		if (strcasecmp(words->items[i], "and") != 0)
			continue;
		if (pairs->nr < 2) {
			pairs->left[pairs->nr] = words->items[i - 1];
			pairs->right[pairs->nr] = words->items[i + 1];
		}
		pairs->nr++;
	}
}

/* What a sentence says that the file holds; the name itself if none says anything. */
static const char *meaning_of(const struct words *words, const char *name)
{
	for (size_t place = 0; place < words->nr; place++) {
		struct pairs pairs;

		if (!is_pairing_word(words->items[place]))
			continue;
		find_pairs(words, place, &pairs);
		if (pairs.nr != 2)
			continue;
		for (size_t i = 0; i < 2; i++) {
			if (!is_file_name(pairs.left[i]) || !is_file_name(pairs.right[i]))
				continue;
			if (!strcmp(pairs.left[i], name))
				return pairs.left[1 - i];
			if (!strcmp(pairs.right[i], name))
				return pairs.right[1 - i];
		}
	}
	return name;
}

bool attachments_name(const struct attachments *attachments, unsigned nr, struct strbuf *out)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	struct words words = VEC_INIT;
	struct words names = VEC_INIT;
	bool is_named;

	split_words(attachments, &arena, &words);
	find_names(&words, &names);
	is_named = nr > 0 && nr <= names.nr && speaks_of_attachments(&words);
	if (is_named)
		strbuf_add_str(out, meaning_of(&words, names.items[nr - 1]));
	vec_release(&words);
	vec_release(&names);
	return is_named;
}

void attachments_release(struct attachments *attachments)
{
	strbuf_release(&attachments->prose);
}
