/* SPDX-License-Identifier: GPL-2.0-or-later */
/* walk_disk: the facts of one disk. One table says which files of sysfs are facts. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "env/dm_table.h"
#include "env/walk.h"
#include "host/sysblock.h"

/* By the front of the kernel's name. */
static const struct disk_kind {
	const char *prefix, *kind;
	const char *module; /* its driver, where the device does not name one; its parameters */
} kinds[] = {
	{ "loop", "loop", "loop" },
	{ "zram", "zram", "zram" },
	{ "dm-", "dm", "dm_mod" },
	{ "md", "md", "md_mod" },
	{ "nvme", "nvme", "nvme" },
	{ "sd", "scsi", NULL },
	{ "sr", "scsi", NULL },
	{ "vd", "virtio", "virtio_blk" },
	{ "nullb", "null_blk", "null_blk" },
	{ "xvd", "xen", "xen_blkfront" },
	{ "mmcblk", "mmc", "mmc_block" },
	{ "pmem", "pmem", "nd_pmem" },
	{ "ram", "brd", "brd" },
	{ "nbd", "nbd", "nbd" },
	{ "rbd", "rbd", "rbd" },
	{ "bcache", "bcache", "bcache" },
	{ "drbd", "drbd", "drbd" },
	{ "ublkb", "ublk", "ublk_drv" },
	{ "rnbd", "rnbd", "rnbd_client" },
	{ "dasd", "dasd", "dasd_mod" },
	{ "zd", "zvol", "zfs" },
	{ "mtdblock", "mtd", "mtdblock" },
};

/* Where two rows have one key, the first file that is there counts. */
static const struct fact_row rows[] = {
	{ "size_bytes", "size", FACT_SECTORS },
	{ "read_only", "ro", FACT_NOT_ZERO },
	{ "removable", "removable", FACT_NOT_ZERO },
	{ "vendor", "device/vendor", FACT_NAME },
	{ "model", "device/model", FACT_LINE },
	{ "model", "device/name", FACT_LINE },
	{ "firmware", "device/firmware_rev", FACT_LINE },
	{ "firmware", "device/rev", FACT_LINE },
	{ "firmware", "device/fwrev", FACT_LINE },
	{ "queue_depth", "device/queue_depth", FACT_LINE },
	{ "queue_type", "device/queue_type", FACT_LINE },
	{ "timeout_s", "device/timeout", FACT_LINE },
	{ "numa_node", "device/numa_node", FACT_LINE },
	{ "numa_node", "device/device/numa_node", FACT_LINE },
	{ "cache_type", "cache_type", FACT_LINE },
	{ "link_speed", "device/device/current_link_speed", FACT_LINE },
	{ "link_width", "device/device/current_link_width", FACT_LINE },
	{ "bdi.max_ratio", "bdi/max_ratio", FACT_LINE },
	{ "bdi.min_ratio", "bdi/min_ratio", FACT_LINE },
	{ "bdi.strict_limit", "bdi/strict_limit", FACT_LINE },
	{ "nvme.queue_count", "device/queue_count", FACT_LINE },
	{ "nvme.queue_entries", "device/sqsize", FACT_LINE },
	{ "nvme.iopolicy", "device/iopolicy", FACT_LINE },
	{ "loop.backing_file", "loop/backing_file", FACT_LINE },
	{ "loop.direct_io", "loop/dio", FACT_LINE },
	{ "loop.offset_bytes", "loop/offset", FACT_LINE },
	{ "loop.size_limit_bytes", "loop/sizelimit", FACT_NOT_ZERO },
	{ "zram.algorithm", "comp_algorithm", FACT_CHOICE },
	{ "zram.streams", "max_comp_streams", FACT_LINE },
	{ "zram.backing_device", "backing_dev", FACT_NOT_NONE },
	{ "md.level", "md/level", FACT_LINE },
	{ "md.disks", "md/raid_disks", FACT_LINE },
	{ "md.chunk_bytes", "md/chunk_size", FACT_NOT_ZERO },
	{ "md.layout", "md/layout", FACT_LINE },
	{ "md.metadata", "md/metadata_version", FACT_LINE },
	{ "md.consistency_policy", "md/consistency_policy", FACT_LINE },
	{ "md.stripe_cache_size", "md/stripe_cache_size", FACT_LINE },
	{ "md.group_threads", "md/group_thread_cnt", FACT_LINE },
	{ "md.bitmap", "md/bitmap/location", FACT_NOT_NONE },
	{ "md.degraded", "md/degraded", FACT_NOT_ZERO },
	{ "dm.name", "dm/name", FACT_LINE },
	{ "dm.uuid", "dm/uuid", FACT_LINE },
	{ "bcache.cache_mode", "bcache/cache_mode", FACT_CHOICE },
	{ "bcache.sequential_cutoff", "bcache/sequential_cutoff", FACT_LINE },
};

