/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The guard on real loop devices: what it refuses, with which words, and what it lets through. */
#include "host/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/blkpg.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "loopdev.h"
#include "test.h"

struct fixture {
	struct loopdev loop;
	struct guard guard;
	struct err err;
	char folder[32]; /* to mount on and to make files in */
};

static int setup(void **state)
{
	struct fixture *fixture = xcalloc(1, sizeof(*fixture));

	loopdev_create(&fixture->loop, 128 * MIB, LOOPDEV_KEEP_FILE | LOOPDEV_PARTITIONS);
	(void)snprintf(fixture->folder, sizeof(fixture->folder), "/var/tmp/regio-XXXXXX");
	assert_non_null(mkdtemp(fixture->folder));
	assert_int_equal(setenv("DEV", fixture->loop.path, 1), 0); /* for must_run */
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	guard_release(&fixture->guard);
	(void)umount2(fixture->folder, 0); /* mounted only by some tests */
	loopdev_remove(&fixture->loop);
	must_run("rm -rf --one-file-system %s", fixture->folder);
	free(fixture);
	return 0;
}

static int claim(struct fixture *fixture, const char *path, const char *allowed)
{
	fixture->err = (struct err){ .code = 0 };
	return guard_claim(&fixture->guard, path, &allowed, allowed ? 1 : 0, &fixture->err);
}

/* Refused with these words after the path, and let through when named. */
static void assert_unsafe(struct fixture *fixture, const char *path, const char *words)
{
	CLEANUP(free) char *start = xasprintf("%s %s", path, words);
	CLEANUP(free) char *advice = xasprintf("pass --allow-destructive=%s to overwrite it", path);
	size_t nr_before = fixture->guard.nr;

	assert_int_equal(claim(fixture, path, NULL), -ERR_UNSAFE);
	if (strncmp(fixture->err.msg, start, strlen(start)) != 0)
		fail_msg("'%s' does not start with '%s'", fixture->err.msg, start);
	if (!strstr(fixture->err.msg, advice))
		fail_msg("'%s' is not in '%s'", advice, fixture->err.msg);
	assert_int_equal(fixture->guard.nr, nr_before);
	assert_int_equal(claim(fixture, path, path), 0);
	guard_release(&fixture->guard);
}

static void assert_fails(struct fixture *fixture, const char *path, int code, const char *words)
{
	CLEANUP(free) char *expected = xasprintf("%s%s", path, words);

	assert_int_equal(claim(fixture, path, NULL), -code);
	assert_string_equal(fixture->err.msg, expected);
	/* permission does not help */
	assert_int_equal(claim(fixture, path, path), -code);
	assert_int_equal(fixture->guard.nr, 0);
}

static void test_blank_device_is_claimed(void **state)
{
	struct fixture *fixture = *state;
	const char *path = fixture->loop.path;
	int fd;

	assert_int_equal(claim(fixture, path, NULL), 0);
	/* a second claim shares the first; nobody else gets one */
	assert_int_equal(claim(fixture, path, NULL), 0);
	assert_int_equal(fixture->guard.nr, 1);
	fd = open(path, O_RDONLY | O_EXCL | O_CLOEXEC);
	assert_int_equal(fd, -1);
	assert_int_equal(errno, EBUSY);
	fd = open(path, O_RDWR | O_CLOEXEC); /* the job itself */
	assert_true(fd >= 0);
	close(fd);
	guard_release(&fixture->guard);
	fd = open(path, O_RDONLY | O_EXCL | O_CLOEXEC);
	assert_true(fd >= 0);
	close(fd);
}

