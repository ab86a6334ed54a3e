/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Settings on a planted /sys and /proc. What a kernel does to them is in tests/dev. */
#include "setting/setting.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "host/device.h"
#include "host/name_list.h"
#include "model/result.h"
#include "plant.h"
#include "journal/journal.h"
#include "test.h"

struct fixture {
	struct plant plant;
	struct device_list devices; /* dm-0 (bio-based) over sda and sdb */
	struct setting_context context;
	struct journal *journal;
	struct result result;
	struct err err;
};

static void plant_scsi(const struct plant *plant, const char *name, const char *number)
{
	static const struct {
		const char *attribute, *content;
	} rows[] = {
		{ "mq/0/nr_tags", "64\n" },
		{ "queue/scheduler", "[none] mq-deadline custom \n" },
		{ "queue/nr_requests", "64\n" },
		{ "queue/wbt_lat_usec", "2000\n" },
		{ "queue/read_ahead_kb", "128\n" },
		{ "queue/write_cache", "write back\n" },
		{ "queue/hw_sector_size", "512\n" },
	};

	plant_disk(plant, name, number);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CLEANUP(free) char *path = xasprintf("devices/%s/%s", name, rows[i].attribute);

		plant_file(plant, path, rows[i].content);
	}
}

static int setup(void **state)
{
	struct fixture *fixture = xcalloc(1, sizeof(*fixture));
	const struct plant *plant = &fixture->plant;
	CLEANUP(free) char *read_only = NULL;

	plant_create(&fixture->plant);
	plant_scsi(plant, "sda", "8:0");
	plant_partition(plant, "sda", "sda1", "8:1");
	plant_scsi(plant, "sdb", "8:16");
	plant_scsi(plant, "sdc", "8:32");
	plant_disk(plant, "dm-0", "252:0");
	plant_file(plant, "devices/dm-0/queue/scheduler", "none\n");
	plant_file(plant, "devices/dm-0/queue/read_ahead_kb", "256\n");
	plant_slave(plant, "dm-0", "sda");
	plant_slave(plant, "dm-0", "sdb");
	plant_file(plant, "sys/vm/dirty_ratio", "20\n");
	plant_file(plant, "sys/vm/dirty_bytes", "0\n");
	plant_file(plant, "sys/net/conf/eth0.1/tag", "5\n");
	read_only = plant_path(plant, "devices/sda/queue/hw_sector_size");
	assert_int_equal(chmod(read_only, 0444), 0);
	assert_int_equal(device_list_add_dev(&fixture->devices, plant->root, makedev(252, 0), NULL),
			 0);
	fixture->context = (struct setting_context){
		.sys_root = plant->root,
		.proc_root = plant->root,
		.devices = &fixture->devices,
	};
	assert_int_equal(journal_open(plant->root, &fixture->journal, NULL), 0);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	journal_close(fixture->journal);
	device_list_release(&fixture->devices);
	result_release(&fixture->result);
	plant_remove(&fixture->plant);
	free(fixture);
	return 0;
}

static int apply(struct fixture *fixture, const char *text)
{
	struct setting_list list = { .nr = 0 };
	int ret;

	assert_int_equal(setting_list_parse(&list, text, NULL), 0);
	fixture->err = (struct err){ .code = 0 };
	ret = settings_apply(&fixture->context, &list, fixture->journal, &fixture->result,
			     &fixture->err);
	setting_list_release(&list);
	return ret;
}

static void must_apply(struct fixture *fixture, const char *text)
{
	if (apply(fixture, text) < 0)
		fail_msg("%s", fixture->err.msg);
}

static void assert_refused(struct fixture *fixture, const char *text, const char *message)
{
	assert_int_equal(apply(fixture, text), -ERR_USAGE);
	assert_string_equal(fixture->err.msg, message);
}

static void assert_value(const struct fixture *fixture, const char *path, const char *expected)
{
	CLEANUP(free) char *value = plant_read(&fixture->plant, path);

	assert_string_equal(value, expected);
}

static void assert_setting(const struct fixture *fixture, size_t index, const char *key,
			   const char *value)
{
	assert_true(index < fixture->result.nr_settings);
	assert_string_equal(fixture->result.settings[index].key, key);
	assert_string_equal(fixture->result.settings[index].value, value);
}

