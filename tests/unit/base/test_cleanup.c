/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_cleanup: variables are released on every way out of their scope, once. */
#include "base/cleanup.h"

#include "test.h"

#include <errno.h>
#include <fcntl.h>

struct counted {
	int *nr_released;
};

static void counted_release(struct counted *counted)
{
	(*counted->nr_released)++;
}
CLEANUP_DEFINE(counted, struct counted, counted_release)

static void counted_free(struct counted *counted)
{
	if (counted)
		(*counted->nr_released)++;
}
CLEANUP_DEFINE_PTR(counted_ptr, struct counted, counted_free)

static int fd_is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

static int scope_with_fd(int *ret_fd)
{
	CLEANUP(fd) int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	*ret_fd = fd;
	errno = EBADMSG;
	return fd_is_open(fd);
}

static int scope_with_take(void)
{
	CLEANUP(fd) int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	return fd_take(&fd);
}

static void test_fd(void **state)
{
	int fd;

	(void)state;
	assert_true(scope_with_fd(&fd));
	assert_int_equal(errno, EBADMSG); /* closing keeps errno */
	assert_false(fd_is_open(fd));

	fd = scope_with_take();
	assert_true(fd_is_open(fd));
	assert_int_equal(close(fd), 0);
}

static void test_negative_fd(void **state)
{
	int fd = -1;
	int not_open = dup(STDERR_FILENO);

	(void)state;
	errno = 0;
	cleanup_fd(&fd);
	assert_int_equal(errno, 0);

	assert_int_equal(close(not_open), 0);
	cleanup_fd(&not_open); /* close fails with EBADF, which nobody sees */
	assert_int_equal(errno, 0);
}

static void test_file(void **state)
{
	int fd;

	(void)state;
	{
		CLEANUP(file) FILE *file = fopen("/dev/null", "re");
		CLEANUP(file) FILE *none = NULL;

		assert_non_null(file);
		assert_null(none);
		fd = fileno(file);
	}
	assert_false(fd_is_open(fd));
}

static void test_structs(void **state)
{
	int nr_released = 0;

	(void)state;
	{
		CLEANUP(counted) struct counted embedded = { &nr_released };
		struct counted object = { &nr_released };
		CLEANUP(counted_ptr) struct counted *pointer = &object;
		CLEANUP(counted_ptr) struct counted *taken = &object;
		struct counted *moved = ptr_take(taken);

		assert_ptr_equal(moved, &object);
		assert_null(taken);
		assert_non_null(pointer);
		assert_non_null(embedded.nr_released);
	}
	assert_int_equal(nr_released, 2); /* embedded and pointer, not the one that was taken */
}

static void test_free_pointer(void **state)
{
	CLEANUP(free) char *memory = malloc(10); /* the leak checker is the judge */
	CLEANUP(free) char *none = NULL;

	(void)state;
	assert_non_null(memory);
	assert_null(none);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fd),	     cmocka_unit_test(test_negative_fd),
		cmocka_unit_test(test_file),	     cmocka_unit_test(test_structs),
		cmocka_unit_test(test_free_pointer),
	};

	return cmocka_run_group_tests_name("cleanup", tests, NULL, NULL);
}
