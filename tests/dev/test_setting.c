/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Settings on a real loop device: what the kernel makes of them, and that all of it is undone. */
#include "setting/setting.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "host/device.h"
#include "host/name_list.h"
#include "loopdev.h"
#include "model/result.h"
#include "journal/journal.h"
#include "test.h"

struct fixture {
	struct loopdev loop;
	char state_dir[32];
	struct device_list devices;
	struct setting_context context;
	struct journal *journal;
	struct result result;
	struct err err;
	char *initial; /* snapshot */
};

/* Every attribute of the queue and its scheduler, one "name value" a line. */
static char *snapshot(const struct fixture *fixture)
{
	static const char *const folders[] = { "queue", "queue/iosched" };
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		CLEANUP(free)
		char *folder = xasprintf("/sys/block/%s/%s", fixture->loop.name, folders[i]);
		CLEANUP(name_list) struct name_list names = NAME_LIST_INIT;

		name_list_add_folder(&names, folder);
		for (size_t j = 0; j < names.nr; j++) {
			CLEANUP(free) char *path = xasprintf("%s/%s", folder, names.items[j]);
			CLEANUP(strbuf) struct strbuf value = STRBUF_INIT;

			if (file_read_line(path, &value, NULL) == 0)
				strbuf_printf(&text, "%s/%s %s\n", folders[i], names.items[j],
					      strbuf_str(&value));
		}
	}
	return strbuf_take(&text);
}

static void assert_snapshot(const struct fixture *fixture, const char *expected)
{
	CLEANUP(free) char *now = snapshot(fixture);

	assert_string_equal(now, expected);
}

static void assert_attribute(const struct fixture *fixture, const char *name, const char *expected)
{
	CLEANUP(free) char *path = xasprintf("/sys/block/%s/%s", fixture->loop.name, name);
	CLEANUP(strbuf) struct strbuf value = STRBUF_INIT;

	assert_int_equal(file_read_line(path, &value, NULL), 0);
	strbuf_trim(&value);
	assert_string_equal(strbuf_str(&value), expected);
}

static bool has_scheduler(const struct fixture *fixture, const char *name)
{
	CLEANUP(free) char *path = xasprintf("/sys/block/%s/queue/scheduler", fixture->loop.name);
	CLEANUP(strbuf) struct strbuf value = STRBUF_INIT;

	return file_read_line(path, &value, NULL) == 0 && strstr(strbuf_str(&value), name);
}

static int setup(void **state)
{
	struct fixture *fixture = xcalloc(1, sizeof(*fixture));

	loopdev_create(&fixture->loop, 16 * MIB, 0);
	/* a loop device that was there before keeps what somebody gave it */
	must_run("echo none > /sys/block/%s/queue/scheduler", fixture->loop.name);
	fixture->initial = snapshot(fixture);
	(void)snprintf(fixture->state_dir, sizeof(fixture->state_dir), "/tmp/regio-state-XXXXXX");
	assert_non_null(mkdtemp(fixture->state_dir));
	assert_int_equal(device_list_add_path(&fixture->devices, NULL, fixture->loop.path, NULL),
			 0);
	assert_int_equal(fixture->devices.nr, 1);
	fixture->context.devices = &fixture->devices;
	assert_int_equal(journal_open(fixture->state_dir, &fixture->journal, NULL), 0);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(free) char *now = NULL;
	bool is_as_it_was;

	journal_close(fixture->journal);
	now = snapshot(fixture);
	is_as_it_was = !strcmp(now, fixture->initial);
	must_run("rm -rf %s", fixture->state_dir);
	loopdev_remove(&fixture->loop);
	device_list_release(&fixture->devices);
	result_release(&fixture->result);
	free(fixture->initial);
	free(fixture);
	return is_as_it_was ? 0 : -1;
}

static int apply(struct fixture *fixture, const char *text)
{
	CLEANUP(setting_list) struct setting_list list = { .nr = 0 };

	assert_int_equal(setting_list_parse(&list, text, NULL), 0);
	fixture->err = (struct err){ .code = 0 };
	return settings_apply(&fixture->context, &list, fixture->journal, &fixture->result,
			      &fixture->err);
}