static bool has_journal(const struct fixture *fixture)
{
	CLEANUP(free) char *folder = plant_path(&fixture->plant, "journal");
	CLEANUP(name_list) struct name_list names = NAME_LIST_INIT;

	name_list_add_folder(&names, folder);
	return names.nr > 0;
}

static void test_table(void **state)
{
	static const char *const names[] = { "job",   "queue", "iosched", "sysctl",
					     "stack", "cmd",   "kernel" };
	const struct setting_ops *const *table = setting_table();
	size_t nr = 0;

	(void)state;
	for (; table[nr]; nr++) {
		assert_true(nr < sizeof(names) / sizeof(names[0]));
		assert_string_equal(table[nr]->namespace, names[nr]);
		assert_non_null(table[nr]->summary);
		assert_non_null(table[nr]->check);
		assert_non_null(table[nr]->apply);
		assert_non_null(table[nr]->confirm);
	}
	assert_int_equal(nr, sizeof(names) / sizeof(names[0]));
}

static void test_queue_goes_to_the_owners(void **state)
{
	struct fixture *fixture = *state;

	must_apply(fixture, "queue.nr_requests=32");
	assert_value(fixture, "block/sda/queue/nr_requests", "32");
	assert_value(fixture, "block/sdb/queue/nr_requests", "32");
	assert_value(fixture, "block/sdc/queue/nr_requests", "64");
	assert_int_equal(fixture->result.nr_settings, 2);
	assert_setting(fixture, 0, "queue.nr_requests@sda", "32");
	assert_setting(fixture, 1, "queue.nr_requests@sdb", "32");
	assert_int_equal(fixture->result.notes.nr, 0);
	assert_int_equal(journal_undo(fixture->journal, NULL), 0);
	assert_value(fixture, "block/sda/queue/nr_requests", "64");
	assert_value(fixture, "block/sdb/queue/nr_requests", "64");
	assert_false(has_journal(fixture));
}

static void test_read_ahead_is_that_of_the_master(void **state)
{
	struct fixture *fixture = *state;

	must_apply(fixture, "queue.read_ahead_kb=8");
	assert_value(fixture, "block/dm-0/queue/read_ahead_kb", "8");
	assert_value(fixture, "block/sda/queue/read_ahead_kb", "128");
	assert_setting(fixture, 0, "queue.read_ahead_kb", "8");
}

static void test_named_device(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(free) char *node = plant_path(&fixture->plant, "node");
	CLEANUP(free) char *text = xasprintf("queue.nr_requests@%s=16", node);

	must_apply(fixture, "queue.nr_requests@sdc=8");
	assert_value(fixture, "block/sdc/queue/nr_requests", "8");
	assert_value(fixture, "block/sda/queue/nr_requests", "64");
	assert_setting(fixture, 0, "queue.nr_requests@sdc", "8");
	assert_int_equal(journal_undo(fixture->journal, NULL), 0);
	assert_value(fixture, "block/sdc/queue/nr_requests", "64");
	if (mknod(node, S_IFBLK | 0600, makedev(8, 1)) < 0)
		test_skip("needs root to make a device node");
	must_apply(fixture, text);
	assert_value(fixture, "block/sda/queue/nr_requests", "16");
}

static void test_value_of_two_words(void **state)
{
	struct fixture *fixture = *state;

	must_apply(fixture, "queue.write_cache@sda=write through");
	assert_value(fixture, "block/sda/queue/write_cache", "write through");
	assert_int_equal(journal_undo(fixture->journal, NULL), 0);
	assert_value(fixture, "block/sda/queue/write_cache", "write back");
}

