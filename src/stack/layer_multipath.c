/* SPDX-License-Identifier: GPL-2.0-or-later */
/* multipath: several ways to one unit, without multipathd. */
#include <inttypes.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "host/dm.h"
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
	{ .name = "fail",
	  .type = LAYER_EVENT,
	  .separator = ' ',
	  .help = "declare a path failed in the middle of the jobs: 2@50ms" },
	{ .name = "reinstate",
	  .type = LAYER_EVENT,
	  .separator = ' ',
	  .help = "and good again: 2@200ms" },
};

static int multipath_happen(const struct layer *layer, const struct layer_scene *scene,
			    const char *key, unsigned number, struct strbuf *words, struct err *err)
{
	const struct stack_device *path = layer_scene_input(scene, layer, number);
	CLEANUP(free) char *uuid = dm_layer_uuid(scene->stack, layer);
	CLEANUP(free)
	char *message = xasprintf("%s_path %u:%u", key, major(path->dev), minor(path->dev));

	strbuf_printf(words, "%s (%s)", message, path->name);
	return dm_message(uuid, 0, message, err);
}

/* Which paths are active or failed, and how often they failed. */
static int multipath_report(const struct layer *layer, const struct layer_scene *scene,
			    const struct stack_sink *sink, struct err *err)
{
	CLEANUP(free) char *uuid = dm_layer_uuid(scene->stack, layer);
	CLEANUP(strbuf) struct strbuf words = STRBUF_INIT;
	int ret = layer_has_events(layer) ? dm_status(uuid, &words, err) : 0;

	if (words.len)
		sink->words(sink->arg, layer->name, words.buf);
	return ret;
}

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
	int ret = layer_check_events(layer, (unsigned)nr, err);

	if (ret < 0)
		return ret;
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
	.happen = multipath_happen,
	.report = multipath_report,
};
