/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sysctl: those parameters of the kernel that block I/O depends on. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "env/env_table.h"
#include "env/facts.h"

static const char *const names[] = {
	"vm.dirty_ratio",
	"vm.dirty_bytes",
	"vm.dirty_background_ratio",
	"vm.dirty_background_bytes",
	"vm.dirty_expire_centisecs",
	"vm.dirty_writeback_centisecs",
	"vm.dirtytime_expire_seconds",
	"vm.laptop_mode",
	"vm.min_free_kbytes",
	"vm.overcommit_memory",
	"vm.swappiness",
	"vm.vfs_cache_pressure",
	"vm.watermark_scale_factor",
	"vm.zone_reclaim_mode",
	"fs.aio-max-nr",
	"kernel.io_uring_disabled",
	"kernel.io_uring_group",
	"kernel.nmi_watchdog",
	"kernel.numa_balancing",
	"kernel.perf_event_paranoid",
	"kernel.sched_autogroup_enabled",
	"kernel.sched_rt_runtime_us",
	"kernel.timer_migration",
	"kernel.watchdog",
	"dev.raid.speed_limit_max",
	"dev.raid.speed_limit_min",
};

static void collect(struct facts *facts)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		CLEANUP(free) char *path = facts_path(facts, "/proc/sys/%s", names[i]);
		CLEANUP(free) char *value = NULL;

		for (char *c = path + strlen(path) - strlen(names[i]); *c; c++)
			*c = *c == '.' ? '/' : *c;
		value = fact_read(path, FACT_LINE);
		facts_add(facts, value, "sysctl.%s", names[i]);
	}
}

const struct env_area env_sysctl = { .name = "sysctl", .collect = collect, .is_rechecked = true };
