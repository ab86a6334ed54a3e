/* SPDX-License-Identifier: GPL-2.0-or-later */
/* label: guesses from headings and names, and says what they rest on. */
#include "analysis/label.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* How a name sounds: 1 = the state to compare with, -1 = the state in question. */
static const struct label_word {
	const char *text;
	int sound;
} words[] = {
	{ "base", 1 },	      { "baseline", 1 },  { "before", 1 },    { "good", 1 },
	{ "old", 1 },	      { "orig", 1 },	  { "original", 1 },  { "parent", 1 },
	{ "quoted", 1 },      { "reference", 1 }, { "revert", 1 },    { "reverted", 1 },
	{ "reverts", 1 },     { "stock", 1 },	  { "unpatched", 1 }, { "vanilla", 1 },
	{ "without", 1 },     { "after", -1 },	  { "bad", -1 },      { "broken", -1 },
	{ "candidate", -1 },  { "new", -1 },	  { "patched", -1 },  { "regressed", -1 },
	{ "regression", -1 }, { "slow", -1 },	  { "unquoted", -1 },
};

#define NR_WORDS (sizeof(words) / sizeof(words[0]))

/* Whether the word stands in the text, with no letter or digit beside it. */
static bool has_word(const char *text, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = text; (at = strcasestr(at, word)) != NULL; at++) {
		bool is_start = at == text || !isalnum((unsigned char)at[-1]);

		if (is_start && !isalnum((unsigned char)at[len]))
			return true;
	}
	return false;
}

/* Words that all labels share tell nothing. */
static bool is_shared(const char *const *labels, size_t nr, const char *word)
{
	for (size_t i = 0; i < nr; i++) {
		if (!has_word(labels[i], word))
			return false;
	}
	return true;
}

/* How the label sounds among the others, and the first word that makes it a base; NULL = none. */
static int label_sound(const char *const *labels, size_t nr, size_t index, const char **ret_word)
{
	int sound = 0;

	*ret_word = NULL;
	for (size_t i = 0; i < NR_WORDS; i++) {
		if (!has_word(labels[index], words[i].text) || is_shared(labels, nr, words[i].text))
			continue;
		sound += words[i].sound;
		if (words[i].sound > 0 && !*ret_word)
			*ret_word = words[i].text;
	}
	return sound;
}

/* The label that sounds most like a base; false if none does or two do. */
static bool choose_by_word(const char *const *labels, size_t nr, struct label_base *base)
{
	int best = 0;
	size_t nr_best = 0;

	for (size_t i = 0; i < nr; i++) {
		const char *word;
		int sound = label_sound(labels, nr, i, &word);

		if (nr_best && sound < best)
			continue;
		nr_best = nr_best && sound == best ? nr_best + 1 : 1;
		best = sound;
		base->index = i;
		(void)snprintf(base->word, sizeof(base->word), "%s", word ? word : "");
	}
	base->reason = LABEL_WORD;
	return nr > 1 && nr_best == 1;
}

/* ---- kernel versions ---- */

struct version {
	unsigned parts[3];
	unsigned candidate; /* -rc, 0 = released */
	char text[LABEL_WORD_LEN];
};

static bool read_number(const char **text, unsigned *ret_number)
{
	char *end;
	unsigned long number;

	if (!isdigit((unsigned char)**text))
		return false;
	number = strtoul(*text, &end, 10);
	if (number > 9999)
		return false;
	*ret_number = (unsigned)number;
	*text = end;
	return true;
}

/* "6.12-rc4", "5.15.y", "4.2": a version that begins here. */
static bool read_version(const char *text, struct version *version)
{
	const char *start = text;
	size_t nr = 0;

	*version = (struct version){ .candidate = 0 };
	while (nr < 3 && read_number(&text, &version->parts[nr])) {
		nr++;
		if (*text != '.' || !isdigit((unsigned char)text[1]))
			break;
		text++;
	}
	if (nr < 2)
		return false;
	if (!strncmp(text, "-rc", 3)) {
		const char *after = text + 3;

		if (read_number(&after, &version->candidate))
			text = after;
	}
	if (isalpha((unsigned char)*text))
		return false; /* "2.5GB" */
	(void)snprintf(version->text, sizeof(version->text), "%.*s", (int)(text - start), start);
	return true;
}

