/* SPDX-License-Identifier: GPL-2.0-or-later */
/* delay: every request waits, rounded up to the ticks of the kernel. */
#include <inttypes.h>

#include "base/strbuf.h"
#include "stack/layer_dm.h"
#include "stack/layer_table.h"

static const struct layer_key delay_keys[] = {
	{ .name = "read_ms", .type = LAYER_UNSIGNED, .help = "delay of reads (default 0)" },
	{ .name = "write_ms",
	  .type = LAYER_UNSIGNED,
	  .help = "delay of writes (default: as reads)" },
};

static int delay_table(const struct layer *layer, const struct table_input *inputs, size_t nr,
		       struct strbuf *out, struct err *err)
{
	unsigned read_ms = layer_unsigned(layer, "read_ms", 0);

	(void)nr;
	(void)err;
	strbuf_printf(out, "0 %" PRIu64 " delay %s 0 %u", inputs[0].sectors, inputs[0].device,
		      read_ms);
	if (layer_text(layer, "write_ms"))
		strbuf_printf(out, " %s 0 %u", inputs[0].device,
			      layer_unsigned(layer, "write_ms", 0));
	strbuf_add_char(out, '\n');
	return 0;
}

const struct layer_ops layer_delay = {
	.name = "delay",
	.summary = "device-mapper delay: requests wait some milliseconds",
	.modules = "dm_delay",
	.driver = "device-mapper",
	.keys = delay_keys,
	.nr_keys = sizeof(delay_keys) / sizeof(delay_keys[0]),
	.min_inputs = 1,
	.max_inputs = 1,
	.build = dm_layer_build,
	.table = delay_table,
};
