/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One run that was printed in several forms counts once; two runs side by side count twice. */
#include "import/forms.h"

#include "collect.h"

#define TEXT_FOLDER "tests/data/import/fio-text/"
#define JSON_FOLDER "tests/data/import/fio-json/"

static char *joined(const char *first, const char *between, const char *second)
{
	CLEANUP(free) char *a = source_text(first);
	CLEANUP(free) char *b = source_text(second);

	return xasprintf("%s%s%s", a, between, b);
}

/* The fixtures of these names are both forms of one run. */
static void test_text_and_json(void **state)
{
	static const char *const names[] = { "randread",   "randrw-fsync", "four-jobs",
					     "two-groups", "randtrim",	   "mixed",
					     "no-space",   "go-on",	   "kb1000" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		CLEANUP(free) char *text_path = xasprintf(TEXT_FOLDER "%s.txt", names[i]);
		CLEANUP(free) char *json_path = xasprintf(TEXT_FOLDER "%s.json", names[i]);
		CLEANUP(free) char *one = joined(json_path, "\n", text_path);
		CLEANUP(free) char *other = joined(text_path, "\n", json_path);
		CLEANUP(free) char *apart = joined(text_path, "\nAnd again in JSON\n", json_path);
		CLEANUP(collect) struct collect got = collect_good(one);
		CLEANUP(collect) struct collect turned = collect_good(other);
		CLEANUP(collect) struct collect two = collect_good(apart);

		if (got.results.nr != 1 || turned.results.nr != 1)
			fail_msg("%s: %zu and %zu results", names[i], got.results.nr,
				 turned.results.nr);
		/* JSON says more */
		assert_string_equal(turned.results.items[0].tool_version, "3.33");
		assert_true(turned.results.items[0].started_at_unix_ms >= 0);
		assert_true(turned.results.items[0].jobs[0].nr_options > 0);
		assert_int_equal(two.results.nr, 2);
	}
}

static void test_three_forms(void **state)
{
	CLEANUP(free) char *json = source_text(JSON_FOLDER "terse-v3.json");
	CLEANUP(free) char *terse = source_text(JSON_FOLDER "terse-v3.txt");
	CLEANUP(free)
	char *text =
		xasprintf("a b: (g=0): rw=randrw, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) "
			  "4096B-4096B, ioengine=libaio, iodepth=4\nfio-3.33\nStarting 1 process\n"
			  "%s%s",
			  terse, json);
	CLEANUP(collect) struct collect got = collect_good(text);

	(void)state;
	assert_int_equal(got.results.nr, 1);
	assert_int_equal(got.results.items[0].jobs[0].nr_options > 0, 1);
	assert_int_equal(got.results.items[0].source_line, 5);
}

/* The numbers of two runs of one job differ. */
static void test_two_runs(void **state)
{
	CLEANUP(free)
	char *both = joined(JSON_FOLDER "terse-v3.json", "", JSON_FOLDER "terse-v4.txt");
	CLEANUP(collect) struct collect got = collect_good(both);

	(void)state;
	assert_int_equal(got.results.nr, 2);
}

static struct result result_with(const char *name, double runtime_ms, double iops)
{
	struct result result = { .tool = xstrdup("fio") };
	struct job_result *job = result_add_job(&result);

	job->name = xstrdup(name);
	if (runtime_ms > 0)
		given_append(&job->given, "read.runtime_ms", runtime_ms, 1);
	if (iops > 0)
		given_append(&job->given, "read.iops", iops, 1);
	return result;
}

static void test_rule(void **state)
{
	CLEANUP(result) struct result a = result_with("a", 1000, 500);
	CLEANUP(result) struct result rounded = result_with("a", 1000, 502);
	CLEANUP(result) struct result longer = result_with("a", 1001, 500);
	CLEANUP(result) struct result faster = result_with("a", 1000, 520);
	CLEANUP(result) struct result renamed = result_with("b", 1000, 500);
	CLEANUP(result) struct result announced = result_with("a", 0, 0);
	CLEANUP(result) struct result versioned = result_with("a", 1000, 500);

	(void)state;
	versioned.tool_version = xstrdup("3.33");
	assert_true(forms_is_same_run(&a, &rounded));
	assert_true(forms_is_same_run(&a, &versioned));
	assert_false(forms_is_same_run(&a, &longer));
	assert_false(forms_is_same_run(&a, &faster));
	assert_false(forms_is_same_run(&a, &renamed));
	assert_false(forms_is_same_run(&a, &announced));
	assert_true(forms_announces(&announced, &a));
	assert_false(forms_announces(&announced, &renamed));
	given_append(&a.jobs[0].given, "read.clat_ns.mean", 1000, 1);
	given_append(&versioned.jobs[0].given, "read.clat_ns.mean", 1020, 1);
	assert_false(forms_is_same_run(&a, &versioned));
	(void)given_set(&versioned.jobs[0].given, "read.clat_ns.mean", 1003, 1);
	assert_true(forms_is_same_run(&a, &versioned));
	given_append(&a.jobs[0].given, "read.total_ios", 1000000, 1);
	given_append(&versioned.jobs[0].given, "read.total_ios", 1000001, 1);
	assert_false(forms_is_same_run(&a, &versioned));
	given_append(&rounded.jobs[0].given, "read.total_ios", 7, 1);
	given_append(&rounded.jobs[0].given, "read.io_bytes", 7, 1);
	given_append(&rounded.jobs[0].given, "read.bw_bytes_per_sec", 7, 1);
	assert_true(forms_is_richer(&rounded, &a));
	assert_false(forms_is_richer(&a, &rounded));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text_and_json),
		cmocka_unit_test(test_three_forms),
		cmocka_unit_test(test_two_runs),
		cmocka_unit_test(test_rule),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
