/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Real stacks of loop and zram devices and filesystems: built, found as asked for, taken away. */
#include "stack/stack.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "host/mountinfo.h"
#include "journal/journal.h"
#include "loopdev.h"
#include "test.h"

struct fixture {
	char state_dir[32];
	struct journal *journal;
	char *before;
};

/* What this program's stacks have left: mounts, loop devices, folders. Others may make theirs
 * meanwhile. */
static char *snapshot(void)
{
	CLEANUP(free)
	char *shell = xasprintf("{ cat /proc/mounts; losetup -a; ls -d /var/tmp/*; } 2>/dev/null | "
				"grep regio-stack-%ld-",
				(long)getpid());
	FILE *pipe = popen(shell, "re");
	struct strbuf text = STRBUF_INIT;
	char buf[4096];
	size_t got;

	assert_non_null(pipe);
	while ((got = fread(buf, 1, sizeof(buf), pipe)) > 0)
		strbuf_add(&text, buf, got);
	(void)pclose(pipe);
	return strbuf_take(&text);
}

static int setup(void **state)
{
	struct fixture *fixture = xcalloc(1, sizeof(*fixture));

	(void)snprintf(fixture->state_dir, sizeof(fixture->state_dir), "/tmp/regio-test-XXXXXX");
	assert_non_null(mkdtemp(fixture->state_dir));
	assert_int_equal(journal_open(fixture->state_dir, &fixture->journal, NULL), 0);
	fixture->before = snapshot();
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(free) char *after = NULL;
	struct err err = { .code = 0 };

	if (journal_undo(fixture->journal, &err) < 0)
		fail_msg("undo: %s", err.msg);
	journal_close(fixture->journal);
	after = snapshot();
	assert_string_equal(after, fixture->before);
	must_run("rm -rf %s", fixture->state_dir);
	free(fixture->before);
	free(fixture);
	return 0;
}

static const struct stack_context plain = { .sys_root = NULL };

/* Devices are new ones, so they are gone with the stack, and those of others are as they were. */
static void take_away(struct fixture *fixture, const struct stack_built *built)
{
	struct err err = { .code = 0 };

	if (journal_undo(fixture->journal, &err) < 0)
		fail_msg("undo: %s", err.msg);
	for (size_t i = 0; i < built->nr; i++) {
		CLEANUP(free) char *folder = NULL;

		if (!built->items[i].name)
			continue;
		folder = xasprintf("/sys/block/%s", built->items[i].name);
		if (file_exists(folder))
			fail_msg("%s is still there", folder);
	}
}

/* The caller releases both. */
static void build(struct fixture *fixture, const char *text, struct stack **ret_stack,
		  struct stack_built *ret_built)
{
	struct err err = { .code = 0 };

	if (stack_parse(&(struct stack_request){ .text = text }, ret_stack, &err) < 0 ||
	    stack_build(*ret_stack, &plain, fixture->journal, ret_built, &err) < 0)
		fail_msg("%s: %s", text, err.msg);
}

/* It fails with that in its message, and the machine is as before. */
static void build_refused(struct fixture *fixture, const char *text, enum err_code code,
			  const char *message)
{
	CLEANUP(stack) struct stack *stack = NULL;
	CLEANUP(free) char *after = NULL;
	struct stack_built built = { .nr = 0 };
	struct err err = { .code = 0 };

	assert_int_equal(stack_parse(&(struct stack_request){ .text = text }, &stack, &err), 0);
	assert_int_equal(stack_build(stack, &plain, fixture->journal, &built, &err), -(int)code);
	if (!strstr(err.msg, message))
		fail_msg("'%s' does not contain '%s'", err.msg, message);
	after = snapshot();
	assert_string_equal(after, fixture->before);
}

static void write_through(const char *folder)
{
	CLEANUP(free) char *path = xasprintf("%s/data", folder);

	must_run("head -c 65536 /dev/urandom >%s && sync -f %s", path, path);
}

