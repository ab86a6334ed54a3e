/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output: the table of formats, and that a lost write is an error. */
#include "output/output.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "capture.h"
#include "model/result.h"
#include "model/result_json.h"
#include "sample_result.h"
#include "test.h"

static void test_table(void **state)
{
	size_t nr = 0;

	(void)state;
	for (const struct output_ops *const *row = output_table(); *row; row++, nr++) {
		assert_ptr_equal(output_find((*row)->name), *row);
		assert_true((*row)->summary && *(*row)->summary);
		assert_true((*row)->result || (*row)->doc);
	}
	assert_true(nr >= 3);
	assert_null(output_find("no-such-format"));
	assert_null(output_find(""));
}

static void test_archive_is_read_back(void **state)
{
	CLEANUP(result) struct result before = { .label = NULL };
	CLEANUP(result) struct result after = { .label = NULL };
	CLEANUP(free) char *text = NULL;
	CLEANUP(free) char *again = NULL;
	struct capture capture;

	(void)state;
	sample_result(&before);
	capture_start(&capture);
	assert_int_equal(output_find("archive")->result(&before, capture.to, NULL), 0);
	text = capture_end(&capture);
	assert_int_equal(text[strlen(text) - 1], '\n');
	assert_int_equal(result_from_json(text, strlen(text), &after, NULL), 0);
	again = result_to_json(&after, 1);
	assert_int_equal(strncmp(text, again, strlen(again)), 0);
}

static void test_lost_write(void **state)
{
	CLEANUP(result) struct result result = { .label = NULL };
	CLEANUP(file) FILE *full = fopen("/dev/full", "w");
	struct err err = { .code = (enum err_code)0 };

	(void)state;
	if (!full)
		test_skip("no /dev/full");
	sample_result(&result);
	assert_int_equal(output_find("normal")->result(&result, full, &err), -ERR_SYSTEM);
	assert_int_equal(strncmp(err.msg, "write output: ", 14), 0);
	/* and again, although the stream has forgotten the reason */
	assert_int_equal(output_find("archive")->result(&result, full, &err), -ERR_SYSTEM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_archive_is_read_back),
		cmocka_unit_test(test_lost_write),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
