/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STACK_LAYER_FS_H
#define REGIO_STACK_LAYER_FS_H

struct build;
struct err;
struct layer;
struct strbuf;

/* What tells one filesystem from another. */
struct fs_kind {
	const char *mkfs;	/* program */
	const char *package;	/* that it is in, on Debian */
	const char *mkfs_words; /* quiet, forced, and nothing left to do in the background */
};

/* mkfs, then mount on the mount point of the stack. */
int fs_kind_build(struct build *build, const struct layer *layer, const struct fs_kind *kind,
		  struct err *err);

/* "noatime,compress=no" into the flags of mount(2) and the words for the filesystem. */
void fs_mount_options(const char *text, unsigned long *ret_flags, struct strbuf *data);

/* The keys that all filesystems have. */
#define FS_LAYER_KEYS                                                                              \
	{ .name = "mkfs", .type = LAYER_TEXT, .separator = ' ', .help = "more words for mkfs" },   \
	{                                                                                          \
		.name = "mount", .type = LAYER_TEXT, .separator = ',',                             \
		.help = "mount options, such as noatime"                                           \
	}

#endif
