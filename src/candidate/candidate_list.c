/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list: the lines of a file, in their order; what they mean is known to the command alone. */
#include "candidate/candidate_sources.h"
#include "candidate/lines.h"

static int take_line(void *arg, const char *line, struct err *err)
{
	(void)err;
	candidate_list_add(arg, line, line, "");
	return 0;
}

static int list_open(struct candidate_source *source, const struct candidate_request *request,
		     struct err *err)
{
	return lines_read(request->where, take_line, &source->list, err);
}

const struct candidate_ops candidate_list = {
	.name = "list",
	.noun = "candidate",
	.nouns = "candidates",
	.summary = "the lines of a file, from good to bad",
	.open = list_open,
};
