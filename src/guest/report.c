/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report: lines of JSON to the host. */
#include "guest/report.h"

#include <stdlib.h>
#include <string.h>

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

void report_error(const struct report *report, const struct err *err)
{
	json_t *object = json_object();

	(void)json_object_set_new(object, "code", json_integer(err->code));
	(void)json_object_set_new(object, "message", json_string_nocheck(err->msg));
	report_event(report, "error", object);
}
