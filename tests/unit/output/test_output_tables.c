/* SPDX-License-Identifier: GPL-2.0-or-later */
/* csv and markdown: the tables of a document, and nothing of an empty one. */
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "golden.h"
#include "output/output.h"
#include "sample_doc.h"
#include "test.h"

static char *print_doc(const char *format, const struct doc *doc)
{
	const struct output_style style = { .color = 1, .width = 40 }; /* changes nothing */
	struct capture capture;

	capture_start(&capture);
	assert_int_equal(output_find(format)->doc(doc, &style, capture.to, NULL), 0);
	return capture_end(&capture);
}

static const struct {
	const char *format, *golden;
} rows[] = {
	{ "csv", "output/csv-sample.txt" },
	{ "markdown", "output/markdown-sample.txt" },
};

#define NR_ROWS (sizeof(rows) / sizeof(rows[0]))

static void test_everything(void **state)
{
	CLEANUP(doc) struct doc *doc = sample_doc();

	(void)state;
	for (size_t i = 0; i < NR_ROWS; i++) {
		CLEANUP(free) char *text = print_doc(rows[i].format, doc);

		golden_assert(rows[i].golden, text);
	}
}

static void test_empty(void **state)
{
	CLEANUP(doc) struct doc *doc = doc_create("regio.sample");

	(void)state;
	for (size_t i = 0; i < NR_ROWS; i++) {
		CLEANUP(free) char *text = print_doc(rows[i].format, doc);

		assert_string_equal(text, "");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_everything),
		cmocka_unit_test(test_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
