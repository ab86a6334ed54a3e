/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "golden.h"
#include "output/output.h"
#include "sample_doc.h"
#include "test.h"

static char *print_doc(const struct doc *doc)
{
	const struct output_style style = { .color = 1, .width = 40 }; /* changes nothing */
	struct capture capture;

	capture_start(&capture);
	assert_int_equal(output_find("markdown")->doc(doc, &style, capture.to, NULL), 0);
	return capture_end(&capture);
}

static void test_everything(void **state)
{
	CLEANUP(doc) struct doc *doc = sample_doc();
	CLEANUP(free) char *text = print_doc(doc);

	(void)state;
	golden_assert("output/markdown-sample.txt", text);
}

static void test_empty(void **state)
{
	CLEANUP(doc) struct doc *doc = doc_create("regio.sample");
	CLEANUP(free) char *text = print_doc(doc);

	(void)state;
	assert_string_equal(text, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_everything),
		cmocka_unit_test(test_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
