/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/device.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "plant.h"
#include "test.h"

/* "dm-0 sda<dm-0 sdb<dm-0": names with the name of the master; leaves end in '.'. */
static char *list_text(const struct device_list *list)
{
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < list->nr; i++) {
		const struct block_device *device = &list->items[i];

		strbuf_printf(&text, "%s%s%s", i ? " " : "", device->name,
			      device->is_leaf ? "." : "");
		if (device->parent >= 0)
			strbuf_printf(&text, "<%s", list->items[device->parent].name);
	}
	return strbuf_take(&text);
}

static char *owners_text(const struct device_list *list, const char *sys_root)
{
	struct strbuf text = STRBUF_INIT;
	CLEANUP(free) size_t *indices = NULL;
	size_t nr = 0;

	assert_int_equal(device_list_queue_owners(list, sys_root, &indices, &nr, NULL), 0);
	for (size_t i = 0; i < nr; i++)
		strbuf_printf(&text, "%s%s", i ? " " : "", list->items[indices[i]].name);
	return strbuf_take(&text);
}

static void check(const struct plant *plant, dev_t dev, const char *expected,
		  const char *expected_owners)
{
	struct device_list list = { .nr = 0 };
	CLEANUP(free) char *text = NULL;
	CLEANUP(free) char *owners = NULL;

	assert_int_equal(device_list_add_dev(&list, plant->root, dev, NULL), 0);
	text = list_text(&list);
	assert_string_equal(text, expected);
	owners = owners_text(&list, plant->root);
	assert_string_equal(owners, expected_owners);
	device_list_release(&list);
}

static void plant_scsi(const struct plant *plant, const char *name, const char *number)
{
	CLEANUP(free) char *mq = xasprintf("devices/%s/mq/0", name);

	plant_disk(plant, name, number);
	plant_folder(plant, mq);
}

static int setup(void **state)
{
	struct plant *plant = xcalloc(1, sizeof(*plant));

	plant_create(plant);
	plant_scsi(plant, "sda", "8:0");
	plant_partition(plant, "sda", "sda1", "8:1");
	plant_scsi(plant, "sdb", "8:16");
	plant_partition(plant, "sdb", "sdb1", "8:17");
	*state = plant;
	return 0;
}

static int teardown(void **state)
{
	plant_remove(*state);
	free(*state);
	return 0;
}

static void test_partition_is_its_disk(void **state)
{
	const struct plant *plant = *state;
	struct device_list list = { .nr = 0 };

	check(plant, makedev(8, 1), "sda.", "sda");
	assert_int_equal(device_list_add_dev(&list, plant->root, makedev(8, 1), NULL), 0);
	assert_true(list.items[0].dev == makedev(8, 0));
	device_list_release(&list);
}

static void test_request_based_multipath_owns_its_queue(void **state)
{
	const struct plant *plant = *state;

	plant_disk(plant, "dm-0", "252:0");
	plant_folder(plant, "devices/dm-0/mq/0");
	plant_slave(plant, "dm-0", "sda");
	plant_slave(plant, "dm-0", "sdb");
	check(plant, makedev(252, 0), "dm-0 sda.<dm-0 sdb.<dm-0", "dm-0");
}

static void test_bio_based_dm_has_its_queues_below(void **state)
{
	const struct plant *plant = *state;

	plant_disk(plant, "dm-0", "252:0");
	plant_file(plant, "devices/dm-0/queue/scheduler", "none\n");
	plant_slave(plant, "dm-0", "sda/sda1");
	check(plant, makedev(252, 0), "dm-0 sda.<dm-0", "sda");
}

static void test_stack_of_stacks(void **state)
{
	const struct plant *plant = *state;

	plant_disk(plant, "md127", "9:127");
	plant_slave(plant, "md127", "sda/sda1");
	plant_slave(plant, "md127", "sdb/sdb1");
	plant_partition(plant, "md127", "md127p1", "259:0");
	plant_disk(plant, "dm-3", "252:3");
	plant_slave(plant, "dm-3", "md127/md127p1");
	check(plant, makedev(252, 3), "dm-3 md127<dm-3 sda.<md127 sdb.<md127", "sda sdb");
}

static void test_shared_disk_is_listed_once(void **state)
{
	const struct plant *plant = *state;
	struct device_list list = { .nr = 0 };
	CLEANUP(free) char *text = NULL;
	CLEANUP(free) char *owners = NULL;

	plant_disk(plant, "dm-0", "252:0");
	plant_disk(plant, "dm-1", "252:1");
	plant_slave(plant, "dm-0", "sda");
	plant_slave(plant, "dm-1", "sda");
	plant_slave(plant, "dm-1", "sdb");
	assert_int_equal(device_list_add_dev(&list, plant->root, makedev(252, 0), NULL), 0);
	assert_int_equal(device_list_add_dev(&list, plant->root, makedev(252, 1), NULL), 0);
	assert_int_equal(device_list_add_dev(&list, plant->root, makedev(252, 1), NULL), 0);
	text = list_text(&list);
	assert_string_equal(text, "dm-0 sda.<dm-0 dm-1 sdb.<dm-1");
	owners = owners_text(&list, plant->root);
	assert_string_equal(owners, "sda sdb");
	device_list_release(&list);
}