static void must_apply(struct fixture *fixture, const char *text)
{
	if (apply(fixture, text) < 0)
		fail_msg("%s", fixture->err.msg);
}

static void must_undo(struct fixture *fixture, size_t mark)
{
	if (journal_undo_from(fixture->journal, mark, &fixture->err) < 0)
		fail_msg("%s", fixture->err.msg);
}

/* States to start from, and changes to make and undo in each. */
static const char *const starts[] = {
	NULL,
	"queue.nr_requests=64,queue.read_ahead_kb=512,queue.wbt_lat_usec=5000",
	"queue.wbt_lat_usec=0,queue.max_sectors_kb=64",
	"queue.scheduler=mq-deadline,queue.nr_requests=96,iosched.async_depth=7,"
	"iosched.read_expire=120",
	"queue.scheduler=kyber,iosched.read_lat_nsec=1234567",
	"queue.scheduler=bfq,iosched.slice_idle_us=8500,queue.wbt_lat_usec=3000",
};

static const char *const changes[] = {
	"queue.scheduler=none",
	"queue.scheduler=mq-deadline",
	"queue.scheduler=kyber",
	"queue.scheduler=bfq",
	"queue.scheduler=mq-deadline,iosched.async_depth=1,iosched.fifo_batch=1",
	"queue.scheduler=bfq,iosched.low_latency=0,iosched.slice_idle=0",
	"queue.scheduler=bfq,queue.scheduler=none,queue.scheduler=kyber",
	"queue.nr_requests=32",
	"queue.nr_requests=32,queue.scheduler=mq-deadline,queue.nr_requests=200",
	"queue.wbt_lat_usec=0",
	"queue.scheduler=bfq,queue.wbt_lat_usec=777",
	"queue.max_sectors_kb=32",
	"queue.max_sectors_kb=128,queue.read_ahead_kb=4",
	"queue.nomerges=2,queue.rq_affinity=2,queue.add_random=0,queue.iostats=0",
};

static bool is_possible(const struct fixture *fixture, const char *text)
{
	static const char *const schedulers[] = { "mq-deadline", "kyber", "bfq" };

	for (size_t i = 0; text && i < sizeof(schedulers) / sizeof(schedulers[0]); i++) {
		if (strstr(text, schedulers[i]) && !has_scheduler(fixture, schedulers[i]))
			return false;
	}
	return true;
}

static void test_all_is_as_before(void **state)
{
	struct fixture *fixture = *state;
	size_t nr = 0;

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		CLEANUP(free) char *before = NULL;
		size_t mark;

		if (!is_possible(fixture, starts[i]))
			continue;
		if (starts[i])
			must_apply(fixture, starts[i]);
		mark = journal_mark(fixture->journal);
		before = snapshot(fixture);
		for (size_t j = 0; j < sizeof(changes) / sizeof(changes[0]); j++) {
			if (!is_possible(fixture, changes[j]))
				continue;
			must_apply(fixture, changes[j]);
			must_undo(fixture, mark);
			assert_snapshot(fixture, before);
			nr++;
		}
		must_undo(fixture, 0);
		assert_snapshot(fixture, fixture->initial);
	}
	printf("# %zu changes undone\n", nr);
}

/* Put back in the wrong order these disturb each other: max_sectors_kb raises read_ahead_kb. */
static void test_attributes_that_disturb_each_other(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(free) char *before = NULL;
	size_t mark;

	must_apply(fixture, "queue.read_ahead_kb=512");
	before = snapshot(fixture);
	mark = journal_mark(fixture->journal);
	must_apply(fixture, "queue.nomerges=2");
	must_run("echo 64 > /sys/block/%s/queue/max_sectors_kb", fixture->loop.name);
	must_run("echo 32 > /sys/block/%s/queue/read_ahead_kb", fixture->loop.name);
	must_undo(fixture, mark);
	assert_snapshot(fixture, before);
}

