/* SPDX-License-Identifier: GPL-2.0-or-later */
/* better_option: what commands that judge have to do with --better. */
#include "cmd/better_option.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "output/doc.h"

int better_option_parse(const char *text, enum polarity *ret_polarity, struct err *err)
{
	*ret_polarity = POLARITY_NONE;
	if (text && polarity_parse(text, ret_polarity) < 0)
		return err_set(err, ERR_USAGE, "--better: '%s' is neither higher nor lower", text);
	return 0;
}

char *better_option_text(const char *metric)
{
	return xasprintf("whether %s is good when it is higher is not known: --better=higher or "
			 "--better=lower makes a verdict of it",
			 metric);
}

void better_option_hint(struct doc *doc, const char *metric)
{
	CLEANUP(free) char *text = better_option_text(metric);

	doc_paragraph(doc, "W%s.", text + 1);
}
