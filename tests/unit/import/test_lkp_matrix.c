/* SPDX-License-Identifier: GPL-2.0-or-later */
/* LKP's matrices: whole files, arrays in mails, and what must not be taken for runs. */
#include "damage.h"
#include "model/result_workload.h"
#include "same.h"

#define MATRIX                                                                                     \
	"{\n"                                                                                      \
	"  \"fio.read_iops\": [\n    1254.5,\n    1121.25,\n    1200.0\n  ],\n"                    \
	"  \"fio.read_bw_MBps\": [\n    2508.0,\n    2243.0,\n    2400.0\n  ],\n"                  \
	"  \"fio.write_iops\": [\n    0.0,\n    0.0,\n    0.0\n  ],\n"                             \
	"  \"fio.write_clat_mean_ns\": [\n    0.0,\n    0.0,\n    0.0\n  ],\n"                     \
	"  \"fio.workload\": [\n    100,\n    101,\n    102\n  ],\n"                               \
	"  \"dmesg.BUG\": [\n    0,\n    1,\n    0\n  ],\n"                                        \
	"  \"perf-profile.self.cycles-pp.f\": [\n    0,\n    0.64,\n    0.5\n  ],\n"               \
	"  \"vmstat.io.bi\": [\n    7,\n    8\n  ],\n"                                             \
	"  \"stats_source\": [\n    \"/r/1/stats.json\",\n    \"/r/2/stats.json\",\n"              \
	"    \"/r/3/stats.json\"\n  ]\n"                                                           \
	"}\n"

#define GREP(path)                                                                                 \
	path ":  \"stress-ng.aiol.ops_per_sec\": [\n" path "-    108.03,\n" path                   \
	     "-    108.4,\n" path "-    109.11\n" path "-  ],\n"

static struct collect collect_named(const char *name, const char *text)
{
	return collect_text(name, text, strlen(text));
}

static const char *workload_of(const struct result *result)
{
	for (size_t i = 0; i < result->nr_env; i++) {
		if (!strcmp(result->env[i].key, RESULT_WORKLOAD_KEY))
			return result->env[i].value;
	}
	return NULL;
}

static void test_each_element_is_a_run(void **state)
{
	CLEANUP(collect) struct collect collect = collect_good(MATRIX);
	const struct result *runs = collect.results.items;

	(void)state;
	assert_int_equal(collect.results.nr, 3);
	assert_string_equal(runs[0].tool, "lkp");
	assert_given(&runs[0].given, "read.iops", 1254.5);
	assert_given(&runs[1].given, "read.iops", 1121.25);
	assert_given(&runs[2].given, "read.bw_bytes_per_sec", 2400 * 1048576.0);
	assert_given(&runs[1].given, "total.total_ios", 101);
	assert_given(&runs[1].given, "dmesg.BUG", 1);
	assert_given(&runs[0].given, "dmesg.BUG", 0);
	assert_int_equal(given_find(&runs[0].given, "read.iops")->nr_runs, 0);
	assert_int_equal(given_find(&runs[1].given, "read.iops")->line, 2);
	assert_string_equal(given_find(&runs[1].given, "read.iops")->source_name, "fio.read_iops");
}

static void test_what_was_not_measured_is_absent(void **state)
{
	CLEANUP(collect) struct collect collect = collect_good(MATRIX);
	const struct result *runs = collect.results.items;

	(void)state;
	/* a direction without I/O */
	assert_absent(&runs[0].given, "write.iops");
	assert_absent(&runs[0].given, "write.clat_ns.mean");
	/* a whole 0 among fractions is LKP's filling; a short array lacks its end */
	assert_absent(&runs[0].given, "perf-profile.self.cycles-pp.f");
	assert_given(&runs[1].given, "perf-profile.self.cycles-pp.f", 0.64);
	assert_true(has_note(&runs[0], NOTE_INPUT_AMBIGUOUS, "1 zeros"));
	assert_given(&runs[1].given, "vmstat.io.bi", 8);
	assert_absent(&runs[2].given, "vmstat.io.bi");
}

static void test_incomplete_runs(void **state)
{
	CLEANUP(collect)
	struct collect collect = collect_good(
		"{\"last_state.is_incomplete_run\": [0, 1],\n\"fio.read_iops\": [5, 6],\n"
		"\"stats_source\": [\"a\", \"b\"]}\n");

	(void)state;
	assert_int_equal(collect.results.nr, 2);
	assert_false(collect.results.items[0].interrupted);
	assert_true(collect.results.items[1].interrupted);
	assert_absent(&collect.results.items[1].given, "read.iops");
	assert_given(&collect.results.items[1].given, "last_state.is_incomplete_run", 1);
	assert_true(has_note(&collect.results.items[1], NOTE_INPUT_INCOMPLETE, "run 2"));
}

