/* SPDX-License-Identifier: GPL-2.0-or-later */
/* script: words, quotes, remarks, and one line with the place for what is wrong. */
#include "vm/script.h"

#include <string.h>

#include "base/err.h"
#include "test.h"

static void read_script(const char *text, struct script *script)
{
	struct err err = { .code = 0 };

	if (script_parse("steps", text, strlen(text), script, &err) < 0)
		fail_msg("%s", err.msg);
}

static void assert_refused(const char *text, const char *message)
{
	CLEANUP(script) struct script script = { .source = NULL };
	struct err err = { .code = 0 };

	assert_int_equal(script_parse("steps", text, strlen(text), &script, &err), -ERR_INPUT);
	assert_string_equal(err.msg, message);
}

static void test_words(void **state)
{
	CLEANUP(script) struct script script = { .source = NULL };
	const struct script_step *step;

	(void)state;
	read_script("# a remark\n\n  echo  one\t'two  words' \"it's\" a#b # and another\r\n"
		    "-write /sys/x 1 2",
		    &script);
	assert_int_equal(script.steps.nr, 2);
	step = &script.steps.items[0];
	assert_int_equal(step->kind->id, GUEST_STEP_ECHO);
	assert_int_equal(step->line, 3);
	assert_false(step->may_fail);
	assert_int_equal(step->nr_words, 4);
	assert_string_equal(step->words[1], "two  words");
	assert_string_equal(step->words[2], "it's");
	assert_string_equal(step->words[3], "a#b");
	assert_string_equal(script_step_text(&script, step),
			    "echo one 'two  words' 'it'\"'\"'s' a#b");
	step = &script.steps.items[1];
	assert_true(step->may_fail);
	assert_int_equal(step->line, 4);
	assert_int_equal(step->nr_words, 3);
}

static void test_plan(void **state)
{
	CLEANUP(script) struct script script = { .source = NULL };
	json_t *plan;
	char *text;

	(void)state;
	read_script("settle\n-cat '/a b'\n", &script);
	plan = script_plan(&script);
	text = json_dumps(plan, JSON_COMPACT | JSON_SORT_KEYS);
	assert_string_equal(text,
			    "[{\"line\":1,\"may_fail\":false,\"step\":\"settle\",\"words\":[]},"
			    "{\"line\":2,\"may_fail\":true,\"step\":\"cat\",\"words\":"
			    "[\"/a b\"]}]");
	free(text);
	json_decref(plan);
}

static void test_refused(void **state)
{
	(void)state;
	assert_refused("", "steps:1: there is no step in it");
	assert_refused("# nothing\n\n", "steps:2: there is no step in it");
	assert_refused("settle\nwirte /x 1\n", "steps:2: there is no step 'wirte', did you mean "
					       "'write'");
	assert_refused("zzzzzzzz\n", "steps:1: there is no step 'zzzzzzzz'");
	assert_refused("mount ext4 /dev/x\n",
		       "steps:1: mount: it is written 'mount TYPE DEVICE FOLDER [OPTIONS]'");
	assert_refused("settle now\n", "steps:1: settle: it is written 'settle'");
	assert_refused("cat\n", "steps:1: cat: it is written 'cat PATH'");
	assert_refused("echo 'a\n", "steps:1: a quote that does not end, or a word that is not "
				    "UTF-8");
	assert_refused("echo \xff\n", "steps:1: a quote that does not end, or a word that is not "
				      "UTF-8");
	assert_refused("- cat /x\n", "steps:1: there is no step ''");
}

/* A text with a NUL byte is none. */
static void test_nul(void **state)
{
	CLEANUP(script) struct script script = { .source = NULL };
	struct err err = { .code = 0 };

	(void)state;
	assert_int_equal(script_parse("steps", "echo\0x\n", 7, &script, &err), -ERR_INPUT);
	assert_string_equal(err.msg, "steps:1: a NUL byte: this is no text");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_plan),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_nul),
	};

	return cmocka_run_group_tests_name("script", tests, NULL, NULL);
}
