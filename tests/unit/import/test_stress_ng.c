/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stress-ng's metrics, from both generations of its log and of its YAML, whole and damaged. */
#include "damage.h"
#include "model/result_workload.h"
#include "same.h"

/* As of 2021: information, some counters between the rows. */
#define BRIEF                                                                                      \
	"stress-ng: info:  [2759] dispatching hogs: 4 memrate, 4 pipe\n"                           \
	"stress-ng: info:  [2759] successful run completed in 5.00s\n"                             \
	"stress-ng: info:  [2759] stressor       bogo ops real time  usr time  sys time   bogo "   \
	"ops/s     bogo ops/s\n"                                                                   \
	"stress-ng: info:  [2759]                           (secs)    (secs)    (secs)   (real "   \
	"time) (usr+sys time)\n"                                                                   \
	"stress-ng: info:  [2759] memrate             218      5.01    116.28      1.78        "   \
	"43.58           1.85\n"                                                                   \
	"stress-ng: info:  [2759] memrate         4640.01 write128 MB/sec (average per "           \
	"stressor)\n"                                                                              \
	"stress-ng: info:  [2759] pipe          114699197      5.00     87.08    149.07  "         \
	"22938940.74      485704.84\n"                                                             \
	"stress-ng: info:  [2759] for a 5.00s run time:\n"                                         \
	"stress-ng: info:  [2759]      40.00s available CPU time\n"

/* As of 2024: two more columns, the counters apart. */
#define FULL                                                                                       \
	"stress-ng: info:  [1781] setting to a 4 secs run per stressor\n"                          \
	"stress-ng: info:  [1781] dispatching hogs: 2 aiol\n"                                      \
	"stress-ng: metrc: [1781] stressor       bogo ops real time  usr time  sys time   bogo "   \
	"ops/s     bogo ops/s CPU used per       RSS Max\n"                                        \
	"stress-ng: metrc: [1781]                           (secs)    (secs)    (secs)   (real "   \
	"time) (usr+sys time) instance (%)          (KB)\n"                                        \
	"stress-ng: metrc: [1781] aiol               9375      4.77      0.36      1.14      "     \
	"1967.19        6250.79        15.74          3036\n"                                      \
	"stress-ng: metrc: [1781] miscellaneous metrics:\n"                                        \
	"stress-ng: metrc: [1781] aiol              400198.00 async I/O events completed (total "  \
	"of 2 instances)\n"                                                                        \
	"stress-ng: metrc: [1781] aiol               50164.29 async I/O events completed per sec " \
	"(harmonic mean of 2 instances)\n"                                                         \
	"stress-ng: info:  [1781] for a 4.78s run time:\n"                                         \
	"stress-ng: info:  [1781]       9.56s available CPU time\n"                                \
	"stress-ng: info:  [1781] skipped: 0\n"                                                    \
	"stress-ng: info:  [1781] passed: 2: aiol (2)\n"                                           \
	"stress-ng: info:  [1781] failed: 0\n"                                                     \
	"stress-ng: info:  [1781] metrics untrustworthy: 0\n"                                      \
	"stress-ng: info:  [1781] successful run completed in 4.78 secs\n"

#define YAML                                                                                       \
	"---\n"                                                                                    \
	"system-info:\n"                                                                           \
	"      stress-ng-version: 0.22.00\n"                                                       \
	"      hostname: here\n"                                                                   \
	"\n"                                                                                       \
	"metrics:\n"                                                                               \
	"    - stressor: aiol\n"                                                                   \
	"      bogo-ops: 9375\n"                                                                   \
	"      bogo-ops-per-second-usr-sys-time: 6250.790000\n"                                    \
	"      bogo-ops-per-second-real-time: 1967.190000\n"                                       \
	"      wall-clock-time: 4.770000\n"                                                        \
	"      user-time: 0.360000\n"                                                              \
	"      system-time: 1.140000\n"                                                            \
	"      cpu-usage-per-instance: 15.740000\n"                                                \
	"      max-rss: 3036\n"                                                                    \
	"      async-io-events-completed: 200099.000000\n"                                         \
	"      async-io-events-completed-per-sec: 50173.490000\n"                                  \
	"      instances:\n"                                                                       \
	"        - instance: 0\n"                                                                  \
	"          bogo-ops: 4700\n"                                                               \
	"          of-one: 1\n"                                                                    \
	"    - stressor: flock\n"                                                                  \
	"      bogo-ops: 12\n"                                                                     \
	"\n"                                                                                       \
	"times:\n"                                                                                 \
	"      run-time: 4.780000\n"                                                               \
	"      user-time: 0.360000\n"                                                              \
	"...\n"

static const char *workload_of(const struct result *result)
{
	for (size_t i = 0; i < result->nr_env; i++) {
		if (!strcmp(result->env[i].key, RESULT_WORKLOAD_KEY))
			return result->env[i].value;
	}
	return "";
}

