/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fault_copy: a fault is a return value inside the copy, and still deadly outside. */
#include "engine/fault_copy.h"

#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

#include "scratch.h"

#define PAGE_BYTES 4096L

/* Two pages of which the second lies behind the end of the file. */
static char *map_past_end(void)
{
	int fd = scratch_file(PAGE_BYTES, O_RDWR);
	char *mapped = mmap(NULL, 2 * PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	assert_ptr_not_equal(mapped, MAP_FAILED);
	close(fd);
	return mapped;
}

static void test_copies(void **state)
{
	char *mapped = map_past_end();
	char buf[PAGE_BYTES] = "text";
	sigset_t mask;

	(void)state;
	assert_int_equal(fault_copy_enable(&mask, NULL), 0);
	assert_true(fault_copy(mapped, buf, sizeof(buf)));
	memset(buf, 0, sizeof(buf));
	assert_true(fault_copy(buf, mapped, sizeof(buf)));
	assert_string_equal(buf, "text");
	fault_copy_disable(&mask);
	munmap(mapped, 2 * PAGE_BYTES);
}

static void test_faults(void **state)
{
	char *mapped = map_past_end();
	char buf[2 * PAGE_BYTES] = "text";
	sigset_t mask;

	(void)state;
	assert_int_equal(fault_copy_enable(&mask, NULL), 0);
	for (int i = 0; i < 3; i++) { /* one fault must not use the guard up */
		assert_false(fault_copy(mapped, buf, sizeof(buf)));
		assert_false(fault_copy(buf, mapped + PAGE_BYTES, PAGE_BYTES));
		assert_true(fault_copy(buf, mapped, PAGE_BYTES));
	}
	fault_copy_disable(&mask);
	munmap(mapped, 2 * PAGE_BYTES);
}

/* Workers have all signals blocked, and a blocked SIGBUS kills without asking the handler. */
static void test_blocked_signal(void **state)
{
	char *mapped = map_past_end();
	sigset_t all;
	sigset_t before;
	sigset_t mask;
	sigset_t after;
	char byte;

	(void)state;
	sigfillset(&all);
	assert_int_equal(pthread_sigmask(SIG_SETMASK, &all, &before), 0);
	assert_int_equal(fault_copy_enable(&mask, NULL), 0);
	assert_false(fault_copy(&byte, mapped + PAGE_BYTES, 1));
	fault_copy_disable(&mask);
	assert_int_equal(pthread_sigmask(SIG_SETMASK, &before, &after), 0);
	assert_true(sigismember(&after, SIGBUS));
	munmap(mapped, 2 * PAGE_BYTES);
}

static void test_outside(void **state)
{
	char *mapped = map_past_end();
	int status;
	pid_t child = fork();

	(void)state;
	assert_true(child >= 0);
	if (child == 0) {
		const struct rlimit no_core = { .rlim_cur = 0 };
		sigset_t mask;

		(void)setrlimit(RLIMIT_CORE, &no_core);
		(void)fault_copy_enable(&mask, NULL);
		*(volatile char *)(mapped + PAGE_BYTES) = 'x';
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGBUS);
	munmap(mapped, 2 * PAGE_BYTES);
}

static void *fault_often(void *arg)
{
	char *mapped = arg;
	sigset_t mask;
	size_t nr_wrong = 0;
	char byte;

	if (fault_copy_enable(&mask, NULL) < 0)
		return "enable";
	for (int i = 0; i < 2000; i++) {
		nr_wrong += fault_copy(&byte, mapped + PAGE_BYTES, 1);
		nr_wrong += !fault_copy(&byte, mapped, 1);
	}
	return nr_wrong ? "wrong" : NULL;
}

static void test_threads(void **state)
{
	char *mapped = map_past_end();
	pthread_t threads[4];

	(void)state;
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, fault_often, mapped), 0);
	for (size_t i = 0; i < 4; i++) {
		void *failure;

		assert_int_equal(pthread_join(threads[i], &failure), 0);
		assert_null(failure);
	}
	munmap(mapped, 2 * PAGE_BYTES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_copies),	       cmocka_unit_test(test_faults),
		cmocka_unit_test(test_blocked_signal), cmocka_unit_test(test_outside),
		cmocka_unit_test(test_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
