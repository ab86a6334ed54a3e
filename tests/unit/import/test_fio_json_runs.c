/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio's JSON: several documents in one text, what stands between them, and what is no result. */
#include "collect.h"

#define FOLDER "tests/data/import/fio-json/"

/* A document of a run with one job, printed at time_ms after running for runtime_ms. */
static char *document(const char *name, unsigned long long time_ms, unsigned runtime_ms)
{
	return xasprintf(
		"{\n  \"fio version\" : \"fio-3.33\",\n  \"timestamp_ms\" : %llu,\n"
		"  \"jobs\" : [\n    {\n      \"jobname\" : \"%s\",\n      \"groupid\" : 0,\n"
		"      \"read\" : {\n        \"io_bytes\" : %u,\n        \"bw\" : 4,\n"
		"        \"iops\" : 1.000000,\n        \"runtime\" : %u,\n"
		"        \"total_ios\" : %u,\n        \"clat_ns\" : {\n"
		"          \"min\" : 10,\n          \"max\" : 90,\n"
		"          \"mean\" : %u.500000\n        }\n      }\n    }\n  ]\n}\n",
		time_ms, name, runtime_ms * 4, runtime_ms, runtime_ms / 1000 + 1,
		20 + runtime_ms % 7);
}

struct run {
	const char *name;
	unsigned long long time_ms;
	unsigned runtime_ms;
};

static char *documents(const struct run *runs, size_t nr, const char *between)
{
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < nr; i++) {
		CLEANUP(free)
		char *one = document(runs[i].name, runs[i].time_ms, runs[i].runtime_ms);

		strbuf_add_str(&text, i ? between : "");
		strbuf_add_str(&text, one);
	}
	return strbuf_take(&text);
}

static double runtime_of(const struct collect *got, size_t index)
{
	return given_value(&got->results.items[index].jobs[0].given, "read.runtime_ms");
}

/* Status reports of one run: the last one counts. */
static void test_reports(void **state)
{
	static const struct run runs[] = { { "a", 1001000, 990 },
					   { "a", 1002000, 1990 },
					   { "a", 1003050, 3000 } };
	CLEANUP(free) char *text = documents(runs, 3, "");
	CLEANUP(collect) struct collect got = collect_good(text);

	(void)state;
	assert_int_equal(got.results.nr, 1);
	assert_true(runtime_of(&got, 0) == 3000);
	assert_true(has_note(&got.results.items[0], NOTE_INPUT_AMBIGUOUS, "3 status reports"));
	assert_int_equal(got.results.items[0].source_line, 45);
}

/* The same job again and again, as a script appends it. */
static void test_repeats(void **state)
{
	static const struct run runs[] = { { "a", 1001000, 1000 },
					   { "a", 1002100, 1001 },
					   { "a", 1003200, 1002 } };
	CLEANUP(free) char *text = documents(runs, 3, "\n\n");
	CLEANUP(collect) struct collect got = collect_good(text);

	(void)state;
	assert_int_equal(got.results.nr, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_true(runtime_of(&got, i) == 1000 + (double)i);
		assert_int_equal(got.results.items[i].notes.nr, 0);
		assert_string_equal(got.results.items[i].label, got.results.items[0].label);
	}
	assert_int_equal(got.results.items[1].source_line, 25);
}

/* A run of three reports, then one of two, then another job. */
static void test_reports_of_runs(void **state)
{
	static const struct run runs[] = {
		{ "a", 1001000, 990 },	{ "a", 1002000, 1990 }, { "a", 1003050, 3000 },
		{ "a", 1004100, 1000 }, { "a", 1006110, 3010 }, { "b", 1006200, 20 },
	};
	CLEANUP(free) char *text = documents(runs, 6, "");
	CLEANUP(collect) struct collect got = collect_good(text);

	(void)state;
	assert_int_equal(got.results.nr, 3);
	assert_true(runtime_of(&got, 0) == 3000);
	assert_true(runtime_of(&got, 1) == 3010);
	assert_true(has_note(&got.results.items[1], NOTE_INPUT_AMBIGUOUS, "2 status reports"));
	assert_true(runtime_of(&got, 2) == 20);
	assert_int_equal(got.results.items[2].notes.nr, 0);
}

/* The final document repeats the last report of a job that had ended. */
static void test_ended_job(void **state)
{
	static const struct run runs[] = { { "a", 1001000, 990 }, { "a", 1009000, 990 } };
	CLEANUP(free) char *text = documents(runs, 2, "");
	CLEANUP(collect) struct collect got = collect_good(text);

	(void)state;
	assert_int_equal(got.results.nr, 1);
}