static bool find_version(const char *text, struct version *version)
{
	for (const char *at = text; *at; at++) {
		bool is_start = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '.') ||
				((at[-1] == 'v' || at[-1] == 'V') &&
				 (at - 1 == text || !isalnum((unsigned char)at[-2])));

		if (is_start && isdigit((unsigned char)*at) && read_version(at, version))
			return true;
	}
	return false;
}

/* Release candidates come before the release. */
static int compare_versions(const struct version *left, const struct version *right)
{
	for (size_t i = 0; i < 3; i++) {
		if (left->parts[i] != right->parts[i])
			return left->parts[i] < right->parts[i] ? -1 : 1;
	}
	if (left->candidate == right->candidate)
		return 0;
	if (!left->candidate || !right->candidate)
		return left->candidate ? -1 : 1;
	return left->candidate < right->candidate ? -1 : 1;
}

/* All have one, and one is older than all others. */
static bool choose_by_version(const char *const *labels, size_t nr, struct label_base *base)
{
	struct version oldest, version;
	bool is_unique = true;

	for (size_t i = 0; i < nr; i++) {
		int order;

		if (!find_version(labels[i], &version))
			return false;
		order = i ? compare_versions(&version, &oldest) : -1;
		if (order < 0) {
			oldest = version;
			base->index = i;
		}
		is_unique = order < 0 || (order > 0 && is_unique);
	}
	base->reason = LABEL_VERSION;
	(void)snprintf(base->word, sizeof(base->word), "%s", oldest.text);
	return nr > 1 && is_unique;
}

/* "a3396b99990d", a prefix of a commit. */
static bool is_commit(const char *label)
{
	size_t len = strspn(label, "0123456789abcdef");

	return len >= 7 && !isalnum((unsigned char)label[len]);
}

/* One release, the others commits: what they were made on. */
static bool choose_by_release(const char *const *labels, size_t nr, struct label_base *base)
{
	struct version version;
	size_t nr_releases = 0;

	for (size_t i = 0; i < nr; i++) {
		if (is_commit(labels[i]))
			continue;
		if (!find_version(labels[i], &version))
			return false;
		nr_releases++;
		base->index = i;
		(void)snprintf(base->word, sizeof(base->word), "%s", version.text);
	}
	base->reason = LABEL_RELEASE;
	return nr_releases == 1 && nr > 1;
}

struct label_base label_choose_base(const char *const *labels, size_t nr)
{
	struct label_base base = { .index = 0 };

	if (choose_by_word(labels, nr, &base) || choose_by_version(labels, nr, &base) ||
	    choose_by_release(labels, nr, &base))
		return base;
	return (struct label_base){ .index = 0, .reason = LABEL_FIRST };
}

void label_reason_text(const struct label_base *base, char ret_text[LABEL_REASON_LEN])
{
	ret_text[0] = '\0';
	if (base->reason == LABEL_WORD && *base->word)
		(void)snprintf(ret_text, LABEL_REASON_LEN, "its heading says '%s'", base->word);
	else if (base->reason == LABEL_WORD)
		(void)snprintf(ret_text, LABEL_REASON_LEN,
			       "the other heading says that it is the state in question");
	else if (base->reason == LABEL_VERSION)
		(void)snprintf(ret_text, LABEL_REASON_LEN, "%s is the oldest version", base->word);
	else if (base->reason == LABEL_RELEASE)
		(void)snprintf(ret_text, LABEL_REASON_LEN,
			       "%s is a release, the others are commits", base->word);
}

size_t label_nr_changes(const char *base, const char *new)
{
	static const char separators[] = "/,;+|";
	size_t nr_parts = 0, nr_changes = 0;

	for (;;) {
		size_t base_len = strcspn(base, separators);
		size_t new_len = strcspn(new, separators);

		nr_parts++;
		nr_changes += base_len != new_len || strncmp(base, new, base_len) != 0;
		base += base_len;
		new += new_len;
		if (*base != *new)
			return 0;
		if (!*base)
			return nr_parts > 1 ? nr_changes : 0;
		base++;
		new ++;
	}
}
