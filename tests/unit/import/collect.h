/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_UNIT_IMPORT_COLLECT_H
#define REGIO_TESTS_UNIT_IMPORT_COLLECT_H

/* Imports in tests: a sink that keeps all results, and look-ups that fail the test. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "import/import.h"
#include "model/result.h"
#include "test.h"

struct collect {
	VEC(struct result) results;
	struct err err;
	int ret;
};

static inline void collect_release(struct collect *collect)
{
	for (size_t i = 0; i < collect->results.nr; i++)
		result_release(&collect->results.items[i]);
	vec_release(&collect->results);
}
CLEANUP_DEFINE(collect, struct collect, collect_release)

static inline int collect_deliver(void *context, struct result *result, struct err *err)
{
	struct collect *collect = context;

	(void)err;
	vec_push(&collect->results, *result);
	*result = (struct result){ .label = NULL };
	return 0;
}

static inline struct collect collect_text(const char *name, const char *text, size_t len)
{
	struct collect collect = { .ret = 0 };
	const struct import_sink sink = { .deliver = collect_deliver, .context = &collect };

	collect.ret = import_text(name, text, len, NULL, &sink, &collect.err);
	return collect;
}

static inline struct collect collect_file(const char *path)
{
	struct collect collect = { .ret = 0 };
	const struct import_sink sink = { .deliver = collect_deliver, .context = &collect };

	collect.ret = import_file(path, NULL, &sink, &collect.err);
	return collect;
}

/* For texts that must give results. */
static inline struct collect collect_good(const char *text)
{
	struct collect collect = collect_text("mail.txt", text, strlen(text));

	if (collect.ret < 0)
		fail_msg("%s", collect.err.msg);
	return collect;
}

static inline double given_value(const struct given_list *list, const char *name)
{
	const struct given_metric *metric = given_find(list, name);

	return metric ? metric->value : (double)NAN;
}

#define assert_given(list, name, expected)                                                         \
	do {                                                                                       \
		double given_ = given_value(list, name);                                           \
		double expected_ = (expected);                                                     \
		if (!(fabs(given_ - expected_) <= 1e-9 * fabs(expected_)))                         \
			fail_msg("%s is %.12g instead of %.12g", name, given_, expected_);         \
	} while (0)

#define assert_absent(list, name) assert_null(given_find(list, name))

static inline int has_note(const struct result *result, enum note_id id, const char *part)
{
	for (size_t i = 0; i < result->notes.nr; i++) {
		if (result->notes.items[i].id == id && strstr(result->notes.items[i].text, part))
			return 1;
	}
	return 0;
}

/* A file below the source root, as a string (caller frees). */
static inline char *source_text(const char *path)
{
	const char *root = getenv("REGIO_SOURCE_ROOT");
	CLEANUP(free) char *full = xasprintf("%s/%s", root ? root : ".", path);
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	struct err err = { .code = (enum err_code)0 };

	if (file_read(full, 16U << 20, &text, &err) < 0)
		fail_msg("%s", err.msg);
	return strbuf_take(&text);
}

#endif
