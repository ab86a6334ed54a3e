/* SPDX-License-Identifier: GPL-2.0-or-later */
/* deb_version: which of two package versions is the older one. */
#include "candidate/deb_version.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

struct span {
	const char *pos, *end;
};

struct parts {
	struct span epoch, upstream, revision;
};

static struct parts split(const char *version)
{
	const char *end = version + strlen(version);
	const char *colon = strchr(version, ':');
	const char *dash = strrchr(version, '-');
	struct parts parts = { .epoch = { version, version },
			       .upstream = { version, end },
			       .revision = { end, end } };

	if (colon) {
		parts.epoch.end = colon;
		parts.upstream.pos = colon + 1;
	}
	if (dash && dash >= parts.upstream.pos) {
		parts.upstream.end = dash;
		parts.revision.pos = dash + 1;
	}
	return parts;
}

/* A tilde comes before the end, the end before letters, letters before all else. */
static int weight(const struct span *span)
{
	unsigned char c = span->pos < span->end ? (unsigned char)*span->pos : 0;

	if (c == 0 || isdigit(c))
		return 0;
	if (c == '~')
		return -1;
	return isalpha(c) ? c : c + 256;
}

static int compare_text(struct span *left, struct span *right)
{
	while (weight(left) || weight(right)) {
		int order = weight(left) - weight(right);

		if (order)
			return order;
		left->pos++;
		right->pos++;
	}
	return 0;
}

static size_t digits(struct span *span)
{
	size_t nr = 0;

	while (span->pos < span->end && *span->pos == '0')
		span->pos++;
	while (span->pos + nr < span->end && isdigit((unsigned char)span->pos[nr]))
		nr++;
	return nr;
}

/* By their numbers of digits and then by the digits, so that none is too large. */
static int compare_number(struct span *left, struct span *right)
{
	size_t nr_left = digits(left);
	size_t nr_right = digits(right);
	int order = nr_left < nr_right ? -1 : nr_left > nr_right;

	if (order == 0)
		order = memcmp(left->pos, right->pos, nr_left);
	left->pos += nr_left;
	right->pos += nr_right;
	return order;
}

static int compare_part(struct span left, struct span right)
{
	int order = 0;

	while (order == 0 && (left.pos < left.end || right.pos < right.end)) {
		order = compare_text(&left, &right);
		if (order == 0)
			order = compare_number(&left, &right);
	}
	return order;
}

int deb_version_compare(const char *left, const char *right)
{
	const struct parts a = split(left);
	const struct parts b = split(right);
	int order = compare_part(a.epoch, b.epoch);

	if (order == 0)
		order = compare_part(a.upstream, b.upstream);
	return order ? order : compare_part(a.revision, b.revision);
}
