/* SPDX-License-Identifier: GPL-2.0-or-later */
/* striped: chunks in turn over all devices, as RAID 0. */
#include <inttypes.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "stack/layer_dm.h"
#include "stack/layer_table.h"

#define SECTOR_BYTES 512

static const struct layer_key striped_keys[] = {
	{ .name = "chunk",
	  .type = LAYER_SIZE,
	  .is_default = true,
	  .help = "bytes on one device before the next (default 64k)" },
};

static int striped_check(const struct layer *layer, struct err *err)
{
	uint64_t chunk = layer_size(layer, "chunk", 65536);

	if (chunk >= 4096 && !(chunk & (chunk - 1)) && chunk <= UINT32_MAX)
		return 0;
	return err_set(err, ERR_USAGE, "chunk '%s' is not a power of two from 4k on",
		       layer_text(layer, "chunk"));
}

static int striped_table(const struct layer *layer, const struct table_input *inputs, size_t nr,
			 struct strbuf *out, struct err *err)
{
	uint64_t chunk = layer_size(layer, "chunk", 65536) / SECTOR_BYTES;
	uint64_t leg = table_smallest(inputs, nr) / chunk * chunk;

	if (leg == 0)
		return err_set(err, ERR_USAGE, "the devices below are smaller than one chunk");
	strbuf_printf(out, "0 %" PRIu64 " striped %zu %" PRIu64, leg * nr, nr, chunk);
	for (size_t i = 0; i < nr; i++)
		strbuf_printf(out, " %s 0", inputs[i].device);
	strbuf_add_char(out, '\n');
	return 0;
}

const struct layer_ops layer_striped = {
	.name = "striped",
	.summary = "device-mapper striped: chunks in turn over several devices",
	.modules = "dm_mod",
	.driver = "device-mapper",
	.keys = striped_keys,
	.nr_keys = sizeof(striped_keys) / sizeof(striped_keys[0]),
	.min_inputs = 2,
	.max_inputs = LAYER_MAX_COUNT,
	.check = striped_check,
	.build = dm_layer_build,
	.table = striped_table,
};
