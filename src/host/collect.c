/* SPDX-License-Identifier: GPL-2.0-or-later */
/* collect: facts about the machine that a reader of a result asks for. It judges nothing. */
#include "host/collect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "host/device.h"
#include "host/name_list.h"
#include "host/sysblock.h"
#include "model/result.h"

#define COLLECT_MAX_PROC_BYTES (4U << 20) /* /proc/cpuinfo of 1024 CPUs has 2 MiB */
#define COLLECT_MAX_VALUE_LEN 256	  /* longer attributes are tables, not facts */

/* The text after "KEY<blanks>:" on the first line that starts so; NULL if there is none. */
static char *proc_value(const char *path, const char *key)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf value = STRBUF_INIT;
	size_t key_len = strlen(key);

	if (file_read(path, COLLECT_MAX_PROC_BYTES, &text, NULL) < 0)
		return NULL;
	for (const char *line = strbuf_str(&text); *line;) {
		size_t len = strcspn(line, "\n");
		size_t skip = key_len;

		if (!strncmp(line, key, key_len)) {
			skip += strspn(line + skip, " \t");
			if (line[skip] == ':') {
				strbuf_add(&value, line + skip + 1, len - skip - 1);
				strbuf_trim(&value);
				return strbuf_take(&value);
			}
		}
		line += len + (line[len] == '\n');
	}
	return NULL;
}

static void add_kernel(struct result *result)
{
	struct utsname name;

	if (uname(&name) < 0)
		return;
	result_add_env(result, "kernel.release", name.release);
	result_add_env(result, "kernel.version", name.version);
	result_add_env(result, "kernel.machine", name.machine);
}

static void add_cpu(struct result *result)
{
	static const char *const keys[] = { "model name", "Model", "cpu model", "cpu" };
	char nr[UNITS_TEXT_LEN];

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		CLEANUP(free) char *model = proc_value("/proc/cpuinfo", keys[i]);

		if (!model)
			continue;
		result_add_env(result, "cpu.model", model);
		break;
	}
	(void)snprintf(nr, sizeof(nr), "%ld", sysconf(_SC_NPROCESSORS_ONLN));
	result_add_env(result, "cpu.nr", nr);
}

static void add_memory(struct result *result)
{
	CLEANUP(free) char *text = proc_value("/proc/meminfo", "MemTotal"); /* "16384 kB" */
	char *end;
	unsigned long long kib;
	char bytes[UNITS_TEXT_LEN];

	if (!text)
		return;
	kib = strtoull(text, &end, 10);
	if (end == text || strcmp(end, " kB") != 0)
		return;
	(void)snprintf(bytes, sizeof(bytes), "%llu", kib * 1024);
	result_add_env(result, "memory.total_bytes", bytes);
}

static void add_clocksource(struct result *result, const char *sys_root)
{
	CLEANUP(free)
	char *folder = xasprintf("%s/devices/system/clocksource/clocksource0",
				 sys_root ? sys_root : "/sys");
	CLEANUP(free) char *name = sysblock_attribute(folder, "current_clocksource");

	if (name)
		result_add_env(result, "clocksource", name);
}

static void add_attribute(struct result *result, const char *key, const char *folder,
			  const char *attribute)
{
	CLEANUP(free) char *value = sysblock_attribute(folder, attribute);
	CLEANUP(strbuf) struct strbuf trimmed = STRBUF_INIT;

	if (!value || strlen(value) > COLLECT_MAX_VALUE_LEN)
		return;
	strbuf_add_str(&trimmed, value);
	strbuf_trim(&trimmed);
	result_add_env(result, key, strbuf_str(&trimmed));
}

/* Every attribute in a folder as disk.NAME.PREFIX.ATTRIBUTE. */
static void add_folder(struct result *result, const char *name, const char *folder,
		       const char *prefix)
{
	CLEANUP(name_list) struct name_list attributes = NAME_LIST_INIT;

	name_list_add_folder(&attributes, folder);
	for (size_t i = 0; i < attributes.nr; i++) {
		CLEANUP(free)
		char *key = xasprintf("disk.%s.%s.%s", name, prefix, attributes.items[i]);

		add_attribute(result, key, folder, attributes.items[i]);
	}
}

static void add_size(struct result *result, const char *name, const char *folder)
{
	CLEANUP(free) char *path = xasprintf("%s/size", folder);
	CLEANUP(free) char *key = xasprintf("disk.%s.size_bytes", name);
	char bytes[UNITS_TEXT_LEN];
	uint64_t sectors;

	if (file_read_u64(path, &sectors, NULL) < 0)
		return;
	/* sysfs counts in 512 bytes whatever the block size */
	(void)snprintf(bytes, sizeof(bytes), "%llu", (unsigned long long)sectors * 512);
	result_add_env(result, key, bytes);
}

static void add_disk(struct result *result, const char *name, const char *sys_root)
{
	CLEANUP(free) char *folder = sysblock_disk_folder(sys_root, name);
	CLEANUP(free) char *queue = NULL;
	CLEANUP(free) char *iosched = NULL;
	CLEANUP(free) char *model_key = xasprintf("disk.%s.model", name);

	if (!folder)
		return;
	queue = xasprintf("%s/queue", folder);
	iosched = xasprintf("%s/iosched", queue);
	add_size(result, name, folder);
	add_attribute(result, model_key, folder, "device/model");
	add_folder(result, name, queue, "queue");
	add_folder(result, name, iosched, "iosched");
}

void collect_env(struct result *result, const struct device_list *devices, const char *sys_root)
{
	add_kernel(result);
	add_cpu(result);
	add_memory(result);
	add_clocksource(result, sys_root);
	for (size_t i = 0; i < devices->nr; i++)
		add_disk(result, devices->items[i].name, sys_root);
}
