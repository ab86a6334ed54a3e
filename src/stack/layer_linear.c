/* SPDX-License-Identifier: GPL-2.0-or-later */
/* linear: devices one behind the other, or a part of one. */
#include <inttypes.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "stack/layer_dm.h"
#include "stack/layer_table.h"

#define SECTOR_BYTES 512

static const struct layer_key linear_keys[] = {
	{ .name = "offset", .type = LAYER_SIZE, .help = "where it begins in each device below" },
	{ .name = "size", .type = LAYER_SIZE, .help = "how much of each; default: the rest" },
};

static int linear_table(const struct layer *layer, const struct table_input *inputs, size_t nr,
			struct strbuf *out, struct err *err)
{
	uint64_t offset = layer_size(layer, "offset", 0) / SECTOR_BYTES;
	uint64_t wanted = layer_size(layer, "size", 0) / SECTOR_BYTES;
	uint64_t start = 0;

	for (size_t i = 0; i < nr; i++) {
		uint64_t rest = inputs[i].sectors > offset ? inputs[i].sectors - offset : 0;
		uint64_t len = wanted ? wanted : rest;

		if (len == 0 || len > rest)
			return err_set(err, ERR_USAGE,
				       "offset and size reach beyond the %" PRIu64
				       " bytes of the device below",
				       inputs[i].sectors * SECTOR_BYTES);
		strbuf_printf(out, "%" PRIu64 " %" PRIu64 " linear %s %" PRIu64 "\n", start, len,
			      inputs[i].device, offset);
		start += len;
	}
	return 0;
}

const struct layer_ops layer_linear = {
	.name = "linear",
	.summary = "device-mapper linear: devices one behind the other",
	.modules = "dm_mod",
	.driver = "device-mapper",
	.keys = linear_keys,
	.nr_keys = sizeof(linear_keys) / sizeof(linear_keys[0]),
	.min_inputs = 1,
	.max_inputs = LAYER_MAX_COUNT,
	.build = dm_layer_build,
	.table = linear_table,
};