/* Without times nobody knows. */
static void test_no_times(void **state)
{
	static const struct run runs[] = { { "a", 0, 1000 }, { "a", 0, 2000 } };
	CLEANUP(free) char *text = documents(runs, 2, "");
	CLEANUP(collect) struct collect got = collect_good(text);

	(void)state;
	assert_int_equal(got.results.nr, 2);
	assert_true(has_note(&got.results.items[0], NOTE_INPUT_AMBIGUOUS, "without a time") ||
		    has_note(&got.results.items[1], NOTE_INPUT_AMBIGUOUS, "without a time"));
}

/* A clock that was set back makes no reports of one run. */
static void test_clock_set_back(void **state)
{
	static const struct run runs[] = { { "a", 5001000, 990 }, { "a", 1002000, 1990 } };
	CLEANUP(free) char *text = documents(runs, 2, "");
	CLEANUP(collect) struct collect got = collect_good(text);

	(void)state;
	assert_int_equal(got.results.nr, 2);
}

static void test_real_reports(void **state)
{
	CLEANUP(free) char *text = source_text(FOLDER "reports.json");
	CLEANUP(collect) struct collect got = collect_good(text);

	(void)state;
	assert_int_equal(got.results.nr, 1);
	assert_true(runtime_of(&got, 0) > 2900);
}

/* Reports of which the last is cut: the one before it is whole. */
static void test_cut_report(void **state)
{
	static const struct run runs[] = { { "a", 1001000, 990 }, { "a", 1002000, 1990 } };
	CLEANUP(free) char *text = documents(runs, 2, "");
	CLEANUP(collect) struct collect got = { .ret = 0 };

	(void)state;
	*strstr(strstr(text, "1990"), "clat_ns") = '\0';
	got = collect_good(text);
	assert_int_equal(got.results.nr, 1);
	assert_true(runtime_of(&got, 0) == 990);
	assert_true(
		has_note(&got.results.items[0], NOTE_INPUT_INCOMPLETE, "a later document is cut"));
}

/* Prose ends the run; fio's own messages do not. */
static void test_between(void **state)
{
	static const struct run reports[] = { { "a", 1001000, 990 }, { "a", 1002000, 1990 } };
	static const struct run repeats[] = { { "a", 1001000, 990 }, { "a", 1003000, 990 } };
	CLEANUP(free)
	char *message = documents(reports, 2, "\nfio: terminating on signal 2\nJobs: 1 (f=1)\n");
	CLEANUP(free) char *prose = documents(repeats, 2, "\nWith the patch:\n\n");
	CLEANUP(free) char *indented = documents(repeats, 2, "\n  With the patch:\n\n");
	CLEANUP(collect) struct collect one = collect_good(message);
	CLEANUP(collect) struct collect two = collect_good(prose);
	CLEANUP(collect) struct collect three = collect_good(indented);

	(void)state;
	assert_int_equal(one.results.nr, 1);
	assert_int_equal(two.results.nr, 2);
	assert_string_equal(two.results.items[1].label, "With the patch");
	assert_string_equal(three.results.items[1].label, "With the patch");
}

/* ---- cut in the middle of a text ---- */

static struct collect collect_cut_before(const char *cut_at)
{
	static const char whole_name[] = "whole";
	CLEANUP(free) char *first = document("broken", 1001000, 1000);
	CLEANUP(free) char *second = document(whole_name, 1003000, 1001);
	CLEANUP(free) char *text = NULL;
	char *end = strstr(first, cut_at);

	assert_non_null(end);
	end[strlen(cut_at)] = '\0';
	text = xasprintf("%s\n%s", first, second);
	return collect_good(text);
}

static void test_cut_documents(void **state)
{
	static const char *const places[] = {
		"\"fio vers",	       "\"fio version\" :", "\"jobs\" : [",
		"\"jobname\" : \"bro", "\"read\" : {",	    "\"bw\" : 4",
		"\"bw\" : 4,",	       "\"iops\" : 1.0",    "\"clat_ns\" : {",
		"\"max\" : 90,",       "}\n      }\n    }", "}\n      }\n    }\n  ]",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		CLEANUP(collect) struct collect got = collect_cut_before(places[i]);
		const struct result *last = vec_last(&got.results);

		if (strcmp(last->jobs[0].name, "whole") != 0 ||
		    !(given_value(&last->jobs[0].given, "read.runtime_ms") == 1001) ||
		    last->notes.nr)
			fail_msg("cut after '%s': the next document is not whole", places[i]);
		if (got.results.nr > 2)
			fail_msg("cut after '%s': %zu results", places[i], got.results.nr);
		if (got.results.nr == 2 &&
		    !has_note(&got.results.items[0], NOTE_INPUT_INCOMPLETE, "the document is cut"))
			fail_msg("cut after '%s': no note", places[i]);
	}
}

