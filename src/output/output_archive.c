/* SPDX-License-Identifier: GPL-2.0-or-later */
/* archive: a result as the complete JSON that regio reads back. */
#include "output/output.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "model/result_json.h"
#include "output/output_formats.h"

static int archive_result(const struct result *result, FILE *to, struct err *err)
{
	CLEANUP(free) char *text = result_to_json(result, 1);

	(void)fputs(text, to);
	(void)fputc('\n', to);
	return output_finish(to, err);
}

const struct output_ops output_archive = {
	.name = "archive",
	.summary = "complete JSON that regio reads back",
	.result = archive_result,
};
