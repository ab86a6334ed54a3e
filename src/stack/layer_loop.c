/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loop: a loop device over a file of its own, or over what is below it. */
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/units.h"
#include "journal/journal.h"
#include "stack/build.h"
#include "stack/layer_table.h"

#define CONTROL "/dev/loop-control"
#define NR_TRIES 64 /* others may take the device in the meantime */

static const struct layer_key loop_keys[] = {
	{ .name = "size", .type = LAYER_SIZE, .is_default = true, .help = "of its backing file" },
	{ .name = "path",
	  .type = LAYER_TEXT,
	  .help = "backing file; one that is there already is used and kept" },
	{ .name = "sparse", .type = LAYER_BOOL, .help = "do not reserve the space (default off)" },
	{ .name = "direct_io",
	  .type = LAYER_BOOL,
	  .help = "pass the page cache of the backing file by (default: on where it can)" },
	{ .name = "block_size", .type = LAYER_SIZE, .help = "logical block size: 512 to 4096" },
};

static int loop_check(const struct layer *layer, struct err *err)
{
	uint64_t block_bytes = layer_size(layer, "block_size", 512);

	if (layer->nr_inputs && (layer_text(layer, "size") || layer_text(layer, "path")))
		return err_set(err, ERR_USAGE, "size and path are for a loop device at the bottom");
	if (!layer->nr_inputs && !layer_text(layer, "size") && !layer_text(layer, "path"))
		return err_set(err, ERR_USAGE, "it needs a size, such as loop:1G");
	if (layer->count > 1 && layer_text(layer, "path"))
		return err_set(err, ERR_USAGE, "count %u devices cannot share one path",
			       layer->count);
	if (block_bytes < 512 || block_bytes > 4096 || (block_bytes & (block_bytes - 1)))
		return err_set(err, ERR_USAGE, "block_size '%s' is none of 512, 1k, 2k, 4k",
			       layer_text(layer, "block_size"));
	return 0;
}

/* What is to be bound, and how. */
struct binding {
	char *backing; /* full path */
	int backing_fd;
	uint64_t size_bytes;
	unsigned number; /* of /dev/loopN */
	char path[32];
};

static void binding_release(struct binding *binding)
{
	free(binding->backing);
	cleanup_fd(&binding->backing_fd);
}

CLEANUP_DEFINE(binding, struct binding, binding_release)

static bool loop_exists(unsigned number)
{
	CLEANUP(free) char *folder = xasprintf("/sys/block/loop%u", number);

	return file_exists(folder);
}

/* 1: somebody else has made it. */
static int add_node(const struct binding *binding, struct err *err)
{
	CLEANUP(fd) int control = open(CONTROL, O_RDWR | O_CLOEXEC);

	if (control < 0)
		return err_set_errno(err, "open " CONTROL);
	if (ioctl(control, LOOP_CTL_ADD, (long)binding->number) >= 0)
		return 0;
	return errno == EEXIST ? 1 : err_set_errno(err, "add %s", binding->path);
}

/*
 * A new device, never one that is there: the kernel keeps the queue limits, the scheduler and the
 * tunables of former users, and they would be others afterwards.
 */
static int create_node(struct build *build, const struct binding *binding, struct err *err)
{
	char number[16];
	const struct build_step step = {
		.action = "loop-node",
		.path = binding->path,
		.value = number,
		.is_hidden = true,
	};
	size_t index = journal_mark(build->journal);
	int forgotten;
	int ret;

	(void)snprintf(number, sizeof(number), "%u", binding->number);
	ret = build_record(build, &step, err);
	if (ret == 0)
		ret = add_node(binding, err);
	if (ret != 1)
		return ret;
	forgotten = journal_forget(build->journal, index, err);
	return forgotten < 0 ? forgotten : 1;
}