/* What follows a cut document is not swallowed. */
static void test_cut_before_prose(void **state)
{
	CLEANUP(collect)
	struct collect got = collect_good(
		"{\"fio version\" : \"fio-3.33\",\n\"jobs\" : [ { \"jobname\" : \"a\",\n"
		"\"read\" : { \"io_bytes\" : 4096, \"iops\" : 12\nThat was 4.19:\n\n"
		"{\"fio version\" : \"fio-3.33\",\n\"jobs\" : [ { \"jobname\" : \"a\",\n"
		"\"read\" : { \"io_bytes\" : 8192 } } ] }\n");

	(void)state;
	assert_int_equal(got.results.nr, 2);
	assert_given(&got.results.items[0].jobs[0].given, "read.io_bytes", 4096);
	assert_absent(&got.results.items[0].jobs[0].given, "read.iops"); /* 12 may be 123 */
	assert_string_equal(got.results.items[1].label, "That was 4.19");
	assert_given(&got.results.items[1].jobs[0].given, "read.io_bytes", 8192);
}

/* ---- forms of a document ---- */

static void check_same(const char *text, const char *what)
{
	CLEANUP(collect) struct collect got = collect_text("x.json", text, strlen(text));

	if (got.ret < 0 || got.results.nr != 1)
		fail_msg("%s: %d, %zu results", what, got.ret, got.results.nr);
	assert_true(runtime_of(&got, 0) == 1000);
	assert_given(&got.results.items[0].jobs[0].given, "read.clat_ns.max", 90);
}

/* All white space between tokens removed. */
static char *compact(const char *text)
{
	struct strbuf out = STRBUF_INIT;
	int is_in_string = 0;

	for (; *text; text++) {
		is_in_string ^= *text == '"';
		if (is_in_string || (*text != ' ' && *text != '\n'))
			strbuf_add_char(&out, *text);
	}
	return strbuf_take(&out);
}

static void test_forms(void **state)
{
	CLEANUP(free) char *text = document("a", 1001000, 1000);
	CLEANUP(free) char *one_line = compact(text);
	CLEANUP(free) char *array = xasprintf("[\n%s]\n", text);
	CLEANUP(free)
	char *junk = xasprintf("fio: this platform is odd\nnote: x\n%strailing words\n", text);
	CLEANUP(free) char *two = xasprintf("%s%s", one_line, one_line);
	CLEANUP(free) char *separate = xasprintf("%s%s", one_line, one_line);
	CLEANUP(collect) struct collect got = { .ret = 0 };

	(void)state;
	check_same(text, "as printed");
	check_same(one_line, "one line");
	check_same(array, "array");
	check_same(junk, "junk around");
	/* identical documents are one run, other times are other runs */
	check_same(two, "twice");
	memcpy(strstr(strstr(separate, "}{"), "1001000"), "1009000", 7);
	memcpy(strstr(strstr(separate, "}{"), "\"mean\":26"), "\"mean\":27", 9);
	got = collect_good(separate);
	assert_int_equal(got.results.nr, 2);
}

/* Longer than any line that is handed out at once. */
static void test_long_line(void **state)
{
	CLEANUP(free) char *text = document("a", 1001000, 1000);
	CLEANUP(free) char *one_line = compact(text);
	CLEANUP(strbuf) struct strbuf padded = STRBUF_INIT;

	(void)state;
	strbuf_add(&padded, one_line, strlen(one_line) - 1);
	strbuf_add_str(&padded, ",\"padding\":[");
	for (int i = 0; i < 200000; i++)
		strbuf_printf(&padded, "%d,", i);
	strbuf_add_str(&padded, "0]}\n");
	check_same(strbuf_str(&padded), "one long line");
}

/* The sign of the encoding stands in a text, between lines that need no cleaning. */
static void test_quoted_printable(void **state)
{
	CLEANUP(collect)
	struct collect got = collect_good(
		"{\n\"fio version\" : \"fio-3.33\",\n\"jobs\" : [\n{\n\"jobname\" : \"a\",\n"
		"\"job options\" : {\n\"name\" : \"a\",\n\"filename\" : \"x=3Dy\",\n"
		"\"rw\" : \"re=\nad\"\n},\n\"read\" : {\n\"iops\" : 12=\n3.5\n}\n}\n]\n}\n");
	const struct job_result *job = &got.results.items[0].jobs[0];

	(void)state;
	assert_string_equal(job->options[1].value, "x=y");
	assert_string_equal(job->rw, "read");
	assert_given(&job->given, "read.iops", 123.5);
}

