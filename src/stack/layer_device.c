/* SPDX-License-Identifier: GPL-2.0-or-later */
/* device: a block device that is there already. The guard decides whether it may be written. */
#include <stdlib.h>

#include "base/err.h"
#include "host/guard.h"
#include "stack/build.h"
#include "stack/layer_table.h"

static const struct layer_key device_keys[] = {
	{ .name = "path", .type = LAYER_TEXT, .is_default = true, .help = "/dev/sdb" },
};

static int device_check(const struct layer *layer, struct err *err)
{
	const char *path = layer_text(layer, "path");

	if (path && path[0] == '/')
		return 0;
	return err_set(err, ERR_USAGE,
		       "it needs the path of a block device, such as device:/dev/sdb");
}

static int device_build(struct build *build, const struct layer *layer, struct err *err)
{
	const char *path = layer_text(layer, "path");
	struct guard guard = { .nr = 0 };
	int ret = guard_claim(&guard, path, build->context->allow_destructive,
			      build->context->nr_allow_destructive, err);

	guard_release(&guard); /* mkfs and mount want it for themselves */
	return ret < 0 ? ret : build_add_block(build, layer, path, err);
}

const struct layer_ops layer_device = {
	.name = "device",
	.summary = "block device that is there already",
	.keys = device_keys,
	.nr_keys = sizeof(device_keys) / sizeof(device_keys[0]),
	.check = device_check,
	.build = device_build,
};
