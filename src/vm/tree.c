/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tree: whole folders. */
#include "vm/tree.h"

#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"

static int compare_names(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

FTS *tree_open(const char *path)
{
	CLEANUP(free) char *root = xstrdup(path);
	char *const roots[] = { root, NULL };

	return fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, compare_names);
}

void tree_remove(const char *path)
{
	FTS *tree = tree_open(path);
	const FTSENT *entry;

	if (!tree)
		return;
	while ((entry = fts_read(tree)) != NULL) {
		if (entry->fts_info == FTS_DP || entry->fts_info == FTS_DNR)
			(void)rmdir(entry->fts_accpath);
		else if (entry->fts_info != FTS_D)
			(void)unlink(entry->fts_accpath);
	}
	(void)fts_close(tree);
}

uint64_t tree_size_bytes(const char *path)
{
	FTS *tree = tree_open(path);
	uint64_t blocks = 0;
	const FTSENT *entry;

	if (!tree)
		return 0;
	while ((entry = fts_read(tree)) != NULL) {
		if (entry->fts_info == FTS_F)
			blocks += (uint64_t)entry->fts_statp->st_blocks;
	}
	(void)fts_close(tree);
	return blocks * 512;
}
