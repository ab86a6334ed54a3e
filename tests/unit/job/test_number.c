/* SPDX-License-Identifier: GPL-2.0-or-later */
/* number: sizes, counts, times and ranges of job files, and what fio would make of them. */
#include "job/number.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "test.h"

#define KIB UINT64_C(1024)
#define US UINT64_C(1000)
#define S UINT64_C(1000000000)

struct number_case {
	const char *text;
	unsigned kb_base;
	uint64_t expected;
	const char *note; /* NULL = fio reads it alike */
};

static const struct number_case size_cases[] = {
	{ "0", 1024, 0, NULL },
	{ "4096", 1024, 4096, NULL },
	{ "0010", 1024, 10, NULL },
	{ "18446744073709551615", 1024, UINT64_MAX, NULL },
	{ "10b", 1024, 10, NULL },
	{ "10B", 1024, 10, NULL },
	{ "4k", 1024, 4 * KIB, NULL },
	{ "4K", 1024, 4 * KIB, NULL },
	{ "4kb", 1024, 4 * KIB, NULL },
	{ "4kB", 1024, 4 * KIB, NULL },
	{ "1m", 1024, KIB *KIB, NULL },
	{ "1MB", 1024, KIB *KIB, NULL },
	{ "1g", 1024, KIB *KIB *KIB, NULL },
	{ "1t", 1024, KIB *KIB *KIB *KIB, NULL },
	{ "1p", 1024, KIB *KIB *KIB *KIB *KIB, NULL },
	{ "16383p", 1024, 16383 * KIB *KIB *KIB *KIB *KIB, NULL },
	{ "1Gi", 1024, KIB *KIB *KIB, NULL },
	{ "1kib", 1024, 1024, "'1kib' is 1024 bytes here; fio takes it as 1000" },
	{ "1MiB", 1024, KIB *KIB, "'1MiB' is 1048576 bytes here; fio takes it as 1000000" },
	{ "2GiB", 1024, 2 * KIB *KIB *KIB,
	  "'2GiB' is 2147483648 bytes here; fio takes it as 2000000000" },
	{ "1k", 1000, 1000, NULL },
	{ "1kb", 1000, 1000, NULL },
	{ "1m", 1000, 1000000, NULL },
	{ "1KiB", 1000, 1024, NULL },
	{ "1MiB", 1000, KIB *KIB, NULL },
	{ "1Mi", 1000, KIB *KIB, "'1Mi' is 1048576 bytes here; fio takes it as 1000000" },
	{ "0x1000", 1024, 4096, NULL },
	{ "0XfF", 1024, 255, NULL },
	{ "(1.5k)", 1024, 1536, "'(1.5k)' is 1536; most builds of fio refuse it" },
	{ "(1k)", 1000, 1000, "'(1k)' is 1000; most builds of fio refuse it" },
};

static void check_number(const struct number_case *row,
			 int (*parse)(struct number_reader *, const char *, uint64_t *,
				      struct err *))
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	struct number_reader reader = { .arena = &arena, .kb_base = row->kb_base };
	struct err err = { .code = 0 };
	uint64_t value = 77;

	if (parse(&reader, row->text, &value, &err) < 0)
		fail_msg("%s: %s", row->text, err.msg);
	if (value != row->expected)
		fail_msg("%s: %llu", row->text, (unsigned long long)value);
	if (!row->note)
		assert_null(reader.note);
	else
		assert_string_equal(reader.note, row->note);
}

static void test_sizes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(size_cases) / sizeof(size_cases[0]); i++) {
		check_number(&size_cases[i], number_parse_size);
		check_number(&size_cases[i], number_parse_count);
	}
}

struct refusal {
	const char *text;
	enum err_code code;
	const char *message;
};