static void test_scheduler_and_its_attributes(void **state)
{
	struct fixture *fixture = *state;

	if (!has_scheduler(fixture, "mq-deadline"))
		test_skip("no mq-deadline");
	must_apply(fixture, "queue.scheduler=mq-deadline,iosched.fifo_batch=3");
	assert_attribute(fixture, "queue/iosched/fifo_batch", "3");
	assert_int_equal(fixture->result.nr_settings, 2);
	assert_string_equal(fixture->result.settings[0].key, "queue.scheduler");
	assert_string_equal(fixture->result.settings[0].value, "mq-deadline");
	assert_string_equal(fixture->result.settings[1].key, "iosched.fifo_batch");
	assert_string_equal(fixture->result.settings[1].value, "3");
	assert_int_equal(fixture->result.notes.nr, 0);
}

/* sysfs takes them and makes others of them. */
static void test_values_that_the_kernel_changes(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(free)
	char *words = xasprintf("setting 'queue.nr_requests=1': '1' was written to "
				"/sys/block/%s/queue/nr_requests, but it reads '4'",
				fixture->loop.name);

	/* fewer than 4 are made 4 */
	assert_int_equal(apply(fixture, "queue.nomerges=2,queue.nr_requests=1"), -ERR_USAGE);
	assert_string_equal(fixture->err.msg, words);
	assert_snapshot(fixture, fixture->initial);
	/* 7 KiB are no whole pages */
	assert_int_equal(apply(fixture, "queue.read_ahead_kb=7"), -ERR_USAGE);
	assert_non_null(strstr(fixture->err.msg, "read_ahead_kb, but it reads '4'"));
	assert_snapshot(fixture, fixture->initial);
	/* any number is yes */
	assert_int_equal(apply(fixture, "queue.iostats=7"), -ERR_USAGE);
	assert_non_null(strstr(fixture->err.msg, "iostats, but it reads '1'"));
	assert_snapshot(fixture, fixture->initial);
}

static void test_value_left_to_the_kernel(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(free)
	char *words = xasprintf("queue.wbt_lat_usec of %s became ", fixture->loop.name);

	must_apply(fixture, "queue.scheduler=none,queue.wbt_lat_usec=-1");
	assert_int_equal(fixture->result.notes.nr, 1);
	assert_int_equal(fixture->result.notes.items[0].id, NOTE_SETTING_NOT_EXACT);
	assert_non_null(strstr(fixture->result.notes.items[0].text, words));
	assert_string_not_equal(fixture->result.settings[1].value, "-1");
}

/* The scheduler brings its own nr_requests: what was asked for first is lost. */
static void test_setting_lost_to_a_later_one(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(free) char *before = NULL;

	if (!has_scheduler(fixture, "mq-deadline"))
		test_skip("no mq-deadline");
	must_apply(fixture, "queue.scheduler=none");
	before = snapshot(fixture);
	assert_int_equal(apply(fixture, "queue.nr_requests=33,queue.scheduler=mq-deadline"),
			 -ERR_USAGE);
	assert_non_null(strstr(fixture->err.msg,
			       "setting 'queue.nr_requests=33': queue.nr_requests "
			       "of "));
	assert_non_null(strstr(fixture->err.msg, "in the end: a setting after it has changed it"));
	assert_snapshot(fixture, before);
	must_apply(fixture,
		   "queue.nr_requests=33,queue.scheduler=mq-deadline,queue.nr_requests=34");
}

static void test_refused_values(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(free)
	char *words = xasprintf("setting 'queue.read_ahead_kb=lots': write 'lots' to "
				"/sys/block/%s/queue/read_ahead_kb: Invalid argument",
				fixture->loop.name);

	assert_int_equal(apply(fixture, "queue.nomerges=2,queue.read_ahead_kb=lots"), -ERR_USAGE);
	assert_string_equal(fixture->err.msg, words);
	assert_snapshot(fixture, fixture->initial);
	assert_int_equal(apply(fixture, "queue.logical_block_size=4096"), -ERR_USAGE);
	assert_non_null(strstr(fixture->err.msg, "/queue/logical_block_size is read-only"));
	assert_int_equal(apply(fixture, "queue.scheduler=bqf"), -ERR_USAGE);
	assert_int_equal(apply(fixture, "queue.schedler=none"), -ERR_USAGE);
	assert_non_null(strstr(fixture->err.msg, "did you mean 'scheduler'"));
}

