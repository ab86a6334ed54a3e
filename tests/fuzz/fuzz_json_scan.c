/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The same text in one piece and in small ones must give the same events. */
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_scan.h"

struct feed {
	const char *text;
	size_t len;
	size_t nr_bytes; /* of a piece */
	char *piece;	 /* a copy of exactly that length; overflows are seen */
};

static bool feed_next(void *context, struct json_piece *ret_piece)
{
	struct feed *feed = context;
	size_t len = feed->nr_bytes < feed->len ? feed->nr_bytes : feed->len;

	free(feed->piece);
	feed->piece = NULL;
	if (!len)
		return false;
	feed->piece = malloc(len);
	if (!feed->piece)
		abort();
	memcpy(feed->piece, feed->text, len);
	feed->text += len;
	feed->len -= len;
	*ret_piece = (struct json_piece){
		.text = feed->piece, .len = len, .line = 1, .is_joined = true
	};
	return true;
}

static uint64_t mix(uint64_t sum, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		sum = (sum ^ (unsigned char)text[i]) * 0x100000001b3ULL;
	return sum * 31 + len;
}

static void check_number(const struct json_scan *scan)
{
	char text[80];
	double value;

	if (!json_number(scan->text, scan->len, &value))
		return;
	memcpy(text, scan->text, scan->len); /* longer ones are refused */
	text[scan->len] = '\0';
	if (value != strtod(text, NULL))
		abort();
}

static uint64_t scan_all(const uint8_t *data, size_t len, size_t nr_bytes)
{
	struct feed feed = { .text = (const char *)data, .len = len, .nr_bytes = nr_bytes };
	CLEANUP(json_scan) struct json_scan scan = { .depth = 0 };
	enum json_event event;
	uint64_t sum = 1;

	json_scan_init(&scan, (struct json_source){ .next = feed_next, .context = &feed });
	do {
		event = json_scan_next(&scan);
		sum = mix(sum * 31 + event, scan.key, scan.key_len);
		sum = mix(sum + scan.depth, scan.text, scan.len);
		if (event == JSON_NUMBER)
			check_number(&scan);
	} while (event != JSON_NONE && event != JSON_CUT && event != JSON_FAULT);
	free(feed.piece);
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	uint64_t whole;

	if (!len)
		return 0;
	whole = scan_all(data, len, len);
	for (size_t nr_bytes = 1; nr_bytes < 8; nr_bytes += 2) {
		if (scan_all(data, len, nr_bytes) != whole)
			abort();
	}
	return 0;
}
