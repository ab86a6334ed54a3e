/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_OUTPUT_FIO_FORM_JSON_H
#define REGIO_OUTPUT_FIO_FORM_JSON_H

#include <stdio.h>

struct fio_view;
struct json_emit;
struct result;

enum fio_form_json_flags {
	FIO_FORM_JSON_BINS = 1 << 0,	 /* json+: the histograms too */
	FIO_FORM_JSON_ONE_LINE = 1 << 1, /* a document a line */
};

/* The whole document. */
void fio_form_json_write(const struct result *result, unsigned flags, FILE *to);
/* One entry of its "jobs". */
void fio_form_json_job(struct json_emit *emit, const struct result *result,
		       const struct fio_view *view, unsigned flags);

#endif
