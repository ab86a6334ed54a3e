/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that are not what they should be: absent values, never 0, never a crash. */
#include <linux/dm-ioctl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "env/dm_table.h"
#include "env/superblock.h"
#include "env/tally.h"
#include "machine_env.h"
#include "test.h"

#define ENV_TEST(name) cmocka_unit_test_setup_teardown(name, machine_setup, machine_teardown)

/* ---- /proc and sysfs ---- */

static void test_odd_attributes(void **state)
{
	struct machine *machine = *state;
	const struct plant *sys = &machine->sys;
	char *long_text = xcalloc(1, 600);

	memset(long_text, 'x', 599);
	plant_disk(sys, "sda", "8:0");
	plant_file(sys, "devices/sda/size", "18446744073709551615\n");
	plant_file(sys, "devices/sda/device/model", "");
	plant_file(sys, "devices/sda/device/vendor", "bad\001byte\n");
	plant_file(sys, "devices/sda/device/rev", "   \n");
	plant_file(sys, "devices/sda/queue/scheduler", "none [mq-deadline\n");
	plant_file(sys, "devices/sda/queue/nr_requests", "\n");
	plant_file(sys, "devices/sda/queue/table", long_text);
	plant_folder(sys, "devices/sda/queue/iosched");
	plant_link(sys, "devices/sda", "mq", "nowhere");
	plant_link(sys, "devices/sda", "device_loop", "devices/sda");
	plant_file(&machine->root, "proc/self/mountinfo", "25\n26 1 8:0\n\n - - -\n");
	plant_file(&machine->root, "proc/meminfo",
		   "MemTotal: \nSwapTotal: -1 kB\nHugePages_Total: 1x\n");
	plant_file(&machine->root, "proc/cpuinfo", "model name\n\nmodel name : \n");
	plant_file(&machine->root, "proc/sys/vm/dirty_ratio", "\n");
	plant_file(sys, "devices/system/cpu/cpufreq/boost", "2\n");
	plant_file(sys, "devices/system/cpu/cpufreq/policy0/scaling_governor", "\n");
	machine_collect(machine, "/dev/sda");
	assert_fact(machine, "disk.sda.kind", "scsi");
	assert_fact(machine, "disk.sda.size_bytes", NULL);
	assert_fact(machine, "disk.sda.model", NULL);
	assert_fact(machine, "disk.sda.vendor", NULL);
	assert_fact(machine, "disk.sda.firmware", NULL);
	assert_fact(machine, "disk.sda.queue.scheduler", "none [mq-deadline");
	assert_fact(machine, "disk.sda.queue.nr_requests", NULL);
	assert_fact(machine, "disk.sda.queue.table", NULL);
	assert_fact(machine, "disk.sda.nr_hw_queues", NULL);
	assert_fact(machine, "memory.total_bytes", NULL);
	assert_fact(machine, "memory.swap_total_bytes", NULL);
	assert_fact(machine, "memory.huge_pages", NULL);
	assert_fact(machine, "cpu.model", NULL);
	assert_fact(machine, "cpu.turbo", NULL);
	assert_fact(machine, "cpu.governor", NULL);
	assert_fact(machine, "sysctl.vm.dirty_ratio", NULL);
	free(long_text);
}

/* A loop device whose file lies on itself, and one below the other. */
static void test_circle(void **state)
{
	struct machine *machine = *state;
	const struct plant *sys = &machine->sys;

	plant_disk(sys, "loop0", "7:0");
	plant_file(sys, "devices/loop0/loop/backing_file", "/mnt/image\n");
	plant_file(&machine->root, "proc/self/mountinfo",
		   "25 1 7:0 / /mnt rw - ext4 /dev/loop0 rw\n");
	machine_collect(machine, "/mnt/file");
	assert_fact(machine, "fs.1.on", "disk.loop0");
	assert_fact(machine, "disk.loop0.on", "fs.1");
	assert_fact(machine, "fs.2.type", NULL);
}

/* ---- the kernel's configuration ---- */

static void plant_gz(const struct machine *machine, const char *text, size_t cut)
{
	CLEANUP(free) char *path = plant_path(&machine->root, "proc/config.gz");
	gzFile file;

	plant_file(&machine->root, "proc/config.gz", "");
	file = gzopen(path, "we");
	assert_non_null(file);
	assert_int_equal(gzputs(file, text), (int)strlen(text));
	assert_int_equal(gzclose(file), Z_OK);
	if (cut)
		assert_int_equal(truncate(path, (off_t)cut), 0);
}

