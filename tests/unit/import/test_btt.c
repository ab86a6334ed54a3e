/* SPDX-License-Identifier: GPL-2.0-or-later */
/* btt's times of a block trace. */
#include "damage.h"
#include "same.h"

#define TIMES                                                                                      \
	"==================== All Devices ====================\n"                                  \
	"\n"                                                                                       \
	"            ALL           MIN           AVG           MAX           N\n"                  \
	"--------------- ------------- ------------- ------------- -----------\n"                  \
	"\n"                                                                                       \
	"Q2Q               0.000000915   0.007937919   0.103788139        7557\n"                  \
	"D2C               0.001751673   0.013116498   0.103759327        7557\n"                  \
	"Q2C               0.001753524   0.013120242   0.103761266        7557\n"
#define OVERHEAD                                                                                   \
	"\n==================== Device Overhead ====================\n"                            \
	"\n"                                                                                       \
	"       DEV |       Q2G       G2I       D2C\n"                                             \
	"---------- | --------- --------- ---------\n"                                             \
	" (  8, 16) | 0.6186%  16.3239%  78.3183%\n"                                               \
	"| (253,  0) | 0.1000%   0.2000%  99.7000% |\n"

static void test_times(void **state)
{
	CLEANUP(collect) struct collect collect = collect_good(TIMES);
	const struct given_list *given = &collect.results.items[0].given;

	(void)state;
	assert_int_equal(collect.results.nr, 1);
	assert_string_equal(collect.results.items[0].tool, "btt");
	assert_given(given, "btt.D2C_ns.mean", 13116498);
	assert_given(given, "btt.D2C_ns.min", 1751673);
	assert_given(given, "btt.Q2C_ns.max", 103761266);
	assert_given(given, "btt.Q2Q.count", 7557);
	assert_int_equal(given->nr, 12);
}

static void test_overhead(void **state)
{
	CLEANUP(collect) struct collect collect = collect_good(TIMES OVERHEAD);
	const struct given_list *given = &collect.results.items[0].given;

	(void)state;
	assert_int_equal(collect.results.nr, 1);
	assert_given(given, "btt.8:16.D2C_percent", 78.3183);
	assert_given(given, "btt.253:0.G2I_percent", 0.2);
	assert_int_equal(given->nr, 12 + 6);
}

static void test_damaged_rows(void **state)
{
	CLEANUP(free) char *wrapped = damage_replace(TIMES, "0.103788139", "184467440737.1");
	CLEANUP(free) char *text = damage_replace(wrapped, "0.013116498", "0.0131x");
	CLEANUP(collect) struct collect collect = collect_good(text);
	const struct result *result = &collect.results.items[0];

	(void)state;
	assert_absent(&result->given, "btt.Q2Q_ns.max");
	assert_true(has_note(result, NOTE_NUMBER_REFUSED, "Q2Q"));
	assert_absent(&result->given, "btt.D2C_ns.mean");
	assert_true(has_note(result, NOTE_INPUT_INCOMPLETE, "D2C"));
	assert_given(&result->given, "btt.Q2C_ns.mean", 13120242);
}

static void test_nothing_measured(void **state)
{
	static const char text[] =
		"==================== All Devices ====================\n\nnone\n";
	CLEANUP(collect) struct collect collect = collect_text("t", text, strlen(text));

	(void)state;
	assert_int_equal(collect.ret, -ERR_INPUT);
}

static void test_harmless_damage(void **state)
{
	static const char text[] = TIMES OVERHEAD;

	(void)state;
	assert_harmless(text, damage_crlf(text), "crlf");
	assert_harmless(text, damage_bom(text), "bom");
	assert_harmless(text, damage_ansi(text), "ansi");
	assert_harmless(text, damage_nbsp(text), "nbsp");
	for (unsigned depth = 1; depth <= 8; depth++)
		assert_harmless(text, damage_quote(text, depth, "> "), "quoted");
	assert_harmless(
		text,
		damage_surround("Hi,\n\nthe trace of the disk says that it is slow, not the "
				"queue.\n\n",
				text, "\nSo what?\n"),
		"prose");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_times),		cmocka_unit_test(test_overhead),
		cmocka_unit_test(test_damaged_rows),	cmocka_unit_test(test_nothing_measured),
		cmocka_unit_test(test_harmless_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
