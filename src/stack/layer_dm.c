/* SPDX-License-Identifier: GPL-2.0-or-later */
/* layer_dm: makes a device-mapper device of the table that a target's own file has written. */
#include "stack/layer_dm.h"

#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "host/dm.h"
#include "stack/build.h"

#define SECTOR_BYTES 512
#define CONTROL_CLASS "/sys/class/misc/device-mapper"

struct table_input *dm_inputs(const struct build *build, const struct layer *layer, size_t *ret_nr)
{
	CLEANUP(free) const struct stack_device **below = build_inputs(build, layer, ret_nr);
	struct table_input *inputs = xcalloc(*ret_nr + 1, sizeof(*inputs));

	for (size_t i = 0; i < *ret_nr; i++) {
		(void)snprintf(inputs[i].device, sizeof(inputs[i].device), "%u:%u",
			       major(below[i]->dev), minor(below[i]->dev));
		inputs[i].sectors = below[i]->size_bytes / SECTOR_BYTES;
	}
	return inputs;
}

uint64_t table_smallest(const struct table_input *inputs, size_t nr)
{
	uint64_t sectors = UINT64_MAX;

	for (size_t i = 0; i < nr; i++) {
		if (inputs[i].sectors < sectors)
			sectors = inputs[i].sectors;
	}
	return sectors;
}

static char *device_name(const struct stack *stack, const struct layer *layer)
{
	return xasprintf("%s-%s", strrchr(stack->folder, '/') + 1, layer->name);
}

char *dm_layer_uuid(const struct stack *stack, const struct layer *layer)
{
	CLEANUP(free) char *name = device_name(stack, layer);

	return xasprintf("REGIO-%s", name);
}

int dm_layer_build(struct build *build, const struct layer *layer, struct err *err)
{
	CLEANUP(free) char *name = device_name(build->stack, layer);
	CLEANUP(free) char *uuid = dm_layer_uuid(build->stack, layer);
	CLEANUP(free) char *mapper = xasprintf("/dev/mapper/%s", name);
	CLEANUP(free)
	char *what = xasprintf("device-mapper device %s (%s)", name, layer->ops->name);
	CLEANUP(free) struct table_input *inputs = NULL;
	CLEANUP(strbuf) struct strbuf table = STRBUF_INIT;
	const struct build_step step = {
		.action = "dm", .path = mapper, .value = uuid, .what = what
	};
	char path[32];
	unsigned number = 0;
	size_t nr = 0;
	int ret;

	if (!dm_is_available()) {
		ret = build_need_module(build, layer, "dm_mod", "", CONTROL_CLASS, err);
		if (ret < 0)
			return ret;
	}
	inputs = dm_inputs(build, layer, &nr);
	ret = layer->ops->table(layer, inputs, nr, &table, err);
	if (ret == 0)
		ret = build_record(build, &step, err);
	if (ret < 0)
		return ret;
	ret = dm_create_table(name, uuid, table.buf, '\n', &number, err);
	if (ret < 0)
		return ret;
	(void)snprintf(path, sizeof(path), "%s/dm-%u", build_dev_root(build), number);
	return build_add_block(build, layer, path, err);
}