/* Of the kernel's debugfs, where it is mounted and may be read. What moves by itself, such as the
 * limits that wbt scales, is no fact. */
static const struct fact_row rqos_rows[] = {
	{ "rqos.wbt.enabled", "wbt/enabled", FACT_LINE },
	{ "rqos.wbt.min_lat_nsec", "wbt/min_lat_nsec", FACT_LINE },
};

/* A part of the device's real path in sysfs says what it is attached by. */
static const struct {
	const char *part, *transport;
} transports[] = {
	{ "/usb", "usb" },	    { "/session", "iscsi" }, { "/rport-", "fc" },
	{ "/end_device-", "sas" },  { "/ata", "sata" },	     { "/mmc_host/", "mmc" },
	{ "/virtio", "virtio" },    { "/vmbus", "vmbus" },   { "/pseudo_", "none (scsi_debug)" },
	{ "/fw-host", "firewire" },
};

static const struct disk_kind *kind_of(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!strncmp(name, kinds[i].prefix, strlen(kinds[i].prefix)))
			return &kinds[i];
	}
	return NULL;
}

/* The last part of where a link leads; NULL if it is none. Caller frees. */
static char *link_name(const char *path)
{
	char target[PATH_MAX];
	ssize_t len = readlink(path, target, sizeof(target) - 1);
	const char *slash;

	if (len <= 0)
		return NULL;
	target[len] = '\0';
	slash = strrchr(target, '/');
	return xstrdup(slash ? slash + 1 : target);
}

/* "host3" of ../host3/target3:0:0/3:0:0:0; NULL if there is none. Caller frees. */
static char *scsi_host_of(const char *device)
{
	for (const char *at = strstr(device, "/host"); at; at = strstr(at + 1, "/host")) {
		size_t digits = strspn(at + strlen("/host"), "0123456789");

		if (digits && at[strlen("/host") + digits] == '/')
			return xstrndup(at + 1, strlen("host") + digits);
	}
	return NULL;
}

static void add_scsi_host(struct walk *walk, const char *node, const char *host)
{
	static const struct fact_row host_rows[] = {
		{ "driver", "proc_name", FACT_LINE },
		{ "host.can_queue", "can_queue", FACT_LINE },
		{ "host.cmd_per_lun", "cmd_per_lun", FACT_LINE },
		{ "host.sg_tablesize", "sg_tablesize", FACT_LINE },
		{ "host.nr_hw_queues", "nr_hw_queues", FACT_LINE },
	};
	CLEANUP(free) char *folder = xasprintf("%s/class/scsi_host/%s", walk->sys_root, host);
	CLEANUP(free) char *prefix = xasprintf("%s.", node);

	facts_add_rows(walk->facts, host_rows, sizeof(host_rows) / sizeof(host_rows[0]), prefix,
		       folder);
}