static void test_one_number_each(void **state)
{
	static const char text[] =
		"{\n  \"fio.read_iops\": 1254.5,\n  \"fio.read_clat_99%_us\": 5000,\n"
		"  \"stats_source\": \"x/stats.json\"\n}\n";
	CLEANUP(collect) struct collect run = collect_named("r/1/stats.json", text);
	CLEANUP(collect) struct collect mean = collect_named("r/avg.json", text);
	CLEANUP(collect) struct collect spread = collect_named("r/stddev.json", text);

	(void)state;
	assert_int_equal(run.results.nr, 1);
	assert_given(&run.results.items[0].given, "read.clat_ns.p99", 5000);
	assert_true(has_note(&run.results.items[0], NOTE_UNIT_CONVERTED, "fio.read_clat_99%_us"));
	assert_int_equal(given_find(&run.results.items[0].given, "read.iops")->nr_runs, 0);
	assert_int_equal(mean.results.nr, 1);
	assert_int_equal(given_find(&mean.results.items[0].given, "read.iops")->nr_runs,
			 GIVEN_RUNS_UNKNOWN);
	assert_true(has_note(&mean.results.items[0], NOTE_INPUT_AMBIGUOUS, "avg.json"));
	assert_int_equal(spread.ret, -ERR_INPUT);
	assert_int_equal(spread.results.nr, 0);
}

static void test_arrays_in_a_mail(void **state)
{
	CLEANUP(collect)
	struct collect collect =
		collect_good("raw data is as below:\n\n" GREP("v6.12-rc4/matrix.json") "\n\n" GREP(
			"e70c301faece15b618e54b613b1fd6ece3dd05b4/matrix.json") "\nthanks\n");

	(void)state;
	assert_int_equal(collect.results.nr, 6);
	assert_string_equal(collect.results.items[0].label, "v6.12-rc4");
	assert_given(&collect.results.items[0].given, "aiol.ops_per_sec", 108.03);
	assert_given(&collect.results.items[2].given, "aiol.ops_per_sec", 109.11);
	assert_string_equal(collect.results.items[3].label, "e70c301fae");
	assert_int_equal(collect.results.items[0].nr_jobs, 0);
	assert_null(workload_of(&collect.results.items[0]));
}

#define TABLE                                                                                      \
	"======================================================================\n"                 \
	"disk/fs:\n  1HDD/btrfs\n\n"                                                               \
	"commit:\n  v6.12-rc4\n  e70c301fae (\"block: keep order\")\n\n"                           \
	"       v6.12-rc4 e70c301faece15b618e54b613b1\n"                                           \
	"---------------- ---------------------------\n"                                           \
	"         %stddev     %change         %stddev\n"                                           \
	"             \\          |                \\\n"                                           \
	"    108.51           -30.0%      75.96        stress-ng.aiol.ops_per_sec\n"

/* They are of the kernels and the workload of the table above them. */
static void test_arrays_below_a_table(void **state)
{
	CLEANUP(collect)
	struct collect collect = collect_good(
		TABLE "\n" GREP("e70c301faece15b618e54b613b1fd6ece3dd05b4/matrix.json") "\n" GREP(
			"a3396b99990d8b4e5797e7b16fdeb64c15ae97bb/matrix.json"));

	(void)state;
	assert_int_equal(collect.results.nr, 2 + 3 + 3);
	assert_string_equal(collect.results.items[2].label, "e70c301fae");
	assert_string_equal(workload_of(&collect.results.items[2]), "1HDD/btrfs");
	assert_int_equal(given_find(&collect.results.items[2].given, "aiol.ops_per_sec")->nr_runs,
			 0);
	/* a kernel that the table does not have */
	assert_string_equal(collect.results.items[5].label, "a3396b9999");
}

static void test_several_metrics_of_one_file(void **state)
{
	CLEANUP(collect)
	struct collect collect = collect_good(
		"c/matrix.json:  \"a.x\": [\nc/matrix.json-    1,\nc/matrix.json-    2\n"
		"c/matrix.json-  ],\n--\nc/matrix.json:  \"a.y\": [\n"
		"c/matrix.json-    3,\nc/matrix.json-    4\nc/matrix.json-  ],\n");

	(void)state;
	assert_int_equal(collect.results.nr, 2);
	assert_given(&collect.results.items[1].given, "a.x", 2);
	assert_given(&collect.results.items[1].given, "a.y", 4);
}

static void test_arrays_without_a_path(void **state)
{
	CLEANUP(collect)
	struct collect collect = collect_good("Before the commit:\n\n\"a.x\": [\n  1,\n  2\n],\n\n"
					      "After:\n\n\"a.x\": [ 3, 4 ]\n");

	(void)state;
	assert_int_equal(collect.results.nr, 4);
	assert_string_equal(collect.results.items[0].label, "Before the commit");
	assert_given(&collect.results.items[3].given, "a.x", 4);
	assert_string_equal(collect.results.items[3].label, "After");
}

static void test_quoted_arrays_count_once(void **state)
{
	CLEANUP(free) char *quoted = damage_quote(GREP("v6.12-rc4/matrix.json"), 2, "> ");
	CLEANUP(free)
	char *text = damage_surround(GREP("v6.12-rc4/matrix.json"), "\nyou wrote:\n\n", quoted);
	CLEANUP(collect) struct collect collect = collect_good(text);

	(void)state;
	assert_int_equal(collect.results.nr, 3);
}