/* fio takes most of these and drops what it does not know. */
static const struct refusal size_refusals[] = {
	{ "", ERR_INPUT, "'' is not a size" },
	{ "k", ERR_INPUT, "'k' is not a size" },
	{ "4kk", ERR_INPUT, "'4kk' is not a size" },
	{ "1mx", ERR_INPUT, "'1mx' is not a size" },
	{ "4 k", ERR_INPUT, "'4 k' is not a size" },
	{ "1e3", ERR_INPUT, "'1e3' is not a size" },
	{ "1.5k", ERR_INPUT, "'1.5k' is not a size: it must be a whole number" },
	{ "0.5", ERR_INPUT, "'0.5' is not a size: it must be a whole number" },
	{ "-1", ERR_INPUT, "'-1' is not a size" },
	{ "+4k", ERR_INPUT, "'+4k' is not a size" },
	{ "4k,8k", ERR_INPUT, "'4k,8k' is not a size: only one is expected" },
	{ "4k-8k", ERR_INPUT, "'4k-8k' is not a size" },
	{ "0x", ERR_INPUT, "'0x' is not a size" },
	{ "0x1k", ERR_INPUT, "'0x1k' is not a size" },
	{ "1i", ERR_INPUT, "'1i' is not a size" },
	{ "1e", ERR_INPUT, "'1e' is not a size" },
	{ "50%", ERR_INPUT, "'50%' is not a size" },
	{ "(4k", ERR_INPUT, "'(4k' cannot be computed" },
	{ "(1/2)", ERR_INPUT, "'(1/2)' is 0.5: it must be whole and not negative" },
	{ "(1-2)", ERR_INPUT, "'(1-2)' is -1: it must be whole and not negative" },
	{ "10z", ERR_INPUT, "'10z': this size cannot be given in zones" },
	{ "18446744073709551616", ERR_INPUT, "'18446744073709551616' is too large" },
	{ "16384p", ERR_INPUT, "'16384p' is too large" },
	{ "4\tk\x1b", ERR_INPUT, "'4?k?' is not a size" },
};

static void test_size_refusals(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(size_refusals) / sizeof(size_refusals[0]); i++) {
		const struct refusal *row = &size_refusals[i];
		CLEANUP(arena) struct arena arena = ARENA_INIT;
		struct number_reader reader = { .arena = &arena, .kb_base = 1024 };
		struct err err = { .code = 0 };
		uint64_t value = 77;

		assert_int_equal(number_parse_size(&reader, row->text, &value, &err),
				 -(int)row->code);
		assert_string_equal(err.msg, row->message);
		assert_int_equal(value, 77);
		assert_null(reader.note);
	}
}

static const struct time_case {
	const char *text;
	uint64_t unit_ns, expected_ns;
	const char *note;
} time_cases[] = {
	{ "0", S, 0, NULL },
	{ "30", S, 30 * S, NULL },
	{ "30", US, 30 * US, NULL },
	{ "30s", US, 30 * S, NULL },
	{ "10us", S, 10 * US, NULL },
	{ "10usec", S, 10 * US, NULL },
	{ "10ms", S, 10000 * US, NULL },
	{ "10MSEC", S, 10000 * US, NULL },
	{ "2m", US, 120 * S, NULL },
	{ "1h", US, 3600 * S, NULL },
	{ "1d", US, 86400 * S, NULL },
	{ "1D", US, 86400 * S, NULL },
	{ "0x10", S, 16 * S, "'0x10' is taken as written; fio reads it as 16 us" },
	{ "(1.5m + 2 * 5)", S, 100 * S, "'(1.5m + 2 * 5)' is 100; most builds of fio refuse it" },
	{ "500ms", 1000 * US, 500000 * US,
	  "'500ms' is taken as written; fio knows no units of time here" },
	{ "1sec", S, S, "'1sec' is taken as written; fio reads it as 1 us" },
	{ "2seconds", S, 2 * S, "'2seconds' is taken as written; fio reads it as 2 us" },
	{ "1min", S, 60 * S, "'1min' is taken as written; fio reads it as 1 us" },
	{ "2minutes", S, 120 * S, "'2minutes' is taken as written; fio reads it as 2 us" },
	{ "1hour", S, 3600 * S, "'1hour' is taken as written; fio reads it as 1 us" },
	{ "7days", S, 7 * 86400 * S, "'7days' is taken as written; fio reads it as 7 us" },
	{ "500ns", S, 500, "'500ns' is taken as written; fio reads it as 500 us" },
};

static void test_times(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(time_cases) / sizeof(time_cases[0]); i++) {
		const struct time_case *row = &time_cases[i];
		CLEANUP(arena) struct arena arena = ARENA_INIT;
		struct number_reader reader = { .arena = &arena, .kb_base = 1024 };
		struct err err = { .code = 0 };
		uint64_t ns = 77;

		if (number_parse_time(&reader, row->text, row->unit_ns, &ns, &err) < 0)
			fail_msg("%s: %s", row->text, err.msg);
		assert_int_equal(ns, row->expected_ns);
		if (!row->note)
			assert_null(reader.note);
		else
			assert_string_equal(reader.note, row->note);
	}
}

