/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Comparison tables of LKP: what results they give, and what is said of doubtful ones. */
#include "collect.h"
#include "model/result_workload.h"

#define RULE                                                                                       \
	"====================================================================================="    \
	"====\n"
#define AXES(fs)                                                                                   \
	RULE "disk/fs/testcase:\n"                                                                 \
	     "  1HDD/" fs "/stress-ng\n"                                                           \
	     "\n"
#define COMMITS                                                                                    \
	"commit:\n"                                                                                \
	"  a3396b9999 (\"block: add a rq_list type\")\n"                                           \
	"  e70c301fae (\"block: don't reorder requests\")\n"                                       \
	"\n"
#define TITLES                                                                                     \
	"a3396b99990d8b4e e70c301faece15b618e54b613b1\n"                                           \
	"---------------- ---------------------------\n"
#define COLUMNS                                                                                    \
	"         %stddev     %change         %stddev\n"                                           \
	"             \\          |                \\\n"
#define ROW                                                                                        \
	"    186.48 \xc2\xb1  7%     -47.3%      98.29 \xc2\xb1 17%  stress-ng.aiol.ops_per_sec\n"
#define ROW_2 "     14683 \xc2\xb1  5%     -46.3%       7886 \xc2\xb1 17%  vmstat.io.bi\n"

static const char *env_of(const struct result *result, const char *key)
{
	for (size_t i = 0; i < result->nr_env; i++) {
		if (!strcmp(result->env[i].key, key))
			return result->env[i].value;
	}
	return NULL;
}

static void test_columns_become_results(void **state)
{
	CLEANUP(collect)
	struct collect collect =
		collect_good("Hi,\n\n" AXES("btrfs") COMMITS TITLES COLUMNS ROW ROW_2 "\nyours\n");
	const struct result *base = &collect.results.items[0], *new = &collect.results.items[1];
	const struct given_metric *metric;

	(void)state;
	assert_int_equal(collect.results.nr, 2);
	assert_string_equal(base->tool, "lkp");
	assert_string_equal(base->label, "a3396b9999");
	assert_string_equal(base->source_file, "mail.txt");
	assert_int_equal(base->source_line, 3);
	assert_string_equal(env_of(base, RESULT_WORKLOAD_KEY), "1HDD/btrfs/stress-ng");
	assert_string_equal(env_of(base, "lkp.axes"), "disk/fs/testcase");
	assert_string_equal(env_of(base, "lkp.commit"), "a3396b99990d8b4e");
	assert_string_equal(env_of(base, "lkp.subject"), "block: add a rq_list type");
	assert_string_equal(new->label, "e70c301fae");
	assert_string_equal(env_of(new, "lkp.subject"), "block: don't reorder requests");
	assert_given(&base->given, "aiol.ops_per_sec", 186.48);
	assert_given(&new->given, "vmstat.io.bi", 7886);
	metric = given_find(&new->given, "aiol.ops_per_sec");
	assert_true(metric->stddev_percent == 17);
	assert_true(metric->change == -47.3);
	assert_int_equal(metric->nr_runs, GIVEN_RUNS_UNKNOWN);
	assert_string_equal(metric->source_name, "stress-ng.aiol.ops_per_sec");
	assert_int_equal(metric->line, 15);
	assert_true(isnan(given_find(&base->given, "vmstat.io.bi")->change));
	assert_int_equal(base->notes.nr, 0);
}

static void test_tables_of_one_mail(void **state)
{
	CLEANUP(collect)
	struct collect collect = collect_good(AXES("ext4") TITLES COLUMNS ROW "\n[2]\n" AXES("xfs")
						      TITLES COLUMNS ROW "\n");

	(void)state;
	assert_int_equal(collect.results.nr, 4); /* the same numbers of another filesystem */
	assert_string_equal(env_of(&collect.results.items[1], RESULT_WORKLOAD_KEY),
			    "1HDD/ext4/stress-ng");
	assert_string_equal(env_of(&collect.results.items[2], RESULT_WORKLOAD_KEY),
			    "1HDD/xfs/stress-ng");
	assert_string_equal(collect.results.items[2].label, "a3396b9999");
}

/* Without its head a table is known by its numbers. */
static void test_quoted_without_head(void **state)
{
	CLEANUP(collect)
	struct collect collect =
		collect_good(AXES("ext4") TITLES COLUMNS ROW "\nYou wrote:\n\n" COLUMNS ROW
							     "\nand\n\n" TITLES COLUMNS ROW);

	(void)state;
	assert_int_equal(collect.results.nr, 2);
}

