/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verify_map: which write went last to each interval, in memory or in a state file. */
#include "load/verify_map.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "verify/sum.h"

#define STATE_MAGIC "regiover"
#define STATE_VERSION 1
#define STATE_MODE 0644
#define PAGE_BYTES 4096 /* of the file; entries begin at a multiple of it */

/* Begin of a state file, in the byte order of the machine that wrote it. */
struct state_header {
	char magic[8];
	uint32_t version;
	uint32_t interval_bytes;
	uint64_t nr_files; /* regions follow the header */
	uint64_t nr_entries;
	uint32_t crc32c; /* of all above and of the regions */
	uint32_t unused;
	uint64_t last_number; /* changes as the run goes on */
};

static uint64_t entries_of(const struct region *region, uint32_t interval_bytes)
{
	return region->len_bytes / interval_bytes;
}

static size_t head_bytes(size_t nr_files)
{
	size_t bytes = sizeof(struct state_header) + nr_files * sizeof(struct region);

	return (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

uint64_t verify_map_bytes(const struct region *regions, size_t nr_files, uint32_t interval_bytes)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < nr_files; i++)
		nr += entries_of(&regions[i], interval_bytes);
	return head_bytes(nr_files) + nr * sizeof(uint32_t);
}

static void lay_out_files(struct verify_map *map, const struct verify_map_config *config)
{
	map->nr_files = config->nr_files;
	map->interval_bytes = config->interval_bytes;
	map->files = xcalloc(config->nr_files, sizeof(*map->files));
	for (size_t i = 0; i < config->nr_files; i++) {
		map->files[i] = (struct verify_map_file){
			.region = config->regions[i],
			.first = map->nr_entries,
			.nr = (size_t)entries_of(&config->regions[i], config->interval_bytes),
		};
		map->nr_entries += map->files[i].nr;
	}
}

static uint32_t crc_of_head(const struct state_header *header)
{
	struct state_header fixed = *header;
	size_t regions_bytes = (size_t)header->nr_files * sizeof(struct region);
	CLEANUP(free) unsigned char *all = xmalloc(sizeof(fixed) + regions_bytes);

	fixed.crc32c = 0;
	fixed.last_number = 0;
	memcpy(all, &fixed, sizeof(fixed));
	memcpy(all + sizeof(fixed), header + 1, regions_bytes);
	return sum_crc32c(all, sizeof(fixed) + regions_bytes);
}

static void write_head(const struct verify_map *map, const struct verify_map_config *config)
{
	struct state_header *header = map->mapping;

	*header = (struct state_header){
		.magic = STATE_MAGIC,
		.version = STATE_VERSION,
		.interval_bytes = map->interval_bytes,
		.nr_files = map->nr_files,
		.nr_entries = map->nr_entries,
	};
	memcpy(header + 1, config->regions, map->nr_files * sizeof(struct region));
	header->crc32c = crc_of_head(header);
}

static int check_head(const struct verify_map *map, const struct verify_map_config *config,
		      struct err *err)
{
	const struct state_header *header = map->mapping;

	if (memcmp(header->magic, STATE_MAGIC, sizeof(header->magic)) != 0)
		return err_set(err, ERR_INPUT, "'%s' is no verify state of regio",
			       config->state_path);
	if (header->version != STATE_VERSION)
		return err_set(err, ERR_INPUT,
			       "'%s' is a verify state of version %" PRIu32 ", this regio knows %d",
			       config->state_path, header->version, STATE_VERSION);
	if (header->nr_files != map->nr_files || header->nr_entries != map->nr_entries ||
	    header->interval_bytes != map->interval_bytes ||
	    memcmp(header + 1, config->regions, map->nr_files * sizeof(struct region)) != 0)
		return err_set(err, ERR_INPUT,
			       "'%s' is the verify state of a job with other files, sizes or "
			       "verify_interval",
			       config->state_path);
	if (header->crc32c != crc_of_head(header) || header->last_number > VERIFY_MAX_NUMBER)
		return err_set(err, ERR_INPUT, "the verify state '%s' is damaged",
			       config->state_path);
	return 0;
}