static void test_queue_refusals(void **state)
{
	static const char *const rows[][2] = {
		{ "queue.nr_request=1", "there is no 'nr_request' in %s/block/sda/queue; did you "
					"mean 'nr_requests'" },
		{ "queue.hw_sector_size=1", "%s/block/sda/queue/hw_sector_size is read-only" },
		{ "queue.nr_requests@sdd=1", "there is no disk 'sdd'; did you mean 'sda'" },
		{ "queue.nr_requests@sda1=1", "there is no disk 'sda1'; did you mean 'sda'" },
		{ "queue.nr_requests@/dev/null=1", "there is no disk under '/dev/null'" },
		{ "queue.../dev=1", "'../dev' is not the name of an attribute" },
		{ "queue.@sda=1", "'' is not the name of an attribute" },
		{ "queue.nr_requests=", "there is no value" },
		{ "queue.scheduler=mq-dedline",
		  "sda has no scheduler 'mq-dedline', only [none] mq-deadline custom; did you "
		  "mean 'mq-deadline'" },
		{ "queue.scheduler=zzzzzzzz",
		  "sda has no scheduler 'zzzzzzzz', only [none] mq-deadline custom" },
		{ "queue.scheduler@dm-0=bfq", "dm-0 has no request queue of its own to schedule" },
		{ "iosched.fifo_batch=1",
		  "sda has no scheduler with attributes; set queue.scheduler first" },
		{ "iosched.fifo_batch@sdx=1", "there is no disk 'sdx'; did you mean 'sda'" },
	};
	struct fixture *fixture = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *place = strstr(rows[i][1], "%s");
		CLEANUP(free)
		char *start = place ? xstrndup(rows[i][1], (size_t)(place - rows[i][1]))
				    : xstrdup(rows[i][1]);
		CLEANUP(free)
		char *message = xasprintf("setting '%s': %s%s%s", rows[i][0], start,
					  place ? fixture->plant.root : "", place ? place + 2 : "");

		assert_refused(fixture, rows[i][0], message);
		assert_false(has_journal(fixture));
	}
	assert_value(fixture, "block/sda/queue/nr_requests", "64");
}

static void test_no_device_under_the_job(void **state)
{
	struct fixture *fixture = *state;
	const struct device_list none = { .nr = 0 };

	fixture->context.devices = &none;
	assert_refused(
		fixture, "queue.scheduler=none",
		"setting 'queue.scheduler=none': there is no block device under the files of "
		"the job; name one by ATTRIBUTE@DEVICE");
}

/* A plain file keeps whatever word was written, unlike the kernel's choice with brackets. */
static void test_scheduler_as_the_file_has_it(void **state)
{
	struct fixture *fixture = *state;

	must_apply(fixture, "queue.scheduler@sda=mq-deadline");
	assert_value(fixture, "block/sda/queue/scheduler", "mq-deadline");
	assert_int_equal(journal_undo(fixture->journal, NULL), 0);
	assert_value(fixture, "block/sda/queue/scheduler", "none");
}

static void test_everything_is_checked_before_anything_is_changed(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(apply(fixture, "queue.nr_requests=32,sysctl.vm.dirty_ratoi=5"),
			 -ERR_USAGE);
	assert_non_null(strstr(fixture->err.msg, "did you mean 'dirty_ratio'"));
	assert_false(has_journal(fixture));
	assert_value(fixture, "block/sda/queue/nr_requests", "64");
}

/* Attributes of a kernel that cuts what is written, and of one where one changes the other. */
static void test_values_that_do_not_stay(void **state)
{
	static const char rounded[] = "sysctl.vm.rounded=12345678901234567";
	struct fixture *fixture = *state;
	const char *root = fixture->plant.root;
	CLEANUP(free) char *depth = plant_path(&fixture->plant, "block/sdc/queue/nr_requests");
	CLEANUP(free) char *other = plant_path(&fixture->plant, "block/sdc/queue/nr_other");
	CLEANUP(free) char *cut = plant_path(&fixture->plant, "sys/vm/rounded");
	CLEANUP(free) char *text = xasprintf("queue.nr_requests=32,%s", rounded);
	CLEANUP(free)
	char *message = xasprintf("setting '%s': '%s' was written to %s/sys/vm/rounded, but it "
				  "reads '123456789012345'",
				  rounded, strchr(rounded, '=') + 1, root);

	assert_int_equal(symlink("/proc/self/comm", cut), 0);
	assert_refused(fixture, text, message);
	assert_value(fixture, "block/sda/queue/nr_requests", "64");
	assert_false(has_journal(fixture));

	assert_int_equal(link(depth, other), 0);
	assert_refused(fixture, "queue.nr_requests@sdc=32,queue.nr_other@sdc=16",
		       "setting 'queue.nr_requests@sdc=32': queue.nr_requests of sdc reads '16' in "
		       "the end: a setting after it has changed it");
	assert_value(fixture, "block/sdc/queue/nr_requests", "64");
	assert_false(has_journal(fixture));
	/* what a later setting is meant for is that one's */
	must_apply(fixture, "queue.nr_requests=32,queue.nr_requests@sda=16");
	assert_value(fixture, "block/sda/queue/nr_requests", "16");
	assert_value(fixture, "block/sdb/queue/nr_requests", "32");
}

