/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lkp: the comparison table of the 0-day robot, and nothing around it. */
#include "output/output.h"

#include <stdbool.h>

#include "base/err.h"
#include "output/doc_parts.h"
#include "output/output_formats.h"

static int lkp_doc(const struct doc *doc, const struct output_style *style, FILE *to,
		   struct err *err)
{
	bool is_first = true;

	(void)style;
	VEC_FOREACH (&doc->parts, part) {
		if (part->kind != DOC_LKP)
			continue;
		if (!is_first)
			(void)fputc('\n', to);
		(void)fputs(part->text, to);
		is_first = false;
	}
	if (is_first)
		return err_set(err, ERR_UNSUPPORTED,
			       "there is no comparison to print in the format 'lkp'");
	return output_finish(to, err);
}

const struct output_ops output_lkp = {
	.name = "lkp",
	.summary = "comparison table as the 0-day robot mails it",
	.doc = lkp_doc,
};