static const struct refusal time_refusals[] = {
	{ "", ERR_INPUT, "'' is not a time" },
	{ "abc", ERR_INPUT, "'abc' is not a time" },
	{ "0.5", ERR_INPUT, "'0.5' is not a time: it must be a whole number" },
	{ "1.5s", ERR_INPUT, "'1.5s' is not a time: it must be a whole number" },
	{ "10xs", ERR_INPUT, "'10xs' is not a time" },
	{ "10 s", ERR_INPUT, "'10 s' is not a time" },
	{ "10k", ERR_INPUT, "'10k' is not a time" },
	{ "-1", ERR_INPUT, "'-1' is not a time" },
	{ "(1x)", ERR_INPUT, "'(1x)' cannot be computed" },
	{ "999999999999d", ERR_INPUT, "'999999999999d' is too large" },
	{ "99999999999999999999", ERR_INPUT, "'99999999999999999999' is too large" },
};

static void test_time_refusals(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(time_refusals) / sizeof(time_refusals[0]); i++) {
		const struct refusal *row = &time_refusals[i];
		CLEANUP(arena) struct arena arena = ARENA_INIT;
		struct number_reader reader = { .arena = &arena, .kb_base = 1024 };
		struct err err = { .code = 0 };
		uint64_t ns = 77;

		assert_int_equal(number_parse_time(&reader, row->text, S, &ns, &err),
				 -(int)row->code);
		assert_string_equal(err.msg, row->message);
		assert_int_equal(ns, 77);
	}
}

static const struct range_case {
	const char *text;
	uint64_t min, max; /* both 0: refused */
} range_cases[] = {
	{ "4k-64k", 4 * KIB, 64 * KIB },
	{ "4k:64k", 4 * KIB, 64 * KIB },
	{ "64k-4k", 4 * KIB, 64 * KIB },
	{ "4k-4k", 4 * KIB, 4 * KIB },
	{ "1-2", 1, 2 },
	{ "4k", 0, 0 },
	{ "4k-", 0, 0 },
	{ "-4k", 0, 0 },
	{ "4k-8k-16k", 0, 0 },
	{ "a-b", 0, 0 },
};

static void test_size_ranges(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(range_cases) / sizeof(range_cases[0]); i++) {
		const struct range_case *row = &range_cases[i];
		CLEANUP(arena) struct arena arena = ARENA_INIT;
		struct number_reader reader = { .arena = &arena, .kb_base = 1024 };
		uint64_t min = 0;
		uint64_t max = 0;
		int ret = number_parse_size_range(&reader, row->text, &min, &max, NULL);

		assert_int_equal(ret, row->max ? 0 : -ERR_INPUT);
		assert_int_equal(min, row->min);
		assert_int_equal(max, row->max);
	}
}

static void test_time_ranges(void **state)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	struct number_reader reader = { .arena = &arena, .kb_base = 1024 };
	uint64_t min;
	uint64_t max;

	(void)state;
	assert_int_equal(number_parse_time_range(&reader, "5-10", S, &min, &max, NULL), 0);
	assert_int_equal(min, 5 * S);
	assert_int_equal(max, 10 * S);
	assert_int_equal(number_parse_time_range(&reader, "10ms-5us", S, &min, &max, NULL), 0);
	assert_int_equal(min, 5 * US);
	assert_int_equal(max, 10000 * US);
	assert_int_equal(number_parse_time_range(&reader, "7", S, &min, &max, NULL), 0);
	assert_int_equal(min, 7 * S);
	assert_int_equal(max, 7 * S);
	assert_int_equal(number_parse_time_range(&reader, "7-", S, &min, &max, NULL), -ERR_INPUT);
}

static void test_short_text(void **state)
{
	struct short_text quoted;
	char text[200];

	(void)state;
	assert_string_equal(short_text("plain", &quoted), "plain");
	assert_string_equal(short_text("a\tb\x7f\xc3\xa9", &quoted), "a?b?\xc3\xa9");
	memset(text, 'x', sizeof(text));
	text[79] = '\0';
	assert_string_equal(short_text(text, &quoted), text); /* just fits */
	text[79] = 'x';
	text[80] = '\0';
	assert_int_equal(strlen(short_text(text, &quoted)), 79);
	assert_string_equal(quoted.buf + 76, "...");
	/* A letter of several bytes is not cut in two. */
	memcpy(text + 75, "\xe2\x82\xac", 3);
	assert_int_equal(strlen(short_text(text, &quoted)), 78);
	assert_string_equal(quoted.buf + 74, "x...");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),	    cmocka_unit_test(test_size_refusals),
		cmocka_unit_test(test_times),	    cmocka_unit_test(test_time_refusals),
		cmocka_unit_test(test_size_ranges), cmocka_unit_test(test_time_ranges),
		cmocka_unit_test(test_short_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