static void test_iosched_without_a_scheduler(void **state)
{
	struct fixture *fixture = *state;

	must_apply(fixture, "queue.scheduler=none");
	assert_int_equal(apply(fixture, "iosched.fifo_batch=3"), -ERR_USAGE);
	assert_non_null(strstr(fixture->err.msg, "has no scheduler with attributes"));
	if (!has_scheduler(fixture, "mq-deadline"))
		test_skip("no mq-deadline");
	assert_int_equal(apply(fixture, "queue.scheduler=mq-deadline,iosched.fifo_bach=3"),
			 -ERR_USAGE);
	assert_non_null(strstr(fixture->err.msg, "did you mean 'fifo_batch'"));
	assert_snapshot(fixture, fixture->initial);
}

static void test_bio_based_device(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(strbuf) struct strbuf number = STRBUF_INIT;
	CLEANUP(free) char *text = NULL;
	int ret;

	if (file_read_line("/sys/class/zram-control/hot_add", &number, NULL) < 0)
		test_skip("no zram");
	text = xasprintf("queue.scheduler@zram%s=mq-deadline", strbuf_str(&number));
	ret = apply(fixture, text);
	assert_int_equal(
		file_write_line("/sys/class/zram-control/hot_remove", strbuf_str(&number), NULL),
		0);
	assert_int_equal(ret, -ERR_USAGE);
}

