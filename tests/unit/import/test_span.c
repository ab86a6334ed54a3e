/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Many lines at once are the same lines as one by one, whatever stands between them. */
#include "collect.h"
#include "damage.h"

#include "import/importer.h"
#include "import/reader.h"

/* All lines, each with its number. */
static char *by_lines(const char *text)
{
	CLEANUP(reader) struct import_reader in;
	struct strbuf out = STRBUF_INIT;
	const struct import_line *line;

	reader_init_memory(&in, "x", text, strlen(text));
	while ((line = import_peek(&in, 0))) {
		strbuf_printf(&out, "%u|%s\n", line->nr, line->text);
		import_next(&in);
	}
	return strbuf_take(&out);
}

static void add_line(struct strbuf *out, unsigned nr, const char *text, size_t len)
{
	while (len && text[len - 1] == ' ')
		len--;
	strbuf_printf(out, "%u|%.*s\n", nr, (int)len, text);
}

/* The same through spans, of which at most nr_lines are consumed at a time. */
static char *by_spans(const char *text, unsigned nr_lines)
{
	CLEANUP(reader) struct import_reader in;
	struct strbuf out = STRBUF_INIT;
	struct import_span span;

	reader_init_memory(&in, "x", text, strlen(text));
	while (import_peek_span(&in, &span)) {
		size_t used = 0;

		for (unsigned i = 0; i < nr_lines && (used < span.len || i == 0); i++) {
			const char *start = span.text + used;
			const char *newline = memchr(start, '\n', span.len - used);
			size_t len = newline ? (size_t)(newline - start) : span.len - used;

			add_line(&out, span.nr + i, start, len);
			used += len + (newline != NULL);
		}
		/* Any byte of the last line will do. */
		import_pass_span(&in, &span,
				 used > 1 ? used - (span.text[used - 1] == '\n') : used);
	}
	return strbuf_take(&out);
}

static void check(const char *text)
{
	CLEANUP(free) char *want = by_lines(text);

	for (unsigned nr_lines = 1; nr_lines <= 1000; nr_lines = nr_lines * 3 + 1) {
		CLEANUP(free) char *got = by_spans(text, nr_lines);

		assert_string_equal(got, want);
	}
}

static void test_same_lines(void **state)
{
	static const char *const texts[] = {
		"",
		"a\n",
		"a",
		"one\ntwo\nthree",
		"one\n> two\nthree\n<b>four</b>\nfive  \n",
		"  {\n  \"a\" : 1,\n  \">=64\" : 0.5,\n  \">=2000\" : 1\n  \">=640\" : 1\n}\n",
		"x=3D1\nplain\nsoft=\nbreak\nplain\n",
		"crlf\r\nplain\nbare\rreturn\nplain\n",
		"tab\tbed\nplain\n^[[1mcolour\nplain\n\xc2\xb1\nplain\n",
		"plain\nplain\n<span\nclass=\"x\">in tag\nplain\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		check(texts[i]);
}

static void test_fixture(void **state)
{
	CLEANUP(free) char *text = source_text("tests/data/import/fio-json/stonewall.json");
	CLEANUP(free) char *quoted = damage_quote(text, 1, "> ");
	CLEANUP(free) char *encoded = damage_quoted_printable(text, 40);
	CLEANUP(free) char *mixed = xasprintf("%s%s%s%s", text, quoted, encoded, text);

	(void)state;
	check(text);
	check(mixed);
}

/* Plain lines come together: that is what spans are for. */
static void test_long_spans(void **state)
{
	CLEANUP(free) char *text = source_text("tests/data/import/fio-json/stonewall.json");
	CLEANUP(reader) struct import_reader in;
	struct import_span span;

	(void)state;
	reader_init_memory(&in, "x", text, strlen(text));
	assert_true(import_peek_span(&in, &span));
	assert_true(span.len > 5000);
	assert_int_equal(span.nr, 1);
	/* Nothing is consumed, or the first line, and the window of lines goes on behind it. */
	import_pass_span(&in, &span, 0);
	assert_string_equal(import_peek(&in, 0)->text, "{");
	assert_true(import_peek_span(&in, &span));
	assert_int_equal(span.len, 1);
	import_pass_span(&in, &span, 1);
	assert_true(import_peek_span(&in, &span));
	assert_int_equal(span.nr, 2);
	import_pass_span(&in, &span, 3);
	assert_int_equal(import_peek(&in, 0)->nr, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_lines),
		cmocka_unit_test(test_fixture),
		cmocka_unit_test(test_long_spans),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
