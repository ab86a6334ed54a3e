/* SPDX-License-Identifier: GPL-2.0-or-later */
/* btrfs: over one device or several. */
#include "stack/layer_fs.h"
#include "stack/layer_table.h"

static const struct fs_kind btrfs = {
	.mkfs = "mkfs.btrfs",
	.package = "btrfs-progs",
	.mkfs_words = "-q -f",
};

static const struct layer_key btrfs_keys[] = { FS_LAYER_KEYS };

static int btrfs_build(struct build *build, const struct layer *layer, struct err *err)
{
	return fs_kind_build(build, layer, &btrfs, err);
}

const struct layer_ops layer_btrfs = {
	.name = "btrfs",
	.summary = "btrfs filesystem, over one device or several",
	.modules = "btrfs crc32c_generic",
	.programs = "mkfs.btrfs",
	.keys = btrfs_keys,
	.nr_keys = sizeof(btrfs_keys) / sizeof(btrfs_keys[0]),
	.min_inputs = 1,
	.max_inputs = LAYER_MAX_COUNT,
	.is_filesystem = true,
	.build = btrfs_build,
};
