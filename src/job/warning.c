/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of warnings: keeps repetitions out, and tells each trap once. */
#include "job/warning.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "job/draft.h"

#define NR_RECENT_WARNINGS 8 /* a value of [global] would else be warned about in every job */

void warning_list_release(struct warning_list *list)
{
	vec_release(&list->told);
}

static bool is_told(const struct warning_list *list, const struct job_warning *warning)
{
	const size_t nr = list->told.nr;

	for (size_t i = nr > NR_RECENT_WARNINGS ? nr - NR_RECENT_WARNINGS : 0; i < nr; i++) {
		const struct job_warning *recent = &list->told.items[i];

		if (recent->line == warning->line && !strcmp(recent->source, warning->source) &&
		    !strcmp(recent->text, warning->text))
			return true;
	}
	return false;
}

void warning_add(struct warning_list *list, struct arena *arena, const struct place *place,
		 const char *format, ...)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	struct job_warning warning = { .source = place->source, .line = place->line };
	va_list args;

	va_start(args, format);
	strbuf_vprintf(&text, format, args);
	va_end(args);
	warning.text = arena_strdup(arena, strbuf_str(&text));
	if (!is_told(list, &warning))
		vec_push(&list->told, warning);
}

void warning_add_trap(struct warning_list *list, struct arena *arena, const struct place *place,
		      enum trap_id trap, const char *text)
{
	const bool is_same_place = list->positions[trap] && list->last_lines[trap] == place->line &&
				   !strcmp(list->last_sources[trap], place->source);

	if (list->positions[trap]) {
		list->told.items[list->positions[trap] - 1].nr_more += !is_same_place;
	} else {
		vec_push(&list->told, (struct job_warning){ .text = arena_strdup(arena, text),
							    .source = place->source,
							    .line = place->line,
							    .trap = trap_row(trap)->name });
		list->positions[trap] = list->told.nr;
	}
	list->last_sources[trap] = place->source;
	list->last_lines[trap] = place->line;
}
