/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_IMPORT_HEADING_H
#define REGIO_IMPORT_HEADING_H

/*
 * Finds the heading of an output in the prose above it: a line that is underlined, ends with ':',
 * is marked as one, or stands alone. Commands, sentences and mail headers are none. Outputs that
 * follow one heading are repeats of one measurement and share it; a separator between parts of a
 * mail ends it, and so does an output that is quoted more or less often: it is somebody else's.
 */

#include <stdbool.h>

#include "base/strbuf.h"
#include "import/attachment.h"

struct import_line;

#define HEADING_MAX_LEN 120
#define HEADING_MAX_LINES 3 /* of a paragraph that may hold a heading */

struct heading {
	struct strbuf text;	 /* of the last heading; empty = none since the last separator */
	struct strbuf candidate; /* of the paragraph that has not ended yet */
	bool is_certain;	 /* the candidate is one whatever follows */
	bool has_depth;		 /* an output was seen; the first one was quoted so often */
	unsigned first_depth;
	unsigned depth;	   /* how often the last output was quoted .. */
	bool is_used;	   /* .. which had the heading in text */
	unsigned nr_lines; /* of that paragraph */
	unsigned nr_parts; /* separators seen */
	struct attachments attachments;
};

/* A line that belongs to no output. */
void heading_add(struct heading *heading, const struct import_line *line);

/* An output begins that is quoted depth times: the paragraph above it has ended. */
void heading_close(struct heading *heading, unsigned depth);

/* Appends the label of an output that begins here. True: it is guessed from the order of
 * attachments. */
bool heading_label(const struct heading *heading, const char *file_name, struct strbuf *out);

void heading_release(struct heading *heading);

#endif
