/* SPDX-License-Identifier: GPL-2.0-or-later */
/* notes_text: caveats for people, the same in every text form. */
#include "output/notes_text.h"

#include "model/note.h"
#include "output/output.h"
#include "output/wrap.h"

#define INDENT 6 /* of "note: " */

void notes_text(const struct note_list *notes, const struct output_style *style, FILE *to)
{
	unsigned width = style ? style->width : 0;

	for (size_t i = 0; i < notes->nr; i++) {
		(void)fputs(style && style->color ? "\033[33mnote:\033[0m " : "note: ", to);
		wrap_print(notes->items[i].text, width, INDENT, to);
		/* several of one kind: what to do about them stands below the last one */
		if (i + 1 < notes->nr && notes->items[i + 1].id == notes->items[i].id)
			continue;
		(void)fprintf(to, "%*s", INDENT, "");
		wrap_print(note_kind(notes->items[i].id)->advice, width, INDENT, to);
	}
}