static void test_config(void **state)
{
	struct machine *machine = *state;

	plant_gz(machine, "CONFIG_A=y\n", 0);
	machine_collect(machine, NULL);
	assert_fact(machine, "kernel.config_source", "/proc/config.gz");
	assert_string_equal(result_attachment(&machine->result, "kernel.config"), "CONFIG_A=y\n");

	plant_gz(machine, "CONFIG_A=y\n", 20); /* cut off */
	machine_collect(machine, NULL);
	assert_fact(machine, "kernel.config_source", NULL);
	assert_null(result_attachment(&machine->result, "kernel.config"));

	plant_file(&machine->root, "proc/config.gz", "\037\213\010 no gzip");
	plant_file(&machine->root, "boot/config-", "CONFIG_B=m\n");
	machine_collect(machine, NULL);
	assert_fact(machine, "kernel.config_source", "/boot/config-");
}

/* ---- device-mapper ---- */

struct answer {
	struct dm_ioctl head;
	char data[1024];
};

/* Appends a target behind at; returns where the next one goes. */
static size_t add_target(struct answer *answer, size_t at, const char *type, const char *params)
{
	struct dm_target_spec spec = { .sector_start = at, .length = 8 };
	size_t next = (at + sizeof(spec) + strlen(params) + 8) / 8 * 8;

	(void)snprintf(spec.target_type, sizeof(spec.target_type), "%s", type);
	spec.next = (unsigned)next;
	memcpy(answer->data + at, &spec, sizeof(spec));
	memcpy(answer->data + at + sizeof(spec), params, strlen(params) + 1);
	answer->head.target_count++;
	return next;
}

static void test_dm_table(void **state)
{
	struct answer answer = { .head = { .data_start = offsetof(struct answer, data) } };
	size_t at = add_target(&answer, 0, "striped", "2 128 8:0 0 8:16 0");
	CLEANUP(free) char *text = NULL;
	CLEANUP(free) char *crypt = NULL;

	(void)state;
	assert_null(dm_table_text(&answer, 10));
	text = dm_table_text(&answer, sizeof(answer));
	assert_string_equal(text, "0 8 striped 2 128 8:0 0 8:16 0");
	(void)add_target(&answer, at, "crypt", "aes-xts-plain64 00ffsecret 0 8:0 0");
	crypt = dm_table_text(&answer, sizeof(answer));
	assert_non_null(strstr(crypt, "; "));
	assert_non_null(strstr(crypt, "crypt aes-xts-plain64 - 0 8:0 0"));
	assert_null(strstr(crypt, "secret"));

	answer.head.target_count = 1000;
	free(dm_table_text(&answer, sizeof(answer))); /* runs over zeroes, whatever it says */
	answer.head.target_count = 3;
	answer.head.data_start = sizeof(answer) - 4;
	assert_null(dm_table_text(&answer, sizeof(answer)));
	answer.head.data_start = 4;
	assert_null(dm_table_text(&answer, sizeof(answer)));
}

/* Every cut and every garbled byte gives a text or none. */
static void test_dm_table_damaged(void **state)
{
	struct answer answer = { .head = { .data_start = offsetof(struct answer, data) } };
	size_t at = add_target(&answer, 0, "linear", "8:0 0");

	(void)state;
	(void)add_target(&answer, at, "crypt", "a");
	for (size_t len = 0; len < sizeof(answer); len += 7) {
		CLEANUP(free) char *copy = xmalloc(len + 1);

		memcpy(copy, &answer, len);
		free(dm_table_text(copy, len));
	}
	for (size_t i = 0; i < sizeof(answer); i++) {
		struct answer garbled = answer;

		((char *)&garbled)[i] = (char)0xff;
		free(dm_table_text(&garbled, sizeof(garbled)));
	}
}

/* ---- superblocks and tallies ---- */

static void test_superblock(void **state)
{
	char bytes[SUPERBLOCK_BYTES] = { 0 };

	(void)state;
	assert_null(superblock_features("ext4", bytes, sizeof(bytes)));
	assert_null(superblock_features("xfs", bytes, sizeof(bytes)));
	assert_null(superblock_features("ext4", bytes, 100));
	assert_null(superblock_features("vfat", bytes, sizeof(bytes)));
	bytes[1024 + 0x38] = 0x53;
	bytes[1024 + 0x39] = (char)0xef;
	assert_null(superblock_features("ext4", bytes, sizeof(bytes))); /* none is on */
	bytes[1024 + 0x5c] = 0x4;
	{
		CLEANUP(free) char *text = superblock_features("ext4", bytes, sizeof(bytes));

		assert_string_equal(text, "has_journal");
	}
}

static void test_tally(void **state)
{
	CLEANUP(tally) struct tally tally = { .nr = 0 };
	CLEANUP(free) char *text = NULL;

	(void)state;
	assert_null(tally_text(&tally));
	tally_add(&tally, "a");
	tally_add(&tally, "b");
	tally_add(&tally, "a");
	text = tally_text(&tally);
	assert_string_equal(text, "a (2), b (1)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ENV_TEST(test_odd_attributes),
		ENV_TEST(test_circle),
		ENV_TEST(test_config),
		cmocka_unit_test(test_dm_table),
		cmocka_unit_test(test_dm_table_damaged),
		cmocka_unit_test(test_superblock),
		cmocka_unit_test(test_tally),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
