/* SPDX-License-Identifier: GPL-2.0-or-later */
/* env_rank: which facts matter, and which follow from which. */
#include "analysis/env_rank.h"

#include <fnmatch.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* From the top: what most often was the reason. The first pattern that fits counts. */
static const char *const ranks[] = {
	"kernel.release",
	"kernel.version",
	"disk.*.queue.scheduler",
	"disk.*.name",
	"disk.*.model",
	"disk.*.kind",
	"disk.*.driver",
	"disk.*.dm.table",
	"disk.*.md.*",
	"fs.*.type",
	"disk.*.queue.wbt_lat_usec",
	"disk.*.rqos.*",
	"disk.*.queue.write_cache",
	"disk.*.cache_type",
	"disk.*.queue.rotational",
	"disk.*.queue_depth",
	"disk.*.queue.nr_requests",
	"disk.*.nr_hw_queues",
	"disk.*.queue.nomerges",
	"disk.*.queue.max_sectors_kb",
	"disk.*.queue.read_ahead_kb",
	"disk.*.queue.rq_affinity",
	"disk.*.queue.io_poll",
	"disk.*.iosched.*",
	"disk.*.queue.*",
	"disk.*.firmware",
	"disk.*.transport",
	"fs.*.options",
	"fs.*.effective_options",
	"fs.*.features",
	"fs.*.on",
	"disk.*.on",
	"disk.*",
	"fs.*",
	"job*",
	"cpu.model",
	"cpu.governor",
	"cpu.turbo",
	"cpu.smt",
	"cpu.nr",
	"cpu.*frequency*",
	"machine.virtualisation",
	"cpu.mitigation.*",
	"kernel.cmdline",
	"kernel.preempt",
	"cpu.*",
	"clocksource",
	"sysctl.vm.*",
	"numa.*",
	"memory.*",
	"machine.*",
	"sysctl.*",
	"module.*",
	"regio.*",
	"tool.*",
	"library.*",
	"kernel.config_*",
	"kernel.tainted",
	"kernel.config.*",
	"kernel.*",
};

/*
 * What the kernel changes along with a setting. Of settings a pattern too, without the device. A
 * fact whose key ends with the setting itself needs no row.
 */
static const struct {
	const char *setting, *fact;
} consequences[] = {
	{ "queue.scheduler", "disk.*.iosched.*" },
	{ "queue.scheduler", "disk.*.queue.nr_requests" },
	{ "queue.scheduler", "disk.*.queue.async_depth" },
	/* bfq switches it off */
	{ "queue.scheduler", "disk.*.queue.wbt_lat_usec" },
	{ "queue.scheduler", "disk.*.rqos.wbt.*" },
	{ "queue.wbt_lat_usec", "disk.*.rqos.wbt.*" },
	{ "queue.write_cache", "disk.*.queue.fua" },
	{ "queue.nr_requests", "disk.*.iosched.async_depth" },
	{ "queue.nr_requests", "disk.*.queue.async_depth" },
	/* of each pair the kernel sets one to 0 */
	{ "sysctl.vm.dirty_bytes", "sysctl.vm.dirty_ratio" },
	{ "sysctl.vm.dirty_ratio", "sysctl.vm.dirty_bytes" },
	{ "sysctl.vm.dirty_background_bytes", "sysctl.vm.dirty_background_ratio" },
	{ "sysctl.vm.dirty_background_ratio", "sysctl.vm.dirty_background_bytes" },
	{ "kernel", "*" },
	{ "stack*", "fs.*" },
	{ "stack*", "disk.*" },
	{ "stack*", "stack.*" },
};

unsigned env_rank(const char *key)
{
	for (unsigned i = 0; i < COUNT(ranks); i++) {
		if (fnmatch(ranks[i], key, 0) == 0)
			return i;
	}
	return COUNT(ranks);
}

bool env_follows(const char *setting, const char *key)
{
	char name[128];
	size_t len = strcspn(setting, "@"); /* "queue.scheduler@sda" */
	size_t key_len = strlen(key);

	if (len >= sizeof(name))
		return false;
	memcpy(name, setting, len);
	name[len] = '\0';
	if (!strcmp(key, name) ||
	    (key_len > len && key[key_len - len - 1] == '.' && !strcmp(key + key_len - len, name)))
		return true;
	for (size_t i = 0; i < COUNT(consequences); i++) {
		if (fnmatch(consequences[i].setting, name, 0) == 0 &&
		    fnmatch(consequences[i].fact, key, 0) == 0)
			return true;
	}
	return false;
}

size_t env_thing_len(const char *key)
{
	static const char *const whole[] = { "kernel.",	 "tool.",  "cpu.",     "memory.", "numa.",
					     "machine.", "regio.", "library.", "vm." };

	for (size_t i = 0; i < COUNT(whole); i++) {
		if (!strncmp(key, whole[i], strlen(whole[i])))
			return strlen(whole[i]);
	}
	return strlen(key);
}
