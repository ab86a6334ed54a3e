/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_UNIT_HOST_PLANT_H
#define REGIO_TESTS_UNIT_HOST_PLANT_H

/*
 * A planted sysfs (and whatever else a test needs) in a temporary folder, laid out as the kernel
 * does: devices/.., block/DEV, class/block/DEV and dev/block/M:m as links into it, slaves/ and
 * holders/ as links between devices. Every step asserts that it worked.
 */
struct plant {
	char root[64];
};

void plant_create(struct plant *plant);
void plant_remove(struct plant *plant);

/* A whole disk; number "8:0", or NULL for a hidden path that has none. */
void plant_disk(const struct plant *plant, const char *name, const char *number);
void plant_partition(const struct plant *plant, const char *disk, const char *name,
		     const char *number);
/* lower ("sda", or "sda/sda1" for a partition) becomes a slave of master, which holds it. */
void plant_slave(const struct plant *plant, const char *master, const char *lower);

/* root/folder/name leads to root/target. */
void plant_link(const struct plant *plant, const char *folder, const char *name,
		const char *target);
/* Writes root/path, creating folders; path may be "block/sda/queue/scheduler". */
void plant_file(const struct plant *plant, const char *path, const char *content);
void plant_folder(const struct plant *plant, const char *path);
/* A new string with the content, without its final newline. */
char *plant_read(const struct plant *plant, const char *path);
/* root/path as a new string. */
char *plant_path(const struct plant *plant, const char *path);

#endif
