/* SPDX-License-Identifier: GPL-2.0-or-later */
/* planted: a clean result for tests of caveats. */
#include "planted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "caveat/caveat.h"
#include "test.h"

#define SECONDS 10
#define NR_IOS 1000000
#define IO_BYTES 4096

static const struct {
	const char *metric;
	double value;
} quiet[] = {
	{ "monitor.window_ms", SECONDS * 1000 },
	{ "monitor.cpu%", 0.02 },
	{ "mpstat.cpu.all.idle%", 70 },
	{ "mpstat.cpu.all.steal%", 0.1 },
	{ "vmstat.swap.si", 0 },
	{ "vmstat.swap.so", 0 },
	{ "vmstat.memory.swpd", 1024 },
	{ "vmstat.memory.free", 8e6 },
	{ "meminfo.MemTotal", 16e6 },
	{ "thermal.core_throttle_count", 0 },
	{ "thermal.package_throttle_count", 0 },
	{ "time.elapsed_time", SECONDS },
	{ "time.file_system_inputs", 8.0 * NR_IOS },
	{ "time.file_system_outputs", 0 },
	{ "iostat.sda.r/s", NR_IOS / SECONDS },
	{ "iostat.sda.w/s", 1 },
	{ "iostat.sda.d/s", 0 },
	{ "iostat.sda.rkB/s", 4.0 * NR_IOS / SECONDS },
	{ "iostat.sda.wkB/s", 12 },
	{ "filesystem.used%", 40 },
};

static const struct {
	const char *key, *value;
} facts[] = {
	{ "cpu.governor", "performance" },
	{ "memory.total_bytes", "16384000000" },
	{ "fs.1.type", "btrfs" },
	{ "fs.1.options", "rw,relatime,compress=no,space_cache=v2" },
	{ "disk.sda.kind", "scsi" },
	{ "disk.sda.size_bytes", "1000000000000" },
	{ "disk.sda.queue.zoned", "none" },
	{ "disk.sda.queue.rotational", "1" },
	{ "disk.sda.queue.iostats", "1" },
};

static void plant_machine(struct result *result)
{
	result->target = xstrdup("local");
	for (size_t i = 0; i < sizeof(quiet) / sizeof(quiet[0]); i++)
		plant_seen(result, quiet[i].metric, quiet[i].value);
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		result_add_env(result, facts[i].key, facts[i].value);
	(void)result_add_disk(result, "sda", -1);
}

void planted_result(struct result *ret_result)
{
	struct timeline *timeline;
	struct dir_result *read;
	struct job_result *job;

	*ret_result = (struct result){ .label = NULL };
	plant_machine(ret_result);
	ret_result->disks[0].sectors[IO_READ] = UINT64_C(8) * NR_IOS;
	job = result_add_job(ret_result);
	job->name = xstrdup("probe");
	job->clat_percentiles = true;
	job->percentiles = xcalloc(2, sizeof(double));
	job->percentiles[0] = 99;
	job->percentiles[job->nr_percentiles++] = 99;
	job->percentiles[job->nr_percentiles++] = 99.99;
	job->region_bytes = UINT64_C(100) << 30;
	read = &job->dir[IO_READ];
	read->total_ios = NR_IOS;
	read->io_bytes = UINT64_C(1) * NR_IOS * IO_BYTES;
	read->latency[LATENCY_CLAT].moments.n = NR_IOS;
	timeline = result_add_timeline(ret_result);
	for (unsigned i = 0; i <= 10 * SECONDS; i++)
		timeline_add(timeline, i * 100000, i * (NR_IOS / SECONDS / 10));
}

void planted_idle(struct result *ret_result)
{
	*ret_result = (struct result){ .label = NULL };
	plant_machine(ret_result);
	plant_seen(ret_result, "iostat.sda.r/s", 0);
	plant_seen(ret_result, "iostat.sda.rkB/s", 0);
}

void plant_seen(struct result *result, const char *metric, double value)
{
	if (isnan(value))
		(void)given_remove(&result->monitored, metric);
	else
		(void)given_set(&result->monitored, metric, value, 0);
}

void plant_fact(struct result *result, const char *key, const char *value)
{
	for (size_t i = 0; i < result->nr_env; i++) {
		if (strcmp(result->env[i].key, key) != 0)
			continue;
		free(result->env[i].value);
		result->env[i].value = xstrdup(value);
		return;
	}
	result_add_env(result, key, value);
}

void assert_only_note(struct result *result, enum note_id id, const char *part)
{
	caveats_attach(result);
	if (result->notes.nr == 0)
		fail_msg("no note; expected %s: %s", note_kind(id)->name, part);
	for (size_t i = 0; i < result->notes.nr; i++) {
		const struct note *note = &result->notes.items[i];

		if (note->id != id || !strstr(note->text, part))
			fail_msg("%s: '%s'; expected %s: %s", note_kind(note->id)->name, note->text,
				 note_kind(id)->name, part);
	}
	assert_int_equal(result->notes.nr, 1);
}

void assert_silent(struct result *result)
{
	caveats_attach(result);
	for (size_t i = 0; i < result->notes.nr; i++)
		fail_msg("unexpected %s: %s", note_kind(result->notes.items[i].id)->name,
			 result->notes.items[i].text);
}
