/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scsi_debug: a SCSI disk in memory, by one path or several. The module is loaded for the stack. */
#include "stack/layer_scsi_debug.h"

#include <glob.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "host/attribute.h"
#include "stack/build.h"
#include "stack/layer_table.h"

#define MIB 1048576
#define PATIENCE_NS UINT64_C(10000000000) /* hosts are scanned in the background */
#define RETRY_NS 20000000

/* But for the first of them, a key is a parameter of the module. */
static const struct layer_key scsi_debug_keys[] = {
	{ .name = "size", .type = LAYER_SIZE, .is_default = true, .help = "of its memory" },
	{ .name = "paths", .type = LAYER_UNSIGNED, .help = "to the one unit, 1 to 16 (default 1)" },
	{ .name = "offline",
	  .type = LAYER_EVENT,
	  .separator = ' ',
	  .help = "take a path off in the middle of the jobs: 2@50ms" },
	{ .name = "online", .type = LAYER_EVENT, .separator = ' ', .help = "and back: 2@200ms" },
	{ .name = "delay", .type = LAYER_UNSIGNED, .help = "of each command, in ticks" },
	{ .name = "ndelay", .type = LAYER_UNSIGNED, .help = "the same in ns; counts before delay" },
	{ .name = "max_queue", .type = LAYER_UNSIGNED, .help = "commands at once" },
	{ .name = "virtual_gb", .type = LAYER_UNSIGNED, .help = "size that it claims to have" },
	{ .name = "fake_rw", .type = LAYER_BOOL, .help = "move no data" },
	{ .name = "sector_size", .type = LAYER_UNSIGNED, .help = "512 or 4096" },
};

#define NR_OWN_KEYS 4

static int scsi_debug_check(const struct layer *layer, struct err *err)
{
	uint64_t bytes = layer_size(layer, "size", 0);
	unsigned paths = layer_unsigned(layer, "paths", 1);

	if (layer->count > 1)
		return err_set(err, ERR_USAGE,
			       "there can be one of it; use paths or another layer");
	if (!bytes || bytes % MIB)
		return err_set(err, ERR_USAGE,
			       "it needs a size in whole MiB, such as scsi_debug:64M");
	if (paths < 1 || paths > 16)
		return err_set(err, ERR_USAGE, "paths '%s' is not 1 to 16",
			       layer_text(layer, "paths"));
	return layer_check_events(layer, paths, err);
}

/* I/O to a disk that is off fails like that to a cable that is out. */
static int scsi_debug_happen(const struct layer *layer, const struct layer_scene *scene,
			     const char *key, unsigned number, struct strbuf *words,
			     struct err *err)
{
	const struct stack_device *disk = layer_scene_own(scene, layer, number);
	CLEANUP(free) char *path = xasprintf("/sys/block/%s/device/state", disk->name);

	strbuf_printf(words, "%s %s", disk->name, key);
	/* this attribute is compared with its line end */
	return attribute_write(path, !strcmp(key, "offline") ? "offline\n" : "running\n", err);
}

void scsi_debug_params(const struct layer *layer, struct strbuf *out)
{
	strbuf_printf(out, "dev_size_mb=%" PRIu64, layer_size(layer, "size", 0) / MIB);
	/* two hosts that show the same unit: same number in its identity, one store for all */
	strbuf_printf(out, " add_host=%u vpd_use_hostno=0 per_host_store=0",
		      layer_unsigned(layer, "paths", 1));
	for (size_t i = NR_OWN_KEYS; i < sizeof(scsi_debug_keys) / sizeof(scsi_debug_keys[0]);
	     i++) {
		const struct layer_key *key = &scsi_debug_keys[i];
		const char *text = layer_text(layer, key->name);

		if (text && key->type == LAYER_BOOL)
			strbuf_printf(out, " %s=%d", key->name,
				      layer_bool(layer, key->name, false));
		else if (text)
			strbuf_printf(out, " %s=%s", key->name, text);
	}
}

/* The disks, when there are as many as paths; 0 otherwise. */
static size_t find_disks(const char *pattern, unsigned nr_paths, glob_t *disks)
{
	if (glob(pattern, 0, NULL, disks) != 0)
		return 0;
	if (disks->gl_pathc >= nr_paths)
		return disks->gl_pathc;
	globfree(disks);
	return 0;
}

static int add_disks(struct build *build, const struct layer *layer, struct err *err)
{
	CLEANUP(free)
	char *pattern =
		xasprintf("%s/bus/pseudo/drivers/scsi_debug/adapter*/host*/target*/*:*/block/*",
			  build_sys_root(build));
	unsigned nr_paths = layer_unsigned(layer, "paths", 1);
	uint64_t end_ns = clock_now_ns() + PATIENCE_NS;
	glob_t disks = { .gl_pathc = 0 };
	int ret = 0;

	while (!find_disks(pattern, nr_paths, &disks)) {
		if (clock_now_ns() >= end_ns)
			return err_set(err, ERR_SYSTEM, "%u disks of scsi_debug did not appear",
				       nr_paths);
		(void)clock_sleep_until_ns(clock_now_ns() + RETRY_NS); /* early is fine */
	}
	for (size_t i = 0; ret == 0 && i < nr_paths; i++) {
		CLEANUP(free)
		char *path = xasprintf("%s/%s", build_dev_root(build),
				       strrchr(disks.gl_pathv[i], '/') + 1);

		ret = build_add_block(build, layer, path, err);
	}
	globfree(&disks);
	return ret;
}

static int scsi_debug_build(struct build *build, const struct layer *layer, struct err *err)
{
	CLEANUP(free) char *module = xasprintf("%s/module/scsi_debug", build_sys_root(build));
	CLEANUP(free) char *disks = xasprintf("%s/bus/scsi/drivers/sd", build_sys_root(build));
	CLEANUP(strbuf) struct strbuf params = STRBUF_INIT;
	int ret;

	if (file_exists(module))
		return err_set(err, ERR_SYSTEM, "scsi_debug is loaded already; unload it first");
	/* a bus without udev does not load the driver of its disks by itself */
	ret = build_need_module(build, layer, "sd_mod", "", disks, err);
	if (ret < 0)
		return ret;
	scsi_debug_params(layer, &params);
	ret = build_need_module(build, layer, "scsi_debug", strbuf_str(&params), module, err);
	return ret < 0 ? ret : add_disks(build, layer, err);
}

const struct layer_ops layer_scsi_debug = {
	.name = "scsi_debug",
	.summary = "SCSI disk in memory, by one path or several",
	.modules = "sd_mod scsi_debug",
	.keys = scsi_debug_keys,
	.nr_keys = sizeof(scsi_debug_keys) / sizeof(scsi_debug_keys[0]),
	.outputs_key = "paths",
	.check = scsi_debug_check,
	.build = scsi_debug_build,
	.happen = scsi_debug_happen,
};