/* The device of a layer. */
static const struct stack_device *device_of(const struct stack_built *built, const char *layer)
{
	for (size_t i = 0; i < built->nr; i++) {
		if (!strcmp(built->items[i].layer, layer))
			return &built->items[i];
	}
	fail_msg("no layer %s", layer);
	return NULL;
}

static void attribute_is(const struct stack_device *device, const char *attribute,
			 const char *expected)
{
	CLEANUP(free) char *path = xasprintf("/sys/block/%s/%s", device->name, attribute);
	CLEANUP(strbuf) struct strbuf line = STRBUF_INIT;

	assert_int_equal(file_read_line(path, &line, NULL), 0);
	assert_string_equal(strbuf_str(&line), expected);
}

static void test_loop(void **state)
{
	CLEANUP(stack) struct stack *stack = NULL;
	CLEANUP(stack_built) struct stack_built built = { .nr = 0 };
	struct stat link;
	struct stat device;

	build(*state, "loop:64M:direct_io=on:block_size=4k", &stack, &built);
	assert_int_equal(built.nr, 1);
	assert_int_equal(built.items[0].size_bytes, 64 * MIB);
	attribute_is(&built.items[0], "loop/dio", "1");
	attribute_is(&built.items[0], "queue/logical_block_size", "4096");
	assert_int_equal(stat(stack_device_path(stack), &link), 0);
	assert_int_equal(stat(built.items[0].path, &device), 0);
	assert_true(S_ISBLK(link.st_mode) && link.st_rdev == device.st_rdev);
	take_away(*state, &built);
}

static void test_loop_through_cache(void **state)
{
	CLEANUP(stack) struct stack *stack = NULL;
	CLEANUP(stack_built) struct stack_built built = { .nr = 0 };

	build(*state, "loop:64M:direct_io=off", &stack, &built);
	attribute_is(&built.items[0], "loop/dio", "0");
}

static void test_zram(void **state)
{
	CLEANUP(stack) struct stack *stack = NULL;
	CLEANUP(stack_built) struct stack_built built = { .nr = 0 };

	if (!file_exists("/sys/class/zram-control"))
		test_skip("no zram in this kernel");
	build(*state, "zram:64M:count=2:name=z,btrfs:mkfs=--mixed", &stack, &built);
	assert_int_equal(built.nr, 3);
	assert_int_equal(device_of(&built, "z")->size_bytes, 64 * MIB);
	write_through(stack_mount_path(stack));
	take_away(*state, &built);
}

static void test_zram_refused(void **state)
{
	if (!file_exists("/sys/class/zram-control"))
		test_skip("no zram in this kernel");
	build_refused(*state, "zram:64M:algorithm=nosuch", ERR_SYSTEM, "nosuch");
}

static void filesystem(struct fixture *fixture, const char *text, const char *type,
		       const char *option)
{
	CLEANUP(stack) struct stack *stack = NULL;
	CLEANUP(stack_built) struct stack_built built = { .nr = 0 };
	CLEANUP(mount_table) struct mount_table table = { .nr = 0 };
	const struct mount *mount;

	if (!filesystem_available(type))
		test_skip("that filesystem cannot be made here");
	build(fixture, text, &stack, &built);
	mount_table_read("/proc/self/mountinfo", &table);
	mount = mount_table_find(&table, stack_mount_path(stack));
	assert_non_null(mount);
	assert_string_equal(mount->type, type);
	assert_non_null(strstr(mount->options, "noatime"));
	assert_non_null(strstr(mount->fs_options, option));
	write_through(stack_mount_path(stack));
	take_away(fixture, &built);
}

static void test_ext4(void **state)
{
	filesystem(*state, "loop:64M,ext4:mkfs=-N 1024:mount=noatime:mount=data=writeback", "ext4",
		   "data=writeback");
}

static void test_xfs(void **state)
{
	filesystem(*state, "loop:320M,xfs:mount=noatime:mount=nodiratime:mount=logbsize=64k", "xfs",
		   "logbsize=64k");
}

