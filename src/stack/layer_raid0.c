/* SPDX-License-Identifier: GPL-2.0-or-later */
/* raid0: an md array without superblocks, as `mdadm --build` makes it, by the same ioctls. */
#include <fcntl.h>
#include <linux/major.h>
#include <linux/raid/md_p.h>
#include <linux/raid/md_u.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "stack/build.h"
#include "stack/layer_table.h"

#define DEFAULT_CHUNK 65536
#define NODE_PATIENCE_NS UINT64_C(5000000000)
#define NODE_RETRY_NS 2000000

static const struct layer_key raid0_keys[] = {
	{ .name = "chunk",
	  .type = LAYER_SIZE,
	  .is_default = true,
	  .help = "bytes on one device before the next (default 64k)" },
};

static int raid0_check(const struct layer *layer, struct err *err)
{
	uint64_t chunk = layer_size(layer, "chunk", DEFAULT_CHUNK);

	if (chunk >= 4096 && chunk <= INT32_MAX && !(chunk & (chunk - 1)))
		return 0;
	return err_set(err, ERR_USAGE, "chunk '%s' is not a power of two from 4k on",
		       layer_text(layer, "chunk"));
}

static int assemble(int fd, const struct layer *layer, const struct stack_device **members,
		    size_t nr, struct err *err)
{
	mdu_array_info_t info = {
		.level = 0,
		.nr_disks = (int)nr,
		.raid_disks = (int)nr,
		.active_disks = (int)nr,
		.working_disks = (int)nr,
		.not_persistent = 1,
		.state = 1 << MD_SB_CLEAN,
		.chunk_size = (int)layer_size(layer, "chunk", DEFAULT_CHUNK),
	};

	if (ioctl(fd, SET_ARRAY_INFO, &info) < 0)
		return err_set_errno(err, "describe the array");
	for (size_t i = 0; i < nr; i++) {
		mdu_disk_info_t disk = {
			.number = (int)i,
			.raid_disk = (int)i,
			.major = (int)major(members[i]->dev),
			.minor = (int)minor(members[i]->dev),
			.state = 1 << MD_DISK_SYNC | 1 << MD_DISK_ACTIVE,
		};

		if (ioctl(fd, ADD_NEW_DISK, &disk) < 0)
			return err_set_errno(err, "add %s to the array", members[i]->path);
	}
	return ioctl(fd, RUN_ARRAY, NULL) < 0 ? err_set_errno(err, "start the array") : 0;
}

/* The node may take a moment after its name was written. */
static int open_array(const char *path, int *ret_fd, struct err *err)
{
	uint64_t end_ns = clock_now_ns() + NODE_PATIENCE_NS;

	while (!file_exists(path) && clock_now_ns() < end_ns)
		(void)clock_sleep_until_ns(clock_now_ns() + NODE_RETRY_NS); /* early is fine */
	*ret_fd = open(path, O_RDWR | O_CLOEXEC);
	return *ret_fd < 0 ? err_set_errno(err, "open %s", path) : 0;
}

static int raid0_build(struct build *build, const struct layer *layer, struct err *err)
{
	size_t nr = 0;
	CLEANUP(free) const struct stack_device **members = build_inputs(build, layer, &nr);
	CLEANUP(free)
	char *new_array = xasprintf("%s/module/md_mod/parameters/new_array", build_sys_root(build));
	CLEANUP(free) char *name = xasprintf("md_regio%ld", (long)getpid());
	CLEANUP(free) char *path = xasprintf("%s/%s", build_dev_root(build), name);
	CLEANUP(free) char *what = xasprintf("md array %s", path);
	const struct build_step step = {
		.action = "md",
		.path = path,
		.value = members[0]->name,
		.what = what,
	};
	CLEANUP(fd) int fd = -1;
	int ret = build_need_module(build, layer, "raid0", "", new_array, err);

	if (ret == 0)
		ret = build_record(build, &step, err);
	if (ret == 0)
		ret = file_write_line(new_array, name, err);
	if (ret == 0)
		ret = open_array(path, &fd, err);
	if (ret == 0)
		ret = assemble(fd, layer, members, nr, err);
	return ret < 0 ? ret : build_add_block(build, layer, path, err);
}

const struct layer_ops layer_raid0 = {
	.name = "raid0",
	.summary = "md RAID 0 over several devices",
	.modules = "raid0",
	.driver = "md raid0",
	.keys = raid0_keys,
	.nr_keys = sizeof(raid0_keys) / sizeof(raid0_keys[0]),
	.min_inputs = 2,
	.max_inputs = LAYER_MAX_COUNT,
	.check = raid0_check,
	.build = raid0_build,
};
