/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_json_scan: events of good and damaged text, whatever the pieces are that it comes in. */
#include "base/json_scan.h"

#include "test.h"

#include <string.h>

#include "base/rng.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

/* Gives text out in pieces of nr_bytes that join, or line by line. */
struct feed {
	const char *text;
	size_t len;
	size_t nr_bytes; /* 0 = lines, which do not join */
	unsigned line;
	char piece[4096]; /* overwritten, so that pointers into an old piece are seen */
};

static bool feed_next(void *context, struct json_piece *ret_piece)
{
	struct feed *feed = context;
	const char *newline = memchr(feed->text, '\n', feed->len);
	size_t len = feed->nr_bytes && feed->nr_bytes < feed->len ? feed->nr_bytes : feed->len;
	bool is_joined = feed->nr_bytes != 0;
	unsigned line = feed->line;

	memset(feed->piece, '#', sizeof(feed->piece));
	if (!feed->len)
		return false;
	if (!is_joined && newline)
		len = (size_t)(newline - feed->text);
	assert_true(len <= sizeof(feed->piece));
	memcpy(feed->piece, feed->text, len);
	*ret_piece = (struct json_piece){
		.text = feed->piece, .len = len, .line = line, .is_joined = is_joined
	};
	for (size_t i = 0; i < len; i++)
		feed->line += feed->text[i] == '\n';
	if (!is_joined && newline) {
		len++;
		feed->line++;
	}
	feed->text += len;
	feed->len -= len;
	return true;
}

/* "key=text@line" for each event, one after the other. */
static void describe(const struct json_scan *scan, enum json_event event, struct strbuf *out)
{
	static const char *const names[] = { "end", "{",  "[",	 "close", "s:",
					     "n:",  "w:", "cut", "fault" };

	if (out->len)
		strbuf_add_char(out, ' ');
	if (scan->key) {
		strbuf_add(out, scan->key, scan->key_len);
		strbuf_add_char(out, '=');
	}
	strbuf_add_str(out, names[event]);
	strbuf_add(out, scan->text ? scan->text : "", scan->len);
	if (event == JSON_FAULT)
		strbuf_printf(out, "(%s)", scan->fault);
	if (event != JSON_NONE)
		strbuf_printf(out, "@%u", scan->line);
}

static void scan_all(const char *text, size_t nr_bytes, struct strbuf *out)
{
	struct feed feed = { .text = text, .len = strlen(text), .nr_bytes = nr_bytes, .line = 1 };
	CLEANUP(json_scan) struct json_scan scan = { .depth = 0 };
	enum json_event event;

	json_scan_init(&scan, (struct json_source){ .next = feed_next, .context = &feed });
	strbuf_reset(out);
	do {
		event = json_scan_next(&scan);
		describe(&scan, event, out);
	} while (event != JSON_NONE && event != JSON_CUT && event != JSON_FAULT);
}

struct row {
	const char *text;
	const char *events;
};

/* The same events for pieces of every size. */
static void check_rows(const struct row *rows, size_t nr)
{
	CLEANUP(strbuf) struct strbuf events = STRBUF_INIT;

	for (size_t i = 0; i < nr; i++) {
		for (size_t nr_bytes = 0; nr_bytes <= strlen(rows[i].text); nr_bytes++) {
			scan_all(rows[i].text, nr_bytes, &events);
			if (strcmp(strbuf_str(&events), rows[i].events) != 0)
				fail_msg("'%s' by %zu: %s, wanted %s", rows[i].text, nr_bytes,
					 strbuf_str(&events), rows[i].events);
		}
	}
}

