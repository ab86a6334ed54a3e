/* SPDX-License-Identifier: GPL-2.0-or-later */
/* zram: a compressed block device in memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "journal/journal.h"
#include "stack/build.h"
#include "stack/layer_table.h"

#define HOT_ADD "/sys/class/zram-control/hot_add"
#define NR_MAX 4096

static const struct layer_key zram_keys[] = {
	{ .name = "size", .type = LAYER_SIZE, .is_default = true, .help = "of the device" },
	{ .name = "algorithm", .type = LAYER_TEXT, .help = "of compression: lzo-rle, zstd .." },
};

static int zram_check(const struct layer *layer, struct err *err)
{
	if (layer_text(layer, "size"))
		return 0;
	return err_set(err, ERR_USAGE, "it needs a size, such as zram:1G");
}

/* The number that the kernel will most likely choose. */
static unsigned next_number(void)
{
	unsigned number = 0;

	for (; number < NR_MAX; number++) {
		CLEANUP(free) char *folder = xasprintf("/sys/block/zram%u", number);

		if (!file_exists(folder))
			break;
	}
	return number;
}

static int record(struct build *build, const char *action, const char *number, struct err *err)
{
	CLEANUP(free) char *folder = xasprintf("/sys/block/zram%s", number);
	CLEANUP(free) char *what = xasprintf("zram device /dev/zram%s", number);
	const bool is_made = !strcmp(action, "zram");
	const struct build_step step = {
		.action = action,
		.path = folder,
		.value = number,
		.what = what,
		.anchor = is_made ? folder : NULL,
		.is_hidden = !is_made,
	};

	return build_record(build, &step, err);
}

/* Reading hot_add makes a device and says which. */
static int zram_add(struct build *build, struct strbuf *ret_number, struct err *err)
{
	size_t intent = journal_mark(build->journal);
	char expected[16];
	int ret;

	(void)snprintf(expected, sizeof(expected), "%u", next_number());
	ret = record(build, "zram-new", expected, err);
	if (ret == 0)
		ret = file_read_line(HOT_ADD, ret_number, err);
	if (ret == 0)
		ret = record(build, "zram", strbuf_str(ret_number), err);
	return ret < 0 ? ret : journal_forget(build->journal, intent, err);
}

static int zram_build(struct build *build, const struct layer *layer, struct err *err)
{
	const char *algorithm = layer_text(layer, "algorithm");
	CLEANUP(strbuf) struct strbuf number = STRBUF_INIT;
	CLEANUP(free) char *path = NULL;
	char size[32];
	int ret = build_need_module(build, layer, "zram", "num_devices=0", HOT_ADD, err);

	if (ret == 0)
		ret = zram_add(build, &number, err);
	if (ret == 0 && algorithm) {
		path = xasprintf("/sys/block/zram%s/comp_algorithm", strbuf_str(&number));
		ret = build_write(path, algorithm, err);
		free(ptr_take(path));
	}
	if (ret < 0)
		return ret;
	(void)snprintf(size, sizeof(size), "%llu",
		       (unsigned long long)layer_size(layer, "size", 0));
	path = xasprintf("/sys/block/zram%s/disksize", strbuf_str(&number));
	ret = build_write(path, size, err);
	free(ptr_take(path));
	path = xasprintf("/dev/zram%s", strbuf_str(&number));
	return ret < 0 ? ret : build_add_block(build, layer, path, err);
}

const struct layer_ops layer_zram = {
	.name = "zram",
	.summary = "compressed block device in memory",
	.modules = "zram lzo lzo_rle lz4 zstd",
	.keys = zram_keys,
	.nr_keys = sizeof(zram_keys) / sizeof(zram_keys[0]),
	.check = zram_check,
	.build = zram_build,
};
