/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output: the table of formats. */
#include "output/output.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/err.h"
#include "output/output_formats.h"

static const struct output_ops *const table[] = {
	&output_fio_normal,
	&output_json,
	&output_fio_json_plus,
	&output_fio_terse,
	&output_fio_terse_2,
	&output_fio_terse_4,
	&output_fio_terse_5,
	&output_archive,
	&output_text,
	&output_csv,
	&output_markdown,
	&output_lkp,
	NULL,
};

const struct output_ops *const *output_table(void)
{
	return table;
}

const struct output_ops *output_find(const char *name)
{
	for (size_t i = 0; table[i]; i++) {
		if (!strcmp(table[i]->name, name))
			return table[i];
	}
	return NULL;
}

int output_finish(FILE *to, struct err *err)
{
	int had_failed = ferror(to); /* an earlier write; its errno is gone */

	errno = 0;
	if (fflush(to) != 0)
		return err_set_errno(err, "write output");
	if (had_failed)
		return err_set(err, ERR_SYSTEM, "write output: some of it was lost");
	return 0;
}
