/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import_fio_json: fio's JSON and JSON+; which documents belong to one run. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "import/fio_json.h"
#include "import/import_table.h"
#include "import/importer.h"

#define PROBE_CERTAIN 95
#define PROBE_LIKELY 70 /* the version is missing, or keys were sorted */

/* Lines of fio's own between documents: messages and progress. */
static bool is_message(const char *line, size_t len)
{
	static const char *const messages[] = { "fio: ", "Jobs: ", "note: ", "client <" };

	for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
		size_t message_len = strlen(messages[i]);

		if (len >= message_len && !memcmp(line, messages[i], message_len))
			return true;
	}
	return false;
}

/* A paragraph that was filled anew has the document behind other words. NULL: it has not. */
static const char *find_head(const char *line, size_t len)
{
	const char *end = line + len;
	const char *key = memmem(line, len, "\"fio", 4);
	const char *brace = key;

	if (!key ||
	    (end - key > 4 && strncmp(key + 4, " version\"", (size_t)(end - key - 4)) != 0 &&
	     strncmp(key + 4, " version\"", 9) != 0))
		return NULL;
	while (brace > line && brace[-1] == ' ')
		brace--;
	return brace > line && brace[-1] == '{' ? brace - 1 : NULL;
}

static int fio_json_probe(struct import_reader *in)
{
	static const char *const keys[] = { "jobs", "client_stats", "global options", "disk_util",
					    "timestamp" };
	const struct import_line *line = import_peek(in, 0);
	struct json_head head;

	if (!json_head_read(in, &head))
		return find_head(line->text, line->len) ? PROBE_CERTAIN : 0;
	if (!strcmp(head.key, "fio version"))
		return PROBE_CERTAIN;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (!strcmp(head.key, keys[i]))
			return PROBE_LIKELY;
	}
	return 0;
}

/* Documents that follow each other: the last one waits until it is known what comes next. */
struct series {
	struct fio_json json;
	struct import_reader *in;
	struct fio_json_doc last;
	bool has_last;
	unsigned nr_reports; /* of the run of last */
	bool is_ambiguous;
};

static int deliver_last(struct series *series, struct err *err)
{
	struct result *result = &series->last.result;
	int ret;

	if (!series->has_last)
		return 0;
	series->has_last = false;
	if (series->nr_reports > 1)
		note_add(&result->notes, NOTE_INPUT_AMBIGUOUS,
			 "%u status reports of a run that went on: the last whole one counts",
			 series->nr_reports);
	if (series->is_ambiguous)
		note_add(&result->notes, NOTE_INPUT_AMBIGUOUS,
			 "line %u: without a time this may be a status report of the same run as "
			 "the document beside it",
			 result->source_line);
	ret = import_deliver(series->in, result, err);
	fio_json_doc_release(&series->last);
	return ret;
}

static void drop_last(struct series *series)
{
	fio_json_doc_release(&series->last);
	series->has_last = false;
}

/* Keeps the last whole report, and says that a later one is cut. */
static void pass_cut_report(struct series *series)
{
	note_add(&series->last.result.notes, NOTE_INPUT_INCOMPLETE,
		 "line %u: a later document is cut", series->json.doc.result.source_line);
	fio_json_doc_release(&series->json.doc);
}

static bool has_numbers(const struct result *result)
{
	for (size_t i = 0; i < result->nr_jobs; i++) {
		if (result->jobs[i].given.nr)
			return true;
	}
	return false;
}

static int take_doc(struct series *series, struct err *err)
{
	struct fio_json_doc *doc = &series->json.doc;
	enum fio_json_relation relation = FIO_JSON_OTHER_RUN;
	int ret;

	if (!doc->is_fio) {
		fio_json_doc_release(doc); /* what is left of something that was broken */
		return 0;
	}
	if (series->has_last)
		relation = fio_json_relate(&series->last, doc);
	if (series->has_last && doc->is_cut && !series->last.is_cut &&
	    (relation == FIO_JSON_SAME_RUN || !has_numbers(&doc->result))) {
		pass_cut_report(series);
		return 0;
	}
	series->is_ambiguous |= relation == FIO_JSON_UNKNOWN;
	if (relation == FIO_JSON_SAME_RUN) {
		series->nr_reports++;
		drop_last(series);
	} else {
		ret = deliver_last(series, err);
		series->nr_reports = 1;
		series->is_ambiguous = relation == FIO_JSON_UNKNOWN;
		if (ret < 0)
			return ret;
	}
	series->last = *doc;
	series->has_last = true;
	*doc = (struct fio_json_doc){ .major = 0 };
	return 0;
}

static bool skip_message(struct json_text *text)
{
	size_t len;
	const char *line = json_text_line(text, &len);
	const char *head;

	if (!line)
		return false;
	head = find_head(line, len);
	if (!head && !is_message(line, len))
		return false;
	text->scan.at = head ? head : line + len;
	return true;
}

/* To the '{' of the next document; false if there is none. */
static bool find_doc(struct fio_json *json)
{
	struct json_scan *scan = &json->text.scan;

	if (json->is_restarted) {
		json_scan_restart(scan);
		json->is_event_ahead = true;
		return true;
	}
	if (json->event == JSON_CUT || json->event == JSON_NONE)
		return false;
	/* Where a document is broken off the next one may begin. */
	if (json->event == JSON_FAULT && !json_scan_has_more_here(scan))
		return false;
	for (;;) {
		json_scan_recover(scan);
		(void)fio_json_next(json);
		if (json->event == JSON_OBJECT)
			return true;
		/* An array of documents. */
		if (json->event == JSON_ARRAY)
			continue;
		if (json->event != JSON_FAULT || !skip_message(&json->text))
			return false;
	}
}

static int read_docs(struct series *series, struct err *err)
{
	int ret = 0;

	while (ret == 0 && find_doc(&series->json)) {
		fio_json_read_doc(&series->json);
		ret = take_doc(series, err);
	}
	return ret == 0 ? deliver_last(series, err) : ret;
}

static int fio_json_read(struct import_reader *in, struct err *err)
{
	struct series *series = xcalloc(1, sizeof(*series));
	int ret;

	series->in = in;
	json_text_init(&series->json.text, in);
	series->json.event = JSON_CLOSE;
	ret = read_docs(series, err);
	fio_json_doc_release(&series->last);
	fio_json_release(&series->json);
	free(series);
	return ret;
}

const struct importer_ops importer_fio_json = {
	.name = "fio-json",
	.summary = "fio's JSON and JSON+ output, versions 2.0 and later, also of clients",
	.probe = fio_json_probe,
	.read = fio_json_read,
};
