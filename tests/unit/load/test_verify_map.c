/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_verify_map: runs of what is to be checked, and state files that are good, damaged or not
 * of this job. */
#include "load/verify_map.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "test.h"

#define INTERVAL 1024

static const struct region regions[] = { { 4096, 8 * INTERVAL }, { 0, 4 * INTERVAL + 100 } };

static struct verify_map_config config_of(const char *path)
{
	return (struct verify_map_config){
		.regions = regions,
		.nr_files = 2,
		.interval_bytes = INTERVAL,
		.state_path = path,
		.is_kept = true,
	};
}

static void set(const struct verify_map *map, uint32_t file, uint64_t offset, uint32_t len,
		uint32_t value)
{
	size_t nr;
	uint32_t *entries = verify_map_at(map, file, offset, len, &nr);

	assert_non_null(entries);
	for (size_t i = 0; i < nr; i++)
		entries[i] = value;
}

static void test_places(void **state)
{
	const struct verify_map_config config = config_of(NULL);
	struct verify_map map;
	size_t nr;

	(void)state;
	assert_int_equal(verify_map_open(&map, &config, NULL), 0);
	assert_int_equal(map.nr_entries, 12); /* a part of an interval has none */
	assert_non_null(verify_map_at(&map, 0, 4096, 8 * INTERVAL, &nr));
	assert_int_equal(nr, 8);
	assert_null(verify_map_at(&map, 0, 4096, 9 * INTERVAL, &nr));
	assert_null(verify_map_at(&map, 0, 0, INTERVAL, &nr));
	assert_null(verify_map_at(&map, 0, 4097, INTERVAL, &nr));
	assert_null(verify_map_at(&map, 0, 4096, 100, &nr));
	assert_null(verify_map_at(&map, 1, UINT64_MAX - 1023, INTERVAL, &nr));
	verify_map_release(&map);
}

static void assert_run(const struct verify_map *map, struct verify_cursor *cursor, uint32_t file,
		       uint64_t offset, uint32_t len)
{
	struct verify_run run;

	assert_true(verify_map_next(map, cursor, 4 * INTERVAL, &run));
	assert_int_equal(run.file, file);
	assert_int_equal(run.offset_bytes, offset);
	assert_int_equal(run.len_bytes, len);
}

/* Each write in one piece, as far as it was not overwritten; nothing checked, nothing unwritten. */
static void test_runs(void **state)
{
	const struct verify_map_config config = config_of(NULL);
	struct verify_cursor cursor = { .file = 0 };
	struct verify_run run;
	struct verify_map map;

	(void)state;
	assert_int_equal(verify_map_open(&map, &config, NULL), 0);
	assert_false(verify_map_next(&map, &cursor, 4096, &run));
	set(&map, 0, 4096, 4 * INTERVAL, 1);
	set(&map, 0, 4096 + INTERVAL, INTERVAL, 2); /* in the middle of it */
	set(&map, 0, 4096 + 5 * INTERVAL, INTERVAL, 3 | VERIFY_ENTRY_CHECKED);
	set(&map, 1, 0, INTERVAL, VERIFY_ENTRY_TRIMMED);
	set(&map, 1, INTERVAL, 2 * INTERVAL, 4 | VERIFY_ENTRY_IN_FLIGHT);
	cursor = (struct verify_cursor){ .file = 0 };
	assert_run(&map, &cursor, 0, 4096, INTERVAL);
	assert_run(&map, &cursor, 0, 4096 + INTERVAL, INTERVAL);
	assert_run(&map, &cursor, 0, 4096 + 2 * INTERVAL, 2 * INTERVAL);
	assert_run(&map, &cursor, 1, 0, INTERVAL);
	assert_run(&map, &cursor, 1, INTERVAL, 2 * INTERVAL);
	assert_false(verify_map_next(&map, &cursor, 4096, &run));

	set(&map, 0, 4096, 8 * INTERVAL, 9);
	cursor = (struct verify_cursor){ .file = 0 };
	assert_run(&map, &cursor, 0, 4096, 4 * INTERVAL); /* not more than asked for */
	verify_map_release(&map);
}

static char path[] = "/tmp/regio-test-state.XXXXXX";

static void make_state(void)
{
	const struct verify_map_config config = config_of(path);
	struct verify_map map;

	assert_int_equal(verify_map_open(&map, &config, NULL), 0);
	set(&map, 0, 4096, INTERVAL, 7 | VERIFY_ENTRY_CHECKED);
	*map.last_number = 7;
	verify_map_release(&map);
}

static int load_state(struct verify_map *ret_map, const struct verify_map_config *config,
		      const char *message)
{
	struct err err = { .code = 0 };
	int ret = verify_map_open(ret_map, config, &err);

	if (ret < 0)
		assert_non_null(strstr(err.msg, message));
	return ret;
}

static void test_state(void **state)
{
	struct verify_map_config config = config_of(path);
	struct verify_map map;
	size_t nr;

	(void)state;
	make_state();
	config.is_loaded = true;
	config.is_kept = false;
	assert_int_equal(load_state(&map, &config, ""), 0);
	assert_int_equal(*map.last_number, 7);
	assert_int_equal(*verify_map_at(&map, 0, 4096, INTERVAL, &nr), 7); /* to be checked anew */
	set(&map, 0, 4096, INTERVAL, 8);
	verify_map_release(&map);
	assert_int_equal(load_state(&map, &config, ""), 0);
	assert_int_equal(*verify_map_at(&map, 0, 4096, INTERVAL, &nr), 7); /* only read */
	verify_map_release(&map);

	config.interval_bytes = 2 * INTERVAL;
	assert_int_equal(load_state(&map, &config, "another job or cut"), -ERR_INPUT);
	verify_map_release(&map);
	config.interval_bytes = INTERVAL;
	config.state_path = "/nowhere/at/all";
	assert_int_equal(load_state(&map, &config, "open the verify state"), -ERR_SYSTEM);
	verify_map_release(&map);
	config.state_path = "/tmp";
	assert_true(load_state(&map, &config, "verify state '/tmp'") < 0);
	verify_map_release(&map);
}

/* Every byte of the head is checked, but for the number that changes and what is unused. */
static void test_damaged_state(void **state)
{
	struct verify_map_config config = config_of(path);

	(void)state;
	config.is_loaded = true;
	for (off_t at = 0; at < 80; at++) {
		int fd;
		unsigned char byte;
		struct verify_map map;
		int ret;

		make_state();
		fd = open(path, O_RDWR);
		assert_true(fd >= 0);
		assert_int_equal(pread(fd, &byte, 1, at), 1);
		byte ^= 0x81;
		assert_int_equal(pwrite(fd, &byte, 1, at), 1);
		assert_int_equal(close(fd), 0);
		ret = load_state(&map, &config, "verify state");
		if (at < 40 || at >= 44 || ret == 0)
			assert_true(ret < 0 || (at >= 40 && at < 56));
		verify_map_release(&map);
	}
	assert_int_equal(unlink(path), 0);
}

static int make_path(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	return fd < 0 ? -1 : close(fd);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_state),
		cmocka_unit_test(test_damaged_state),
	};

	return cmocka_run_group_tests(tests, make_path, NULL);
}
