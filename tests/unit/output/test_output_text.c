/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text: docs for the terminal, plain, narrow and in colour. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "capture.h"
#include "golden.h"
#include "model/note.h"
#include "output/doc.h"
#include "output/output.h"
#include "test.h"

static const struct doc_column columns[] = {
	{ "metric", DOC_LEFT },	 { "A median", DOC_RIGHT }, { "B median", DOC_RIGHT },
	{ "effect", DOC_RIGHT }, { "interval", DOC_RIGHT }, { "verdict", DOC_LEFT },
};

static void fill_table(struct doc *doc)
{
	struct doc_table *table = doc_table(doc, "metrics", columns, 6);

	doc_row(table);
	doc_text(table, "read.%s", "iops");
	doc_number(table, 1234567, "1/s");
	doc_number(table, 1117283, "1/s");
	doc_number_as(table, -9.5, "%", "-9.5 %%");
	doc_text(table, "[-10.6 %%, -8.3 %%]");
	doc_text(table, "regression");
	doc_row(table);
	doc_text(table, "read.bw_bytes_per_sec");
	doc_number(table, 5056786432, "B/s");
	doc_number(table, 4576391168, "B/s");
	doc_row(table);
	doc_text(table, "read.clat_ns.p99");
	doc_number(table, 812, "ns");
	doc_number(table, 123456, "ns");
	doc_empty(table);
	doc_text(table, "bad\tname\033[2J");
	doc_text(table, "undecided");
	doc_row(table);
	doc_text(table, "cpu.ctx");
	doc_number(table, 1234567, "");
	doc_number(table, NAN, "");
}

static char *print_doc(const struct output_style *style)
{
	CLEANUP(doc) struct doc *doc = doc_create("regio.ab");
	CLEANUP(note_list) struct note_list notes = { .nr = 0 };
	struct capture capture;

	note_add(&notes, NOTE_SKEWED, "mean and median of A differ by 3.4 %%");
	note_add(&notes, NOTE_FEW_IOS, "p99.9 of 1200 I/Os");
	doc_heading(doc, "A against B, %d pairs", 7);
	doc_paragraph(doc,
		      "B is slower: between 8.3 and 10.6 per cent of the I/Os a second are gone, "
		      "and that is more than the 5 per cent that were asked for.");
	fill_table(doc);
	(void)doc_table(doc, "empty", columns, 6); /* prints nothing */
	doc_notes(doc, &notes);
	doc_verbatim(doc, "again: regio ab job.fio --a queue.scheduler=none");
	doc_verbatim(doc, "  -9.5%%  read.iops");
	doc_paragraph(doc, "The end.");

	capture_start(&capture);
	assert_int_equal(output_find("text")->doc(doc, style, capture.to, NULL), 0);
	return capture_end(&capture);
}

/* Subjects of commits and names of candidates are anybody's. */
static void test_control_characters(void **state)
{
	static const struct output_style style = { .color = 0 };
	CLEANUP(doc) struct doc *doc = doc_create("regio.ab");
	CLEANUP(free) char *text = NULL;
	struct capture capture;

	(void)state;
	doc_heading(doc, "found: %s", "red\033[31m\r");
	doc_paragraph(doc, "bell%c of \xc3\xbc", 7);
	capture_start(&capture);
	assert_int_equal(output_find("text")->doc(doc, &style, capture.to, NULL), 0);
	text = capture_end(&capture);
	assert_non_null(strstr(text, "found: red?[31m?\n"));
	assert_non_null(strstr(text, "bell? of \xc3\xbc\n"));
}

static void test_plain(void **state)
{
	CLEANUP(free) char *text = print_doc(&(struct output_style){ .color = 0 });

	(void)state;
	assert_null(strchr(text, '\033'));
	golden_assert("output/text-plain.txt", text);
}

static void test_narrow(void **state)
{
	CLEANUP(free) char *text = print_doc(&(struct output_style){ .width = 50 });

	(void)state;
	golden_assert("output/text-narrow.txt", text);
}

static void test_color(void **state)
{
	CLEANUP(free) char *text = print_doc(&(struct output_style){ .color = 1, .width = 80 });

	(void)state;
	golden_assert("output/text-color.txt", text);
}

static void test_empty(void **state)
{
	CLEANUP(doc) struct doc *doc = doc_create("regio.ab");
	CLEANUP(note_list) struct note_list notes = { .nr = 0 };
	const struct output_style style = { .color = 1 };
	CLEANUP(free) char *text = NULL;
	struct capture capture;

	(void)state;
	doc_notes(doc, &notes);
	capture_start(&capture);
	assert_int_equal(output_find("text")->doc(doc, &style, capture.to, NULL), 0);
	text = capture_end(&capture);
	assert_string_equal(text, "");
	doc_free(NULL);
}

/* What to do about a kind of note stands once, whatever was noted in between. */
static void test_advice_once(void **state)
{
	CLEANUP(doc) struct doc *doc = doc_create("regio.ab");
	CLEANUP(note_list) struct note_list notes = { .nr = 0 };
	const struct output_style style = { .color = 0 };
	CLEANUP(free) char *expected = NULL;
	CLEANUP(free) char *text = NULL;
	struct capture capture;

	(void)state;
	note_add(&notes, NOTE_REGION_CLIPPED, "of A");
	note_add(&notes, NOTE_SKEWED, "between");
	note_add(&notes, NOTE_REGION_CLIPPED, "of B");
	doc_notes(doc, &notes);
	capture_start(&capture);
	assert_int_equal(output_find("text")->doc(doc, &style, capture.to, NULL), 0);
	text = capture_end(&capture);
	expected =
		xasprintf("note: of A\nnote: of B\n      %s\nnote: between\n      %s\n",
			  note_kind(NOTE_REGION_CLIPPED)->advice, note_kind(NOTE_SKEWED)->advice);
	assert_string_equal(text, expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),  cmocka_unit_test(test_control_characters),
		cmocka_unit_test(test_narrow), cmocka_unit_test(test_color),
		cmocka_unit_test(test_empty),  cmocka_unit_test(test_advice_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
