/* SPDX-License-Identifier: GPL-2.0-or-later */
/* terse: fio's lines of numbers, a format for each of its versions. */
#include "output/output.h"

#include "output/fio_form_terse.h"
#include "output/output_formats.h"

static int terse_2(const struct result *result, FILE *to, struct err *err)
{
	fio_form_terse_write(result, 2, to);
	return output_finish(to, err);
}

static int terse_3(const struct result *result, FILE *to, struct err *err)
{
	fio_form_terse_write(result, 3, to);
	return output_finish(to, err);
}

static int terse_4(const struct result *result, FILE *to, struct err *err)
{
	fio_form_terse_write(result, 4, to);
	return output_finish(to, err);
}

static int terse_5(const struct result *result, FILE *to, struct err *err)
{
	fio_form_terse_write(result, 5, to);
	return output_finish(to, err);
}

const struct output_ops output_fio_terse_2 = {
	.name = "terse2",
	.summary = "fio's terse version 2",
	.result = terse_2,
};
const struct output_ops output_fio_terse = {
	.name = "terse",
	.summary = "fio's line of numbers, version 3",
	.result = terse_3,
};
const struct output_ops output_fio_terse_4 = {
	.name = "terse4",
	.summary = "fio's terse version 4, with trims",
	.result = terse_4,
};
const struct output_ops output_fio_terse_5 = {
	.name = "terse5",
	.summary = "fio's terse version 5, with IOPS samples",
	.result = terse_5,
};
