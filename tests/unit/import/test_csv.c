/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of numbers in their three forms, and what is none of them. */
#include "damage.h"
#include "same.h"

static struct collect collect_csv(const char *text)
{
	return collect_text("f.csv", text, strlen(text));
}

static void assert_values(const struct collect *collect, const char *label, const double *values,
			  size_t nr)
{
	size_t found = 0;

	for (size_t i = 0; i < collect->results.nr; i++) {
		const struct result *result = &collect->results.items[i];

		if (strcmp(result->label, label) != 0)
			continue;
		assert_true(found < nr);
		assert_given(&result->given, "value", values[found]);
		found++;
	}
	assert_int_equal(found, nr);
}

#define ASSERT_VALUES(collect, label, ...)                                                         \
	assert_values(collect, label, (const double[]){ __VA_ARGS__ },                             \
		      sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double))

static void test_one_number_in_a_line(void **state)
{
	CLEANUP(collect)
	struct collect collect = collect_csv(
		"# what the machine did on the day that I had told you.\n108.03\n\n108.4\n-1e3\n");

	(void)state;
	assert_int_equal(collect.results.nr, 3);
	ASSERT_VALUES(&collect, "f.csv", 108.03, 108.4, -1000);
	assert_string_equal(collect.results.items[0].tool, "csv");
	assert_int_equal(collect.results.items[1].source_line, 4);
	assert_int_equal(given_find(&collect.results.items[1].given, "value")->line, 4);
}

static void test_a_single_number(void **state)
{
	CLEANUP(collect) struct collect collect = collect_csv("42\n");

	(void)state;
	ASSERT_VALUES(&collect, "f.csv", 42);
}

static void test_columns_are_samples(void **state)
{
	static const char *const texts[] = {
		"base,\"new, fast\"\n100,110\n101,111\n102,\n",
		"base;\"new, fast\"\n100;110\n101;111\n102;\n",
		"run,base,\"new, fast\"\n1,100,110\n2,101,111\n3,102,NA\n",
		"base , \"new, fast\"\n 100 , 110\n 101 , 111\n 102 , -\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		CLEANUP(collect) struct collect collect = collect_csv(texts[i]);

		assert_int_equal(collect.ret, 0);
		assert_int_equal(collect.results.nr, 5);
		ASSERT_VALUES(&collect, "base", 100, 101, 102);
		ASSERT_VALUES(&collect, "new, fast", 110, 111);
	}
}

static void test_columns_of_blanks(void **state)
{
	CLEANUP(collect)
	struct collect collect = collect_csv("base   new\n 100   110\n 101   111\n");
	CLEANUP(collect) struct collect tabs = collect_csv("base\tnew\n100\t110\n101\t111\n");

	(void)state;
	ASSERT_VALUES(&collect, "new", 110, 111);
	ASSERT_VALUES(&tabs, "new", 110, 111);
}

static void test_columns_without_names(void **state)
{
	CLEANUP(collect) struct collect collect = collect_csv("100,110\n101,111\n");

	(void)state;
	ASSERT_VALUES(&collect, "column 1", 100, 101);
	ASSERT_VALUES(&collect, "column 2", 110, 111);
}

static void test_a_line_for_each_metric(void **state)
{
	CLEANUP(collect)
	struct collect collect =
		collect_csv("stats_source,/r/1,/r/2\nfio.read_iops,1254.5,1121.25\n"
			    "vmstat.io.bi,7,8\n");

	(void)state;
	assert_int_equal(collect.results.nr, 2);
	assert_given(&collect.results.items[1].given, "read.iops", 1121.25);
	assert_given(&collect.results.items[1].given, "vmstat.io.bi", 8);
}

static void test_prose_is_none(void **state)
{
	static const char *const texts[] = {
		"I have measured this:\n100\n101\n",
		"Hi all\n",
		"100 runs were made\n101 runs are better\n",
		"one,two\nthree,four\n",
		"100,110\nno more\n",
		"a,b\n1,2,3\n",
		"",
		"# nothing\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		CLEANUP(collect) struct collect collect = collect_csv(texts[i]);

		if (collect.results.nr)
			fail_msg("'%s'", texts[i]);
		assert_int_equal(collect.ret, -ERR_INPUT);
	}
}

/* Behind the lines that were looked at, the file must go on as it began. */
static void assert_late_fault(const char *fault, const char *message)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;

	strbuf_add_str(&text, "base,new\n");
	for (int i = 0; i < 100; i++)
		strbuf_printf(&text, "%d,%d\n", i, i + 1);
	strbuf_add_str(&text, fault);
	CLEANUP(collect) struct collect collect = collect_csv(strbuf_str(&text));
	assert_int_equal(collect.ret, -ERR_INPUT);
	assert_string_equal(collect.err.msg, message);
}

/* A table in a mail, whose head was wrapped, and one in Markdown with a column of changes. */
static void test_tables_with_bars(void **state)
{
	CLEANUP(collect)
	struct collect mail = collect_csv("Hi,\n\n            \t| 5.1-stable   \t| patched\n"
					  "5.1-stable\n      | none\t | none\n------------\n"
					  "randwrite   \"iops\"\t | 97k \t\t| 77.5k\n\nyours\n");
	CLEANUP(collect)
	struct collect markdown =
		collect_csv("| metric | base | new | change |\n"
			    "|---|---:|---:|---|\n"
			    "| seq read IOPS | 1,597,000 | 1.377M (-13 %) | -13 % |\n"
			    "| p99 | 7 | - | |\n\n");
	CLEANUP(collect) struct collect none = collect_csv("a | b\n---\nc | 10 ms more\n");

	(void)state;
	assert_int_equal(mail.results.nr, 2);
	assert_string_equal(mail.results.items[0].label, "5.1-stable");
	assert_string_equal(mail.results.items[1].label, "patched 5.1-stable");
	assert_given(&mail.results.items[1].given, "write.iops", 77500);
	assert_int_equal(markdown.results.nr, 3);
	assert_string_equal(markdown.results.items[1].label, "new");
	assert_given(&markdown.results.items[0].given, "read.iops", 1597000);
	assert_given(&markdown.results.items[1].given, "read.iops", 1377000);
	assert_given(&markdown.results.items[2].given, "p99", 7);
	assert_int_equal(none.results.nr, 0);
}

static void test_faults(void **state)
{
	(void)state;
	assert_late_fault("1,abc\n", "f.csv:102: 'abc' is not a number");
	assert_late_fault("1,1e999\n", "f.csv:102: number '1e999' is out of range");
	assert_late_fault("1,2,3\n", "f.csv:102: more fields than the 2 columns");
}

static void test_harmless_damage(void **state)
{
	static const char *const texts[] = { "100.5\n101.25\n", "base,new\n100,110\n101,111\n",
					     "fio.read_iops,1254.5,1121.25\n" };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		const char *text = texts[i];

		assert_harmless(text, damage_crlf(text), "crlf");
		assert_harmless(text, damage_bom(text), "bom");
		assert_harmless(text, damage_ansi(text), "ansi");
		assert_harmless(text, damage_html(text), "html");
		for (unsigned depth = 1; depth <= 8; depth++)
			assert_harmless(text, damage_quote(text, depth, "> "), "quoted");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_number_in_a_line),
		cmocka_unit_test(test_a_single_number),
		cmocka_unit_test(test_columns_are_samples),
		cmocka_unit_test(test_columns_of_blanks),
		cmocka_unit_test(test_columns_without_names),
		cmocka_unit_test(test_a_line_for_each_metric),
		cmocka_unit_test(test_prose_is_none),
		cmocka_unit_test(test_tables_with_bars),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_harmless_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