/* 1: somebody else was faster. */
static int bind(const struct layer *layer, const struct binding *binding, struct err *err)
{
	bool wants_direct = layer_bool(layer, "direct_io", true);
	struct loop_config config = {
		.fd = (uint32_t)binding->backing_fd,
		.block_size = (uint32_t)layer_size(layer, "block_size", 0),
		.info = {
			.lo_flags = wants_direct ? LO_FLAGS_DIRECT_IO : 0,
			.lo_sizelimit = layer->nr_inputs ? 0 : binding->size_bytes,
		},
	};
	CLEANUP(fd) int fd = open(binding->path, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return err_set_errno(err, "open %s", binding->path);
	(void)snprintf((char *)config.info.lo_file_name, LO_NAME_SIZE, "%s", binding->backing);
	if (ioctl(fd, LOOP_CONFIGURE, &config) == 0)
		return 0;
	return errno == EBUSY
		       ? 1
		       : err_set_errno(err, "bind %s to %s", binding->path, binding->backing);
}

static int check_direct(const struct layer *layer, const struct binding *binding, struct err *err)
{
	CLEANUP(free) char *path = xasprintf("/sys/block/loop%u/loop/dio", binding->number);
	uint64_t is_direct = 0;

	if (!layer_text(layer, "direct_io"))
		return 0;
	if (file_read_u64(path, &is_direct, NULL) == 0 &&
	    is_direct == layer_bool(layer, "direct_io", true))
		return 0;
	return err_set(err, ERR_SYSTEM,
		       "direct_io=%s was asked for, but %s reads %u: the filesystem of %s does not "
		       "take it at this block size",
		       layer_text(layer, "direct_io"), path, (unsigned)is_direct, binding->backing);
}

/* 1: somebody else took the number or the device. */
static int bind_new(struct build *build, const struct layer *layer, struct binding *binding,
		    struct err *err)
{
	CLEANUP(free) char *what = NULL;
	struct build_step step = { .action = "loop", .value = binding->backing };
	int ret;

	(void)snprintf(binding->path, sizeof(binding->path), "/dev/loop%u", binding->number);
	what = xasprintf("loop device %s of %s", binding->path, binding->backing);
	step.path = binding->path;
	step.what = what;
	ret = create_node(build, binding, err);
	if (ret == 0)
		ret = build_record(build, &step, err);
	return ret == 0 ? bind(layer, binding, err) : ret;
}

static int bind_some(struct build *build, const struct layer *layer, struct binding *binding,
		     struct err *err)
{
	for (unsigned i = 0; i < NR_TRIES; i++) {
		int ret;

		while (loop_exists(binding->number))
			binding->number++;
		ret = bind_new(build, layer, binding, err);
		if (ret != 1)
			return ret;
		binding->number++;
	}
	return err_set(err, ERR_SYSTEM, "others take every new loop device");
}

static int open_backing(struct build *build, const struct layer *layer, struct binding *binding,
			struct err *err)
{
	CLEANUP(free) const struct stack_device **inputs = NULL;
	CLEANUP(free) char *path = NULL;
	size_t nr = 0;
	int ret = 0;

	if (layer->nr_inputs) {
		inputs = build_inputs(build, layer, &nr);
		path = xstrdup(inputs[0]->path);
		binding->size_bytes = inputs[0]->size_bytes;
	} else {
		ret = build_file(build, layer, &path, &binding->size_bytes, err);
	}
	if (ret < 0)
		return ret;
	binding->backing = realpath(path, NULL); /* as the kernel will name it */
	binding->backing_fd = open(path, O_RDWR | O_CLOEXEC);
	if (!binding->backing || binding->backing_fd < 0)
		return err_set_errno(err, "open %s", path);
	return 0;
}

static int loop_build(struct build *build, const struct layer *layer, struct err *err)
{
	CLEANUP(binding) struct binding binding = { .backing_fd = -1 };
	int ret = build_need_module(build, layer, "loop", "max_loop=0", CONTROL, err);

	if (ret == 0)
		ret = open_backing(build, layer, &binding, err);
	if (ret < 0)
		return ret;
	ret = bind_some(build, layer, &binding, err);
	if (ret == 0)
		ret = check_direct(layer, &binding, err);
	return ret < 0 ? ret : build_add_block(build, layer, binding.path, err);
}

const struct layer_ops layer_loop = {
	.name = "loop",
	.summary = "loop device over a file or over what is below it",
	.modules = "loop",
	.keys = loop_keys,
	.nr_keys = sizeof(loop_keys) / sizeof(loop_keys[0]),
	.max_inputs = 1,
	.takes_file = true,
	.check = loop_check,
	.build = loop_build,
};
