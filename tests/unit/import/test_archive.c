/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results in regio's own archive form come back as they were. */
#include "collect.h"
#include "damage.h"

#include "../sample_result.h"
#include "model/result_json.h"

static char *archive_of(void (*build)(struct result *result), int pretty)
{
	CLEANUP(result) struct result result = { .label = NULL };

	build(&result);
	return result_to_json(&result, pretty);
}

/* The archive form of what came in, apart from where it came from. */
static void assert_comes_back(struct result *got, void (*build)(struct result *result))
{
	CLEANUP(free) char *want = archive_of(build, 0);
	CLEANUP(result) struct result expected = { .label = NULL };
	CLEANUP(free) char *again = NULL;

	build(&expected);
	free(got->source_file);
	got->source_file = expected.source_file ? xstrdup(expected.source_file) : NULL;
	got->source_line = expected.source_line;
	again = result_to_json(got, 0);
	assert_string_equal(again, want);
}

/* Without sums over its jobs, which a reader would add. */
static void build_measured(struct result *result)
{
	sample_result(result);
}

static void test_round_trip(void **state)
{
	(void)state;
	for (int pretty = 0; pretty < 2; pretty++) {
		CLEANUP(free) char *text = archive_of(build_measured, pretty);
		CLEANUP(collect) struct collect got = collect_good(text);

		assert_int_equal(got.results.nr, 1);
		assert_string_equal(got.results.items[0].source_file, "mail.txt");
		assert_int_equal(got.results.items[0].source_line, 1);
		assert_comes_back(&got.results.items[0], build_measured);
	}
}

static void test_several_documents(void **state)
{
	CLEANUP(free) char *compact = archive_of(build_measured, 0);
	CLEANUP(free) char *pretty = archive_of(build_measured, 1);
	CLEANUP(free) char *quoted = damage_quote(pretty, 2, "> ");
	CLEANUP(free)
	char *text =
		xasprintf("%s\n%s\n\nold:\n%s and so on\n%s", compact, compact, pretty, quoted);
	CLEANUP(collect) struct collect got = collect_good(text);

	(void)state;
	assert_int_equal(got.results.nr, 4);
	for (size_t i = 0; i < got.results.nr; i++)
		assert_comes_back(&got.results.items[i], build_measured);
}

/* Texts that look like what mailers and web pages make of others. */
static void build_odd(struct result *result)
{
	sample_result(result);
	free(result->label);
	result->label = xstrdup("a <b> &amp; &quot;}\xe2\x80\x93 \xc2\xa0\\261 =3D> x");
	result_add_setting(result, "cmd", "echo '<br>' > /sys/x\t& ^[[1m");
	result_add_env(result, "odd.words", "\xc3\x83\xc2\xa9 \x1b[0m {[\"]}");
}

static void test_odd_texts(void **state)
{
	CLEANUP(free) char *pretty = archive_of(build_odd, 1);
	CLEANUP(free) char *compact = archive_of(build_odd, 0);
	CLEANUP(free) char *text = xasprintf("%s\n\nagain\n%s\n", pretty, compact);
	CLEANUP(collect) struct collect got = collect_good(text);

	(void)state;
	assert_int_equal(got.results.nr, 2);
	assert_comes_back(&got.results.items[0], build_odd);
	assert_comes_back(&got.results.items[1], build_odd);
}

static void test_imported_result(void **state)
{
	CLEANUP(free) char *text = source_text("tests/data/archive/result-v2.json");
	CLEANUP(collect) struct collect got = collect_good(text);
	const struct result *result = got.results.items;

	(void)state;
	assert_string_equal(result->label, "6.8 + revert");
	assert_string_equal(result->tool_version, "3.19");
	assert_string_equal(result->source_file, "mail.txt");
	assert_int_equal(result->source_line, 122);
	assert_given(&result->given, "write.iops", 1884);
	assert_int_equal(result->jobs[0].dir[IO_WRITE].latency[LATENCY_CLAT].hist->counts[700], 41);
}

static void assert_refused(const char *text, const char *message)
{
	CLEANUP(collect) struct collect got = collect_text("a.json", text, strlen(text));

	assert_int_equal(got.ret, -ERR_INPUT);
	if (!strstr(got.err.msg, message))
		fail_msg("%s", got.err.msg);
	assert_int_equal(got.results.nr, 0);
}

static void test_damaged(void **state)
{
	CLEANUP(free) char *text = archive_of(build_measured, 1);
	CLEANUP(free) char *cut = damage_cut(text, damage_nr_lines(text) - 1);
	CLEANUP(free) char *later = damage_replace(text, "\"version\": 2", "\"version\": 999");
	CLEANUP(free) char *wrong = damage_replace(text, "\"jobs\": [", "\"jobs\": 5, \"x\": [");

	(void)state;
	assert_refused(cut, ": the result ends before it is whole");
	assert_refused(later, "a.json:1: version 999 was written by a later regio");
	assert_refused(wrong, "a.json:1: jobs: not an array");
}

/* A message is one line, also where it quotes the text. */
static void test_one_line(void **state)
{
	CLEANUP(collect) struct collect got = { .ret = 0 };
	static const char text[] = "{\n\"schema\": \"regio.result\",\n\"x\\\n\ty\": 1\n}\n";

	(void)state;
	got = collect_text("a.json", text, strlen(text));
	assert_int_equal(got.ret, -ERR_INPUT);
	assert_int_equal(strncmp(got.err.msg, "a.json:1: line ", 15), 0);
	assert_null(strpbrk(got.err.msg, "\n\t"));
}

/* null where a text belongs: readers of results rely on names. */
static void test_no_names(void **state)
{
	CLEANUP(free) char *text = archive_of(build_measured, 1);
	CLEANUP(free) char *no_tool = damage_replace(text, "\"tool\": \"regio\"", "\"tool\": null");
	CLEANUP(free) char *damaged = NULL;
	CLEANUP(result) struct result sample = { .label = NULL };
	CLEANUP(free) char *name = NULL;
	CLEANUP(collect) struct collect got = { .ret = 0 };

	(void)state;
	build_measured(&sample);
	name = xasprintf("\"name\": \"%s\"", sample.jobs[0].name);
	damaged = damage_replace(no_tool, name, "\"name\": null");
	assert_string_not_equal(damaged, no_tool);
	got = collect_good(damaged);
	assert_string_equal(got.results.items[0].tool, "unknown");
	assert_string_equal(got.results.items[0].jobs[0].name, "unnamed");
}

/* Documents of regio's that hold no result. */
static void test_other_documents(void **state)
{
	(void)state;
	assert_refused("{\"schema\": \"regio.ab\", \"version\": 1, \"metric\": \"read.iops\"}\n",
		       "a.json:1: 'regio.ab' is no result: import what ");
	assert_refused("\n{\n  \"schema\" : \"regio.compare\",\n  \"version\" : 1\n}\n",
		       "a.json:2: 'regio.compare' is no result");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),	cmocka_unit_test(test_several_documents),
		cmocka_unit_test(test_imported_result), cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_odd_texts),	cmocka_unit_test(test_other_documents),
		cmocka_unit_test(test_one_line),	cmocka_unit_test(test_no_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
