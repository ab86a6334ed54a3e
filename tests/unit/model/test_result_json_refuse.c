/* SPDX-License-Identifier: GPL-2.0-or-later */
/* result_json: nothing wrong comes in, and the message says where it stands. */
#include "model/result_json.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/rng.h"
#include "model/result.h"
#include "sample_result.h"
#include "test.h"

static void read_back(const char *text, struct result *ret_result)
{
	struct err err = { .code = (enum err_code)0 };

	if (result_from_json(text, strlen(text), ret_result, &err) != 0)
		fail_msg("%s", err.msg);
}

/* The sample as a tree, with the value at `path` ("jobs/0/read/clat/n") replaced or, with NULL,
 * removed; as text. */
static char *changed_sample(const char *path, const char *new_value)
{
	CLEANUP(result) struct result result = { .label = NULL };
	CLEANUP(free) char *text = NULL;
	CLEANUP(free) char *steps = xstrdup(path);
	json_t *root, *node, *value;
	char *step = steps, *slash;

	sample_result(&result);
	text = result_to_json(&result, 0);
	root = node = json_loads(text, 0, NULL);
	while ((slash = strchr(step, '/'))) {
		*slash = '\0';
		node = json_is_array(node) ? json_array_get(node, strtoul(step, NULL, 10))
					   : json_object_get(node, step);
		assert_non_null(node);
		step = slash + 1;
	}
	value = new_value ? json_loads(new_value, JSON_DECODE_ANY, NULL) : NULL;
	assert_int_equal(!value, !new_value);
	if (json_is_array(node))
		json_array_set_new(node, strtoul(step, NULL, 10), value);
	else if (value)
		json_object_set_new(node, step, value);
	else
		assert_int_equal(json_object_del(node, step), 0);
	free(text);
	text = json_dumps(root, 0);
	json_decref(root);
	return ptr_take(text);
}

