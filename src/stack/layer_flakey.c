/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flakey: a device that fails now and then. */
#include <inttypes.h>
#include <string.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "stack/layer_dm.h"
#include "stack/layer_table.h"

static const struct layer_key flakey_keys[] = {
	{ .name = "up_s", .type = LAYER_UNSIGNED, .help = "seconds that it works (default 60)" },
	{ .name = "down_s",
	  .type = LAYER_UNSIGNED,
	  .help = "seconds that it fails after them (default 1)" },
	{ .name = "fails",
	  .type = LAYER_CHOICE,
	  .choices = "all drop_writes error_writes error_reads",
	  .help = "what fails while it is down (default: everything)" },
};

static int flakey_check(const struct layer *layer, struct err *err)
{
	if (layer_unsigned(layer, "up_s", 60) + layer_unsigned(layer, "down_s", 1) > 0)
		return 0;
	return err_set(err, ERR_USAGE, "up_s and down_s are both 0");
}

static int flakey_table(const struct layer *layer, const struct table_input *inputs, size_t nr,
			struct strbuf *out, struct err *err)
{
	const char *fails = layer_text(layer, "fails");

	(void)nr;
	(void)err;
	strbuf_printf(out, "0 %" PRIu64 " flakey %s 0 %u %u", inputs[0].sectors, inputs[0].device,
		      layer_unsigned(layer, "up_s", 60), layer_unsigned(layer, "down_s", 1));
	if (fails && strcmp(fails, "all") != 0)
		strbuf_printf(out, " 1 %s", fails);
	strbuf_add_char(out, '\n');
	return 0;
}

const struct layer_ops layer_flakey = {
	.name = "flakey",
	.summary = "device-mapper flakey: works for a while, then fails for a while",
	.modules = "dm_flakey",
	.driver = "device-mapper",
	.keys = flakey_keys,
	.nr_keys = sizeof(flakey_keys) / sizeof(flakey_keys[0]),
	.min_inputs = 1,
	.max_inputs = 1,
	.check = flakey_check,
	.build = dm_layer_build,
	.table = flakey_table,
};