static void test_nvme_multipath_paths_have_no_number(void **state)
{
	const struct plant *plant = *state;
	struct device_list list = { .nr = 0 };

	plant_disk(plant, "nvme0n1", "259:1");
	plant_disk(plant, "nvme0n11", "259:3");
	plant_disk(plant, "nvme0c0n1", NULL);
	plant_folder(plant, "devices/nvme0c0n1/mq/0");
	plant_disk(plant, "nvme0c4n1", NULL);
	plant_folder(plant, "devices/nvme0c4n1/mq/0");
	plant_disk(plant, "nvme1c4n1", NULL);
	check(plant, makedev(259, 1), "nvme0n1 nvme0c0n1.<nvme0n1 nvme0c4n1.<nvme0n1",
	      "nvme0c0n1 nvme0c4n1");
	assert_int_equal(device_list_add_dev(&list, plant->root, makedev(259, 1), NULL), 0);
	assert_true(list.items[1].dev == 0);
	device_list_release(&list);
}

static void test_nvme_without_multipath(void **state)
{
	const struct plant *plant = *state;

	plant_scsi(plant, "nvme1n1", "259:2");
	check(plant, makedev(259, 2), "nvme1n1.", "nvme1n1");
}

static void test_bio_based_leaf_is_its_own_owner(void **state)
{
	const struct plant *plant = *state;

	plant_disk(plant, "zram1", "253:1");
	check(plant, makedev(253, 1), "zram1.", "zram1");
}

static void test_queue_of_old_kernels(void **state)
{
	const struct plant *plant = *state;

	plant_disk(plant, "dm-0", "252:0");
	plant_file(plant, "devices/dm-0/queue/scheduler", "noop deadline [cfq]\n");
	plant_slave(plant, "dm-0", "sda");
	check(plant, makedev(252, 0), "dm-0 sda.<dm-0", "dm-0");
}

static void test_unknown_number_adds_nothing(void **state)
{
	check(*state, makedev(250, 77), "", "");
}

static void test_endless_stack_is_refused(void **state)
{
	const struct plant *plant = *state;
	struct device_list list = { .nr = 0 };
	struct err err = { .code = 0 };

	for (int i = 0; i < 20; i++) {
		CLEANUP(free) char *name = xasprintf("dm-%d", i);
		CLEANUP(free) char *number = xasprintf("252:%d", i);
		CLEANUP(free) char *above = xasprintf("dm-%d", i - 1);

		plant_disk(plant, name, number);
		if (i)
			plant_slave(plant, above, name);
	}
	assert_int_equal(device_list_add_dev(&list, plant->root, makedev(252, 0), &err),
			 -ERR_SYSTEM);
	assert_string_equal(err.msg, "block device 'dm-17' is stacked more than 16 deep");
	device_list_release(&list);
}

/* The nearest existing folder stands for a file to be, through dangling links too. */
static void test_file_that_does_not_exist(void **state)
{
	const struct plant *plant = *state;
	static const char *const paths[] = { "new", "a/b/c/new", "link", "sda-file/x" };
	CLEANUP(free) char *link = plant_path(plant, "link");
	struct device_list expected = { .nr = 0 };
	CLEANUP(free) char *expected_text = NULL;

	plant_file(plant, "sda-file", "");
	assert_int_equal(symlink("nowhere/new", link), 0);
	assert_int_equal(device_list_add_path(&expected, NULL, plant->root, NULL), 0);
	expected_text = list_text(&expected);
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		CLEANUP(free) char *path = plant_path(plant, paths[i]);
		CLEANUP(free) char *text = NULL;
		struct device_list list = { .nr = 0 };

		assert_int_equal(device_list_add_path(&list, NULL, path, NULL), 0);
		text = list_text(&list);
		assert_string_equal(text, expected_text);
		device_list_release(&list);
	}
	device_list_release(&expected);
}

static void test_link_loop_is_an_error(void **state)
{
	const struct plant *plant = *state;
	CLEANUP(free) char *link = plant_path(plant, "loop");
	struct device_list list = { .nr = 0 };
	struct err err = { .code = 0 };

	assert_int_equal(symlink("loop", link), 0);
	assert_int_equal(device_list_add_path(&list, NULL, link, &err), -ERR_SYSTEM);
	assert_non_null(strstr(err.msg, "Too many levels of symbolic links"));
}

static void test_things_without_a_device(void **state)
{
	const struct plant *plant = *state;
	static const char *const paths[] = { "/dev/null", "/proc/self/status", "/sys/block" };
	CLEANUP(free) char *fifo = plant_path(plant, "fifo");
	struct device_list list = { .nr = 0 };

	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(device_list_add_path(&list, NULL, fifo, NULL), 0);
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		assert_int_equal(device_list_add_path(&list, NULL, paths[i], NULL), 0);
	assert_int_equal(list.nr, 0);
	device_list_release(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_partition_is_its_disk, setup, teardown),
		cmocka_unit_test_setup_teardown(test_request_based_multipath_owns_its_queue, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_bio_based_dm_has_its_queues_below, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_stack_of_stacks, setup, teardown),
		cmocka_unit_test_setup_teardown(test_shared_disk_is_listed_once, setup, teardown),
		cmocka_unit_test_setup_teardown(test_nvme_multipath_paths_have_no_number, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_nvme_without_multipath, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bio_based_leaf_is_its_own_owner, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_queue_of_old_kernels, setup, teardown),
		cmocka_unit_test_setup_teardown(test_unknown_number_adds_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(test_endless_stack_is_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(test_file_that_does_not_exist, setup, teardown),
		cmocka_unit_test_setup_teardown(test_link_loop_is_an_error, setup, teardown),
		cmocka_unit_test_setup_teardown(test_things_without_a_device, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