static void test_harmless_damage(void **state)
{
	static const char *const texts[] = {
		MATRIX, TABLE "\n" GREP("v6.12-rc4/matrix.json") "\n",
		GREP("e70c301faece15b618e54b613b1fd6ece3dd05b4/matrix.json")
	};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		const char *text = texts[i];

		assert_harmless(text, damage_crlf(text), "crlf");
		assert_harmless(text, damage_bom(text), "bom");
		assert_harmless(text, damage_ansi(text), "ansi");
		assert_harmless(text, damage_tabs(text), "tabs");
		assert_harmless(text, damage_html(text), "html");
		if (strchr(text, '=')) /* else there is no sign of the encoding */
			assert_harmless(text, damage_quoted_printable(text, 60), "encoded");
		assert_harmless(text, damage_nbsp(text), "nbsp");
		assert_harmless(text, damage_wrap(text, 72), "wrap");
		assert_harmless(text, damage_wrap(text, 40), "wrap 40");
		assert_harmless(text, damage_fill(text, 72), "fill");
		assert_harmless(text, damage_replace(text, "\n", "\n\n"), "double");
		for (unsigned depth = 1; depth <= 8; depth++)
			assert_harmless(text, damage_quote(text, depth, "> "), "quoted");
		assert_harmless(
			text,
			damage_surround(
				"Hi,\n\nthese are all the values that I have, as you asked.\n\n",
				text, "\n3, 4 runs\n"),
			"prose");
	}
}

static void test_compact(void **state)
{
	CLEANUP(free) char *line = damage_replace(MATRIX, "\n", "");

	(void)state;
	assert_harmless(MATRIX, damage_surround("", line, "\n"), "one line");
}

static void test_cut_anywhere(void **state)
{
	(void)state;
	for (size_t len = 0; len < strlen(MATRIX) - 1; len++) {
		CLEANUP(collect) struct collect collect = collect_text("m.json", MATRIX, len);

		/* No number that was not there; the zeros are filled in only once all is known. */
		for (size_t i = 0; i < collect.results.nr; i++) {
			const struct result *result = &collect.results.items[i];
			double iops = given_value(&result->given, "read.iops");

			assert_true(isnan(iops) || iops == 1254.5 || iops == 1121.25 ||
				    iops == 1200);
			if (len < strlen(MATRIX) - 2)
				assert_true(has_note(result, NOTE_INPUT_INCOMPLETE, "ends before"));
		}
		if (!collect.results.nr)
			assert_int_equal(collect.ret, -ERR_INPUT);
	}
}

static void assert_refused(const char *text, const char *message)
{
	CLEANUP(collect) struct collect collect = collect_named("m.json", text);

	assert_int_equal(collect.ret, -ERR_INPUT);
	assert_int_equal(collect.results.nr, 0);
	if (!strstr(collect.err.msg, message))
		fail_msg("'%s'", collect.err.msg);
}

static void test_refusals(void **state)
{
	(void)state;
	/* samples in time of one run */
	assert_refused("{\n\"fio.read_iops\": [ 5.0 ],\n\"vmstat.io.bi\": [ 1, 2, 3, 4 ]\n}\n",
		       "samples of one run");
	assert_refused("{\n\"a.x\": [ 1,\n 1e999 ]\n}\n", "m.json:3: a number is out of range");
	assert_refused("{\n\"a.x\": [ [1], 2 ]\n}\n", "m.json:2: an array of a matrix");
	assert_refused("{\n\"a.x\": { \"b\": 2 }\n}\n", "m.json:2: there is an object");
	assert_refused("{\n\"a.x\": [ ]\n}\n", "m.json:1: ");
	assert_refused("{\n\"a.x\": [\n", "m.json:1: ");
	assert_refused("{\n\"a.x\": \"text\"\n}\n", "m.json:1: ");
}

static void test_too_many_runs(void **state)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;

	(void)state;
	strbuf_add_str(&text, "{\"a.x\": [");
	for (int i = 0; i < 100001; i++)
		strbuf_add_str(&text, "1,");
	strbuf_add_str(&text, "1]}\n");
	assert_refused(strbuf_str(&text), "too many values");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_element_is_a_run),
		cmocka_unit_test(test_what_was_not_measured_is_absent),
		cmocka_unit_test(test_incomplete_runs),
		cmocka_unit_test(test_one_number_each),
		cmocka_unit_test(test_arrays_in_a_mail),
		cmocka_unit_test(test_arrays_below_a_table),
		cmocka_unit_test(test_several_metrics_of_one_file),
		cmocka_unit_test(test_arrays_without_a_path),
		cmocka_unit_test(test_quoted_arrays_count_once),
		cmocka_unit_test(test_harmless_damage),
		cmocka_unit_test(test_compact),
		cmocka_unit_test(test_cut_anywhere),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_too_many_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
