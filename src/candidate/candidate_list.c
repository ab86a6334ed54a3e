/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list: the lines of a file, in their order; what they mean is known to the command alone. */
#include <string.h>

#include "base/err.h"
#include "base/name_index.h"
#include "candidate/candidate_sources.h"
#include "candidate/lines.h"

struct list_reader {
	struct candidate_source *source;
	struct name_index seen; /* borrows the ids */
};

static int take_line(void *arg, const char *line, struct err *err)
{
	struct list_reader *reader = arg;
	struct candidate_list *list = &reader->source->list;

	if (name_index_find(&reader->seen, line))
		return err_set(err, ERR_INPUT, "candidate '%s' stands in the list twice", line);
	candidate_list_add(list, line, line, "");
	(void)name_index_place(&reader->seen, vec_last(list)->id, list->nr - 1);
	return 0;
}

static int list_open(struct candidate_source *source, const struct candidate_request *request,
		     struct err *err)
{
	struct list_reader reader = { .source = source };
	int ret = lines_read(request->where, take_line, &reader, err);

	name_index_release(&reader.seen);
	return ret;
}

const struct candidate_ops candidate_list = {
	.name = "list",
	.noun = "candidate",
	.nouns = "candidates",
	.summary = "the lines of a file, from good to bad",
	.open = list_open,
};
