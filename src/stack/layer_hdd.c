/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hdd: a disk with seeks, rotation and transfer times, served by a process through nbd. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "host/attribute.h"
#include "journal/journal.h"
#include "stack/build.h"
#include "stack/hdd_server.h"
#include "stack/layer_table.h"

#define NBD_FIRST "/sys/block/nbd0"
#define NBD_PARAMS "nbds_max=16 max_part=0"
#define MIN_SIZE_BYTES (UINT64_C(1) << 20)
#define DEPTH_DEFAULT 32
#define MIN_NR_REQUESTS 4 /* the kernel keeps at least so many in flight */
#define SIZE_PATIENCE_NS UINT64_C(5000000000)
#define SIZE_RETRY_NS 1000000

static const struct layer_key hdd_keys[] = {
	{ .name = "size", .type = LAYER_SIZE, .is_default = true, .help = "of the disk" },
	{ .name = "rpm", .type = LAYER_UNSIGNED, .help = "turns in a minute (default 7200)" },
	{ .name = "track_seek_us",
	  .type = LAYER_UNSIGNED,
	  .help = "us of a step to the next track (default 1000)" },
	{ .name = "average_seek_us",
	  .type = LAYER_UNSIGNED,
	  .help = "us of a step between any two places, in the mean (default 8500)" },
	{ .name = "full_seek_us",
	  .type = LAYER_UNSIGNED,
	  .help = "us of a step from edge to edge (default 17000)" },
	{ .name = "rate", .type = LAYER_SIZE, .help = "bytes in a second (default 150M)" },
	{ .name = "order",
	  .type = LAYER_CHOICE,
	  .choices = "fcfs nearest",
	  .help = "which request is next: the oldest, or the one reached soonest (default fcfs)" },
	{ .name = "depth",
	  .type = LAYER_UNSIGNED,
	  .help = "requests that the disk knows of: 1 to 128 (default 32)" },
	{ .name = "block_size",
	  .type = LAYER_CHOICE,
	  .choices = "512 1024 2048 4096",
	  .help = "logical block size in bytes" },
};

static int configure(const struct layer *layer, struct hdd_server_config *config, struct err *err)
{
	const char *order = layer_text(layer, "order");
	const struct hdd_shape usual = HDD_SHAPE_DEFAULT;
	const struct hdd_shape shape = {
		.size_bytes = layer_size(layer, "size", 0),
		.rate_bytes_per_sec = layer_size(layer, "rate", usual.rate_bytes_per_sec),
		.rpm = layer_unsigned(layer, "rpm", usual.rpm),
		.track_seek_us = layer_unsigned(layer, "track_seek_us", usual.track_seek_us),
		.average_seek_us = layer_unsigned(layer, "average_seek_us", usual.average_seek_us),
		.full_seek_us = layer_unsigned(layer, "full_seek_us", usual.full_seek_us),
	};

	*config = (struct hdd_server_config){
		.block_bytes = layer_unsigned(layer, "block_size", 512),
		.depth = layer_unsigned(layer, "depth", DEPTH_DEFAULT),
		.is_nearest = order && !strcmp(order, "nearest"),
	};
	if (shape.size_bytes < MIN_SIZE_BYTES || shape.size_bytes % config->block_bytes)
		return err_set(err, ERR_USAGE,
			       "it needs a size of at least 1M in whole blocks, such as hdd:8G");
	if (config->depth == 0 || config->depth > HDD_MAX_DEPTH)
		return err_set(err, ERR_USAGE, "depth '%u' is not 1 to %u", config->depth,
			       HDD_MAX_DEPTH);
	return hdd_init(&shape, &config->hdd, err);
}

static int hdd_check(const struct layer *layer, struct err *err)
{
	struct hdd_server_config config;

	return configure(layer, &config, err);
}

/* ---- the device ---- */

/* 1: somebody else has it. */
static int connect_one(struct build *build, const struct hdd_server_config *config, struct err *err)
{
	CLEANUP(free) char *what = xasprintf("disk %s", config->node);
	struct build_step step = { .action = "nbd", .path = config->node, .what = what };
	struct hdd_server server;
	char pid[16];
	size_t index = journal_mark(build->journal);
	int ret = hdd_server_start(config, &server, err);

	if (ret < 0)
		return ret;
	(void)snprintf(pid, sizeof(pid), "%ld", (long)server.pid);
	step.value = pid;
	ret = build_record(build, &step, err);
	if (ret == 0)
		ret = hdd_server_connect(&server, err);
	hdd_server_release(&server, ret == 0);
	if (ret == 1) {
		int forgotten = journal_forget(build->journal, index, err);

		return forgotten < 0 ? forgotten : 1;
	}
	return ret;
}