static void test_values(void **state)
{
	static const struct row rows[] = {
		{ "", "end" },
		{ " \n\t\r ", "end" },
		{ "{}", "{@1 close@1 end" },
		{ "[]", "[@1 close@1 end" },
		{ "{\"a\":1}", "{@1 a=n:1@1 close@1 end" },
		{ "{ \"a b\" : -1.5e+3 , \"c\":\"d\" }",
		  "{@1 a b=n:-1.5e+3@1 c=s:d@1 close@1 end" },
		{ "{\n\"a\"\n:\n12\n,\n\"b\" : [ 1, {} ]\n}\n",
		  "{@1 a=n:12@4 b=[@6 n:1@6 {@6 close@6 close@6 close@7 end" },
		{ "[true,false,null,nan,-nan,inf,-inf]",
		  "[@1 w:true@1 w:false@1 w:null@1 w:nan@1 w:-nan@1 w:inf@1 w:-inf@1 close@1 end" },
		{ "{\"a\":0123,\"b\":+4}", "{@1 a=n:0123@1 b=n:+4@1 close@1 end" },
		{ "{\"a\":{\"b\":{\"c\":\"d\"}}}",
		  "{@1 a={@1 b={@1 c=s:d@1 close@1 close@1 close@1 end" },
		{ "{\"\":\"\"}", "{@1 =s:@1 close@1 end" },
	};

	(void)state;
	check_rows(rows, NR(rows));
}

static void test_documents(void **state)
{
	static const struct row rows[] = {
		{ "{}{}", "{@1 close@1 {@1 close@1 end" },
		{ "{} , {}\n,\n{}", "{@1 close@1 {@1 close@1 {@3 close@3 end" },
		{ "[{\"a\":1},{\"a\":2}]",
		  "[@1 {@1 a=n:1@1 close@1 {@1 a=n:2@1 close@1 close@1 end" },
		{ "{}\nprose", "{@1 close@1 fault(no '{' where a document belongs)@2" },
	};

	(void)state;
	check_rows(rows, NR(rows));
}

static void test_strings(void **state)
{
	static const struct row rows[] = {
		{ "[\"a\\\"b\\\\\"]", "[@1 s:a\"b\\@1 close@1 end" },
		{ "[\"\\/\\b\\f\\n\\r\\t\"]", "[@1 s:/\b\f\n\r\t@1 close@1 end" },
		{ "[\"\\u0041\\u00e9\\u20AC\"]", "[@1 s:A\xc3\xa9\xe2\x82\xac@1 close@1 end" },
		{ "[\"\\ud83d\\ude00\"]", "[@1 s:\xf0\x9f\x98\x80@1 close@1 end" },
		{ "[\"\\ud83dx\\ude00\\u0000\"]", "[@1 s:?x??@1 close@1 end" },
		{ "[\"C\\:\\dir\\\\x\"]", "[@1 s:C\\:\\dir\\x@1 close@1 end" },
		{ "[\"\\u12\",\"\\uzz\"]", "[@1 s:\\u12@1 s:\\uzz@1 close@1 end" },
		/* broken by a mailer */
		{ "[\"Mon Nov \n  30\"]", "[@1 s:Mon Nov 30@1 close@2 end" },
		{ "{\"fio\nversion\" : \"fio-3\"}", "{@1 fio version=s:fio-3@2 close@2 end" },
		{ "[\"a\n\n\nb\"]", "[@1 s:a b@1 close@4 end" },
	};

	(void)state;
	check_rows(rows, NR(rows));
}

