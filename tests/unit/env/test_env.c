/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "env/env.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "machine_env.h"
#include "test.h"

#define ENV_TEST(name) cmocka_unit_test_setup_teardown(name, machine_setup, machine_teardown)

static void test_nothing_there(void **state)
{
	struct machine *machine = *state;

	machine_collect(machine, "/data/file");
	for (size_t i = 0; i < machine->result.nr_env; i++) {
		const char *key = machine->result.env[i].key;

		/* versions are compiled in */
		if (strncmp(key, "regio.", 6) != 0 && strncmp(key, "library.", 8) != 0)
			fail_msg("'%s' out of nowhere", key);
	}
}

static void test_planted_disk(void **state)
{
	struct machine *machine = *state;
	const struct plant *sys = &machine->sys;

	plant_disk(sys, "sda", "8:0");
	plant_file(sys, "devices/sda/size", "2048\n");
	plant_file(sys, "devices/sda/device/model", "WIDGET 3000     \n");
	plant_file(sys, "devices/sda/device/rev", "A1  \n");
	plant_file(sys, "devices/sda/device/queue_depth", "254\n");
	plant_file(sys, "devices/sda/queue/scheduler", "none [mq-deadline] bfq \n");
	plant_file(sys, "devices/sda/queue/nr_requests", "64\n");
	plant_file(sys, "devices/sda/queue/iosched/fifo_batch", "16\n");
	plant_folder(sys, "devices/sda/mq/0");
	plant_folder(sys, "devices/sda/mq/1");
	plant_file(sys, "devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
	machine_collect(machine, "/dev/sda");

	assert_fact(machine, "clocksource", "tsc");
	assert_fact(machine, "disk.sda.kind", "scsi");
	assert_fact(machine, "disk.sda.size_bytes", "1048576");
	assert_fact(machine, "disk.sda.model", "WIDGET 3000");
	assert_fact(machine, "disk.sda.firmware", "A1");
	assert_fact(machine, "disk.sda.queue_depth", "254");
	assert_fact(machine, "disk.sda.nr_hw_queues", "2");
	assert_fact(machine, "disk.sda.queue.scheduler", "mq-deadline");
	assert_fact(machine, "disk.sda.queue.nr_requests", "64");
	assert_fact(machine, "disk.sda.iosched.fifo_batch", "16");
	assert_fact(machine, "disk.sda.queue.iosched", NULL);
	assert_fact(machine, "disk.sda.queue.wbt_lat_usec", NULL);
	assert_fact(machine, "disk.sda.on", NULL);
}

static void test_this_machine(void **state)
{
	static const char *const keys[] = { "kernel.version",	  "kernel.machine", "cpu.nr",
					    "memory.total_bytes", "fs.1.type",	    "fs.1.mount" };
	const char *path = "/";
	const struct env_context context = { .paths = &path, .nr_paths = 1 };
	struct result result = { .nr_env = 0 };
	struct utsname name;
	uint64_t number;

	(void)state;
	env_collect(&context, &result);
	assert_int_equal(uname(&name), 0);
	assert_string_equal(result_env(&result, "kernel.release"), name.release);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		assert_non_null(result_env(&result, keys[i]));
	assert_string_equal(result_env(&result, "fs.1.mount"), "/");
	assert_true(result_env_u64(&result, "cpu.nr", &number));
	assert_true(number >= 1);
	/* less than 16 MiB or not whole KiB would be a misread unit */
	assert_true(result_env_u64(&result, "memory.total_bytes", &number));
	assert_true(number > 16 << 20);
	assert_int_equal(number % 1024, 0);
	result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ENV_TEST(test_nothing_there),
		ENV_TEST(test_planted_disk),
		cmocka_unit_test(test_this_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
