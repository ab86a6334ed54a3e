/* SPDX-License-Identifier: GPL-2.0-or-later */
/* notes_text: caveats for people, the same in every text form. */
#include "output/notes_text.h"

#include <stdbool.h>

#include "model/note.h"
#include "output/output.h"
#include "output/wrap.h"

#define INDENT 6 /* of "note: " */

/* The first of its kind tells all of them: what to do about it stands once, below the last. */
static bool is_first(const struct note_list *notes, size_t at)
{
	return note_list_find(notes, notes->items[at].id) == &notes->items[at];
}

static void print_kind(const struct note_list *notes, enum note_id id,
		       const struct output_style *style, FILE *to)
{
	unsigned width = style ? style->width : 0;

	for (size_t i = 0; i < notes->nr; i++) {
		if (notes->items[i].id != id)
			continue;
		(void)fputs(style && style->color ? "\033[33mnote:\033[0m " : "note: ", to);
		wrap_print(notes->items[i].text, width, INDENT, to);
	}
	(void)fprintf(to, "%*s", INDENT, "");
	wrap_print(note_kind(id)->advice, width, INDENT, to);
}

void notes_text(const struct note_list *notes, const struct output_style *style, FILE *to)
{
	for (size_t i = 0; i < notes->nr; i++) {
		if (is_first(notes, i))
			print_kind(notes, notes->items[i].id, style, to);
	}
}