/* Depths of 64 and more are no code of it, whatever comes later. */
static void test_not_quoted_printable(void **state)
{
	CLEANUP(collect)
	struct collect got = collect_good(
		"{\n\"fio version\" : \"fio-3.33\",\n\"jobs\" : [\n{\n\"jobname\" : \"a\",\n"
		"\"iodepth_level\" : {\n\"1\" : 5.0,\n\">=64\" : 95.0\n}\n}\n]\n}\n"
		"\nThe other one was sent as x=3Dy by mail\n");

	(void)state;
	assert_given(&got.results.items[0].jobs[0].given, "depth.ge64_percent", 95);
}

/* ---- not results ---- */

#define NO_RESULT                                                                                  \
	"x:1: no result of a known program in 1 line; plain numbers are read as columns "          \
	"'base,new' with a line for each run (regio import --from=help)"

static void check_refused(const char *text, const char *message)
{
	CLEANUP(collect) struct collect got = collect_text("x", text, strlen(text));

	if (got.ret != -ERR_INPUT || got.results.nr || strcmp(got.err.msg, message) != 0)
		fail_msg("%s: %d '%s', wanted '%s'", text, got.ret, got.err.msg, message);
}

static void test_bad(void **state)
{
	(void)state;
	check_refused("{}", NO_RESULT);
	check_refused("{\"a\": 1}", NO_RESULT);
	check_refused("\n{\"fio version\" : \"fio-3.33\"}",
		      "x:2: output of fio without a result: no number in it");
	check_refused("{\"fio version\" : \"fio-3.33\", \"jobs\" : []}",
		      "x:1: output of fio without a result: no number in it");
	check_refused("{\"fio version\" : \"fio-3.33\", \"jobs\" : [{\"jobname\":\"a\"}",
		      "x:1: output of fio without a result: line 1: the document is cut after the "
		      "beginning of job 'a'; sums cover only what is there");
	check_refused("{\"timestamp\" : 3, \"level\" : \"info\"}\n", NO_RESULT);
}

static void test_too_deep(void **state)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	CLEANUP(collect) struct collect got = { .ret = 0 };

	(void)state;
	strbuf_add_str(&text, "{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"a\",\"read\":"
			      "{\"iops\":5.0},\"x\":");
	strbuf_add_repeat(&text, '[', 1000);
	got = collect_text("x", strbuf_str(&text), text.len);
	assert_int_equal(got.ret, 0);
	assert_given(&got.results.items[0].jobs[0].given, "read.iops", 5);
	assert_true(has_note(&got.results.items[0], NOTE_INPUT_INCOMPLETE,
			     "too many brackets are open"));
}

static void test_too_many_jobs(void **state)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	CLEANUP(collect) struct collect got = { .ret = 0 };

	(void)state;
	strbuf_add_str(&text, "{\"fio version\":\"fio-3.33\",\"jobs\":[");
	for (int i = 0; i < 5000; i++)
		strbuf_add_str(&text, "{\"jobname\":\"a\",\"read\":{\"iops\":5.0}},\n");
	strbuf_add_str(&text, "]}");
	got = collect_text("x", strbuf_str(&text), text.len);
	assert_int_equal(got.ret, 0);
	assert_int_equal(got.results.items[0].nr_jobs, 4096);
	assert_true(has_note(&got.results.items[0], NOTE_INPUT_INCOMPLETE,
			     "more than 4096 jobs: the others were left out"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reports),
		cmocka_unit_test(test_repeats),
		cmocka_unit_test(test_reports_of_runs),
		cmocka_unit_test(test_ended_job),
		cmocka_unit_test(test_no_times),
		cmocka_unit_test(test_real_reports),
		cmocka_unit_test(test_cut_report),
		cmocka_unit_test(test_between),
		cmocka_unit_test(test_cut_documents),
		cmocka_unit_test(test_cut_before_prose),
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_long_line),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_too_deep),
		cmocka_unit_test(test_clock_set_back),
		cmocka_unit_test(test_quoted_printable),
		cmocka_unit_test(test_not_quoted_printable),
		cmocka_unit_test(test_too_many_jobs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