static void test_rows_that_are_new(void **state)
{
	CLEANUP(collect)
	struct collect collect = collect_good(AXES("ext4") TITLES COLUMNS ROW "\n\n" AXES("ext4")
						      TITLES COLUMNS ROW ROW_2);

	(void)state;
	assert_int_equal(collect.results.nr, 4);
	assert_absent(&collect.results.items[2].given, "aiol.ops_per_sec");
	assert_given(&collect.results.items[2].given, "vmstat.io.bi", 14683);
}

static void test_head_with_less(void **state)
{
	CLEANUP(collect) struct collect titled = collect_good(TITLES COLUMNS ROW);
	CLEANUP(collect) struct collect bare = collect_good(COLUMNS ROW);
	CLEANUP(collect)
	struct collect other =
		collect_good(RULE "testcase:\n  fio\n\nkconfig:\n  debug\n  plain\n\n"
				  "           debug                       plain\n"
				  "---------------- ---------------------------\n" COLUMNS ROW);

	(void)state;
	assert_string_equal(titled.results.items[1].label, "e70c301fae");
	assert_null(env_of(&titled.results.items[1], RESULT_WORKLOAD_KEY));
	assert_string_equal(bare.results.items[0].label, "column 1");
	assert_true(has_note(&bare.results.items[0], NOTE_INPUT_AMBIGUOUS, "which kernels"));
	assert_string_equal(other.results.items[0].label, "debug");
	assert_string_equal(env_of(&other.results.items[0], RESULT_WORKLOAD_KEY), "fio");
}

static void test_failures(void **state)
{
	CLEANUP(collect)
	struct collect collect = collect_good(
		TITLES "       fail:runs  %reproduction    fail:runs\n"
		       "           |             |             |\n"
		       "           :6           67%           4:6     dmesg.BUG\n" COLUMNS ROW);
	const struct given_metric *metric;

	(void)state;
	assert_given(&collect.results.items[0].given, "dmesg.BUG", 0);
	metric = given_find(&collect.results.items[1].given, "dmesg.BUG");
	assert_true(metric->value == 4.0 / 6 && metric->nr_runs == 6 && metric->change == 67);
	assert_given(&collect.results.items[1].given, "aiol.ops_per_sec", 98.29);
}

static void test_names_in_pieces(void **state)
{
	CLEANUP(collect)
	struct collect collect = collect_good(
		TITLES COLUMNS "     14022 \xc2\xb1 33%     -57.5%       5953 \xc2\xb1 15%\n"
			       "perf-sched.wait_and_delay.count.x.y\n" ROW
			       "      3698 \xc2\xb1 32%     -63.0%       1367 \xc2\xb1 27%  "
			       "perf-sched.wait_and_delay.cou\n"
			       "nt.schedule_preempt_disabled\n"
			       "      6842 \xc2\xb1 18%     -44.0%       3829 \xc2\xb1 23%  a.b\n"
			       "thanks\n");
	const struct given_list *given = &collect.results.items[1].given;

	(void)state;
	assert_given(given, "perf-sched.wait_and_delay.count.x.y", 5953);
	assert_given(given, "perf-sched.wait_and_delay.count.schedule_preempt_disabled", 1367);
	assert_given(given, "a.b", 3829); /* and not "a.bthanks" */
	assert_given(given, "aiol.ops_per_sec", 98.29);
}

/* A short line was not broken: what follows is no rest of a name. */
static void test_word_behind_a_short_row(void **state)
{
	CLEANUP(collect)
	struct collect collect = collect_good(TITLES COLUMNS "1.0 +100.0% 2.0 a.b\nsee.below\n");

	(void)state;
	assert_given(&collect.results.items[1].given, "a.b", 2);
}

static void test_doubtful_numbers(void **state)
{
	CLEANUP(collect)
	struct collect collect = collect_good(
		TITLES COLUMNS
		"    186.48 \xc2\xb1  7%     -22.0%      98.29 \xc2\xb1 17%  a.wrong_change\n"
		"     1e999          -22.0%      98.29        a.too_large\n"
		"      0.00         +2e+102%       2.00 \xc2\xb1 21%  a.from_nothing\n"
		"    186.48 \xc2\xb1  x%     -22.0%      98.29  a.damaged\n"
		"      5.00 \xc2\xb1 12%      -0.0%       5.00        a.good\n");
	const struct result *new = &collect.results.items[1];

	(void)state;
	assert_true(isnan(given_find(&new->given, "a.wrong_change")->change));
	assert_true(has_note(new, NOTE_INPUT_AMBIGUOUS, "a.wrong_change"));
	assert_absent(&new->given, "a.too_large");
	assert_true(has_note(new, NOTE_NUMBER_REFUSED, "a.too_large"));
	assert_true(given_find(&new->given, "a.from_nothing")->change == 2e102);
	assert_absent(&new->given, "a.damaged");
	assert_true(has_note(new, NOTE_INPUT_INCOMPLETE, "line 8"));
	assert_given(&new->given, "a.good", 5);
}

