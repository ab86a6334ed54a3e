/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfs: as its mkfs makes it. */
#include "stack/layer_fs.h"
#include "stack/layer_table.h"

static const struct fs_kind xfs = {
	.mkfs = "mkfs.xfs",
	.package = "xfsprogs",
	.mkfs_words = "-q -f",
};

static const struct layer_key xfs_keys[] = { FS_LAYER_KEYS };

static int xfs_build(struct build *build, const struct layer *layer, struct err *err)
{
	return fs_kind_build(build, layer, &xfs, err);
}

const struct layer_ops layer_xfs = {
	.name = "xfs",
	.summary = "XFS filesystem",
	.modules = "xfs crc32c_generic",
	.programs = "mkfs.xfs",
	.keys = xfs_keys,
	.nr_keys = sizeof(xfs_keys) / sizeof(xfs_keys[0]),
	.min_inputs = 1,
	.max_inputs = 1,
	.is_filesystem = true,
	.build = xfs_build,
};
