/* SPDX-License-Identifier: GPL-2.0-or-later */
/* superblock: feature bits of ext4 and XFS as words. Where they are is in the kernel's sources of
 * both, fs/ext4/ext4.h and fs/xfs/libxfs/xfs_format.h. */
#include "env/superblock.h"

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/strbuf.h"

#define EXT_AT 1024
#define EXT_COMPAT (EXT_AT + 0x5c)
#define EXT_INCOMPAT (EXT_AT + 0x60)
#define EXT_RO_COMPAT (EXT_AT + 0x64)
#define EXT_MAGIC_AT (EXT_AT + 0x38)
#define EXT_MAGIC 0xef53

#define XFS_MAGIC "XFSB"
#define XFS_VERSION_AT 100 /* u16, the version in its low 4 bits */
#define XFS_VERSION_MASK 0x0f
#define XFS_CRC_VERSION 5 /* has the words below */
#define XFS_RO_COMPAT 212
#define XFS_INCOMPAT 216

struct feature {
	unsigned offset_bytes;
	uint32_t bit;
	const char *name;
};

/* needs_recovery and orphan_present come and go while it is mounted, so they are left out. */
static const struct feature ext_features[] = {
	{ EXT_COMPAT, 0x1, "dir_prealloc" },
	{ EXT_COMPAT, 0x4, "has_journal" },
	{ EXT_COMPAT, 0x8, "ext_attr" },
	{ EXT_COMPAT, 0x10, "resize_inode" },
	{ EXT_COMPAT, 0x20, "dir_index" },
	{ EXT_COMPAT, 0x200, "sparse_super2" },
	{ EXT_COMPAT, 0x400, "fast_commit" },
	{ EXT_COMPAT, 0x800, "stable_inodes" },
	{ EXT_COMPAT, 0x1000, "orphan_file" },
	{ EXT_INCOMPAT, 0x2, "filetype" },
	{ EXT_INCOMPAT, 0x8, "journal_dev" },
	{ EXT_INCOMPAT, 0x10, "meta_bg" },
	{ EXT_INCOMPAT, 0x40, "extent" },
	{ EXT_INCOMPAT, 0x80, "64bit" },
	{ EXT_INCOMPAT, 0x100, "mmp" },
	{ EXT_INCOMPAT, 0x200, "flex_bg" },
	{ EXT_INCOMPAT, 0x400, "ea_inode" },
	{ EXT_INCOMPAT, 0x2000, "metadata_csum_seed" },
	{ EXT_INCOMPAT, 0x4000, "large_dir" },
	{ EXT_INCOMPAT, 0x8000, "inline_data" },
	{ EXT_INCOMPAT, 0x10000, "encrypt" },
	{ EXT_INCOMPAT, 0x20000, "casefold" },
	{ EXT_RO_COMPAT, 0x1, "sparse_super" },
	{ EXT_RO_COMPAT, 0x2, "large_file" },
	{ EXT_RO_COMPAT, 0x8, "huge_file" },
	{ EXT_RO_COMPAT, 0x10, "uninit_bg" },
	{ EXT_RO_COMPAT, 0x20, "dir_nlink" },
	{ EXT_RO_COMPAT, 0x40, "extra_isize" },
	{ EXT_RO_COMPAT, 0x100, "quota" },
	{ EXT_RO_COMPAT, 0x200, "bigalloc" },
	{ EXT_RO_COMPAT, 0x400, "metadata_csum" },
	{ EXT_RO_COMPAT, 0x1000, "read-only" },
	{ EXT_RO_COMPAT, 0x2000, "project" },
	{ EXT_RO_COMPAT, 0x8000, "verity" },
};

static const struct feature xfs_features[] = {
	{ XFS_INCOMPAT, 0x1, "ftype" },	    { XFS_INCOMPAT, 0x2, "sparse" },
	{ XFS_INCOMPAT, 0x4, "meta_uuid" }, { XFS_INCOMPAT, 0x8, "bigtime" },
	{ XFS_INCOMPAT, 0x20, "nrext64" },  { XFS_INCOMPAT, 0x40, "exchange" },
	{ XFS_INCOMPAT, 0x80, "parent" },   { XFS_INCOMPAT, 0x100, "metadir" },
	{ XFS_RO_COMPAT, 0x1, "finobt" },   { XFS_RO_COMPAT, 0x2, "rmapbt" },
	{ XFS_RO_COMPAT, 0x4, "reflink" },  { XFS_RO_COMPAT, 0x8, "inobtcount" },
};

static bool is_ext(const unsigned char *bytes)
{
	return (bytes[EXT_MAGIC_AT] | bytes[EXT_MAGIC_AT + 1] << 8) == EXT_MAGIC;
}

static bool is_xfs(const unsigned char *bytes)
{
	return !memcmp(bytes, XFS_MAGIC, strlen(XFS_MAGIC)) &&
	       (bytes[XFS_VERSION_AT + 1] & XFS_VERSION_MASK) == XFS_CRC_VERSION;
}

static uint32_t little_word(const unsigned char *bytes)
{
	uint32_t word;

	memcpy(&word, bytes, sizeof(word));
	return le32toh(word);
}

static uint32_t big_word(const unsigned char *bytes)
{
	uint32_t word;

	memcpy(&word, bytes, sizeof(word));
	return be32toh(word);
}

static const struct layout {
	const char *type;
	bool (*is_it)(const unsigned char *bytes);
	uint32_t (*word)(const unsigned char *bytes);
	const struct feature *features;
	size_t nr_features;
} layouts[] = {
	{ "ext4", is_ext, little_word, ext_features, sizeof(ext_features) / sizeof(*ext_features) },
	{ "ext3", is_ext, little_word, ext_features, sizeof(ext_features) / sizeof(*ext_features) },
	{ "ext2", is_ext, little_word, ext_features, sizeof(ext_features) / sizeof(*ext_features) },
	{ "xfs", is_xfs, big_word, xfs_features, sizeof(xfs_features) / sizeof(*xfs_features) },
};

static char *features_by(const struct layout *layout, const unsigned char *bytes)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;

	if (!layout->is_it(bytes))
		return NULL;
	for (size_t i = 0; i < layout->nr_features; i++) {
		const struct feature *feature = &layout->features[i];

		if (layout->word(bytes + feature->offset_bytes) & feature->bit)
			strbuf_printf(&text, "%s%s", text.len ? " " : "", feature->name);
	}
	return text.len ? strbuf_take(&text) : NULL;
}

char *superblock_features(const char *type, const void *bytes, size_t len)
{
	for (size_t i = 0; len >= SUPERBLOCK_BYTES && i < sizeof(layouts) / sizeof(*layouts); i++) {
		if (!strcmp(type, layouts[i].type))
			return features_by(&layouts[i], bytes);
	}
	return NULL;
}
