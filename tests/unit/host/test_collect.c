/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/collect.h"

#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>

#include "host/device.h"
#include "model/result.h"
#include "plant.h"
#include "test.h"

static const char *env_value(const struct result *result, const char *key)
{
	for (size_t i = 0; i < result->nr_env; i++) {
		if (!strcmp(result->env[i].key, key))
			return result->env[i].value;
	}
	return NULL;
}

static void test_planted_disk(void **state)
{
	struct plant plant;
	struct device_list list = { .nr = 0 };
	struct result result = { .nr_env = 0 };

	(void)state;
	plant_create(&plant);
	plant_disk(&plant, "sda", "8:0");
	plant_file(&plant, "devices/sda/size", "2048\n");
	plant_file(&plant, "devices/sda/device/model", "WIDGET 3000     \n");
	plant_file(&plant, "devices/sda/queue/scheduler", "none [mq-deadline] bfq \n");
	plant_file(&plant, "devices/sda/queue/nr_requests", "64\n");
	plant_file(&plant, "devices/sda/queue/iosched/fifo_batch", "16\n");
	plant_file(&plant, "devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
	assert_int_equal(device_list_add_dev(&list, plant.root, makedev(8, 0), NULL), 0);
	collect_env(&result, &list, plant.root);

	assert_string_equal(env_value(&result, "clocksource"), "tsc");
	assert_string_equal(env_value(&result, "disk.sda.size_bytes"), "1048576");
	assert_string_equal(env_value(&result, "disk.sda.model"), "WIDGET 3000");
	assert_string_equal(env_value(&result, "disk.sda.queue.scheduler"),
			    "none [mq-deadline] bfq");
	assert_string_equal(env_value(&result, "disk.sda.queue.nr_requests"), "64");
	assert_string_equal(env_value(&result, "disk.sda.iosched.fifo_batch"), "16");
	assert_null(env_value(&result, "disk.sda.queue.iosched"));
	assert_null(env_value(&result, "disk.sda.queue.wbt_lat_usec"));
	result_release(&result);
	device_list_release(&list);
	plant_remove(&plant);
}

static void test_this_machine(void **state)
{
	static const char *const keys[] = { "kernel.version", "kernel.machine", "cpu.nr",
					    "memory.total_bytes" };
	struct device_list list = { .nr = 0 };
	struct result result = { .nr_env = 0 };
	struct utsname name;

	(void)state;
	collect_env(&result, &list, NULL);
	assert_int_equal(uname(&name), 0);
	assert_string_equal(env_value(&result, "kernel.release"), name.release);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		assert_non_null(env_value(&result, keys[i]));
	assert_true(atoll(env_value(&result, "cpu.nr")) >= 1);
	/* less than 16 MiB or not whole KiB would be a misread unit */
	assert_true(atoll(env_value(&result, "memory.total_bytes")) > 16 << 20);
	assert_int_equal(atoll(env_value(&result, "memory.total_bytes")) % 1024, 0);
	result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_planted_disk),
		cmocka_unit_test(test_this_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