/* Changes the device, says so and waits to be killed. */
static pid_t start_run(struct fixture *fixture, const char *text)
{
	int ready[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		if (apply(fixture, text) == 0 && write(ready[1], "x", 1) == 1)
			pause();
		_exit(1);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return pid;
}

static void kill_run(pid_t pid)
{
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void test_kill_and_restore(void **state)
{
	struct fixture *fixture = *state;
	struct journal_leftovers leftovers;
	CLEANUP(free) char *expected = NULL;
	size_t nr = 0;
	pid_t pid;

	if (!has_scheduler(fixture, "mq-deadline"))
		test_skip("no mq-deadline");
	pid = start_run(fixture, "queue.scheduler=mq-deadline,queue.nr_requests=50,"
				 "iosched.async_depth=2,queue.max_sectors_kb=64");
	assert_attribute(fixture, "queue/iosched/async_depth", "2");

	/* it lives: nothing to restore */
	assert_int_equal(journal_restore(fixture->state_dir, 0, &nr, NULL), 0);
	assert_int_equal(nr, 0);
	assert_attribute(fixture, "queue/iosched/async_depth", "2");

	kill_run(pid);
	assert_int_equal(journal_find_leftovers(fixture->state_dir, &leftovers, NULL), 0);
	assert_int_equal(leftovers.nr, 4);
	expected = xasprintf("queue.scheduler of %s (was 'none'; process %d)", fixture->loop.name,
			     (int)pid);
	assert_string_equal(leftovers.what[0], expected);
	journal_leftovers_release(&leftovers);
	assert_int_equal(journal_restore(fixture->state_dir, 0, &nr, &fixture->err), 0);
	assert_int_equal(nr, 4);
	assert_snapshot(fixture, fixture->initial);
	assert_int_equal(journal_restore(fixture->state_dir, 0, &nr, NULL), 0);
	assert_int_equal(nr, 0);
}

/* Killed at any moment: during the changes, during the undoing. */
static void test_kill_at_any_moment(void **state)
{
	struct fixture *fixture = *state;

	if (!has_scheduler(fixture, "mq-deadline"))
		test_skip("no mq-deadline");
	for (unsigned delay_us = 0; delay_us < 60000; delay_us += 3000) {
		size_t nr;
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (pid == 0) {
			for (;;) {
				if (apply(fixture,
					  "queue.scheduler=mq-deadline,"
					  "iosched.async_depth=2,queue.nr_requests=50") < 0 ||
				    journal_undo(fixture->journal, NULL) < 0)
					_exit(1);
			}
		}
		usleep(delay_us);
		kill_run(pid);
		if (journal_restore(fixture->state_dir, 0, &nr, &fixture->err) < 0)
			fail_msg("%s", fixture->err.msg);
		assert_snapshot(fixture, fixture->initial);
	}
}

/* A device that went away and came back under its name is another one. */
static void test_device_that_was_replaced(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(strbuf) struct strbuf number = STRBUF_INIT;
	CLEANUP(free) char *text = NULL;
	CLEANUP(free) char *attribute = NULL;
	CLEANUP(strbuf) struct strbuf value = STRBUF_INIT;
	size_t nr = 99;

	if (file_read_line("/sys/class/zram-control/hot_add", &number, NULL) < 0)
		test_skip("no zram");
	attribute = xasprintf("/sys/block/zram%s/queue/read_ahead_kb", strbuf_str(&number));
	text = xasprintf("queue.read_ahead_kb@zram%s=8", strbuf_str(&number));
	kill_run(start_run(fixture, text));
	assert_int_equal(
		file_write_line("/sys/class/zram-control/hot_remove", strbuf_str(&number), NULL),
		0);
	strbuf_reset(&number);
	assert_int_equal(file_read_line("/sys/class/zram-control/hot_add", &number, NULL), 0);
	assert_non_null(strstr(attribute, strbuf_str(&number)));
	assert_int_equal(file_write_line(attribute, "44", NULL), 0);
	assert_int_equal(journal_restore(fixture->state_dir, 0, &nr, NULL), 0);
	assert_int_equal(nr, 0);
	assert_int_equal(file_read_line(attribute, &value, NULL), 0);
	assert_int_equal(
		file_write_line("/sys/class/zram-control/hot_remove", strbuf_str(&number), NULL),
		0);
	assert_string_equal(strbuf_str(&value), "44");
}

static char *vm_limits(void)
{
	static const char *const names[] = { "dirty_background_ratio", "dirty_background_bytes" };
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		CLEANUP(free) char *path = xasprintf("/proc/sys/vm/%s", names[i]);
		CLEANUP(strbuf) struct strbuf value = STRBUF_INIT;

		assert_int_equal(file_read_line(path, &value, NULL), 0);
		strbuf_printf(&text, "%s ", strbuf_str(&value));
	}
	return strbuf_take(&text);
}

static void test_sysctl_twins(void **state)
{
	static const char *const texts[][2] = {
		{ "sysctl.vm.dirty_background_bytes=500000000", NULL },
		{ "sysctl.vm.dirty_background_ratio=9", NULL },
		{ "sysctl.vm.dirty_background_bytes=500000000",
		  "sysctl.vm.dirty_background_ratio=9" },
		{ "sysctl.vm.dirty_background_ratio=9",
		  "sysctl.vm.dirty_background_bytes=500000000" },
	};
	struct fixture *fixture = *state;

	/* from a ratio, then from bytes in force */
	for (int round = 0; round < 2; round++) {
		size_t mark = journal_mark(fixture->journal);
		CLEANUP(free) char *before = vm_limits();

		for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
			CLEANUP(free) char *after = NULL;

			must_apply(fixture, texts[i][0]);
			if (texts[i][1])
				must_apply(fixture, texts[i][1]);
			must_undo(fixture, mark);
			after = vm_limits();
			assert_string_equal(after, before);
		}
		must_apply(fixture, "sysctl.vm.dirty_background_bytes=600000000");
	}
	must_undo(fixture, 0);
	/* one limit cannot be given in both ways */
	assert_int_equal(apply(fixture, "sysctl.vm.dirty_background_bytes=500000000,"
					"sysctl.vm.dirty_background_ratio=9"),
			 -ERR_USAGE);
	assert_non_null(strstr(fixture->err.msg, "dirty_background_bytes reads '0' in the end"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_all_is_as_before),
		TEST(test_attributes_that_disturb_each_other),
		TEST(test_scheduler_and_its_attributes),
		TEST(test_values_that_the_kernel_changes),
		TEST(test_value_left_to_the_kernel),
		TEST(test_setting_lost_to_a_later_one),
		TEST(test_refused_values),
		TEST(test_iosched_without_a_scheduler),
		TEST(test_bio_based_device),
		TEST(test_kill_and_restore),
		TEST(test_kill_at_any_moment),
		TEST(test_device_that_was_replaced),
		TEST(test_sysctl_twins),
	};

	if (!loopdev_available())
		return 0;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
