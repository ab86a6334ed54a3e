/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the guard says to paths that are no block devices. tests/dev/test_guard.c has those. */
#include "host/guard.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "plant.h"
#include "test.h"

static int setup(void **state)
{
	struct plant *plant = xcalloc(1, sizeof(*plant));

	plant_create(plant);
	*state = plant;
	return 0;
}

static int teardown(void **state)
{
	plant_remove(*state);
	free(*state);
	return 0;
}

static void assert_refused(const char *path, const char *words)
{
	struct guard guard = { .nr = 0 };
	struct err err = { .code = 0 };
	CLEANUP(free) char *expected = xasprintf("%s%s", path, words);

	assert_int_equal(guard_claim(&guard, path, &path, 1, &err), -ERR_USAGE);
	assert_string_equal(err.msg, expected);
	assert_int_equal(guard.nr, 0);
	guard_release(&guard);
}

static void test_plain_files_pass(void **state)
{
	const struct plant *plant = *state;
	CLEANUP(free) char *file = plant_path(plant, "data");
	CLEANUP(free) char *link = plant_path(plant, "link");
	CLEANUP(free) char *absent = plant_path(plant, "absent/deeper/data");
	struct guard guard = { .nr = 0 };

	plant_file(plant, "data", "x");
	assert_int_equal(symlink("absent-target", link), 0);
	assert_int_equal(guard_claim(&guard, file, NULL, 0, NULL), 0);
	assert_int_equal(guard_claim(&guard, link, NULL, 0, NULL), 0);
	assert_int_equal(guard_claim(&guard, absent, NULL, 0, NULL), 0);
	assert_int_equal(guard_claim(&guard, "relative-and-absent", NULL, 0, NULL), 0);
	assert_int_equal(guard_claim(&guard, "/dev/null", NULL, 0, NULL), 0);
	assert_int_equal(guard.nr, 0);
	guard_release(&guard);
}

static void test_what_no_option_allows(void **state)
{
	const struct plant *plant = *state;
	CLEANUP(free) char *fifo = plant_path(plant, "fifo");
	CLEANUP(free) char *socket_path = plant_path(plant, "socket");
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_refused(plant->root, " is a directory; a job writes to files in it by directory=");
	assert_int_equal(mkfifo(fifo, 0600), 0);
	/* must not wait for a reader */
	assert_refused(fifo, " is a fifo or socket; jobs write to files and block devices only");
	assert_true(fd >= 0);
	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%s", socket_path);
	assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
	assert_refused(socket_path,
		       " is a fifo or socket; jobs write to files and block devices only");
	close(fd);
	assert_refused("/dev/tty",
		       " is a character device; jobs write to files and block devices only");
}

static void test_mistyped_device(void **state)
{
	struct stat dev;
	struct stat root;

	(void)state;
	assert_int_equal(stat("/dev", &dev), 0);
	assert_int_equal(stat("/", &root), 0);
	if (dev.st_dev == root.st_dev)
		test_skip("/dev is no filesystem of its own here");
	assert_refused("/dev/regio-absent", ": there is no such device");
	assert_int_equal(guard_check_read("/dev/regio-absent", NULL), -ERR_USAGE);
}

static void test_files_of_the_kernel(void **state)
{
	const char *path = "/proc/version";
	struct err err = { .code = 0 };

	(void)state;
	assert_refused(path, " is not on a disk but a file of the kernel itself");
	/* a job that reads would lay it out first */
	assert_int_equal(guard_check_read(path, &err), -ERR_USAGE);
	assert_string_equal(err.msg, "/proc/version is not on a disk but a file of the kernel "
				     "itself");
}

static void test_reading(void **state)
{
	const struct plant *plant = *state;
	CLEANUP(free) char *file = plant_path(plant, "data");
	CLEANUP(free) char *absent = plant_path(plant, "absent");

	plant_file(plant, "data", "x");
	assert_int_equal(guard_check_read(file, NULL), 0);
	assert_int_equal(guard_check_read(absent, NULL), 0);
	assert_int_equal(guard_check_read(plant->root, NULL), 0);
	assert_int_equal(guard_check_read("/dev/null", NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_plain_files_pass, setup, teardown),
		cmocka_unit_test_setup_teardown(test_what_no_option_allows, setup, teardown),
		cmocka_unit_test(test_mistyped_device),
		cmocka_unit_test(test_files_of_the_kernel),
		cmocka_unit_test_setup_teardown(test_reading, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
