/* SPDX-License-Identifier: GPL-2.0-or-later */
/* iostat's reports: their mean without the first, in LKP's names and units. */
#include "damage.h"
#include "same.h"

#define HEAD "Linux 6.1.0-18-amd64 (host) \t11/30/26 \t_x86_64_\t(8 CPU)\n\n"
#define CPU(user)                                                                                  \
	"avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n"                                \
	"          " user "    0.00    5.61   29.16    0.00   31.92\n\n"
#define COLUMNS "Device            r/s     w/s     rMB/s     wMB/s   %rrqm  r_await aqu-sz  %util\n"
#define SDA(reads, mb, await)                                                                      \
	"sda             " reads "   89.67      " mb "     13.44    1.00   " await                 \
	"  40.97   91.07\n"
#define REPORTS                                                                                    \
	HEAD "02/25/2015 05:48:52 PM\n" CPU("33.26") COLUMNS SDA(                                  \
		"1.00", "99.00",                                                                   \
		"99.00") "\n"                                                                      \
			 "02/25/2015 05:48:55 PM\n" CPU("10.00") COLUMNS SDA(                      \
				 "10.00", "1.00",                                                  \
				 "20.00") "\n"                                                     \
					  "02/25/2015 05:48:58 PM\n" CPU("20.00") COLUMNS SDA(     \
						  "20.00", "2.00",                                 \
						  "30.00") "\n"                                    \
							   "02/25/2015 05:49:01 PM\n" CPU("30.00") \
								   COLUMNS SDA("0.00", "0.00",     \
									       "0.00")

static void test_mean_of_all_but_the_first(void **state)
{
	CLEANUP(collect) struct collect collect = collect_good(REPORTS);
	const struct result *result = &collect.results.items[0];

	(void)state;
	assert_int_equal(collect.results.nr, 1);
	assert_string_equal(result->tool, "iostat");
	assert_given(&result->given, "iostat.cpu.user", 20);
	assert_given(&result->given, "iostat.cpu.iowait", 29.16);
	assert_given(&result->given, "iostat.sda.r/s", 10);
	assert_given(&result->given, "iostat.sda.rkB/s", 1024);
	assert_given(&result->given, "iostat.sda.%rrqm", 1);
	assert_given(&result->given, "iostat.sda.util", 91.07);
	/* 0 where nothing was read is no latency */
	assert_given(&result->given, "iostat.sda.r_await", 25);
	assert_int_equal(result->notes.nr, 0);
}

static void test_one_report_is_since_boot(void **state)
{
	CLEANUP(collect)
	struct collect collect =
		collect_good(HEAD CPU("33.26") COLUMNS SDA("1.00", "9.00", "9.00"));

	(void)state;
	assert_given(&collect.results.items[0].given, "iostat.cpu.user", 33.26);
	assert_true(has_note(&collect.results.items[0], NOTE_INPUT_AMBIGUOUS, "since boot"));
}

static void test_old_form_without_cpus(void **state)
{
	CLEANUP(collect)
	struct collect collect =
		collect_good("Device:         rrqm/s   r/s  avgqu-sz   await  %util\n"
			     "sda               0.00  5.00      1.00   10.00  50.00\n\n"
			     "Device:         rrqm/s   r/s  avgqu-sz   await  %util\n"
			     "sda               0.00  7.00      1.00   12.00  60.00\n"
			     "dm-0              0.00  1.00      1.00    1.00   6.00\n");

	(void)state;
	assert_given(&collect.results.items[0].given, "iostat.sda.r/s", 7);
	assert_given(&collect.results.items[0].given, "iostat.sda.await", 12);
	assert_given(&collect.results.items[0].given, "iostat.dm-0.util", 6);
}

static void test_counters_that_went_backwards(void **state)
{
	CLEANUP(free)
	char *text = damage_replace(REPORTS, "30.00  40.97", "18446744073709551615  -40.97");
	CLEANUP(collect) struct collect collect = collect_good(text);

	(void)state;
	assert_given(&collect.results.items[0].given, "iostat.sda.r_await", 20);
	assert_true(has_note(&collect.results.items[0], NOTE_NUMBER_REFUSED, "r_await"));
	assert_true(has_note(&collect.results.items[0], NOTE_NUMBER_REFUSED, "aqu-sz"));
}

static void test_no_reports(void **state)
{
	static const char *const texts[] = { HEAD, "Device r/s w/s\n", CPU("x"),
					     COLUMNS "\nhello\n" };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		CLEANUP(collect)
		struct collect collect = collect_text("t", texts[i], strlen(texts[i]));

		assert_int_equal(collect.ret, -ERR_INPUT);
		assert_int_equal(collect.results.nr, 0);
	}
}

static void test_harmless_damage(void **state)
{
	(void)state;
	assert_harmless(REPORTS, damage_crlf(REPORTS), "crlf");
	assert_harmless(REPORTS, damage_bom(REPORTS), "bom");
	assert_harmless(REPORTS, damage_ansi(REPORTS), "ansi");
	assert_harmless(REPORTS, damage_nbsp(REPORTS), "nbsp");
	assert_harmless(REPORTS, damage_html(REPORTS), "html");
	assert_harmless(REPORTS, damage_wrap(REPORTS, 72), "wrap 72");
	assert_harmless(REPORTS, damage_wrap(REPORTS, 60), "wrap 60");
	for (unsigned depth = 1; depth <= 8; depth++)
		assert_harmless(REPORTS, damage_quote(REPORTS, depth, "> "), "quoted");
	assert_harmless(
		REPORTS,
		damage_surround("Hi,\n\nthis is what I see on the machine that I have told you "
				"about.\n\n",
				REPORTS, "\nThe disk is busy.\n"),
		"prose");
}

static void test_cut_behind_any_line(void **state)
{
	(void)state;
	for (unsigned line = 0; line < damage_nr_lines(REPORTS); line++) {
		CLEANUP(free) char *cut = damage_cut(REPORTS, line);
		CLEANUP(collect) struct collect got = collect_text("t", cut, strlen(cut));

		if (!got.results.nr)
			assert_int_equal(got.ret, -ERR_INPUT);
		for (size_t i = 0; i < got.results.nr; i++)
			assert_true(got.results.items[i].given.nr <= 14);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mean_of_all_but_the_first),
		cmocka_unit_test(test_one_report_is_since_boot),
		cmocka_unit_test(test_old_form_without_cpus),
		cmocka_unit_test(test_counters_that_went_backwards),
		cmocka_unit_test(test_no_reports),
		cmocka_unit_test(test_harmless_damage),
		cmocka_unit_test(test_cut_behind_any_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
