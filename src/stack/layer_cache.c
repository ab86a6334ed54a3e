/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cache: a fast device before a slow one. Metadata, fast and slow in this order. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "host/dm.h"
#include "base/strbuf.h"
#include "stack/build.h"
#include "stack/layer_dm.h"
#include "stack/layer_table.h"

#define SECTOR_BYTES 512
#define DEFAULT_BLOCK 262144
#define METADATA_HEAD 65536
#define NR_STATUS_WORDS_BEFORE 4 /* the counts */

static const struct layer_key cache_keys[] = {
	{ .name = "policy",
	  .type = LAYER_CHOICE,
	  .choices = "smq mq cleaner default",
	  .help = "what is cached (default smq; mq is another name of it now)" },
	{ .name = "mode",
	  .type = LAYER_CHOICE,
	  .choices = "writethrough writeback passthrough",
	  .help = "default writeback" },
	{ .name = "block_size", .type = LAYER_SIZE, .help = "of what is moved (default 256k)" },
	{ .name = "migration_threshold",
	  .type = LAYER_UNSIGNED,
	  .help = "most sectors on the move at once" },
};

static int cache_check(const struct layer *layer, struct err *err)
{
	uint64_t block = layer_size(layer, "block_size", DEFAULT_BLOCK);

	if (block >= 32768 && block <= 1073741824 && block % 32768 == 0)
		return 0;
	return err_set(err, ERR_USAGE, "block_size '%s' is not a multiple of 32k up to 1G",
		       layer_text(layer, "block_size"));
}

static int cache_table(const struct layer *layer, const struct table_input *inputs, size_t nr,
		       struct strbuf *out, struct err *err)
{
	const char *policy = layer_text(layer, "policy");
	const char *mode = layer_text(layer, "mode");
	uint64_t block = layer_size(layer, "block_size", DEFAULT_BLOCK) / SECTOR_BYTES;

	(void)nr;
	if (inputs[1].sectors < block)
		return err_set(err, ERR_USAGE, "the fast device is smaller than one block");
	strbuf_printf(out, "0 %" PRIu64 " cache %s %s %s %" PRIu64 " 1 %s %s", inputs[2].sectors,
		      inputs[0].device, inputs[1].device, inputs[2].device, block,
		      mode ? mode : "writeback", policy ? policy : "smq");
	if (layer_text(layer, "migration_threshold"))
		strbuf_printf(out, " 2 migration_threshold %u\n",
			      layer_unsigned(layer, "migration_threshold", 0));
	else
		strbuf_add_str(out, " 0\n");
	return 0;
}

/* Zeros at the front of the metadata mean a new, empty cache. */
static int clear_metadata(const char *path, struct err *err)
{
	static const char zeros[METADATA_HEAD];
	CLEANUP(fd) int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return err_set_errno(err, "open %s", path);
	errno = -file_write_all(fd, zeros, sizeof(zeros));
	if (errno || fsync(fd) < 0)
		return err_set_errno(err, "clear %s", path);
	return 0;
}

static int cache_build(struct build *build, const struct layer *layer, struct err *err)
{
	size_t nr = 0;
	CLEANUP(free) const struct stack_device **below = build_inputs(build, layer, &nr);
	int ret = clear_metadata(below[0]->path, err);

	return ret < 0 ? ret : dm_layer_build(build, layer, err);
}

/* "8 27/2048 128 1024/1024 READHITS READMISSES WRITEHITS WRITEMISSES DEMOTIONS PROMOTIONS DIRTY" */
static int cache_report(const struct layer *layer, const struct layer_scene *scene,
			const struct stack_sink *sink, struct err *err)
{
	static const char *const names[] = {
		"read_hits", "read_misses", "write_hits", "write_misses",
		"demotions", "promotions",  "dirty",
	};
	CLEANUP(free) char *uuid = dm_layer_uuid(scene->stack, layer);
	CLEANUP(strbuf) struct strbuf status = STRBUF_INIT;
	int ret = dm_status(uuid, &status, err);
	const char *at = strbuf_str(&status);

	for (unsigned i = 0; i < NR_STATUS_WORDS_BEFORE; i++) {
		at += strcspn(at, " ");
		at += strspn(at, " ");
	}
	for (size_t i = 0; ret == 0 && *at && i < sizeof(names) / sizeof(names[0]); i++) {
		char *end;

		sink->number(sink->arg, layer->name, names[i], (double)strtoull(at, &end, 10));
		at = end + strspn(end, " ");
	}
	return ret;
}

const struct layer_ops layer_cache = {
	.name = "cache",
	.summary = "device-mapper cache over metadata, fast and slow device",
	.modules = "dm_cache dm_cache_smq",
	.driver = "device-mapper",
	.keys = cache_keys,
	.nr_keys = sizeof(cache_keys) / sizeof(cache_keys[0]),
	.min_inputs = 3,
	.max_inputs = 3,
	.check = cache_check,
	.build = cache_build,
	.table = cache_table,
	.report = cache_report,
};