static void test_signature(void **state)
{
	struct fixture *fixture = *state;
	const char *path = fixture->loop.path;
	CLEANUP(free)
	char *expected = xasprintf("%s carries an ext4 signature labelled 'precious'; pass "
				   "--allow-destructive=%s to overwrite it",
				   path, path);
	CLEANUP(free) char *link = xasprintf("%s/link", fixture->folder);

	must_run("mkfs.ext4 -q -F -L precious $DEV");
	assert_int_equal(claim(fixture, path, NULL), -ERR_UNSAFE);
	assert_string_equal(fixture->err.msg, expected);
	assert_int_equal(fixture->guard.nr, 0);
	/* another device, an absent one and the backing file are not this device */
	assert_int_equal(claim(fixture, path, "/dev/loop-control"), -ERR_UNSAFE);
	assert_int_equal(claim(fixture, path, "/dev/absent"), -ERR_UNSAFE);
	assert_int_equal(claim(fixture, path, fixture->loop.file), -ERR_UNSAFE);
	/* links count, on both sides */
	assert_int_equal(symlink(path, link), 0);
	assert_int_equal(claim(fixture, link, NULL), -ERR_UNSAFE);
	assert_int_equal(claim(fixture, path, link), 0);
	guard_release(&fixture->guard);
	assert_int_equal(claim(fixture, link, path), 0);
}

static void test_other_signatures(void **state)
{
	static const struct {
		const char *command;
		const char *expected;
	} rows[] = {
		{ "mkswap $DEV", "carries a swap signature;" },
		{ "mkfs.btrfs -q -f $DEV", "carries a btrfs signature;" },
		/* boot mark and one partition entry: type 83, 2048 sectors from 2048 */
		{ "printf '\\125\\252' | dd of=$DEV bs=1 seek=510 conv=notrunc status=none && "
		  "printf '\\0\\0\\0\\0\\203\\0\\0\\0\\0\\10\\0\\0\\0\\10\\0\\0' | "
		  "dd of=$DEV bs=1 seek=446 conv=notrunc status=none",
		  "carries a dos partition table;" },
		/* LVM: label in sector 1, type at byte 24 of it */
		{ "printf 'LABELONE' | dd of=$DEV bs=1 seek=512 conv=notrunc status=none && "
		  "printf '\\1' | dd of=$DEV bs=1 seek=520 conv=notrunc status=none && "
		  "printf 'LVM2 001' | dd of=$DEV bs=1 seek=536 conv=notrunc status=none",
		  "carries an LVM2_member signature" },
	};
	struct fixture *fixture = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strstr(rows[i].command, "btrfs") && !filesystem_available("btrfs"))
			continue;
		must_run("dd if=/dev/zero of=$DEV bs=1M conv=fsync status=none count=128");
		assert_int_equal(claim(fixture, fixture->loop.path, NULL), 0);
		guard_release(&fixture->guard);
		must_run("%s", rows[i].command);
		assert_unsafe(fixture, fixture->loop.path, rows[i].expected);
	}
}

static void test_mounted(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(free)
	char *words = xasprintf("is mounted on %s; release it first, or", fixture->folder);
	CLEANUP(free) char *file = xasprintf("%s/data", fixture->folder);

	must_run("mkfs.ext4 -q -F $DEV && mount $DEV %s", fixture->folder);
	assert_unsafe(fixture, fixture->loop.path, words);
	/* a file on it needs no flag */
	assert_int_equal(claim(fixture, file, NULL), 0);
	must_run("echo x > %s", file);
	assert_int_equal(claim(fixture, file, NULL), 0);
}

static void test_mounted_btrfs_with_two_devices(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(free) char *words = xasprintf("is mounted on %s;", fixture->folder);
	struct loopdev second;

	if (!filesystem_available("btrfs"))
		test_skip("no btrfs here");
	loopdev_create(&second, 128 * MIB, 0);
	must_run("mkfs.btrfs -q -f -d single -m single $DEV %s && mount $DEV %s", second.path,
		 fixture->folder);
	assert_unsafe(fixture, fixture->loop.path, words);
	assert_unsafe(fixture, second.path, words);
	assert_int_equal(umount(fixture->folder), 0);
	loopdev_remove(&second);
}

