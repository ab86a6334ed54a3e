/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ext4: tables are written at once, so that no thread does it during a trial. */
#include "stack/layer_fs.h"
#include "stack/layer_table.h"

static const struct fs_kind ext4 = {
	.mkfs = "mkfs.ext4",
	.package = "e2fsprogs",
	.mkfs_words = "-q -F -E lazy_itable_init=0,lazy_journal_init=0",
};

static const struct layer_key ext4_keys[] = { FS_LAYER_KEYS };

static int ext4_build(struct build *build, const struct layer *layer, struct err *err)
{
	return fs_kind_build(build, layer, &ext4, err);
}

const struct layer_ops layer_ext4 = {
	.name = "ext4",
	.summary = "ext4 filesystem",
	.modules = "ext4 crc32c_generic",
	.programs = "mkfs.ext4",
	.keys = ext4_keys,
	.nr_keys = sizeof(ext4_keys) / sizeof(ext4_keys[0]),
	.min_inputs = 1,
	.max_inputs = 1,
	.is_filesystem = true,
	.build = ext4_build,
};
