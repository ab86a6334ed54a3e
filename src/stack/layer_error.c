/* SPDX-License-Identifier: GPL-2.0-or-later */
/* error: all of a device, or one part of it, fails. */
#include <inttypes.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "stack/layer_dm.h"
#include "stack/layer_table.h"

#define SECTOR_BYTES 512

static const struct layer_key error_keys[] = {
	{ .name = "start", .type = LAYER_SIZE, .help = "where the bad part begins (default 0)" },
	{ .name = "size", .type = LAYER_SIZE, .help = "of the bad part; default: the rest" },
};

static int error_table(const struct layer *layer, const struct table_input *inputs, size_t nr,
		       struct strbuf *out, struct err *err)
{
	uint64_t sectors = inputs[0].sectors;
	uint64_t start = layer_size(layer, "start", 0) / SECTOR_BYTES;
	uint64_t rest = start < sectors ? sectors - start : 0;
	uint64_t bad = layer_size(layer, "size", rest * SECTOR_BYTES) / SECTOR_BYTES;

	(void)nr;
	if (bad == 0 || bad > rest)
		return err_set(err, ERR_USAGE,
			       "the bad part is not within the %" PRIu64 " bytes below",
			       sectors * SECTOR_BYTES);
	if (start)
		strbuf_printf(out, "0 %" PRIu64 " linear %s 0\n", start, inputs[0].device);
	strbuf_printf(out, "%" PRIu64 " %" PRIu64 " error\n", start, bad);
	if (start + bad < sectors)
		strbuf_printf(out, "%" PRIu64 " %" PRIu64 " linear %s %" PRIu64 "\n", start + bad,
			      sectors - start - bad, inputs[0].device, start + bad);
	return 0;
}

const struct layer_ops layer_error = {
	.name = "error",
	.summary = "device-mapper error: a part of a device fails",
	.modules = "dm_mod",
	.driver = "device-mapper",
	.keys = error_keys,
	.nr_keys = sizeof(error_keys) / sizeof(error_keys[0]),
	.min_inputs = 1,
	.max_inputs = 1,
	.build = dm_layer_build,
	.table = error_table,
};