static void test_brief(void **state)
{
	CLEANUP(collect) struct collect collect = collect_good(BRIEF);
	const struct result *result = &collect.results.items[0];

	(void)state;
	assert_int_equal(collect.results.nr, 1);
	assert_string_equal(result->tool, "stress-ng");
	assert_string_equal(workload_of(result), "stress-ng 4 memrate, 4 pipe");
	assert_given(&result->given, "memrate.ops", 218);
	assert_given(&result->given, "memrate.runtime_ms", 5010);
	assert_given(&result->given, "memrate.usr_ms", 116280);
	assert_given(&result->given, "memrate.sys_ms", 1780);
	assert_given(&result->given, "memrate.ops_per_sec", 43.58);
	assert_given(&result->given, "memrate.ops_per_cpu_sec", 1.85);
	assert_given(&result->given, "memrate.write128_MB/sec", 4640.01);
	assert_given(&result->given, "pipe.ops_per_sec", 22938940.74);
	assert_int_equal(given_find(&result->given, "pipe.ops")->line, 7);
	assert_absent(&result->given, "memrate.cpu_percent");
	assert_int_equal(result->given.nr, 13);
	assert_int_equal(result->notes.nr, 0);
}

static void test_full(void **state)
{
	CLEANUP(collect) struct collect collect = collect_good(FULL);
	const struct result *result = &collect.results.items[0];

	(void)state;
	assert_int_equal(collect.results.nr, 1);
	assert_given(&result->given, "aiol.ops", 9375);
	assert_given(&result->given, "aiol.ops_per_sec", 1967.19);
	assert_given(&result->given, "aiol.cpu_percent", 15.74);
	assert_given(&result->given, "aiol.rss_max_bytes", 3036 * 1024.0);
	assert_given(&result->given, "aiol.async_I/O_events_completed", 400198);
	assert_given(&result->given, "aiol.async_I/O_events_completed_per_sec", 50164.29);
	assert_int_equal(result->given.nr, 10);
	assert_int_equal(result->nr_jobs, 0);
	assert_int_equal(result->notes.nr, 0);
}

static void test_yaml(void **state)
{
	CLEANUP(collect) struct collect collect = collect_good(YAML);
	const struct result *result = &collect.results.items[0];

	(void)state;
	assert_int_equal(collect.results.nr, 1);
	assert_string_equal(result->tool_version, "0.22.00");
	assert_string_equal(workload_of(result), "stress-ng aiol, flock");
	assert_given(&result->given, "aiol.ops", 9375);
	assert_given(&result->given, "aiol.ops_per_sec", 1967.19);
	assert_given(&result->given, "aiol.ops_per_cpu_sec", 6250.79);
	assert_given(&result->given, "aiol.runtime_ms", 4770);
	assert_given(&result->given, "aiol.rss_max_bytes", 3036 * 1024.0);
	assert_given(&result->given, "flock.ops", 12);
	/* a mean of the instances: not what the log calls so */
	assert_given(&result->given, "aiol.async-io-events-completed", 200099);
	assert_absent(&result->given, "aiol.async_I/O_events_completed");
	assert_true(has_note(result, NOTE_INPUT_AMBIGUOUS, "means over the instances"));
	assert_int_equal(result->given.nr, 11);
}

static void test_old_yaml(void **state)
{
	CLEANUP(collect)
	struct collect collect = collect_good("metrics:\n    - stressor: flock\n      bogo-ops: 5\n"
					      "      wall-clock-time: 1.500000\n\ntimes:\n");

	(void)state;
	assert_given(&collect.results.items[0].given, "flock.runtime_ms", 1500);
	assert_int_equal(collect.results.items[0].given.nr, 2);
	assert_int_equal(collect.results.items[0].notes.nr, 0);
}

static void test_two_runs_in_one_log(void **state)
{
	CLEANUP(free) char *second = damage_replace(FULL, "[1781]", "[1999]");
	CLEANUP(free) char *text = damage_surround(FULL, second, "");
	CLEANUP(collect) struct collect collect = collect_good(text);

	(void)state;
	assert_int_equal(collect.results.nr, 2);
	assert_int_equal(collect.results.items[0].given.nr, 10);
	assert_int_equal(collect.results.items[1].given.nr, 10);
}

static void test_failures(void **state)
{
	CLEANUP(collect)
	struct collect collect =
		collect_good("stress-ng: info:  [9] dispatching hogs: 1 vm-rw\n"
			     "stress-ng: fail:  [10] vm-rw: sigaction signal 6 'SIGABRT': errno=22 "
			     "(Invalid argument)\n"
			     "stress-ng: info:  [9] stressor       bogo ops real time  usr time  "
			     "sys time   bogo ops/s     bogo ops/s\n"
			     "stress-ng: info:  [9] vm-rw                 0      0.00      0.00    "
			     "  0.00         0.00           0.00\n"
			     "stress-ng: info:  [9] failed: 1: vm-rw (1)\n"
			     "stress-ng: info:  [9] metrics untrustworthy: 1: vm-rw (1)\n");
	const struct result *result = &collect.results.items[0];

	(void)state;
	assert_int_equal(collect.results.nr, 1);
	assert_int_equal(result->nr_jobs, 1);
	assert_int_equal(result->jobs[0].error, 22);
	assert_true(has_note(result, NOTE_JOB_ERROR, "SIGABRT"));
	assert_true(has_note(result, NOTE_JOB_ERROR, "failed: 1"));
	assert_true(has_note(result, NOTE_INPUT_AMBIGUOUS, "untrustworthy"));
	assert_given(&result->given, "vm-rw.ops", 0);
	assert_absent(&result->given, "vm-rw.ops_per_cpu_sec"); /* of no CPU time */
}

