/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_json_doc: the members of a whole document of fio's JSON. */
#include "import/fio_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

#define MAX_GLOBAL_OPTIONS 1000

/* "fio-3.19-10-g3bd2", in the oldest ones "fio 2.0.10"; regio prints the same form. */
static bool read_version(struct fio_json *json, void *into, const struct fio_member *member)
{
	struct fio_json_doc *doc = into;
	CLEANUP(free) char *text = fio_json_take_text(json);
	const char *digits;

	(void)member;
	if (!text || doc->result.tool)
		return fio_json_pass(json);
	doc->is_fio = true;
	digits = text + strcspn(text, "0123456789");
	doc->result.tool = strncmp(text, "regio", 5) ? xstrdup("fio") : xstrdup("regio");
	doc->result.tool_version = xstrdup(*digits ? digits : text);
	/* regio prints what the newest version of fio does. */
	if (strncmp(text, "regio", 5) != 0 &&
	    sscanf(digits, "%3u.%4u", &doc->major, &doc->minor) != 2)
		doc->major = doc->minor = 0;
	return true;
}

/* Beside the version of fio whose form it is: who wrote it. */
static bool read_writer(struct fio_json *json, void *into, const struct fio_member *member)
{
	struct fio_json_doc *doc = into;
	char *text = fio_json_take_text(json);

	(void)member;
	if (text && doc->result.tool) {
		free(doc->result.tool);
		free(doc->result.tool_version);
		doc->result.tool = xstrdup("regio");
		doc->result.tool_version = text;
		return fio_json_pass(json);
	}
	free(text);
	return fio_json_pass(json);
}

static bool read_time(struct fio_json *json, void *into, const struct fio_member *member)
{
	struct fio_json_doc *doc = into;
	unsigned step_ms = (unsigned)member->offset;
	struct fio_number number = fio_json_take_number(json);

	if (number.line && number.value < 1e15 && (!doc->time_ms || step_ms == 1)) {
		doc->time_ms = (uint64_t)number.value * step_ms;
		doc->time_step_ms = step_ms;
	}
	return fio_json_pass(json);
}

static bool has_env(const struct result *result, const char *key, const char *value)
{
	for (size_t i = 0; i < result->nr_env; i++) {
		if (!strcmp(result->env[i].key, key) && !strcmp(result->env[i].value, value))
			return true;
	}
	return false;
}

/* They hold for every job that does not say otherwise. */
static bool read_global_options(struct fio_json *json, void *into, const struct fio_member *member)
{
	struct fio_json_doc *doc = into;
	const struct json_scan *scan = &json->text.scan;

	(void)member;
	if (json->event != JSON_OBJECT)
		return fio_json_pass(json);
	while (fio_json_next(json) && json->event != JSON_CLOSE) {
		CLEANUP(free) char *value = fio_json_take_text(json);
		CLEANUP(free)
		char *key = xasprintf("job.%.*s", (int)scan->key_len, scan->key ? scan->key : "");

		if (value && scan->key_len && doc->result.nr_env < MAX_GLOBAL_OPTIONS &&
		    !has_env(&doc->result, key, value))
			result_add_env(&doc->result, key, value);
		if (!fio_json_pass(json))
			return false;
	}
	return json->event == JSON_CLOSE;
}

static const struct fio_member rows[] = {
	{ "fio version", read_version, 0 },
	{ "regio version", read_writer, 0 },
	{ "timestamp", read_time, 1000 },
	{ "timestamp_ms", read_time, 1 },
	{ "global options", read_global_options, 0 },
	{ "jobs", fio_json_read_jobs, 0 },
	{ "client_stats", fio_json_read_jobs, 0 },
	{ "disk_util", fio_json_read_disks, 0 },
};

static void note_cut(struct fio_json *json)
{
	const struct json_scan *scan = &json->text.scan;
	const struct result *result = &json->doc.result;
	const char *name = result->nr_jobs ? result->jobs[result->nr_jobs - 1].name : NULL;

	note_add(&json->doc.result.notes, NOTE_INPUT_INCOMPLETE,
		 "line %u: the document is cut%s%s%s%s%s; sums cover only what is there",
		 scan->line, name ? " after the beginning of job '" : "", name ? name : "",
		 name ? "'" : "", json->event == JSON_FAULT ? ": " : "",
		 json->event == JSON_FAULT ? scan->fault : "");
}

void fio_json_read_doc(struct fio_json *json)
{
	static const struct fio_members members = FIO_MEMBERS(rows);
	struct fio_json_doc *doc = &json->doc;

	*doc = (struct fio_json_doc){ .elapsed_ms = (double)NAN };
	doc->result.source_line = json->text.scan.line;
	json->is_restarted = false;
	if (!fio_json_members(json, &members, doc)) {
		doc->is_cut = true;
		note_cut(json);
	}
	if (!doc->result.tool)
		doc->result.tool = xstrdup("fio");
	fio_json_finish(doc);
}