static const struct {
	const char *path, *value, *message;
} refuse_rows[] = {
	{ "schema", "\"regio.ab\"", "not a result: \"schema\" is not \"regio.result\"" },
	{ "schema", NULL, "not a result" },
	{ "version", "0", "version: not a whole number from 1" },
	{ "version", "\"1\"", "version: not a whole number from 1" },
	{ "version", "3", "version 3 was written by a later regio; this one knows up to 2" },
	{ "seed", "-1", "seed: not a whole number of 0 to 2^64 - 1" },
	{ "seed", "\"18446744073709551616\"", "seed: not a whole number" },
	{ "seed", "\" 1\"", "seed: not a whole number" },
	{ "seed", "\"\"", "seed: not a whole number" },
	{ "seed", "1.0", "seed: not a whole number" },
	{ "label", "5", "label: not a string" },
	{ "label", "{\"hex\":\"4\"}", "label: 'hex' is not pairs of hexadecimal digits" },
	{ "label", "{\"hex\":\"00\"}", "label: 'hex' is not pairs" },
	{ "interrupted", "0", "interrupted: not true or false" },
	{ "elapsed_ms", NULL, "elapsed_ms: missing" },
	{ "started_at_unix_ms", "\"1\"", "started_at_unix_ms: not a whole number of -9" },
	{ "method_version", "4294967296", "method_version: not a whole number of 0 to 4294967295" },
	{ "given",
	  "[{\"name\":\"a\",\"value\":1.0,\"line\":0},{\"name\":\"a\",\"value\":2.0,\"line\":0}]",
	  "given: 'a' stands there twice" },
	{ "jobs", NULL, "jobs: missing" },
	{ "jobs", "{}", "jobs: not an array" },
	{ "jobs/0", "[]", "jobs[0]: not an object" },
	{ "jobs/1/read", "[]", "jobs[1].read: not an object" },
	{ "jobs/1/trim", NULL, "jobs[1].trim: missing" },
	{ "jobs/1/error", "-5", "jobs[1]: error -5 is not one of 0 to 4095" },
	{ "jobs/1/error", "2147483648", "jobs[1].error: not a whole number of -2147483648 to" },
	{ "jobs/0/kb_base", "7", "jobs[0]: kb_base 7 is neither 1000 nor 1024" },
	{ "jobs/0/bs_min_bytes", "[1,2]", "jobs[0].bs_min_bytes: not an array of 3" },
	{ "jobs/0/bs_min_bytes/2", "true", "jobs[0].bs_min_bytes[2]: not a whole number" },
	{ "jobs/0/percentiles/3", "101", "jobs[0].percentiles[3]: not ascending within 0 to 100" },
	{ "jobs/0/percentiles/3", "1", "jobs[0].percentiles[3]: not ascending" },
	{ "jobs/0/percentiles/3", "null", "jobs[0].percentiles[3]: not ascending" },
	{ "jobs/0/percentiles/3", "\"5\"", "jobs[0].percentiles[3]: not a number" },
	{ "jobs/0/options/1", "[\"a\"]", "jobs[0].options[1]: not [key, value]" },
	{ "jobs/0/options/1/1", "1", "jobs[0].options[1]: not a string" },
	{ "jobs/0/read/clat/n", "20883",
	  "jobs[0].read.clat.hist: the counts add up to 20884, but n is 20883" },
	{ "jobs/0/read/clat/min", "99999999999", "jobs[0].read.clat: min is above max" },
	{ "jobs/0/read/clat/sum_sq", "1", "jobs[0].read.clat.sum_sq: not a decimal string" },
	{ "jobs/0/read/clat/sum_sq", "\"340282366920938463463374607431768211456\"",
	  "jobs[0].read.clat.sum_sq: not a decimal string below 2^128" },
	{ "jobs/0/read/clat/hist/0", "1856",
	  "jobs[0].read.clat.hist[0]: bucket 1856 is not one of 0 to 1855" },
	{ "jobs/0/read/clat/hist/2", "0", "jobs[0].read.clat.hist[2]: bucket 0 is not one of" },
	{ "jobs/0/read/clat/hist/1", "-1", "jobs[0].read.clat.hist[1]: not a whole number" },
	{ "jobs/0/read/clat/hist/1", "\"18446744073709551615\"", "the counts exceed 64 bits" },
	{ "jobs/0/read/clat/hist", "[1]", "jobs[0].read.clat.hist: not pairs" },
	{ "jobs/0/read/clat/hist", "{}", "jobs[0].read.clat.hist: not an array" },
	{ "jobs/0/read/iops/mean", "\"x\"", "jobs[0].read.iops.mean: not a number" },
	{ "jobs/0/sync", "1", "jobs[0].sync: not an object" },
	{ "disks/1/parent", "1", "disks[1]: parent 1 is no other disk" },
	{ "disks/1/parent", "3", "disks[1]: parent 3 is no other disk" },
	{ "disks/1/parent", "-2", "disks[1]: parent -2 is no other disk" },
	{ "disks/0/name", "null", "disks[0].name: not a string" },
	{ "disks/0", "5", "disks[0].name: not a string" },
	{ "timelines", "{}", "timelines: not an array" },
	{ "timelines", "[[],1]", "timelines[1]: not up to 128 pairs" },
	{ "timelines", "[[1,2,3]]", "timelines[0]: not up to 128 pairs of time and count" },
	{ "timelines", "[[1,2,1,3]]", "timelines[0][2]: time does not rise" },
	{ "timelines", "[[1,2,2,1]]", "timelines[0][3]: the count falls" },
	{ "timelines", "[[1,2,2,-1]]", "timelines[0][3]: not a whole number" },
	{ "env/0", "{}", "env[0]: not [key, value]" },
	{ "settings", "null", "settings: not an array" },
	{ "notes/0/id", NULL, "notes[0].id: not a string" },
	{ "notes/0/text", "[]", "notes[0].text: not a string" },
};

