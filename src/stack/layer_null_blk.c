/* SPDX-License-Identifier: GPL-2.0-or-later */
/* null_blk: a block device without a medium, made through configfs, as fast or slow as asked. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "stack/build.h"
#include "stack/layer_table.h"

#define CONFIG_ROOT "/sys/kernel/config/nullb"
#define MIB (UINT64_C(1) << 20)
#define NR_MAX 4096

/* Documentation/block/null_blk.rst: option, attribute below CONFIG_ROOT/NAME. */
static const struct layer_key null_blk_keys[] = {
	{ .name = "size", .type = LAYER_SIZE, .is_default = true, .help = "of the device" },
	{ .name = "block_size",
	  .type = LAYER_CHOICE,
	  .choices = "512 1024 2048 4096",
	  .help = "logical block size in bytes" },
	{ .name = "completion",
	  .type = LAYER_CHOICE,
	  .choices = "direct softirq timer",
	  .help = "who completes a request" },
	{ .name = "completion_nsec",
	  .type = LAYER_UNSIGNED,
	  .help = "ns until a request completes; means completion=timer" },
	{ .name = "queues", .type = LAYER_UNSIGNED, .help = "number of submission queues" },
	{ .name = "depth", .type = LAYER_UNSIGNED, .help = "requests of a queue in flight" },
	{ .name = "max_sectors", .type = LAYER_UNSIGNED, .help = "of 512 bytes in one request" },
	{ .name = "memory_backed", .type = LAYER_BOOL, .help = "keeps what is written" },
	{ .name = "cache_size", .type = LAYER_SIZE, .help = "write-back cache (memory_backed)" },
	{ .name = "mbps", .type = LAYER_UNSIGNED, .help = "bandwidth limit in MB/s" },
	{ .name = "discard", .type = LAYER_BOOL, .help = "takes discards (memory_backed)" },
	{ .name = "bad_blocks", .type = LAYER_TEXT, .help = "sectors that fail: FIRST-LAST" },
};

static int null_blk_check(const struct layer *layer, struct err *err)
{
	uint64_t size_bytes = layer_size(layer, "size", 0);
	const char *completion = layer_text(layer, "completion");

	if (size_bytes < MIB || size_bytes % MIB)
		return err_set(err, ERR_USAGE, "it needs a size in whole MiB, such as null_blk:1G");
	if (layer_size(layer, "cache_size", MIB) % MIB)
		return err_set(err, ERR_USAGE, "cache_size must be whole MiB");
	if (layer_text(layer, "completion_nsec") && completion && strcmp(completion, "timer") != 0)
		return err_set(err, ERR_USAGE, "completion_nsec needs completion=timer, not %s",
			       completion);
	return 0;
}

static int set_attribute(const char *folder, const char *attribute, uint64_t value, struct err *err)
{
	CLEANUP(free) char *path = xasprintf("%s/%s", folder, attribute);
	CLEANUP(free) char *text = xasprintf("%llu", (unsigned long long)value);

	return build_write(path, text, err);
}

static unsigned irqmode_of(const struct layer *layer)
{
	const char *completion = layer_text(layer, "completion");

	if (layer_text(layer, "completion_nsec") || (completion && !strcmp(completion, "timer")))
		return 2;
	return completion && !strcmp(completion, "softirq") ? 1 : 0;
}

/* The attributes that stand for a number, in MiB where `divisor` says so. */
static const struct {
	const char *key, *attribute;
	uint64_t divisor;
} numbers[] = {
	{ "size", "size", MIB },
	{ "block_size", "blocksize", 1 },
	{ "completion_nsec", "completion_nsec", 1 },
	{ "queues", "submit_queues", 1 },
	{ "depth", "hw_queue_depth", 1 },
	{ "max_sectors", "max_sectors", 1 },
	{ "cache_size", "cache_size", MIB },
	{ "mbps", "mbps", 1 },
};

static int configure(const struct layer *layer, const char *folder, struct err *err)
{
	int ret = set_attribute(folder, "irqmode", irqmode_of(layer), err);

	for (size_t i = 0; ret == 0 && i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		const char *key = numbers[i].key;
		const char *text = layer_text(layer, key);

		if (!text)
			continue;
		ret = set_attribute(folder, numbers[i].attribute,
				    numbers[i].divisor > 1
					    ? layer_size(layer, key, 0) / numbers[i].divisor
					    : strtoull(text, NULL, 10),
				    err);
	}
	if (ret == 0 && layer_bool(layer, "memory_backed", false))
		ret = set_attribute(folder, "memory_backed", 1, err);
	if (ret == 0 && layer_bool(layer, "discard", false))
		ret = set_attribute(folder, "discard", 1, err);
	if (ret == 0 && layer_text(layer, "bad_blocks")) {
		CLEANUP(free) char *path = xasprintf("%s/badblocks", folder);
		CLEANUP(free) char *text = xasprintf("+%s", layer_text(layer, "bad_blocks"));

		ret = file_write_line(path, text, err);
	}
	return ret < 0 ? ret : set_attribute(folder, "power", 1, err);
}

/* A name that nobody has: it becomes that of the disk, too. New string. */
static char *free_name(void)
{
	for (unsigned number = 0; number < NR_MAX; number++) {
		CLEANUP(free) char *name = xasprintf("nullr%u", number);
		CLEANUP(free) char *folder = xasprintf(CONFIG_ROOT "/%s", name);

		if (!file_exists(folder))
			return ptr_take(name);
	}
	return xstrdup("nullr");
}

static int make_folder(struct build *build, const char *folder, const char *name, struct err *err)
{
	CLEANUP(free) char *what = xasprintf("null_blk device /dev/%s", name);
	const struct build_step step = { .action = "null_blk", .path = folder, .what = what };
	int ret = build_record(build, &step, err);

	if (ret == 0 && mkdir(folder, 0755) != 0)
		ret = err_set_errno(err, "mkdir %s", folder);
	return ret;
}

/* Kernels before 5.19 or so call the disk by its index. */
static int add_disk(struct build *build, const struct layer *layer, const char *folder,
		    const char *name, struct err *err)
{
	CLEANUP(free) char *node = xasprintf("/sys/block/%s", name);
	CLEANUP(free) char *attribute = xasprintf("%s/index", folder);
	CLEANUP(free) char *path = NULL;
	uint64_t index;

	if (file_exists(node) || file_read_u64(attribute, &index, NULL) < 0)
		path = xasprintf("/dev/%s", name);
	else
		path = xasprintf("/dev/nullb%llu", (unsigned long long)index);
	return build_add_block(build, layer, path, err);
}

static int null_blk_build(struct build *build, const struct layer *layer, struct err *err)
{
	CLEANUP(free) char *name = NULL;
	CLEANUP(free) char *folder = NULL;
	int ret = build_need_module(build, layer, "null_blk", "nr_devices=0", CONFIG_ROOT, err);

	if (ret < 0)
		return ret;
	name = free_name();
	folder = xasprintf(CONFIG_ROOT "/%s", name);
	ret = make_folder(build, folder, name, err);
	if (ret == 0)
		ret = configure(layer, folder, err);
	return ret < 0 ? ret : add_disk(build, layer, folder, name, err);
}

const struct layer_ops layer_null_blk = {
	.name = "null_blk",
	.summary = "block device without a medium, with any speed",
	.modules = "null_blk",
	.keys = null_blk_keys,
	.nr_keys = sizeof(null_blk_keys) / sizeof(null_blk_keys[0]),
	.check = null_blk_check,
	.build = null_blk_build,
};
