/* SPDX-License-Identifier: GPL-2.0-or-later */
/* multipath: several ways to one unit, without multipathd. */
#include <inttypes.h>
#include <string.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "stack/layer_dm.h"
#include "stack/layer_table.h"

static const struct layer_key multipath_keys[] = {
	{ .name = "queue_mode",
	  .type = LAYER_CHOICE,
	  .choices = "bio rq mq",
	  .help = "request queue (default mq) or plain bios" },
	{ .name = "selector",
	  .type = LAYER_CHOICE,
	  .choices = "round-robin queue-length service-time",
	  .help = "who chooses the path (default service-time)" },
	{ .name = "repeat",
	  .type = LAYER_UNSIGNED,
	  .help = "I/Os on a path before the next is chosen (default 1)" },
	{ .name = "groups",
	  .type = LAYER_CHOICE,
	  .choices = "one each",
	  .help = "all paths in use, or one and the others in reserve (default one)" },
	{ .name = "queue_if_no_path",
	  .type = LAYER_BOOL,
	  .help = "wait when all paths have failed (default off)" },
};

/* What follows the device of a path: the I/Os in a row, and of service-time its relative speed. */
static void add_path(const struct layer *layer, const char *selector, const char *device,
		     struct strbuf *out)
{
	strbuf_printf(out, " %s %u", device, layer_unsigned(layer, "repeat", 1));
	if (!strcmp(selector, "service-time"))
		strbuf_add_str(out, " 1");
}

static void add_group(const struct layer *layer, const struct table_input *inputs, size_t nr,
		      struct strbuf *out)
{
	const char *given = layer_text(layer, "selector");
	const char *selector = given ? given : "service-time";

	strbuf_printf(out, " %s 0 %zu %d", selector, nr, !strcmp(selector, "service-time") ? 2 : 1);
	for (size_t i = 0; i < nr; i++)
		add_path(layer, selector, inputs[i].device, out);
}

static int multipath_table(const struct layer *layer, const struct table_input *inputs, size_t nr,
			   struct strbuf *out, struct err *err)
{
	const char *given = layer_text(layer, "queue_mode");
	const char *groups = layer_text(layer, "groups");
	bool is_queueing = layer_bool(layer, "queue_if_no_path", false);
	bool is_each = groups && !strcmp(groups, "each");

	for (size_t i = 1; i < nr; i++) {
		if (inputs[i].sectors != inputs[0].sectors)
			return err_set(err, ERR_USAGE,
				       "its paths have different sizes, so they are not one unit");
	}
	strbuf_printf(out, "0 %" PRIu64 " multipath %d%s queue_mode %s 0 %zu 1", inputs[0].sectors,
		      is_queueing ? 3 : 2, is_queueing ? " queue_if_no_path" : "",
		      given ? given : "mq", is_each ? nr : 1);
	for (size_t i = 0; is_each && i < nr; i++)
		add_group(layer, &inputs[i], 1, out);
	if (!is_each)
		add_group(layer, inputs, nr, out);
	strbuf_add_char(out, '\n');
	return 0;
}

const struct layer_ops layer_multipath = {
	.name = "multipath",
	.summary = "device-mapper multipath: several paths to one unit",
	.modules = "dm_multipath dm_round_robin dm_queue_length dm_service_time",
	.driver = "device-mapper",
	.keys = multipath_keys,
	.nr_keys = sizeof(multipath_keys) / sizeof(multipath_keys[0]),
	.min_inputs = 1,
	.max_inputs = LAYER_MAX_COUNT,
	.build = dm_layer_build,
	.table = multipath_table,
};
