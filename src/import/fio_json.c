/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_json: members, numbers and texts, as all objects of fio's JSON have them. */
#include "import/fio_json.h"

#include <string.h>

#include "base/arena.h"

#define FIO_JSON_MAX_REFUSED 20	      /* of one document; a wrong counter seldom comes alone */
#define MAX_TEXT_LEN 65536	      /* of names and options */
#define WRAPPED 9223372036854775808.0 /* 2^63: an unsigned counter that went below zero */

const char *const fio_json_dir_names[FIO_JSON_NR_DIRS] = { "read", "write", "trim", "sync",
							   "mixed" };

void fio_json_doc_release(struct fio_json_doc *doc)
{
	result_release(&doc->result);
	vec_release(&doc->progress);
	*doc = (struct fio_json_doc){ .major = 0 };
}

void fio_json_release(struct fio_json *json)
{
	json_text_close(&json->text);
	fio_json_doc_release(&json->doc);
	for (size_t kind = 0; kind < LATENCY_NR_KINDS; kind++) {
		vec_release(&json->dir.latency[kind].percentiles);
		vec_release(&json->dir.latency[kind].bins);
	}
}

struct job_result *fio_json_job(struct fio_json *json)
{
	return &json->doc.result.jobs[json->job];
}

/* ---- events ---- */

bool fio_json_next(struct fio_json *json)
{
	json->event = json_scan_next(&json->text.scan);
	return json->event != JSON_CUT && json->event != JSON_FAULT && json->event != JSON_NONE;
}

/* A document inside of another: the outer one was cut. */
static bool begins_document(struct fio_json *json)
{
	if (json->text.scan.depth < 2 || !json_scan_is_key(&json->text.scan, "fio version"))
		return false;
	json->is_restarted = true;
	return true;
}

bool fio_json_pass(struct fio_json *json)
{
	unsigned outside = json->text.scan.depth - 1;

	if (json->event != JSON_OBJECT && json->event != JSON_ARRAY)
		return true;
	while (json->text.scan.depth > outside) {
		if (!fio_json_next(json) || begins_document(json))
			return false;
	}
	return true;
}

/* The row of the last key. Members mostly come in the order of the table. */
static const struct fio_member *find_member(const struct json_scan *scan,
					    const struct fio_members *members, size_t *next)
{
	for (size_t i = 0; i < members->nr; i++) {
		const struct fio_member *member = &members->items[*next];

		*next = *next + 1 == members->nr ? 0 : *next + 1;
		/* Keys have no NUL, so a longer one differs at the end of the shorter. */
		if (scan->key_len && member->key[0] == scan->key[0] &&
		    !strncmp(member->key, scan->key, scan->key_len) && !member->key[scan->key_len])
			return member;
	}
	return NULL;
}

bool fio_json_members(struct fio_json *json, const struct fio_members *members, void *into)
{
	size_t next = 0;

	for (;;) {
		const struct fio_member *member;

		if (!json->is_event_ahead && !fio_json_next(json))
			return false;
		json->is_event_ahead = false;
		if (json->event == JSON_CLOSE)
			return true;
		member = find_member(&json->text.scan, members, &next);
		if (!member && begins_document(json))
			return false;
		if (!(member ? member->read(json, into, member) : fio_json_pass(json)))
			return false;
	}
}

/* ---- values ---- */

static void refuse_value(struct fio_json *json, const char *why)
{
	const struct json_scan *scan = &json->text.scan;

	fio_refuse(&json->doc.result.notes, &json->doc.refusals, scan->line, "%.*s %.*s %s",
		   (int)scan->key_len, scan->key, (int)scan->len, scan->text, why);
}

struct fio_number fio_json_take_number(struct fio_json *json)
{
	const struct json_scan *scan = &json->text.scan;
	struct fio_number number = { .line = scan->line };

	if (json->event == JSON_WORD && scan->key && strncmp(scan->text, "null", scan->len) != 0)
		refuse_value(json, "is no number");
	if (json->event != JSON_NUMBER || !scan->key)
		return (struct fio_number){ .line = 0 };
	if (!json_number(scan->text, scan->len, &number.value)) {
		refuse_value(json, "is out of range");
		return (struct fio_number){ .line = 0 };
	}
	if (number.value < 0 || number.value >= WRAPPED) {
		refuse_value(json, number.value < 0 ? "is below zero" : "went below zero");
		return (struct fio_number){ .line = 0 };
	}
	return number;
}

bool fio_json_number(struct fio_json *json, void *into, const struct fio_member *member)
{
	*(struct fio_number *)((char *)into + member->offset) = fio_json_take_number(json);
	return fio_json_pass(json);
}

char *fio_json_take_text(struct fio_json *json)
{
	const struct json_scan *scan = &json->text.scan;

	if (json->event != JSON_STRING || scan->len > MAX_TEXT_LEN)
		return NULL;
	return xstrndup(scan->text, scan->len);
}
