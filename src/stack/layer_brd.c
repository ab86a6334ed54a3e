/* SPDX-License-Identifier: GPL-2.0-or-later */
/* brd: disks in memory, all of one module, which is loaded for the stack. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "stack/build.h"
#include "stack/layer_table.h"

static const struct layer_key brd_keys[] = {
	{ .name = "size", .type = LAYER_SIZE, .is_default = true, .help = "of each disk" },
};

static int brd_check(const struct layer *layer, struct err *err)
{
	uint64_t bytes = layer_size(layer, "size", 0);

	if (bytes && bytes % 4096 == 0)
		return 0;
	return err_set(err, ERR_USAGE, "it needs a size in whole pages, such as brd:1G");
}

static int brd_build(struct build *build, const struct layer *layer, struct err *err)
{
	CLEANUP(free) char *first = xasprintf("%s/block/ram0", build_sys_root(build));
	CLEANUP(free) char *path = xasprintf("%s/ram%u", build_dev_root(build), build->nr);
	CLEANUP(free)
	char *params = xasprintf("rd_nr=%u rd_size=%" PRIu64, layer->count,
				 layer_size(layer, "size", 0) / 1024);
	int ret;

	if (build->nr == 0 && file_exists(first))
		return err_set(err, ERR_SYSTEM, "there are disks of brd already; unload brd first");
	ret = build_need_module(build, layer, "brd", params, first, err);
	return ret < 0 ? ret : build_add_block(build, layer, path, err);
}

const struct layer_ops layer_brd = {
	.name = "brd",
	.summary = "disk in memory",
	.modules = "brd",
	.keys = brd_keys,
	.nr_keys = sizeof(brd_keys) / sizeof(brd_keys[0]),
	.check = brd_check,
	.build = brd_build,
};
