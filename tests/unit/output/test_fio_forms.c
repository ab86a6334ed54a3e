/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_fio_forms: golden files of fio's JSON and terse; test_fio_cross.c asks fio itself. */
#include <stdlib.h>
#include <time.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "golden.h"
#include "model/given.h"
#include "model/job.h"
#include "model/result.h"
#include "output/output.h"
#include "sample_result.h"
#include "test.h"

#include "capture.h"

static char *print_as(const char *format, const struct result *result)
{
	struct capture capture;

	capture_start(&capture);
	assert_int_equal(output_find(format)->result(result, capture.to, NULL), 0);
	return capture_end(&capture);
}

static void assert_golden(const char *format, const struct result *result, const char *file)
{
	CLEANUP(free) char *text = print_as(format, result);

	golden_assert(file, text);
}

static void test_sample(void **state)
{
	CLEANUP(result) struct result result = { .label = NULL };

	(void)state;
	sample_result(&result);
	result_add_global_option(&result, "size", "4m");
	assert_golden("json+", &result, "output/json-plus-sample.json");
	assert_golden("terse2", &result, "output/terse2-sample.txt");
	assert_golden("terse", &result, "output/terse3-sample.txt");
	assert_golden("terse4", &result, "output/terse4-sample.txt");
	assert_golden("terse5", &result, "output/terse5-sample.txt");
}

/* All directions as one, and beside each other; bits; six figures. */
static void test_unified(void **state)
{
	CLEANUP(result) struct result result = { .label = NULL };

	(void)state;
	sample_group(result_add_job(&result));
	sample_group(result_add_job(&result));
	result.jobs[0].unified_rw = UNIFIED_RW_MIXED;
	result.jobs[1].unified_rw = UNIFIED_RW_BOTH;
	result.jobs[1].group_id = 1;
	result.jobs[1].unit_base = 1;
	result.jobs[1].significant_figures = 6;
	result.jobs[1].shows_errors = true;
	result.jobs[1].latency_target_ns = 10000000;
	result.jobs[1].latency_window_us = 1000;
	result.jobs[1].latency_percentile = 99.5;
	assert_golden("normal", &result, "output/normal-unified.txt");
	assert_golden("json", &result, "output/json-unified.json");
	assert_golden("terse5", &result, "output/terse5-unified.txt");
}

/* stats=0: in no report. */
static void test_silent(void **state)
{
	CLEANUP(result) struct result result = { .label = NULL };
	CLEANUP(free) char *text = NULL;

	(void)state;
	sample_group(result_add_job(&result));
	result.jobs[0].is_silent = true;
	text = print_as("terse", &result);
	assert_string_equal(text, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sample),
		cmocka_unit_test(test_unified),
		cmocka_unit_test(test_silent),
	};

	(void)setenv("TZ", "UTC", 1);
	tzset();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