static void test_message_names_the_origin(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(setting_list) struct setting_list list = { .nr = 0 };

	assert_int_equal(setting_list_parse(&list, "queue.nr_requests=32", NULL), 0);
	assert_int_equal(setting_list_parse(&list, "queue.nr_request=32", NULL), 0);
	setting_list_mark(&list, 1, "plan.yaml", 7);
	assert_int_equal(
		settings_apply(&fixture->context, &list, fixture->journal, NULL, &fixture->err),
		-ERR_USAGE);
	assert_ptr_equal(strstr(fixture->err.msg,
				"plan.yaml:7: setting 'queue.nr_request=32': there "
				"is no"),
			 fixture->err.msg);
}

static void test_failure_undoes_what_was_applied(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(free)
	char *text =
		xasprintf("queue.nr_requests=32,sysctl.vm.dirty_ratio=5,"
			  "cmd=echo begun > %s/trace; echo cannot >&2; exit 7 ::: echo ended >> "
			  "%s/trace",
			  fixture->plant.root, fixture->plant.root);

	must_apply(fixture, "queue.nr_requests@sdc=8"); /* an earlier call stays */
	assert_int_equal(apply(fixture, text), -ERR_SYSTEM);
	assert_non_null(strstr(fixture->err.msg, "exit status 7: cannot"));
	assert_value(fixture, "block/sda/queue/nr_requests", "64");
	assert_value(fixture, "sys/vm/dirty_ratio", "20");
	assert_value(fixture, "block/sdc/queue/nr_requests", "8");
	/* a command that failed half way is undone too */
	assert_value(fixture, "trace", "begun");
	assert_int_equal(fixture->result.nr_settings, 1);
}

static void test_failure_to_undo_is_told_with_the_first(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(apply(fixture, "cmd=true ::: false,cmd=exit 7"), -ERR_SYSTEM);
	assert_non_null(strstr(fixture->err.msg, "exit status 7; and then: cannot undo"));
}

static void test_cmd(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(free)
	char *text = xasprintf("cmd=echo one,two > %s/x:::rm %s/x", fixture->plant.root,
			       fixture->plant.root);
	CLEANUP(free) char *path = plant_path(&fixture->plant, "x");

	must_apply(fixture, text);
	assert_value(fixture, "x", "one,two");
	assert_setting(fixture, 0, "cmd", text + strlen("cmd="));
	assert_int_equal(journal_undo(fixture->journal, NULL), 0);
	assert_int_equal(access(path, F_OK), -1);
}

/* What undoes a command must be on disk before it begins. */
static void test_cmd_is_journalled_before_it_runs(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(free)
	char *text = xasprintf("cmd=grep -c 'the undo' %s/journal/*.jsonl > %s/seen ::: : the undo",
			       fixture->plant.root, fixture->plant.root);

	must_apply(fixture, text);
	assert_value(fixture, "seen", "1");
}

static void test_cmd_refusals(void **state)
{
	struct fixture *fixture = *state;

	assert_refused(fixture, "cmd=::: true", "setting 'cmd=::: true': there is no command");
	assert_refused(fixture,
		       "cmd=true :::", "setting 'cmd=true :::': there is no command after ':::'");
	assert_refused(fixture, "cmd=a ::: b ::: c",
		       "setting 'cmd=a ::: b ::: c': more than one ':::'");
}

static void test_cmd_is_stopped(void **state)
{
	struct fixture *fixture = *state;
	const atomic_bool stop = true;

	fixture->context.stop = &stop;
	assert_int_equal(apply(fixture, "cmd=sleep 60"), -ERR_INTERRUPTED);
}