static void test_btrfs(void **state)
{
	filesystem(*state, "loop:160M,loop:160M,btrfs:mkfs=-m raid1:mount=noatime:mount=nodatacow",
		   "btrfs", "nodatacow");
}

static void test_deep(void **state)
{
	CLEANUP(stack) struct stack *stack = NULL;
	CLEANUP(stack_built) struct stack_built built = { .nr = 0 };

	build(*state, "file:64M,loop,loop,ext4", &stack, &built);
	assert_int_equal(built.nr, 4);
	write_through(stack_mount_path(stack));
}

static void test_existing_file_is_kept(void **state)
{
	CLEANUP(stack) struct stack *stack = NULL;
	CLEANUP(stack_built) struct stack_built built = { .nr = 0 };
	struct fixture *fixture = *state;
	CLEANUP(free) char *path = xasprintf("%s/disk", fixture->state_dir);
	CLEANUP(free) char *text = xasprintf("loop:path=%s", path);
	CLEANUP(free) char *larger = xasprintf("loop:path=%s:size=128M", path);

	must_run("truncate -s 64M %s", path);
	build(fixture, text, &stack, &built);
	assert_int_equal(built.items[0].size_bytes, 64 * MIB);
	assert_int_equal(journal_undo(fixture->journal, NULL), 0);
	assert_true(file_exists(path));
	build_refused(fixture, larger, ERR_USAGE, "has 64MiB, less than size 128MiB");
}

static void test_refused(void **state)
{
	build_refused(*state, "loop:64M,ext4:mkfs=-I 3", ERR_SYSTEM,
		      "layer 'ext4': mkfs.ext4: invalid inode size");
	build_refused(*state, "loop:64M,ext4:mount=nosuch", ERR_SYSTEM,
		      "--stack: layer 'ext4': mount /dev/loop");
	build_refused(*state, "loop:1E", ERR_SYSTEM, "of 1EiB: ");
	build_refused(*state, "device:/dev/nosuch", ERR_USAGE, "/dev/nosuch");
	build_refused(*state, "device:/dev/zero", ERR_SYSTEM, "no block device /dev/zero");
}

static void test_device_in_use(void **state)
{
	CLEANUP(stack) struct stack *stack = NULL;
	CLEANUP(stack_built) struct stack_built built = { .nr = 0 };
	CLEANUP(free) char *before = NULL;
	CLEANUP(free) char *text = NULL;
	struct fixture *fixture = *state;

	build(fixture, "loop:64M,ext4", &stack, &built);
	before = fixture->before;
	fixture->before = snapshot();
	text = xasprintf("device:%s,ext4", built.items[0].path);
	build_refused(fixture, text, ERR_UNSAFE, "mounted");
	free(fixture->before);
	fixture->before = ptr_take(before);
}

static void test_stop(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(stack) struct stack *stack = NULL;
	struct stack_built built = { .nr = 0 };
	atomic_bool stop = true;
	const struct stack_context context = { .stop = &stop };

	assert_int_equal(
		stack_parse(&(struct stack_request){ .text = "loop:64M,ext4" }, &stack, NULL), 0);
	assert_int_equal(stack_build(stack, &context, fixture->journal, &built, NULL),
			 -ERR_INTERRUPTED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_loop, setup, teardown),
		cmocka_unit_test_setup_teardown(test_loop_through_cache, setup, teardown),
		cmocka_unit_test_setup_teardown(test_zram, setup, teardown),
		cmocka_unit_test_setup_teardown(test_zram_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(test_ext4, setup, teardown),
		cmocka_unit_test_setup_teardown(test_xfs, setup, teardown),
		cmocka_unit_test_setup_teardown(test_btrfs, setup, teardown),
		cmocka_unit_test_setup_teardown(test_deep, setup, teardown),
		cmocka_unit_test_setup_teardown(test_existing_file_is_kept, setup, teardown),
		cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(test_device_in_use, setup, teardown),
		cmocka_unit_test_setup_teardown(test_stop, setup, teardown),
	};

	if (!loopdev_available())
		return 0;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
