/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report: lines of JSON to the host. */
#include "guest/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"

void report_event(const struct report *report, const char *event, json_t *object)
{
	json_t *line = json_object();
	char *text;

	(void)json_object_set_new(line, "event", json_string(event));
	(void)json_object_set_new(line, "guest_ns", json_integer((json_int_t)clock_now_ns()));
	(void)json_object_update(line, object);
	text = json_dumps(line, JSON_COMPACT);
	if (text) {
		(void)file_write_all(report->fd, text, strlen(text));
		(void)file_write_all(report->fd, "\n", 1);
	}
	free(text);
	json_decref(line);
	json_decref(object);
}

json_t *report_text_of(const char *text)
{
	json_t *string = json_string(text);
	CLEANUP(free) char *plain = string ? NULL : xstrdup(text);

	for (char *c = plain; c && *c; c++)
		*c = (unsigned char)*c < 0x80 ? *c : '?';
	return string ? string : json_string(plain);
}

void report_error(const struct report *report, const struct err *err)
{
	json_t *object = json_object();

	(void)json_object_set_new(object, "code", json_integer(err->code));
	(void)json_object_set_new(object, "errno", json_integer(err->saved_errno));
	(void)json_object_set_new(object, "message", report_text_of(err->msg));
	report_event(report, "error", object);
}
