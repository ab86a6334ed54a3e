/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines out of chunks: numbers, pieces of long lines, ends, encodings. */
#include "import/reader.h"

#include "base/arena.h"
#include "damage.h"
#include "test.h"

#include <string.h>
#include <unistd.h>

/* Readers are large: on the heap. */
static struct import_reader *reader_of(const char *text, size_t len)
{
	struct import_reader *in = xcalloc(1, sizeof(*in));

	reader_init_memory(in, "x", text, len);
	return in;
}

static void reader_done(struct import_reader *in)
{
	reader_release(in);
	free(in);
}

static void assert_line(struct import_reader *in, const char *text, unsigned nr)
{
	const struct import_line *line = import_peek(in, 0);

	assert_non_null(line);
	assert_string_equal(line->text, text);
	assert_int_equal(line->len, strlen(text));
	assert_int_equal(line->nr, nr);
	import_next(in);
}

static void test_lines_and_numbers(void **state)
{
	static const char text[] = "a\n  b  \n\n> c\r\nd<br>e\rf\nlast";
	struct import_reader *in = reader_of(text, strlen(text));

	(void)state;
	assert_line(in, "a", 1);
	assert_int_equal(import_peek(in, 0)->indent, 2);
	assert_string_equal(import_body(import_peek(in, 0)), "b");
	assert_line(in, "  b", 2);
	assert_line(in, "", 3);
	assert_line(in, "c", 4);
	assert_line(in, "d", 5);
	assert_line(in, "e", 5);
	assert_line(in, "f", 5);
	assert_true(import_peek(in, 0)->is_cut);
	assert_line(in, "last", 6);
	assert_null(import_peek(in, 0));
	import_next(in);
	assert_null(import_peek(in, 0));
	reader_done(in);
}

static void test_look_ahead(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct import_reader *in;

	(void)state;
	for (int i = 1; i <= 200; i++)
		strbuf_printf(&text, "line %d\n", i);
	in = reader_of(strbuf_str(&text), text.len);
	for (int i = 1; i <= 130; i++) {
		const struct import_line *far = import_peek(in, IMPORT_LOOKAHEAD - 1);

		assert_int_equal(far->nr, i + IMPORT_LOOKAHEAD - 1);
		assert_int_equal(import_peek(in, 0)->nr, i);
		assert_null(import_peek(in, IMPORT_LOOKAHEAD));
		import_next(in);
	}
	reader_done(in);
	strbuf_release(&text);
}

static void test_long_lines_come_in_pieces(void **state)
{
	size_t len = 3 * (size_t)IMPORT_MAX_LINE_LEN + 100;
	CLEANUP(free) char *text = xmalloc(len + 2);
	struct import_reader *in;
	size_t sum = 0;
	unsigned nr = 0;
	const struct import_line *line;

	(void)state;
	memset(text, 'x', len);
	memcpy(text + len, "\na", 2);
	in = reader_of(text, len + 2);
	while ((line = import_peek(in, 0))->is_partial) {
		sum += line->len;
		nr++;
		assert_int_equal(line->nr, 1);
		import_next(in);
	}
	assert_int_equal(nr, 3);
	assert_int_equal(sum + line->len, len);
	assert_int_equal(line->nr, 1);
	import_next(in);
	assert_line(in, "a", 2);
	reader_done(in);
}

static void test_soft_breaks_keep_the_first_number(void **state)
{
	static const char text[] = "one=3D1\ntwo=3D=\n2=\n2\nthree\nend=\n";
	struct import_reader *in = reader_of(text, strlen(text));

	(void)state;
	assert_line(in, "one=1", 1);
	assert_line(in, "two=22", 2);
	assert_line(in, "three", 5);
	assert_line(in, "end", 6);
	assert_null(import_peek(in, 0));
	reader_done(in);
}

static void test_utf16(void **state)
{
	unsigned long len;
	CLEANUP(free) char *wide = damage_utf16("a\r\nb\xc2\xb1\n", &len);
	struct import_reader *in = reader_of(wide, len);

	(void)state;
	assert_line(in, "a", 1);
	/* The test's bytes are Latin-1 in UTF-16. */
	assert_int_equal(import_peek(in, 0)->nr, 2);
	reader_done(in);
}

static void test_binary(void **state)
{
	static const char text[] = "a\nb\0c\nd\n";
	struct import_reader *in = reader_of(text, sizeof(text) - 1);

	(void)state;
	assert_line(in, "a", 1);
	assert_null(import_peek(in, 0));
	assert_true(in->is_binary);
	assert_int_equal(in->binary_line, 2);
	reader_done(in);
}

/* The same lines out of a pipe, whatever the chunks. */
static void test_pipe(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct import_reader *in = xcalloc(1, sizeof(*in));
	int fds[2];
	pid_t child;

	(void)state;
	for (int i = 1; i <= 20000; i++)
		strbuf_printf(&text, "%d %s\n", i, i % 7 ? "x" : "\xc2\xb1 longer");
	assert_int_equal(pipe(fds), 0);
	child = fork();
	if (child == 0) {
		(void)close(fds[0]);
		for (size_t at = 0; at < text.len;) {
			size_t len = 1 + at % 5000;
			ssize_t nr = write(fds[1], text.buf + at,
					   len < text.len - at ? len : text.len - at);

			if (nr < 0)
				_exit(1);
			at += (size_t)nr;
		}
		_exit(0);
	}
	(void)close(fds[1]);
	reader_init_fd(in, "pipe", fds[0]);
	for (int i = 1; i <= 20000; i++) {
		char expected[40];

		(void)snprintf(expected, sizeof(expected), "%d %s", i,
			       i % 7 ? "x" : "\xc2\xb1 longer");
		assert_line(in, expected, (unsigned)i);
	}
	assert_null(import_peek(in, 0));
	reader_done(in);
	strbuf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_and_numbers),
		cmocka_unit_test(test_look_ahead),
		cmocka_unit_test(test_long_lines_come_in_pieces),
		cmocka_unit_test(test_soft_breaks_keep_the_first_number),
		cmocka_unit_test(test_utf16),
		cmocka_unit_test(test_binary),
		cmocka_unit_test(test_pipe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
