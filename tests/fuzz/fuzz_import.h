/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_FUZZ_FUZZ_IMPORT_H
#define REGIO_TESTS_FUZZ_FUZZ_IMPORT_H

/* What every target of an importer checks: messages name the file and are one line, results are
 * complete, their numbers finite, and they survive the archive form. */

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "import/import.h"
#include "model/metric.h"
#include "model/result.h"
#include "model/result_json.h"

static inline void fuzz_check_given(const struct given_list *given)
{
	for (size_t i = 0; i < given->nr; i++) {
		assert(given->items[i].name && given->items[i].name[0]);
		assert(isfinite(given->items[i].value));
		/* The store has one value of each name; long lists would take too long here. */
		for (size_t j = 0; j < i && given->nr < 400; j++)
			assert(strcmp(given->items[i].name, given->items[j].name) != 0);
	}
}

static inline int fuzz_check_result(void *context, struct result *result, struct err *err)
{
	struct metric_list metrics;
	struct result again;
	char *json;

	(void)context;
	(void)err;
	assert(result->tool && result->label && result->source_file && result->source_line > 0);
	fuzz_check_given(&result->given);
	for (size_t i = 0; i < result->nr_jobs; i++) {
		assert(result->jobs[i].name);
		fuzz_check_given(&result->jobs[i].given);
	}
	result_metrics(result, &metrics);
	metric_list_release(&metrics);
	json = result_to_json(result, 0);
	assert(result_from_json(json, strlen(json), &again, NULL) == 0);
	result_release(&again);
	free(json);
	return 0;
}

static inline int fuzz_import(const char *format, const uint8_t *data, size_t len)
{
	const struct import_sink sink = { .deliver = fuzz_check_result };
	const struct import_options options = { .format = format };
	struct err err = { .code = (enum err_code)0 };

	if (import_text("fuzz", (const char *)data, len, &options, &sink, &err) < 0)
		assert(!strncmp(err.msg, "fuzz:", 5) && !strchr(err.msg, '\n'));
	return 0;
}

#endif
