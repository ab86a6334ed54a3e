/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/diskstat.h"

#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/arena.h"
#include "base/err.h"
#include "host/device.h"
#include "model/result.h"
#include "plant.h"
#include "test.h"

struct fixture {
	struct plant plant;
	struct device_list list; /* dm-0 over sda */
	struct result result;
};

static int setup(void **state)
{
	struct fixture *fixture = xcalloc(1, sizeof(*fixture));
	const struct plant *plant = &fixture->plant;

	plant_create(&fixture->plant);
	plant_disk(plant, "sda", "8:0");
	plant_disk(plant, "dm-0", "252:0");
	plant_slave(plant, "dm-0", "sda");
	assert_int_equal(device_list_add_dev(&fixture->list, plant->root, makedev(252, 0), NULL),
			 0);
	assert_int_equal(fixture->list.nr, 2);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	device_list_release(&fixture->list);
	result_release(&fixture->result);
	plant_remove(&fixture->plant);
	free(fixture);
	return 0;
}

static void read_counts(const struct fixture *fixture, const char *master, const char *slave,
			struct diskstat_counts *counts)
{
	plant_file(&fixture->plant, "devices/dm-0/stat", master);
	plant_file(&fixture->plant, "devices/sda/stat", slave);
	assert_int_equal(diskstat_read(&fixture->list, fixture->plant.root, counts, NULL), 0);
}

/* 17 fields as current kernels print, 11 as those before 4.18. */
static void test_differences(void **state)
{
	struct fixture *fixture = *state;
	struct diskstat_counts before[2];
	struct diskstat_counts after[2];
	const struct disk_result *disk;

	read_counts(fixture, "  1 2 3 4 5 6 7 8 9 10 11 0 0 0 0 0 0\n",
		    "  100 0 0 0 0 0 0 0 0 0 0\n", before);
	read_counts(fixture, "  11 22 33 44 55 66 77 88 0 110 121 9 9 9 9 9 9\n",
		    "  150 1 400 7 3 0 24 2 0 5 9\n", after);
	before[0].taken_ns = 1000000000;
	after[0].taken_ns = 3500000000;
	(void)result_add_disk(&fixture->result, "vda", -1); /* what was there stays */
	diskstat_add(&fixture->result, &fixture->list, before, after);

	assert_int_equal(fixture->result.nr_disks, 3);
	disk = &fixture->result.disks[1];
	assert_string_equal(disk->name, "dm-0");
	assert_int_equal(disk->parent, -1);
	assert_int_equal(disk->ios[0], 10);
	assert_int_equal(disk->merges[0], 20);
	assert_int_equal(disk->sectors[0], 30);
	assert_int_equal(disk->ticks_ms[0], 40);
	assert_int_equal(disk->ios[1], 50);
	assert_int_equal(disk->merges[1], 60);
	assert_int_equal(disk->sectors[1], 70);
	assert_int_equal(disk->ticks_ms[1], 80);
	assert_int_equal(disk->io_ticks_ms, 100);
	assert_int_equal(disk->in_queue_ms, 110);
	assert_int_equal(disk->wall_ms, 2500);
	disk = &fixture->result.disks[2];
	assert_string_equal(disk->name, "sda");
	assert_int_equal(disk->parent, 1);
	assert_int_equal(disk->ios[0], 50);
	assert_int_equal(disk->ios[1], 3);
}

static void test_wrap_of_32_bits(void **state)
{
	struct fixture *fixture = *state;
	struct diskstat_counts before[2];
	struct diskstat_counts after[2];
	const struct disk_result *disk = NULL;

	read_counts(fixture, "4294967290 0 0 0 0 0 0 0 0 0 4294967295\n",
		    "4294967296 0 0 0 0 0 0 0 0 0 0\n", before);
	read_counts(fixture, "4 0 0 0 0 0 0 0 0 0 0\n", "5 0 0 0 0 0 0 0 0 0 0\n", after);
	diskstat_add(&fixture->result, &fixture->list, before, after);
	disk = fixture->result.disks;
	assert_int_equal(disk[0].ios[0], 10);
	assert_int_equal(disk[0].in_queue_ms, 1);
	/* cannot be a wrap of 32 bits */
	assert_int_equal(disk[1].ios[0], 0);
}

static void test_unreadable_counters(void **state)
{
	struct fixture *fixture = *state;
	struct diskstat_counts counts[2] = { { .taken_ns = 77 } };
	struct err err = { .code = 0 };

	plant_file(&fixture->plant, "devices/dm-0/stat", "1 2 3 4 5 6 7 8 9 10 11\n");
	assert_int_equal(diskstat_read(&fixture->list, fixture->plant.root, counts, &err),
			 -ERR_SYSTEM);
	assert_string_equal(err.msg, "the counters of block device 'sda' cannot be read");
	plant_file(&fixture->plant, "devices/sda/stat", "1 2 3\n");
	assert_int_equal(diskstat_read(&fixture->list, fixture->plant.root, counts, &err),
			 -ERR_SYSTEM);
	assert_string_equal(err.msg, "block device 'sda' has odd counters: '1 2 3'");
	assert_true(counts[0].taken_ns == 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_differences, setup, teardown),
		cmocka_unit_test_setup_teardown(test_wrap_of_32_bits, setup, teardown),
		cmocka_unit_test_setup_teardown(test_unreadable_counters, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