static void test_damage(void **state)
{
	static const struct row rows[] = {
		{ "{", "{@1 cut@1" },
		{ "{\"a", "{@1 cut@1" },
		{ "{\"a\"", "{@1 a=cut@1" },
		{ "{\"a\":", "{@1 a=cut@1" },
		/* 12 may be the beginning of 123 */
		{ "{\"a\":12", "{@1 a=cut@1" },
		{ "{\"a\":12\nBest regards", "{@1 a=fault(a value without an end)@2" },
		{ "{\"a\":\"b\"", "{@1 a=s:b@1 cut@1" },
		{ "[1,2", "[@1 n:1@1 cut@1" },
		{ "[1 2]", "[@1 fault(a value without an end)@1" },
		{ "[\"a\" \"b\"]", "[@1 s:a@1 fault(no ',' between two values)@1" },
		{ "[}", "[@1 fault(the wrong closing bracket)@1" },
		{ "{]", "{@1 fault(the wrong closing bracket)@1" },
		{ "{a:1}", "{@1 fault(no key where one belongs)@1" },
		{ "{\"a\" 1}", "{@1 a=fault(no ':' after a key)@1" },
		{ "[nope]", "[@1 fault(neither a value nor the end)@1" },
		{ "[1.]", "[@1 n:1.@1 close@1 end" },
		{ "[1e]", "[@1 fault(neither a value nor the end)@1" },
		{ "[.]", "[@1 fault(neither a value nor the end)@1" },
		{ "[--1]", "[@1 fault(neither a value nor the end)@1" },
		{ "[#]", "[@1 fault(neither a value nor the end)@1" },
		{ "prose", "fault(no '{' where a document belongs)@1" },
		/* edited by hand */
		{ "{\"a\":1,}", "{@1 a=n:1@1 close@1 end" },
		{ "[1,,2]", "[@1 n:1@1 fault(neither a value nor the end)@1" },
		/* a string does not run into the next document */
		{ "{\"a\":\"b\n{\"c\":1}", "{@1 a=fault(a string that does not end)@2" },
		{ "{\"a\n{\"c\":1}", "{@1 fault(a string that does not end)@2" },
	};

	(void)state;
	check_rows(rows, NR(rows));
}

static void test_limits(void **state)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf events = STRBUF_INIT;

	(void)state;
	strbuf_add_repeat(&text, '[', JSON_SCAN_MAX_DEPTH);
	strbuf_add_repeat(&text, ']', JSON_SCAN_MAX_DEPTH);
	scan_all(strbuf_str(&text), 1, &events);
	assert_non_null(strstr(strbuf_str(&events), "close@1 end"));

	strbuf_reset(&text);
	strbuf_add_repeat(&text, '[', JSON_SCAN_MAX_DEPTH + 1);
	scan_all(strbuf_str(&text), 1, &events);
	assert_non_null(strstr(strbuf_str(&events), "fault(too many brackets are open)"));

	strbuf_reset(&text);
	strbuf_add_str(&text, "[\"");
	strbuf_add_repeat(&text, '\n', JSON_SCAN_MAX_BREAKS);
	for (int i = 0; i < JSON_SCAN_MAX_BREAKS; i++)
		strbuf_add_str(&text, "x\n");
	strbuf_add_str(&text, "y\"]");
	scan_all(strbuf_str(&text), 1, &events);
	assert_string_equal(strbuf_str(&events), "[@1 fault(a string that does not end)@16");

	strbuf_reset(&text);
	strbuf_add_str(&text, "[\"\\\\");
	strbuf_add_repeat(&text, 'x', JSON_SCAN_MAX_STRING);
	strbuf_add_str(&text, "\"]");
	scan_all(strbuf_str(&text), 4000, &events);
	assert_non_null(strstr(strbuf_str(&events), "fault(a string of more than 1 MiB)"));

	strbuf_reset(&text);
	strbuf_add_str(&text, "[");
	strbuf_add_repeat(&text, '1', 5000);
	strbuf_add_str(&text, "]");
	scan_all(strbuf_str(&text), 7, &events);
	assert_non_null(strstr(strbuf_str(&events), "fault(a number of too many digits)"));
}

static void test_passing_over(void **state)
{
	static const char text[] = "{\"a\":{\"b\":[1,{\"c\":2}],\"d\":3},\"e\":4}";
	struct feed feed = { .text = text, .len = strlen(text), .nr_bytes = 3, .line = 1 };
	CLEANUP(json_scan) struct json_scan scan = { .depth = 0 };

	(void)state;
	json_scan_init(&scan, (struct json_source){ .next = feed_next, .context = &feed });
	assert_int_equal(json_scan_next(&scan), JSON_OBJECT);
	assert_int_equal(json_scan_next(&scan), JSON_OBJECT);
	assert_true(json_scan_is_key(&scan, "a"));
	assert_int_equal(scan.depth, 2);
	assert_int_equal(json_scan_skip(&scan), JSON_CLOSE);
	assert_int_equal(scan.depth, 1);
	assert_int_equal(json_scan_next(&scan), JSON_NUMBER);
	assert_true(json_scan_is_key(&scan, "e"));
	assert_false(json_scan_is_key(&scan, "e "));
	assert_int_equal(json_scan_next(&scan), JSON_CLOSE);
	assert_false(json_scan_is_key(&scan, "e"));
	assert_false(json_scan_has_more_here(&scan));
}