static void test_refuses_wrong_values(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refuse_rows) / sizeof(refuse_rows[0]); i++) {
		CLEANUP(free)
		char *text = changed_sample(refuse_rows[i].path, refuse_rows[i].value);
		struct result result = { .elapsed_ms = 77 };
		struct err err = { .code = (enum err_code)0 };

		if (result_from_json(text, strlen(text), &result, &err) != -ERR_INPUT)
			fail_msg("%s = %s was accepted", refuse_rows[i].path, refuse_rows[i].value);
		if (!strstr(err.msg, refuse_rows[i].message))
			fail_msg("%s = %s gave '%s'", refuse_rows[i].path, refuse_rows[i].value,
				 err.msg);
		assert_int_equal(result.elapsed_ms, 77); /* untouched */
	}
}

static void test_accepts_what_is_harmless(void **state)
{
	static const struct {
		const char *path, *value;
	} rows[] = {
		{ "colour", "[1,{}]" },
		{ "jobs/0/read/later", "1" },
		{ "label", "null" },
		{ "label", NULL },
		{ "seed", "7" },
		{ "jobs/0/sync", NULL },
		{ "jobs/0/read/clat", NULL },
		{ "jobs/0/read/clat/hist", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CLEANUP(free) char *text = changed_sample(rows[i].path, rows[i].value);
		CLEANUP(result) struct result result = { .label = NULL };

		read_back(text, &result);
		assert_int_equal(result.nr_jobs, 3);
	}
}

static void test_note_of_a_later_version_keeps_its_words(void **state)
{
	CLEANUP(free) char *text = changed_sample("notes/0/id", "\"moon-phase\"");
	CLEANUP(result) struct result result = { .label = NULL };

	(void)state;
	read_back(text, &result);
	assert_int_equal(result.notes.items[0].id, NOTE_OPTION_WARNING);
	assert_string_equal(result.notes.items[0].text,
			    "moon-phase: job 'full': No space left on device");
}

static void test_refuses_text_that_is_no_json(void **state)
{
	static const char *const texts[] = {
		"", "x", "[]", "5", "{\"schema\":\"a\",}", "null", "{\"a\":1,\"a\":1}", "{}", "\xff"
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct result result;
		struct err err = { .code = (enum err_code)0 };

		assert_int_equal(result_from_json(texts[i], strlen(texts[i]), &result, &err),
				 -ERR_INPUT);
		assert_true(err.msg[0] != '\0');
	}
}

/* A file cut anywhere, or with one byte changed, is refused or read, but never crashes. */
static void test_damaged_documents(void **state)
{
	CLEANUP(result) struct result before = { .label = NULL };
	CLEANUP(free) char *text = NULL;
	struct rng rng;
	size_t len;

	(void)state;
	note_add(&before.notes, NOTE_SKEWED, "x");
	sample_group(result_add_job(&before));
	result_add_disk(&before, "sda", -1);
	text = result_to_json(&before, 0);
	len = strlen(text);
	for (size_t cut = 0; cut < len; cut += cut < 3000 ? 1 : 97) {
		struct result result;

		assert_int_equal(result_from_json(text, cut, &result, NULL), -ERR_INPUT);
	}
	rng_init(&rng, 5);
	for (int i = 0; i < 2000; i++) {
		CLEANUP(result) struct result result = { .label = NULL };
		size_t at = rng_below(&rng, len);
		char kept = text[at];

		text[at] = "0123456789-.,:[]{}\"ntf"[rng_below(&rng, 22)];
		(void)result_from_json(text, len, &result, NULL);
		text[at] = kept;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refuses_wrong_values),
		cmocka_unit_test(test_accepts_what_is_harmless),
		cmocka_unit_test(test_note_of_a_later_version_keeps_its_words),
		cmocka_unit_test(test_refuses_text_that_is_no_json),
		cmocka_unit_test(test_damaged_documents),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