/* The parameters of a module, once. */
static void add_module(struct walk *walk, const char *module)
{
	CLEANUP(free) char *folder = NULL;
	CLEANUP(free) char *prefix = NULL;

	if (name_list_has(&walk->modules, module))
		return;
	name_list_add(&walk->modules, module);
	folder = xasprintf("%s/module/%s/parameters", walk->sys_root, module);
	prefix = xasprintf("module.%s.", module);
	facts_add_folder(walk->facts, prefix, folder);
}

static void add_transport(struct walk *walk, const char *node, const char *folder,
			  const char *device)
{
	CLEANUP(free) char *path = xasprintf("%s/device/transport", folder);
	CLEANUP(free) char *said = fact_read(path, FACT_LINE); /* of NVMe */
	const char *transport = said;

	for (size_t i = 0; !transport && device && i < sizeof(transports) / sizeof(*transports);
	     i++)
		transport = strstr(device, transports[i].part) ? transports[i].transport : NULL;
	facts_add(walk->facts, transport, "%s.transport", node);
}

static void add_driver(struct walk *walk, const char *name, const char *node, const char *folder)
{
	const struct disk_kind *kind = kind_of(name);
	CLEANUP(free) char *link = xasprintf("%s/device/driver", folder);
	CLEANUP(free) char *device_link = xasprintf("%s/device", folder);
	CLEANUP(free) char *device = realpath(device_link, NULL);
	CLEANUP(free) char *host = device ? scsi_host_of(device) : NULL;
	CLEANUP(free) char *linked = link_name(link);
	const char *driver = kind && kind->module ? kind->module : linked;

	facts_add(walk->facts, kind ? kind->kind : "other", "%s.kind", node);
	if (host)
		add_scsi_host(walk, node, host);
	else
		facts_add(walk->facts, driver, "%s.driver", node);
	if (host)
		add_module(walk, "scsi_mod");
	else if (driver)
		add_module(walk, driver);
	add_transport(walk, node, folder, device);
}

static void add_nr_hw_queues(struct walk *walk, const char *node, const char *folder)
{
	CLEANUP(free) char *mq = xasprintf("%s/mq", folder);
	CLEANUP(free) char *key = xasprintf("%s.nr_hw_queues", node);
	CLEANUP(name_list) struct name_list queues = NAME_LIST_INIT;

	name_list_add_folder(&queues, mq);
	if (queues.nr)
		facts_add_u64(walk->facts, key, queues.nr);
}

static void add_table(struct walk *walk, const char *name, const char *node, const char *folder)
{
	CLEANUP(free) char *table = NULL;

	if (strncmp(name, "dm-", 3) != 0 || walk->facts->context->root)
		return;
	table = dm_table_read(sysblock_dev(folder));
	facts_add(walk->facts, table, "%s.dm.table", node);
}

void walk_add_disk_facts(struct walk *walk, const char *name, const char *folder)
{
	static const char *const folders[] = { "queue", "iosched" };
	CLEANUP(free) char *node = xasprintf("disk.%s", name);
	CLEANUP(free) char *prefix = xasprintf("%s.", node);
	CLEANUP(free)
	char *rqos = xasprintf("%s/kernel/debug/block/%s/rqos", walk->sys_root, name);

	add_driver(walk, name, node, folder);
	facts_add_rows(walk->facts, rows, sizeof(rows) / sizeof(rows[0]), prefix, folder);
	add_table(walk, name, node, folder);
	add_nr_hw_queues(walk, node, folder);
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		CLEANUP(free) char *front = xasprintf("%s.%s.", node, folders[i]);
		CLEANUP(free)
		char *path = xasprintf("%s/%s%s", folder, i ? "queue/" : "", folders[i]);

		facts_add_folder(walk->facts, front, path);
	}
	facts_add_rows(walk->facts, rqos_rows, sizeof(rqos_rows) / sizeof(rqos_rows[0]), prefix,
		       rqos);
}