static int open_state(const struct verify_map *map, const struct verify_map_config *config,
		      int *ret_fd, struct err *err)
{
	int flags = O_RDWR | O_CLOEXEC | (config->is_loaded ? 0 : O_CREAT | O_TRUNC);
	CLEANUP(fd) int fd = open(config->state_path, flags, STATE_MODE);
	struct stat info;

	if (fd < 0)
		return err_set_errno(err, "open the verify state '%s'", config->state_path);
	if (!config->is_loaded) {
		/* a hole that the filesystem cannot fill later would be a SIGBUS */
		errno = posix_fallocate(fd, 0, (off_t)map->mapping_bytes);
		if (errno)
			return err_set_errno(err, "make the verify state '%s'", config->state_path);
	}
	if (fstat(fd, &info) < 0)
		return err_set_errno(err, "look at the verify state '%s'", config->state_path);
	if (!S_ISREG(info.st_mode))
		return err_set(err, ERR_INPUT, "the verify state '%s' is no file",
			       config->state_path);
	if ((uint64_t)info.st_size < sizeof(struct state_header) ||
	    (uint64_t)info.st_size != map->mapping_bytes)
		return err_set(err, ERR_INPUT,
			       "the verify state '%s' has %" PRIu64 " bytes, %zu are needed: it is "
			       "of another job or cut",
			       config->state_path, (uint64_t)info.st_size, map->mapping_bytes);
	*ret_fd = fd_take(&fd);
	return 0;
}

/* What an earlier run found right may have changed since. */
static void forget_checks(struct verify_map *map)
{
	for (size_t i = 0; i < map->nr_entries; i++) {
		if (map->entries[i] & VERIFY_ENTRY_CHECKED)
			map->entries[i] &= ~VERIFY_ENTRY_CHECKED;
	}
}

int verify_map_open(struct verify_map *map, const struct verify_map_config *config, struct err *err)
{
	CLEANUP(fd) int fd = -1;
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	int ret;

	*map = (struct verify_map){ .interval_bytes = 0 };
	lay_out_files(map, config);
	map->mapping_bytes =
		(size_t)verify_map_bytes(config->regions, config->nr_files, config->interval_bytes);
	if (config->state_path) {
		flags = config->is_kept ? MAP_SHARED : MAP_PRIVATE;
		ret = open_state(map, config, &fd, err);
		if (ret < 0)
			return ret;
	}
	map->mapping = mmap(NULL, map->mapping_bytes, PROT_READ | PROT_WRITE, flags, fd, 0);
	if (map->mapping == MAP_FAILED) {
		map->mapping = NULL;
		return err_set_errno(err, "map %zu bytes for what is written", map->mapping_bytes);
	}
	map->last_number = &((struct state_header *)map->mapping)->last_number;
	map->entries = (uint32_t *)(void *)((char *)map->mapping + head_bytes(map->nr_files));
	if (config->is_loaded) {
		ret = check_head(map, config, err);
		if (ret < 0)
			return ret;
		forget_checks(map);
	} else {
		write_head(map, config);
	}
	return 0;
}

void verify_map_release(struct verify_map *map)
{
	if (map->mapping)
		(void)munmap(map->mapping, map->mapping_bytes);
	free(map->files);
	*map = (struct verify_map){ .interval_bytes = 0 };
}

uint32_t *verify_map_at(const struct verify_map *map, uint32_t file, uint64_t offset_bytes,
			uint32_t len_bytes, size_t *ret_nr)
{
	const struct verify_map_file *at = &map->files[file];
	uint64_t within_bytes = offset_bytes - at->region.start_bytes;
	uint64_t first = within_bytes / map->interval_bytes;
	uint64_t nr = len_bytes / map->interval_bytes;

	if (offset_bytes < at->region.start_bytes || within_bytes % map->interval_bytes ||
	    len_bytes % map->interval_bytes || first >= at->nr || nr > at->nr - first)
		return NULL;
	*ret_nr = (size_t)nr;
	return map->entries + at->first + first;
}

static bool is_to_be_checked(uint32_t entry)
{
	return (entry & VERIFY_ENTRY_NUMBER) && !(entry & VERIFY_ENTRY_CHECKED);
}

bool verify_map_next(const struct verify_map *map, struct verify_cursor *cursor, uint32_t max_bytes,
		     struct verify_run *ret_run)
{
	for (; cursor->file < map->nr_files; cursor->file++, cursor->entry = 0) {
		const struct verify_map_file *file = &map->files[cursor->file];
		const uint32_t *entries = map->entries + file->first;
		size_t at = cursor->entry;
		size_t end;

		while (at < file->nr && !is_to_be_checked(entries[at]))
			at++;
		if (at == file->nr)
			continue;
		end = at + 1;
		while (end < file->nr && entries[end] == entries[at] &&
		       (end + 1 - at) * (uint64_t)map->interval_bytes <= max_bytes)
			end++;
		cursor->entry = end;
		*ret_run = (struct verify_run){
			.file = (uint32_t)cursor->file,
			.offset_bytes =
				file->region.start_bytes + at * (uint64_t)map->interval_bytes,
			.len_bytes = (uint32_t)(end - at) * map->interval_bytes,
			.entry = entries[at],
		};
		return true;
	}
	return false;
}
