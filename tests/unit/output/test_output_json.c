/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "capture.h"
#include "golden.h"
#include "output/output.h"
#include "sample_doc.h"
#include "test.h"

static char *print_doc(const struct doc *doc)
{
	const struct output_style style = { .color = 1, .width = 40 };
	struct capture capture;

	capture_start(&capture);
	assert_int_equal(output_find("json")->doc(doc, &style, capture.to, NULL), 0);
	return capture_end(&capture);
}

static void test_tables_and_notes(void **state)
{
	CLEANUP(doc) struct doc *doc = sample_doc();
	CLEANUP(free) char *text = print_doc(doc);
	json_t *root = json_loads(text, 0, NULL);

	(void)state;
	assert_non_null(root);
	assert_int_equal(
		json_array_size(json_object_get(json_object_get(root, "tables"), "metrics")), 3);
	json_decref(root);
	golden_assert("output/json-sample.txt", text);
}

/* What the command says itself goes out as it is. */
static void test_own_form(void **state)
{
	CLEANUP(doc) struct doc *doc = sample_doc();
	CLEANUP(free) char *text = NULL;

	(void)state;
	doc_json(doc, xstrdup("{\"replaced\": 1}"));
	doc_json(doc, xstrdup("{\"schema\": \"regio.sample\"}"));
	text = print_doc(doc);
	assert_string_equal(text, "{\"schema\": \"regio.sample\"}\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables_and_notes),
		cmocka_unit_test(test_own_form),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
