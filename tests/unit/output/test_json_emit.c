/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_json_emit: fio's layout, and text that is none. */
#include "output/json_emit.h"

#include <math.h>
#include <stdlib.h>

#include <jansson.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "capture.h"
#include "test.h"

static char *emit_all(bool is_one_line)
{
	struct capture capture;
	struct json_emit emit = { .is_one_line = is_one_line };

	capture_start(&capture);
	emit.to = capture.to;
	json_emit_open(&emit, NULL, '{');
	json_emit_text(&emit, "fio version", "fio-3.33");
	json_emit_open(&emit, "jobs", '[');
	json_emit_open(&emit, NULL, '{');
	json_emit_i64(&emit, "error", -5);
	json_emit_real(&emit, "iops", 2285.7142857);
	json_emit_close(&emit, '}');
	json_emit_u64(&emit, NULL, UINT64_MAX);
	json_emit_close(&emit, ']');
	json_emit_real(&emit, "nan", (double)NAN);
	json_emit_open(&emit, "none", '{');
	json_emit_close(&emit, '}');
	json_emit_close(&emit, '}');
	return capture_end(&capture);
}

static void test_layout(void **state)
{
	CLEANUP(free) char *text = emit_all(false);
	CLEANUP(free) char *line = emit_all(true);

	(void)state;
	assert_string_equal(text, "{\n"
				  "  \"fio version\" : \"fio-3.33\",\n"
				  "  \"jobs\" : [\n"
				  "    {\n"
				  "      \"error\" : -5,\n"
				  "      \"iops\" : 2285.714286\n"
				  "    },\n"
				  "    18446744073709551615\n"
				  "  ],\n"
				  "  \"nan\" : 0.000000,\n"
				  "  \"none\" : {\n"
				  "  }\n"
				  "}");
	assert_string_equal(line, "{\"fio version\" : \"fio-3.33\", \"jobs\" : [{\"error\" : -5, "
				  "\"iops\" : 2285.714286}, 18446744073709551615], "
				  "\"nan\" : 0.000000, \"none\" : {}}");
}

/* Whatever a job is called, the document is one. */
static void test_text(void **state)
{
	static const struct {
		const char *text, *written;
	} rows[] = {
		{ "a \"b\" \\c", "a \"b\" \\c" },
		{ "tab\tline\n\x1b[31m", "tab?line??[31m" },
		{ "gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f" },
		{ "\xf0\x9f\x90\xa7", "\xf0\x9f\x90\xa7" },
		{ "\xff\xc3(", "?\?(" },
		{ "cut \xe2\x82", "cut ??" },
		{ "\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80", "?????????" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct capture capture;
		struct json_emit emit = { .is_one_line = true };
		CLEANUP(free) char *text = NULL;
		json_t *root;

		capture_start(&capture);
		emit.to = capture.to;
		json_emit_open(&emit, NULL, '[');
		json_emit_text(&emit, NULL, rows[i].text);
		json_emit_close(&emit, ']');
		text = capture_end(&capture);
		root = json_loads(text, 0, NULL);
		assert_non_null(root);
		assert_string_equal(json_string_value(json_array_get(root, 0)), rows[i].written);
		json_decref(root);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
