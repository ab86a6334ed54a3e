/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_UNIT_OUTPUT_SAMPLE_DOC_H
#define REGIO_TESTS_UNIT_OUTPUT_SAMPLE_DOC_H

/* A doc with one of everything, and with what is hard to print. Golden files hold it. */

#include <math.h>

#include "model/note.h"
#include "output/doc.h"

static inline struct doc *sample_doc(void)
{
	static const struct doc_column columns[] = {
		{ "metric", DOC_LEFT },
		{ "base", DOC_RIGHT },
		{ "effect", DOC_RIGHT | DOC_PEOPLE },
		{ "ratio", DOC_RIGHT | DOC_DATA },
		{ "verdict", DOC_LEFT },
	};
	static const struct doc_column pair[] = { { "key", DOC_LEFT }, { "value", DOC_LEFT } };
	struct doc *doc = doc_create("regio.sample");
	struct doc_table *table;
	CLEANUP(note_list) struct note_list notes = { .nr = 0 };

	doc_heading(doc, "A against B | `first`");
	doc_paragraph(doc, "B is slower than <A>.");
	table = doc_table(doc, "metrics", columns, 5);
	doc_row(table);
	doc_text(table, "write.iops");
	doc_number(table, 2518, "1/s");
	doc_text(table, "-25.2 %%");
	doc_number(table, 1884.0 / 2518.0, "");
	doc_text(table, "regression");
	doc_row(table);
	doc_text(table, "odd, \"quoted\" | name");
	doc_number(table, NAN, "ns");
	doc_empty(table);
	doc_number(table, INFINITY, "");
	doc_row(table);
	doc_text(table, "two\nlines");
	doc_number(table, 0.1, "B/s");
	(void)doc_table(doc, "empty", pair, 2);
	table = doc_table(doc, "settings", pair, 2);
	doc_row(table);
	doc_text(table, "queue.scheduler");
	doc_text(table, "[none] mq-deadline");
	note_add(&notes, NOTE_SKEWED, "mean and median of A, B differ by 3.4 %%");
	doc_notes(doc, &notes);
	doc_verbatim(doc, "regio compare a.txt ```b.txt");
	return doc;
}

#endif
