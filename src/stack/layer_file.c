/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file: a plain file, for a job to use or for a loop device above it. */
#include <stdlib.h>

#include "base/cleanup.h"
#include "stack/build.h"
#include "stack/layer_table.h"

static const struct layer_key file_keys[] = {
	{ .name = "size", .type = LAYER_SIZE, .is_default = true, .help = "of the file" },
	{ .name = "path",
	  .type = LAYER_TEXT,
	  .help = "where; a file that is there already is used and kept" },
	{ .name = "sparse", .type = LAYER_BOOL, .help = "do not reserve the space (default off)" },
};

static int file_build(struct build *build, const struct layer *layer, struct err *err)
{
	CLEANUP(free) char *path = NULL;
	uint64_t size_bytes = 0;
	int ret = build_file(build, layer, &path, &size_bytes, err);

	if (ret == 0)
		build_add_path(build, layer, path, size_bytes);
	return ret;
}

const struct layer_ops layer_file = {
	.name = "file",
	.summary = "plain file",
	.keys = file_keys,
	.nr_keys = sizeof(file_keys) / sizeof(file_keys[0]),
	.build = file_build,
};
