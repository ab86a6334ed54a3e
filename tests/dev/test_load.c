/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_load: a name that comes to mean another device after the guard has looked at it. */
#include "load/load.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "fixture.h"
#include "loopdev.h"
#include "model/result.h"
#include "test.h"

struct asked {
	dev_t only; /* the device that was let through */
	unsigned nr;
};

static bool may_write(const void *arg, dev_t dev)
{
	struct asked *asked = *(struct asked *const *)arg;

	asked->nr++;
	return dev == asked->only;
}

/* Writes 64 KiB to the loop device while `only` was let through. Number of bytes written. */
static uint64_t write_while(const struct loopdev *loop, dev_t only, int *ret_error)
{
	struct asked asked = { .only = only };
	struct asked *arg = &asked;
	struct clock clock = CLOCK_INIT;
	struct job job = fixture_job();
	const struct job_set jobs = { .jobs = &job, .nr = 1, .nr_clones = 1 };
	const struct load_config config = {
		.jobs = &jobs, .clock = &clock, .may_write = may_write, .arg = &arg
	};
	struct result result = { .nr_jobs = 0 };
	struct err err = { .code = 0 };
	uint64_t written;

	job.ioengine = "psync";
	job.rw = RW_WRITE;
	job.filename = loop->path;
	job.size = (struct size_spec){ .bytes = 65536, .is_set = true };
	assert_int_equal(load_run(&config, &result, &err), 0);
	assert_int_equal(asked.nr, 1);
	assert_int_equal(result.nr_jobs, 1);
	*ret_error = result.jobs[0].error;
	written = result.jobs[0].dir[IO_WRITE].io_bytes;
	result_release(&result);
	return written;
}

static void test_only_what_was_let_through(void **state)
{
	struct loopdev loop;
	struct stat info;
	int error;

	(void)state;
	loopdev_create(&loop, 4 * MIB, 0);
	assert_int_equal(stat(loop.path, &info), 0);
	assert_int_equal(write_while(&loop, info.st_rdev, &error), 65536);
	assert_int_equal(error, 0);
	assert_int_equal(write_while(&loop, info.st_rdev + 1, &error), 0);
	assert_int_equal(error, EPERM);
	loopdev_remove(&loop);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_only_what_was_let_through),
	};

	if (!loopdev_available())
		return 0;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
