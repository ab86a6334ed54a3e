/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Devices under real paths, and their counters. */
#include "host/device.h"

#include <fcntl.h>
#include <linux/blkpg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "host/diskstat.h"
#include "loopdev.h"
#include "model/result.h"
#include "test.h"

struct fixture {
	struct loopdev loop;
	char folder[32];
	struct device_list list;
};

static int setup(void **state)
{
	struct fixture *fixture = xcalloc(1, sizeof(*fixture));

	loopdev_create(&fixture->loop, 128 * MIB, LOOPDEV_PARTITIONS);
	(void)snprintf(fixture->folder, sizeof(fixture->folder), "/var/tmp/regio-XXXXXX");
	assert_non_null(mkdtemp(fixture->folder));
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	(void)umount2(fixture->folder, 0); /* mounted only by some tests */
	(void)rmdir(fixture->folder);
	loopdev_remove(&fixture->loop);
	device_list_release(&fixture->list);
	free(fixture);
	return 0;
}

static void add(struct fixture *fixture, const char *path)
{
	assert_int_equal(device_list_add_path(&fixture->list, NULL, path, NULL), 0);
}

static void test_device_node(void **state)
{
	struct fixture *fixture = *state;
	struct stat st;

	add(fixture, fixture->loop.path);
	assert_int_equal(fixture->list.nr, 1);
	assert_string_equal(fixture->list.items[0].name, fixture->loop.name);
	assert_int_equal(stat(fixture->loop.path, &st), 0);
	assert_true(fixture->list.items[0].dev == st.st_rdev);
	assert_int_equal(fixture->list.items[0].parent, -1);
	assert_true(fixture->list.items[0].is_leaf);
}

static void test_partition_node(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(free) char *node = xasprintf("%sp1", fixture->loop.path);
	struct blkpg_partition partition = { .start = MIB, .length = MIB, .pno = 1 };
	struct blkpg_ioctl_arg arg = {
		.op = BLKPG_ADD_PARTITION,
		.datalen = sizeof(partition),
		.data = &partition,
	};

	assert_int_equal(ioctl(fixture->loop.fd, BLKPG, &arg), 0);
	if (!file_exists(node))
		test_skip("partitions get no device node here");
	add(fixture, node);
	assert_int_equal(fixture->list.nr, 1);
	assert_string_equal(fixture->list.items[0].name, fixture->loop.name);
}

static void test_file_on_ext4(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(free) char *file = xasprintf("%s/not/yet/there", fixture->folder);

	if (!filesystem_available("ext4"))
		test_skip("no ext4 here");
	must_run("mkfs.ext4 -q -F %s && mount %s %s", fixture->loop.path, fixture->loop.path,
		 fixture->folder);
	add(fixture, file);
	add(fixture, fixture->folder);
	assert_int_equal(fixture->list.nr, 1);
	assert_string_equal(fixture->list.items[0].name, fixture->loop.name);
}

/* Its files have a device number that belongs to no device; a subvolume has another one. */
static void test_file_on_btrfs_with_two_devices(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(free) char *file = xasprintf("%s/subvolume/data", fixture->folder);
	struct loopdev second;

	if (!filesystem_available("btrfs"))
		test_skip("no btrfs here");
	loopdev_create(&second, 128 * MIB, 0);
	must_run("mkfs.btrfs -q -f -d raid0 -m raid1 %s %s && mount %s %s", fixture->loop.path,
		 second.path, fixture->loop.path, fixture->folder);
	must_run("btrfs -q subvolume create %s/subvolume && echo x > %s", fixture->folder, file);
	add(fixture, file);
	assert_int_equal(fixture->list.nr, 2);
	assert_int_equal(fixture->list.items[0].parent, -1);
	assert_int_equal(fixture->list.items[1].parent, -1);
	for (int i = 0; i < 2; i++)
		assert_true(!strcmp(fixture->list.items[i].name, fixture->loop.name) ||
			    !strcmp(fixture->list.items[i].name, second.name));
	assert_int_equal(umount(fixture->folder), 0);
	loopdev_remove(&second);
}

static void test_file_on_tmpfs(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(free) char *file = xasprintf("%s/data", fixture->folder);

	/* a name that looks like a device is only a name */
	must_run("mount -t tmpfs none %s && echo x > %s", fixture->folder, file);
	add(fixture, file);
	assert_int_equal(fixture->list.nr, 0);
}

static void test_counters(void **state)
{
	enum { NR_WRITES = 10, NR_READS = 3, BLOCK_BYTES = 65536 };
	struct fixture *fixture = *state;
	struct diskstat_counts before;
	struct diskstat_counts after;
	struct result result = { .nr_disks = 0 };

	add(fixture, fixture->loop.path);
	assert_int_equal(diskstat_read(&fixture->list, NULL, &before, NULL), 0);
	must_run("dd if=/dev/zero of=%s bs=%d count=%d oflag=direct status=none",
		 fixture->loop.path, BLOCK_BYTES, NR_WRITES);
	must_run("dd if=%s of=/dev/null bs=%d count=%d iflag=direct status=none",
		 fixture->loop.path, BLOCK_BYTES, NR_READS);
	assert_int_equal(diskstat_read(&fixture->list, NULL, &after, NULL), 0);
	diskstat_add(&result, &fixture->list, &before, &after);
	assert_int_equal(result.nr_disks, 1);
	assert_string_equal(result.disks[0].name, fixture->loop.name);
	assert_int_equal(result.disks[0].ios[1], NR_WRITES);
	assert_int_equal(result.disks[0].sectors[1], NR_WRITES * BLOCK_BYTES / 512);
	/* programs that watch devices may read too */
	assert_true(result.disks[0].ios[0] >= NR_READS);
	assert_true(result.disks[0].sectors[0] >= NR_READS * BLOCK_BYTES / 512);
	result_release(&result);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_device_node),	  TEST(test_partition_node),
		TEST(test_file_on_ext4),  TEST(test_file_on_btrfs_with_two_devices),
		TEST(test_file_on_tmpfs), TEST(test_counters),
	};

	if (!loopdev_available())
		return 0;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