/* node: room for the name of the one that was free. */
static int connect_some(struct build *build, struct hdd_server_config *config, char *node,
			size_t node_len, struct err *err)
{
	for (unsigned number = 0;; number++) {
		CLEANUP(free) char *folder = xasprintf("/sys/block/nbd%u", number);
		CLEANUP(free) char *user = xasprintf("%s/pid", folder);
		int ret;

		if (!file_exists(folder))
			return err_set(err, ERR_SYSTEM, "all %u nbd devices are in use", number);
		if (file_exists(user))
			continue;
		(void)snprintf(node, node_len, "/dev/nbd%u", number);
		config->node = node;
		ret = connect_one(build, config, err);
		if (ret != 1)
			return ret;
	}
}

static int wait_for_size(const char *folder, struct err *err)
{
	CLEANUP(free) char *path = xasprintf("%s/size", folder);
	uint64_t end_ns = clock_now_ns() + SIZE_PATIENCE_NS;
	uint64_t sectors = 0;

	while (file_read_u64(path, &sectors, NULL) < 0 || sectors == 0) {
		if (clock_now_ns() >= end_ns)
			return err_set(err, ERR_SYSTEM, "%s has no size after %d s", folder,
				       (int)(SIZE_PATIENCE_NS / 1000000000));
		(void)clock_sleep_until_ns(clock_now_ns() + SIZE_RETRY_NS); /* early is fine */
	}
	return 0;
}

/* ---- its queue ---- */

static int record_value(struct build *build, const char *path, const char *value, struct err *err)
{
	const struct build_step step = { .path = path, .value = value, .is_hidden = true };

	return build_record(build, &step, err);
}

/* Writes an attribute that outlives the disk, as the next user of the device would find it. */
static int set_queue(struct build *build, const char *path, const char *value, struct err *err)
{
	CLEANUP(strbuf) struct strbuf before = STRBUF_INIT;
	int ret = attribute_read(path, &before, err);

	if (ret == 0)
		ret = record_value(build, path, strbuf_str(&before), err);
	return ret < 0 ? ret : build_write(path, value, err);
}

/*
 * nbd takes 128 requests at once, a disk fewer. Without a scheduler nr_requests is the number of
 * tags of the device itself, and that stays when a scheduler, which has tags of its own, comes
 * back. The kernel writes only another value than nr_requests reads, which goes back by itself:
 * so on the way back comes one less first.
 */
static int limit_tags(struct build *build, const char *folder, unsigned depth, struct err *err)
{
	CLEANUP(free) char *path = xasprintf("%s/queue/nr_requests", folder);
	CLEANUP(free) char *text = NULL;
	CLEANUP(free) char *before = NULL;
	CLEANUP(free) char *less = NULL;
	uint64_t nr = 0;
	int ret = file_read_u64(path, &nr, err);

	if (depth < MIN_NR_REQUESTS)
		depth = MIN_NR_REQUESTS;
	if (ret < 0 || nr <= depth)
		return ret;
	text = xasprintf("%u", depth);
	before = xasprintf("%llu", (unsigned long long)nr);
	less = xasprintf("%llu", (unsigned long long)nr - 1);
	ret = record_value(build, path, before, err);
	if (ret == 0)
		ret = record_value(build, path, less, err);
	return ret < 0 ? ret : build_write(path, text, err);
}

static int set_up_queue(struct build *build, const char *folder, unsigned depth, struct err *err)
{
	CLEANUP(free) char *rotational = xasprintf("%s/queue/rotational", folder);
	CLEANUP(free) char *path = xasprintf("%s/queue/scheduler", folder);
	CLEANUP(strbuf) struct strbuf scheduler = STRBUF_INIT;
	int ret = set_queue(build, rotational, "1", err);

	if (ret == 0)
		ret = attribute_read(path, &scheduler, err);
	/* undone in the other order: none, the tags, the scheduler */
	if (ret == 0)
		ret = record_value(build, path, strbuf_str(&scheduler), err);
	if (ret == 0)
		ret = build_write(path, "none", err);
	if (ret == 0)
		ret = limit_tags(build, folder, depth, err);
	if (ret == 0)
		ret = record_value(build, path, "none", err);
	return ret < 0 ? ret : build_write(path, strbuf_str(&scheduler), err);
}

static int hdd_build(struct build *build, const struct layer *layer, struct err *err)
{
	struct hdd_server_config config;
	CLEANUP(free) char *folder = NULL;
	char node[32];
	int ret = configure(layer, &config, err);

	if (ret == 0)
		ret = build_need_module(build, layer, "nbd", NBD_PARAMS, NBD_FIRST, err);
	if (ret == 0)
		ret = connect_some(build, &config, node, sizeof(node), err);
	if (ret < 0)
		return ret;
	folder = xasprintf("/sys/block/%s", strrchr(node, '/') + 1);
	ret = wait_for_size(folder, err);
	if (ret == 0)
		ret = set_up_queue(build, folder, config.depth, err);
	return ret < 0 ? ret : build_add_block(build, layer, node, err);
}

const struct layer_ops layer_hdd = {
	.name = "hdd",
	.summary = "disk with seeks: the order of requests costs time",
	.driver = "nbd",
	.modules = "nbd",
	.keys = hdd_keys,
	.nr_keys = sizeof(hdd_keys) / sizeof(hdd_keys[0]),
	.check = hdd_check,
	.build = hdd_build,
};
