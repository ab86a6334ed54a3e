/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json+: fio's JSON with the histograms of latencies. */
#include "output/output.h"

#include "output/fio_form_json.h"
#include "output/output_formats.h"

static int json_plus_result(const struct result *result, FILE *to, struct err *err)
{
	fio_form_json_write(result, FIO_FORM_JSON_BINS, to);
	return output_finish(to, err);
}

static int json_plus_status(const struct result *result, FILE *to, struct err *err)
{
	fio_form_json_write(result, FIO_FORM_JSON_BINS | FIO_FORM_JSON_ONE_LINE, to);
	return output_finish(to, err);
}

const struct output_ops output_fio_json_plus = {
	.name = "json+",
	.summary = "json with the histograms of latencies",
	.result = json_plus_result,
	.status = json_plus_status,
};
