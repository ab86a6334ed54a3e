/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_verify_state: any file as the state of a job; what is accepted stays within its regions. */
#include "fuzz.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/err.h"
#include "load/verify_map.h"

#define INTERVAL 512
#define NR_INTERVALS 8
#define MAX_RUN (4 * INTERVAL)

static const struct region region = { 1024, NR_INTERVALS *INTERVAL };

static void walk(const struct verify_map *map)
{
	struct verify_cursor cursor = { .file = 0 };
	struct verify_run run;
	uint64_t end_bytes = region.start_bytes;

	while (verify_map_next(map, &cursor, MAX_RUN, &run)) {
		size_t nr;

		assert(run.offset_bytes >= end_bytes && run.len_bytes <= MAX_RUN);
		end_bytes = run.offset_bytes + run.len_bytes;
		assert(end_bytes <= region.start_bytes + region.len_bytes);
		assert(verify_map_at(map, run.file, run.offset_bytes, run.len_bytes, &nr));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	char path[64];
	int fd = memfd_create("state", MFD_CLOEXEC);
	struct verify_map_config config = {
		.regions = &region,
		.nr_files = 1,
		.interval_bytes = INTERVAL,
		.state_path = path,
		.is_loaded = true,
	};
	struct err err = { .code = 0 };
	struct verify_map map;

	if (fd < 0)
		return 0;
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (write(fd, data, len) == (ssize_t)len) {
		if (verify_map_open(&map, &config, &err) == 0)
			walk(&map);
		else
			assert(err.msg[0]);
		verify_map_release(&map);
	}
	(void)close(fd);
	return 0;
}