static void test_sysctl(void **state)
{
	static const char *const texts[] = { "sysctl.vm.dirty_ratio=5", "sysctl.vm/dirty_ratio=5" };
	struct fixture *fixture = *state;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		must_apply(fixture, texts[i]);
		assert_value(fixture, "sys/vm/dirty_ratio", "5");
		assert_setting(fixture, i, "sysctl.vm.dirty_ratio", "5");
		assert_int_equal(journal_undo(fixture->journal, NULL), 0);
		assert_value(fixture, "sys/vm/dirty_ratio", "20");
	}
	/* the separator that comes first separates */
	must_apply(fixture, "sysctl.net.conf.eth0/1.tag=6,sysctl.net/conf/eth0.1/tag=7");
	assert_value(fixture, "sys/net/conf/eth0.1/tag", "7");
	assert_int_equal(journal_undo(fixture->journal, NULL), 0);
	assert_value(fixture, "sys/net/conf/eth0.1/tag", "5");
}

/* dirty_bytes was not in force, so what is restored is dirty_ratio; and the reverse. */
static void test_sysctl_twins(void **state)
{
	struct fixture *fixture = *state;

	must_apply(fixture, "sysctl.vm.dirty_bytes=1048576");
	plant_file(&fixture->plant, "sys/vm/dirty_ratio", "0\n"); /* as the kernel does */
	assert_int_equal(journal_undo(fixture->journal, NULL), 0);
	assert_value(fixture, "sys/vm/dirty_ratio", "20");
	assert_value(fixture, "sys/vm/dirty_bytes", "1048576"); /* the kernel would zero it */

	plant_file(&fixture->plant, "sys/vm/dirty_ratio", "0\n");
	must_apply(fixture, "sysctl.vm.dirty_ratio=10");
	plant_file(&fixture->plant, "sys/vm/dirty_bytes", "0\n");
	assert_int_equal(journal_undo(fixture->journal, NULL), 0);
	assert_value(fixture, "sys/vm/dirty_bytes", "1048576");
}

static void test_sysctl_refusals(void **state)
{
	struct fixture *fixture = *state;

	assert_refused(fixture, "sysctl.../x=1",
		       "setting 'sysctl.../x=1': '../x' is not the name of a kernel parameter");
	assert_refused(
		fixture, "sysctl./vm/dirty_ratio=1",
		"setting 'sysctl./vm/dirty_ratio=1': '/vm/dirty_ratio' is not the name of a kernel "
		"parameter");
	assert_int_equal(apply(fixture, "sysctl.vm=1"), -ERR_USAGE);
	assert_non_null(strstr(fixture->err.msg, "is a folder, not an attribute"));
}

static void test_job_settings_are_only_reported(void **state)
{
	struct fixture *fixture = *state;

	must_apply(fixture, "job.iodepth=64");
	assert_setting(fixture, 0, "job.iodepth", "64");
	assert_false(has_journal(fixture));
}

static void test_result_is_optional(void **state)
{
	struct fixture *fixture = *state;
	struct setting_list list = { .nr = 0 };

	assert_int_equal(setting_list_parse(&list, "queue.nr_requests=32", NULL), 0);
	assert_int_equal(settings_apply(&fixture->context, &list, fixture->journal, NULL, NULL), 0);
	assert_value(fixture, "block/sda/queue/nr_requests", "32");
	setting_list_release(&list);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		TEST(test_queue_goes_to_the_owners),
		TEST(test_read_ahead_is_that_of_the_master),
		TEST(test_named_device),
		TEST(test_value_of_two_words),
		TEST(test_queue_refusals),
		TEST(test_no_device_under_the_job),
		TEST(test_scheduler_as_the_file_has_it),
		TEST(test_everything_is_checked_before_anything_is_changed),
		TEST(test_values_that_do_not_stay),
		TEST(test_message_names_the_origin),
		TEST(test_failure_undoes_what_was_applied),
		TEST(test_failure_to_undo_is_told_with_the_first),
		TEST(test_cmd),
		TEST(test_cmd_is_journalled_before_it_runs),
		TEST(test_cmd_refusals),
		TEST(test_cmd_is_stopped),
		TEST(test_sysctl),
		TEST(test_sysctl_twins),
		TEST(test_sysctl_refusals),
		TEST(test_job_settings_are_only_reported),
		TEST(test_result_is_optional),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