/* A document that was cut where the next one begins, with a bracket open that takes it in. */
static void test_restart(void **state)
{
	static const char text[] = "{\"jobs\":[\n{\"version\":1,\"jobs\":[]}";
	struct feed feed = { .text = text, .len = strlen(text), .line = 1 };
	CLEANUP(json_scan) struct json_scan scan = { .depth = 0 };

	(void)state;
	json_scan_init(&scan, (struct json_source){ .next = feed_next, .context = &feed });
	for (int i = 0; i < 4; i++)
		(void)json_scan_next(&scan);
	assert_true(json_scan_is_key(&scan, "version"));
	assert_int_equal(scan.depth, 3);
	json_scan_restart(&scan);
	assert_true(json_scan_is_key(&scan, "version"));
	assert_int_equal(json_scan_next(&scan), JSON_ARRAY);
	assert_int_equal(json_scan_next(&scan), JSON_CLOSE);
	assert_int_equal(json_scan_next(&scan), JSON_CLOSE);
	assert_int_equal(scan.depth, 0);
	assert_int_equal(json_scan_next(&scan), JSON_NONE);
}

static void check_number(const char *text)
{
	double value = -1;

	assert_true(json_number(text, strlen(text), &value));
	if (value != strtod(text, NULL))
		fail_msg("'%s' became %.17g", text, value);
}

static void test_numbers(void **state)
{
	static const char *const texts[] = {
		"0",
		"-0",
		"1",
		"123456789012345678",
		"9007199254740993",
		"0.1",
		"1234567.123456",
		"29330065.634562",
		"0.000001",
		"18446744073709551615",
		"-17.25",
		"1e3",
		"1.5E-7",
		"123456789.123456789012",
		"00012.5",
		"5.",
		".5",
		"1e308",
	};
	struct rng rng;
	char text[64];
	double value = 7;

	(void)state;
	for (size_t i = 0; i < NR(texts); i++)
		check_number(texts[i]);
	rng_init(&rng, 42);
	for (int i = 0; i < 20000; i++) {
		(void)snprintf(text, sizeof(text), "%.*f", (int)rng_below(&rng, 10),
			       rng_double(&rng) * (double)(1ULL << rng_below(&rng, 60)));
		check_number(text);
	}
	assert_false(json_number("", 0, &value));
	assert_false(json_number("1e999", 5, &value));
	assert_false(json_number("12x", 3, &value));
	assert_false(json_number("-", 1, &value));
	assert_false(json_number(".", 1, &value));
	memset(text, '1', sizeof(text));
	assert_true(json_number(text, sizeof(text), &value));
	assert_true(value > 1.1e63 && value < 1.2e63);
}

static void test_whole_numbers(void **state)
{
	static const char *const bad[] = {
		"", "-1", "+1", "1.0", "1e3", "18446744073709551616", "99999999999999999999"
	};
	uint64_t value = 0;

	(void)state;
	assert_true(json_number_u64("0", 1, &value));
	assert_int_equal(value, 0);
	assert_true(json_number_u64("18446744073709551615", 20, &value));
	assert_true(value == UINT64_MAX);
	for (size_t i = 0; i < NR(bad); i++)
		assert_false(json_number_u64(bad[i], strlen(bad[i]), &value));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),	      cmocka_unit_test(test_documents),
		cmocka_unit_test(test_strings),	      cmocka_unit_test(test_damage),
		cmocka_unit_test(test_limits),	      cmocka_unit_test(test_passing_over),
		cmocka_unit_test(test_restart),	      cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_whole_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
