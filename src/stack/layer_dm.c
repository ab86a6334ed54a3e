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
#include "base/vec.h"
#include "host/dm.h"
#include "stack/build.h"

#define SECTOR_BYTES 512
#define CONTROL_CLASS "/sys/class/misc/device-mapper"

struct targets VEC_BODY(struct dm_target);

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

/* "0 2048 linear 7:0 0" in place; the words are borrowed. */
static struct dm_target split_line(char *line)
{
	char *rest = NULL;
	struct dm_target target = { .start_sectors = strtoull(line, &rest, 10) };

	target.len_sectors = strtoull(rest, &rest, 10);
	rest += strspn(rest, " ");
	target.type = strsep(&rest, " ");
	target.params = rest ? rest : "";
	return target;
}

static void split_table(char *table, struct targets *targets)
{
	char *line;

	while ((line = strsep(&table, "\n")) != NULL) {
		if (*line)
			vec_push(targets, split_line(line));
	}
}

int dm_layer_build(struct build *build, const struct layer *layer, struct err *err)
{
	const char *place = strrchr(build->stack->folder, '/') + 1;
	CLEANUP(free) char *name = xasprintf("%s-%s", place, layer->name);
	CLEANUP(free) char *uuid = xasprintf("REGIO-%s", name);
	CLEANUP(free) char *mapper = xasprintf("/dev/mapper/%s", name);
	CLEANUP(free)
	char *what = xasprintf("device-mapper device %s (%s)", name, layer->ops->name);
	CLEANUP(free) struct table_input *inputs = NULL;
	CLEANUP(strbuf) struct strbuf table = STRBUF_INIT;
	const struct build_step step = {
		.action = "dm", .path = mapper, .value = uuid, .what = what
	};
	struct targets targets = VEC_INIT;
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
	split_table(table.buf, &targets);
	ret = dm_create(name, uuid, targets.items, targets.nr, &number, err);
	vec_release(&targets);
	if (ret < 0)
		return ret;
	(void)snprintf(path, sizeof(path), "%s/dm-%u", build_dev_root(build), number);
	return build_add_block(build, layer, path, err);
}
