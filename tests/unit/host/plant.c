/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plant: builds a fake sysfs in a temporary folder. */
#include "plant.h"

#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "test.h"

void plant_create(struct plant *plant)
{
	const char *tmp = getenv("TMPDIR");

	(void)snprintf(plant->root, sizeof(plant->root), "%s/regio-plant-XXXXXX",
		       tmp && strlen(tmp) < 32 ? tmp : "/tmp");
	assert_non_null(mkdtemp(plant->root));
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *walk)
{
	(void)st;
	(void)kind;
	(void)walk;
	return remove(path);
}

void plant_remove(struct plant *plant)
{
	assert_int_equal(nftw(plant->root, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

char *plant_path(const struct plant *plant, const char *path)
{
	return xasprintf("%s/%s", plant->root, path);
}

void plant_folder(const struct plant *plant, const char *path)
{
	CLEANUP(free) char *full = plant_path(plant, path);

	assert_int_equal(file_make_dirs(full, 0755, NULL), 0);
}

void plant_file(const struct plant *plant, const char *path, const char *content)
{
	CLEANUP(free) char *full = plant_path(plant, path);
	CLEANUP(free) char *folder = xstrndup(full, (size_t)(strrchr(full, '/') - full));
	FILE *file;

	assert_int_equal(file_make_dirs(folder, 0755, NULL), 0);
	file = fopen(full, "we");
	assert_non_null(file);
	assert_true(fputs(content, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

char *plant_read(const struct plant *plant, const char *path)
{
	CLEANUP(free) char *full = plant_path(plant, path);
	CLEANUP(strbuf) struct strbuf line = STRBUF_INIT;

	assert_int_equal(file_read_line(full, &line, NULL), 0);
	return strbuf_take(&line);
}

void plant_link(const struct plant *plant, const char *folder, const char *name, const char *target)
{
	CLEANUP(free) char *path = xasprintf("%s/%s/%s", plant->root, folder, name);
	CLEANUP(free) char *full = plant_path(plant, target);

	plant_folder(plant, folder);
	assert_int_equal(symlink(full, path), 0);
}

static void plant_number(const struct plant *plant, const char *folder, const char *number)
{
	CLEANUP(free) char *dev = xasprintf("%s/dev", folder);
	CLEANUP(free) char *text = xasprintf("%s\n", number);

	plant_file(plant, dev, text);
	plant_link(plant, "dev/block", number, folder);
}

void plant_disk(const struct plant *plant, const char *name, const char *number)
{
	CLEANUP(free) char *folder = xasprintf("devices/%s", name);
	CLEANUP(free) char *holders = xasprintf("%s/holders", folder);
	CLEANUP(free) char *slaves = xasprintf("%s/slaves", folder);

	plant_folder(plant, holders);
	plant_folder(plant, slaves);
	plant_link(plant, "block", name, folder);
	plant_link(plant, "class/block", name, folder);
	if (number)
		plant_number(plant, folder, number);
}

void plant_partition(const struct plant *plant, const char *disk, const char *name,
		     const char *number)
{
	CLEANUP(free) char *folder = xasprintf("devices/%s/%s", disk, name);
	CLEANUP(free) char *holders = xasprintf("%s/holders", folder);
	CLEANUP(free) char *mark = xasprintf("%s/partition", folder);

	plant_folder(plant, holders);
	plant_file(plant, mark, "1\n");
	plant_link(plant, "class/block", name, folder);
	plant_number(plant, folder, number);
}

void plant_slave(const struct plant *plant, const char *master, const char *lower)
{
	const char *slash = strrchr(lower, '/');
	const char *name = slash ? slash + 1 : lower;
	CLEANUP(free) char *slaves = xasprintf("devices/%s/slaves", master);
	CLEANUP(free) char *lower_folder = xasprintf("devices/%s", lower);
	CLEANUP(free) char *holders = xasprintf("%s/holders", lower_folder);
	CLEANUP(free) char *master_folder = xasprintf("devices/%s", master);

	plant_link(plant, slaves, name, lower_folder);
	plant_link(plant, holders, master, master_folder);
}