/* A process that has the device mounted where only it can see that. */
static pid_t mount_elsewhere(const struct fixture *fixture)
{
	int ready[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		if (unshare(CLONE_NEWNS) == 0 &&
		    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
		    mount(fixture->loop.path, fixture->folder, "ext4", 0, NULL) == 0 &&
		    write(ready[1], "x", 1) == 1)
			pause();
		_exit(1);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return pid;
}

static void test_mounted_in_another_namespace(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(free) char *words = NULL;
	pid_t pid;

	must_run("mkfs.ext4 -q -F $DEV");
	pid = mount_elsewhere(fixture);
	words = xasprintf("is mounted on %s in the mount namespace of process %d;", fixture->folder,
			  (int)pid);
	assert_unsafe(fixture, fixture->loop.path, words);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void test_swap_device(void **state)
{
	struct fixture *fixture = *state;

	must_run("mkswap $DEV");
	if (swapon(fixture->loop.path, 0) < 0)
		test_skip("the kernel refuses to swap on a loop device");
	assert_unsafe(fixture, fixture->loop.path, "is in use as swap; release it first");
	assert_int_equal(swapoff(fixture->loop.path), 0);
}

static void test_swap_file(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(free) char *file = xasprintf("%s/swap", fixture->folder);

	must_run("dd if=/dev/zero of=%s bs=1M count=2 status=none && chmod 600 %s && mkswap %s",
		 file, file, file);
	assert_int_equal(claim(fixture, file, NULL), 0);
	guard_release(&fixture->guard);
	if (swapon(file, 0) < 0)
		test_skip("the kernel refuses to swap on a file here");
	assert_unsafe(fixture, file, "is in use as swap; release it first");
	assert_int_equal(swapoff(file), 0);
}

static void add_partition(const struct fixture *fixture, int number, uint64_t start_mib)
{
	struct blkpg_partition partition = {
		.start = (long long)(start_mib * MIB),
		.length = 32 * MIB,
		.pno = number,
	};
	struct blkpg_ioctl_arg arg = {
		.op = BLKPG_ADD_PARTITION,
		.datalen = sizeof(partition),
		.data = &partition,
	};

	assert_int_equal(ioctl(fixture->loop.fd, BLKPG, &arg), 0);
}

static void test_partitions(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(free) char *first = xasprintf("%sp1", fixture->loop.path);
	CLEANUP(free) char *second = xasprintf("%sp2", fixture->loop.path);
	CLEANUP(free) char *words = NULL;

	add_partition(fixture, 1, 1);
	add_partition(fixture, 2, 64);
	if (!file_exists(second))
		test_skip("partitions get no device node here");
	/* claims of one run do not get in each other's way */
	assert_int_equal(claim(fixture, first, NULL), 0);
	assert_int_equal(claim(fixture, second, NULL), 0);
	assert_int_equal(claim(fixture, fixture->loop.path, NULL), 0);
	assert_int_equal(fixture->guard.nr, 3);
	guard_release(&fixture->guard);

	must_run("mkfs.ext4 -q -F %s && mount %s %s", first, first, fixture->folder);
	words = xasprintf("its partition %sp1 is mounted on %s;", fixture->loop.name,
			  fixture->folder);
	assert_unsafe(fixture, fixture->loop.path, words);
	/* naming the partition does not allow the disk */
	assert_int_equal(claim(fixture, fixture->loop.path, first), -ERR_UNSAFE);
	assert_int_equal(claim(fixture, first, fixture->loop.path), -ERR_UNSAFE);
	/* a neighbour is free */
	assert_int_equal(claim(fixture, second, NULL), 0);
	assert_int_equal(umount(fixture->folder), 0);
}

static void test_partition_of_a_mounted_disk(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(free) char *first = xasprintf("%sp1", fixture->loop.path);
	CLEANUP(free)
	char *words =
		xasprintf("its disk %s is mounted on %s;", fixture->loop.name, fixture->folder);

	add_partition(fixture, 1, 1);
	if (!file_exists(first))
		test_skip("partitions get no device node here");
	must_run("mkfs.ext4 -q -F $DEV && mount $DEV %s", fixture->folder);
	assert_unsafe(fixture, first, words);
	assert_int_equal(umount(fixture->folder), 0);
}

static void test_exclusive_opener(void **state)
{
	struct fixture *fixture = *state;
	int fd = open(fixture->loop.path, O_RDONLY | O_EXCL | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_unsafe(fixture, fixture->loop.path,
		      "is in use: the kernel or another program holds it exclusively;");
	close(fd);
	assert_int_equal(claim(fixture, fixture->loop.path, NULL), 0);
}

static void test_under_a_loop_device(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(free) char *file_words = xasprintf("backs /dev/%s;", fixture->loop.name);
	CLEANUP(free) char *backs_words = NULL;
	CLEANUP(free) char *mounted_words = NULL;
	struct loopdev upper;

	assert_unsafe(fixture, fixture->loop.file, file_words);

	must_run("mkfs.ext4 -q -F $DEV");
	loopdev_attach(&upper, fixture->loop.path, 0);
	backs_words = xasprintf("backs %s;", upper.path);
	assert_unsafe(fixture, fixture->loop.path, backs_words);
	must_run("mount $DEV %s", fixture->folder);
	mounted_words = xasprintf("its backing device %s is mounted on %s;", fixture->loop.path,
				  fixture->folder);
	assert_unsafe(fixture, upper.path, mounted_words);
	assert_int_equal(umount(fixture->folder), 0);
	loopdev_remove(&upper);
}

static void test_two_loop_devices_over_one_file(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(free) char *words = NULL;
	struct loopdev other;

	loopdev_attach(&other, fixture->loop.file, 0);
	words = xasprintf("its backing file is also attached to %s;", other.path);
	assert_unsafe(fixture, fixture->loop.path, words);
	/* a part behind this one's end would be independent; with nothing there it is free again */
	loopdev_remove(&other);
	assert_int_equal(claim(fixture, fixture->loop.path, NULL), 0);
}

static void test_read_only_device(void **state)
{
	struct fixture *fixture = *state;
	struct loopdev read_only;

	loopdev_create(&read_only, MIB, LOOPDEV_READ_ONLY);
	assert_fails(fixture, read_only.path, ERR_SYSTEM, " is read-only");
	loopdev_remove(&read_only);
}

static void test_empty_device(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(strbuf) struct strbuf number = STRBUF_INIT;
	CLEANUP(free) char *path = NULL;

	if (file_read_line("/sys/class/zram-control/hot_add", &number, NULL) < 0)
		test_skip("no zram");
	path = xasprintf("/dev/zram%s", strbuf_str(&number));
	assert_fails(fixture, path, ERR_SYSTEM, " has size 0: nothing is attached to it");
	assert_int_equal(
		file_write_line("/sys/class/zram-control/hot_remove", strbuf_str(&number), NULL),
		0);
}

static void test_node_without_a_device(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(free) char *path = xasprintf("%s/node", fixture->folder);

	assert_int_equal(mknod(path, S_IFBLK | 0600, makedev(240, 77)), 0);
	assert_int_equal(claim(fixture, path, NULL), -ERR_SYSTEM);
	assert_non_null(strstr(fixture->err.msg, "No such device or address"));
}

static void test_memory_devices(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(claim(fixture, "/dev/null", NULL), 0);
	assert_int_equal(claim(fixture, "/dev/zero", NULL), 0);
	assert_int_equal(claim(fixture, "/dev/full", NULL), 0);
	assert_fails(fixture, "/dev/kmsg", ERR_USAGE,
		     " is a character device; jobs write to files and block devices only");
	assert_fails(fixture, "/dev/regio-absent", ERR_USAGE, ": there is no such device");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_blank_device_is_claimed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_signature, setup, teardown),
		cmocka_unit_test_setup_teardown(test_other_signatures, setup, teardown),
		cmocka_unit_test_setup_teardown(test_mounted, setup, teardown),
		cmocka_unit_test_setup_teardown(test_mounted_btrfs_with_two_devices, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_mounted_in_another_namespace, setup, teardown),
		cmocka_unit_test_setup_teardown(test_swap_device, setup, teardown),
		cmocka_unit_test_setup_teardown(test_swap_file, setup, teardown),
		cmocka_unit_test_setup_teardown(test_partitions, setup, teardown),
		cmocka_unit_test_setup_teardown(test_partition_of_a_mounted_disk, setup, teardown),
		cmocka_unit_test_setup_teardown(test_exclusive_opener, setup, teardown),
		cmocka_unit_test_setup_teardown(test_under_a_loop_device, setup, teardown),
		cmocka_unit_test_setup_teardown(test_two_loop_devices_over_one_file, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_read_only_device, setup, teardown),
		cmocka_unit_test_setup_teardown(test_empty_device, setup, teardown),
		cmocka_unit_test_setup_teardown(test_node_without_a_device, setup, teardown),
		cmocka_unit_test_setup_teardown(test_memory_devices, setup, teardown),
	};

	if (!loopdev_available())
		return 0;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