static void test_failure_alone(void **state)
{
	CLEANUP(collect)
	struct collect collect =
		collect_good("stress-ng: fail:  [5778] stress-ng: sigaction: errno=22\n");

	(void)state;
	assert_int_equal(collect.results.items[0].given.nr, 0);
	assert_int_equal(collect.results.items[0].jobs[0].error, 22);
	assert_true(has_note(&collect.results.items[0], NOTE_JOB_ERROR, "sigaction"));
}

static void test_numbers_that_cannot_be(void **state)
{
	CLEANUP(free) char *ticks = damage_replace(FULL, "    9375 ", "18446744073709551615 ");
	CLEANUP(free) char *negative = damage_replace(ticks, "  15.74  ", " -15.74  ");
	CLEANUP(free) char *text = damage_replace(negative, "400198.00", "1e999");
	CLEANUP(collect) struct collect collect = collect_good(text);
	const struct result *result = &collect.results.items[0];

	(void)state;
	assert_absent(&result->given, "aiol.ops");
	assert_true(has_note(result, NOTE_NUMBER_REFUSED, "aiol.ops"));
	assert_absent(&result->given, "aiol.cpu_percent");
	assert_absent(&result->given, "aiol.async_I/O_events_completed");
	assert_given(&result->given, "aiol.ops_per_sec", 1967.19);
}

static void test_damaged_rows(void **state)
{
	CLEANUP(free) char *text = damage_replace(FULL, "      1.14   ", "      1,14   ");
	CLEANUP(collect) struct collect collect = collect_good(text);

	(void)state;
	assert_absent(&collect.results.items[0].given, "aiol.ops");
	assert_true(has_note(&collect.results.items[0], NOTE_INPUT_INCOMPLETE, "line 5"));
	assert_given(&collect.results.items[0].given, "aiol.async_I/O_events_completed", 400198);
}

static void test_harmless_damage(void **state)
{
	static const char *const texts[] = { BRIEF, FULL, YAML };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		const char *text = texts[i];

		assert_harmless(text, damage_crlf(text), "crlf");
		assert_harmless(text, damage_bom(text), "bom");
		assert_harmless(text, damage_ansi(text), "ansi");
		assert_harmless(text, damage_nbsp(text), "nbsp");
		assert_harmless(text, damage_html(text), "html");
		for (unsigned depth = 1; depth <= 8; depth++)
			assert_harmless(text, damage_quote(text, depth, "> "), "quoted");
		assert_harmless(text,
				damage_surround("Hi,\n\nthese are the numbers that I see here, "
						"as I have said before.\n\n",
						text, "\n5 runs each\n"),
				"prose");
	}
	for (size_t i = 0; i < 2; i++) {
		assert_harmless(texts[i], damage_wrap(texts[i], 72), "wrap 72");
		assert_harmless(texts[i], damage_wrap(texts[i], 60), "wrap 60");
		assert_harmless(texts[i], damage_wrap_flowed(texts[i], 72), "flowed");
	}
}

/* Nothing of the log follows that would tell the rest of a line from prose. */
static void test_broken_last_row(void **state)
{
	CLEANUP(free) char *log = damage_cut(FULL, 5);

	(void)state;
	assert_harmless(log, damage_wrap(log, 72), "wrap");
	assert_harmless(log, damage_surround("", log, "\nthanks\n"), "prose");
}

static void test_cut_behind_any_line(void **state)
{
	static const char *const texts[] = { BRIEF, FULL, YAML };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		CLEANUP(collect) struct collect want = collect_good(texts[i]);

		for (unsigned line = 0; line < damage_nr_lines(texts[i]); line++) {
			CLEANUP(free) char *cut = damage_cut(texts[i], line);
			CLEANUP(collect)
			struct collect got = collect_text("mail.txt", cut, strlen(cut));

			if (!got.results.nr) {
				assert_int_equal(got.ret, -ERR_INPUT);
				continue;
			}
			for (size_t j = 0; j < got.results.items[0].given.nr; j++) {
				const struct given_metric *metric =
					&got.results.items[0].given.items[j];

				assert_same_metric(
					metric,
					given_find(&want.results.items[0].given, metric->name),
					"cut");
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_brief),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_yaml),
		cmocka_unit_test(test_old_yaml),
		cmocka_unit_test(test_two_runs_in_one_log),
		cmocka_unit_test(test_failures),
		cmocka_unit_test(test_failure_alone),
		cmocka_unit_test(test_numbers_that_cannot_be),
		cmocka_unit_test(test_damaged_rows),
		cmocka_unit_test(test_harmless_damage),
		cmocka_unit_test(test_broken_last_row),
		cmocka_unit_test(test_cut_behind_any_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