static void test_units_of_latency(void **state)
{
	/* 8 tasks: 1254 I/Os a second take 6.4 ms each */
	CLEANUP(collect)
	struct collect ns = collect_good(
		TITLES COLUMNS
		"      1254           -10.6%       1121        fio.read_iops\n"
		"   6374238           +11.8%    7127450        fio.read_clat_mean_us\n");
	/* as nanoseconds 0.008 I/Os would be in flight */
	CLEANUP(collect)
	struct collect us = collect_good(
		TITLES COLUMNS
		"      1254           -10.6%       1121        fio.read_iops\n"
		"      6374           +11.8%       7127        fio.read_clat_mean_us\n"
		"      6717           +11.8%       7509        fio.read_clat_90%_us\n");

	(void)state;
	assert_given(&ns.results.items[0].given, "read.clat_ns.mean", 6374238);
	assert_true(has_note(&ns.results.items[0], NOTE_UNIT_CONVERTED, "taken as nanoseconds"));
	assert_given(&us.results.items[0].given, "read.clat_ns.mean", 6374000);
	assert_given(&us.results.items[0].given, "read.clat_ns.p90", 6717000);
	assert_true(has_note(&us.results.items[0], NOTE_UNIT_CONVERTED, "is in microseconds"));
	assert_null(given_find(&us.results.items[0].given, "read.clat_ns.p90")->source_name);
}

static void test_absent_cells(void **state)
{
	CLEANUP(collect)
	struct collect collect = collect_good(
		TITLES COLUMNS
		"         -               -        2508 \xc2\xb1  3%  fio.write_iops\n" ROW);

	(void)state;
	assert_absent(&collect.results.items[0].given, "write.iops");
	assert_given(&collect.results.items[1].given, "write.iops", 2508);
}

static void assert_no_table(const char *text)
{
	CLEANUP(collect) struct collect collect = collect_text("mail.txt", text, strlen(text));

	if (collect.results.nr)
		fail_msg("a result out of '%s'", text);
	assert_int_equal(collect.ret, -ERR_INPUT);
	assert_memory_equal(collect.err.msg, "mail.txt:1: ", 12);
}

static void test_no_tables(void **state)
{
	(void)state;
	assert_no_table(AXES("btrfs") COMMITS TITLES COLUMNS);
	assert_no_table(AXES("btrfs") COMMITS TITLES);
	assert_no_table(AXES("btrfs"));
	assert_no_table(TITLES COLUMNS "    186.48 \xc2\xb1  7%     -47.3%\n");
	assert_no_table(TITLES COLUMNS "the %stddev is not small\n");
	assert_no_table("%stddev is the population deviation in per cent\n");
	assert_no_table("commit: 8c5035dfbb9475b67c82b3fdb7351236525bf52b (\"x\")\n\n2 runs\n");
	assert_no_table(RULE "fio\n" RULE);
	assert_no_table("a b\n---------- ----------\n");
}

/* More columns than any report has are no table. */
static void test_too_many_columns(void **state)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;

	(void)state;
	strbuf_add_str(&text, "%stddev");
	for (int i = 0; i < 20; i++)
		strbuf_add_str(&text, " %change %stddev");
	strbuf_add_str(&text, "\n1.0 +1.0% 2.0 a.b\n");
	assert_no_table(strbuf_str(&text));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_columns_become_results),
		cmocka_unit_test(test_tables_of_one_mail),
		cmocka_unit_test(test_quoted_without_head),
		cmocka_unit_test(test_rows_that_are_new),
		cmocka_unit_test(test_head_with_less),
		cmocka_unit_test(test_failures),
		cmocka_unit_test(test_names_in_pieces),
		cmocka_unit_test(test_word_behind_a_short_row),
		cmocka_unit_test(test_doubtful_numbers),
		cmocka_unit_test(test_units_of_latency),
		cmocka_unit_test(test_absent_cells),
		cmocka_unit_test(test_no_tables),
		cmocka_unit_test(test_too_many_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
