/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls that fail: what is retried, what becomes a result, what open says. */
#include "faults.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "test.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "engine/engine.h"
#include "scratch.h"

#define BLOCK_BYTES 4096L
#define MAX_TRIES 10

/* One request, and what an engine under a fault should make of it. */
struct fault_case {
	const char *name;
	const char *engine;
	struct fault fault;
	enum io_dir dir;
	bool datasync, fixed;
	enum err_code open_code;  /* 0: open succeeds */
	const char *open_message; /* the whole of it */
	unsigned nr_again;	  /* times that submit says -EAGAIN before it takes the request */
	int submit_error;	  /* errno with which submit gives up */
	int64_t result;
};

struct outcome {
	const struct fault_case *test;
	int fd;
	void *buf;
	int open_ret;
	struct err err;
	unsigned nr_again;
	int submit_ret;
	int64_t result;
};

static void outcome_submit(struct outcome *outcome, const struct engine_ops *ops, void *state,
			   struct io_req *req)
{
	struct io_req *done;

	do {
		outcome->submit_ret = ops->submit(state, &req, 1);
	} while (outcome->submit_ret == -EAGAIN && ++outcome->nr_again < MAX_TRIES);
	if (outcome->submit_ret == 1 && engine_is_async(ops) && ops->reap(state, &done, 1, 1) != 1)
		return;
	outcome->result = req->result;
}

static const struct engine_options no_options;

/* Runs in the thread with the fault: everything from open to close. */
static void outcome_find(void *arg)
{
	struct outcome *outcome = arg;
	const struct fault_case *test = outcome->test;
	const struct engine_ops *ops = engine_choose(engine_find(test->engine), &no_options, 1);
	struct engine_file file = { .path = "file", .fd = outcome->fd, .size_bytes = BLOCK_BYTES };
	struct io_req req = { .dir = test->dir,
			      .datasync = test->datasync,
			      .buf = outcome->buf,
			      .len_bytes = test->dir == IO_SYNC ? 0 : BLOCK_BYTES,
			      .result = INT64_MIN };
	struct engine_config config = { .files = &file,
					.nr_files = 1,
					.reqs = &req,
					.nr_slots = 1,
					.buffer = outcome->buf,
					.buffer_bytes = BLOCK_BYTES,
					.dirs = 1U << IO_READ | 1U << IO_WRITE,
					.options = { .fixedbufs = test->fixed,
						     .registerfiles = test->fixed } };
	void *state;

	outcome->open_ret = ops->open(&config, &state, &outcome->err);
	if (outcome->open_ret < 0)
		return;
	outcome_submit(outcome, ops, state, &req);
	ops->close(state);
}

static void outcome_check(const struct outcome *outcome)
{
	const struct fault_case *test = outcome->test;

	if (test->open_code) {
		assert_int_equal(outcome->open_ret, -(int)test->open_code);
		assert_int_equal(outcome->err.code, test->open_code);
		assert_string_equal(outcome->err.msg, test->open_message);
		return;
	}
	if (outcome->open_ret < 0)
		fail_msg("%s", outcome->err.msg);
	assert_int_equal(outcome->nr_again, test->nr_again);
	if (test->submit_error) {
		assert_int_equal(outcome->submit_ret, -test->submit_error);
		return;
	}
	assert_int_equal(outcome->submit_ret, 1);
	assert_int_equal(outcome->result, test->result);
	if (test->dir == IO_READ && test->result > 0)
		assert_int_equal(*(const char *)outcome->buf, 'f');
}

static void run_case(void **state)
{
	const struct fault_case *test = *state;
	CLEANUP(fd) int fd = scratch_file(BLOCK_BYTES, O_RDWR);
	struct outcome outcome = { .test = test, .fd = fd, .result = INT64_MIN };
	struct fault_count count = { .nr_calls = 0 };
	bool ran;

	assert_int_equal(pwrite(fd, "file", 4, 0), 4);
	outcome.buf =
		mmap(NULL, BLOCK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(outcome.buf, MAP_FAILED);
	ran = faults_run(&test->fault, outcome_find, &outcome, &count);
	if (ran) {
		assert_int_equal(count.nr_failed, test->fault.nr); /* or the case tested nothing */
		outcome_check(&outcome);
	}
	munmap(outcome.buf, BLOCK_BYTES);
	if (!ran)
		test_skip("this kernel or sandbox offers no seccomp listener");
}

/* The refusal names the sysctl where that is the reason. */
static void test_disabled_by_sysctl(void **state)
{
	struct fault_case test = {
		.engine = "io_uring",
		.fault = { SYS_io_uring_setup, EPERM, 1 },
		.open_code = ERR_UNSUPPORTED,
		.open_message = "io_uring: disabled on this kernel (kernel.io_uring_disabled=2)",
	};
	void *test_state = &test;

	(void)state;
	if (!scratch_replace("/proc/sys/kernel/io_uring_disabled", "2\n"))
		test_skip("needs root, and a kernel with this sysctl");
	run_case(&test_state);
}

#define READ(engine_name, nr, error_code, times)                                                   \
	.engine = (engine_name), .dir = IO_READ, .fault = { (nr), (error_code), (times) }
#define WRITE(engine_name, nr, error_code, times)                                                  \
	.engine = (engine_name), .dir = IO_WRITE, .fault = { (nr), (error_code), (times) }
#define SYNC(engine_name, nr, error_code, times)                                                   \
	.engine = (engine_name), .dir = IO_SYNC, .fault = { (nr), (error_code), (times) }

static const struct fault_case cases[] = {
	/* EINTR says that nothing was transferred, so the call is made again */
	{ "sync read EINTR", READ("sync", SYS_read, EINTR, 3), .result = BLOCK_BYTES },
	{ "sync write EINTR", WRITE("sync", SYS_write, EINTR, 3), .result = BLOCK_BYTES },
	{ "psync read EINTR", READ("psync", SYS_pread64, EINTR, 3), .result = BLOCK_BYTES },
	{ "psync write EINTR", WRITE("psync", SYS_pwrite64, EINTR, 3), .result = BLOCK_BYTES },
	{ "psync fsync EINTR", SYNC("psync", SYS_fsync, EINTR, 2), .result = 0 },
	{ "psync fdatasync EINTR", SYNC("psync", SYS_fdatasync, EINTR, 2), .datasync = true },
	{ "pvsync read EINTR", READ("pvsync", SYS_preadv, EINTR, 3), .result = BLOCK_BYTES },
	{ "pvsync write EINTR", WRITE("pvsync", SYS_pwritev, EINTR, 3), .result = BLOCK_BYTES },
	{ "vsync read EINTR", READ("vsync", SYS_preadv, EINTR, 3), .result = BLOCK_BYTES },
	{ "vsync write EINTR", WRITE("vsync", SYS_pwritev, EINTR, 3), .result = BLOCK_BYTES },
	{ "libaio submit EINTR", READ("libaio", SYS_io_submit, EINTR, 3), .result = BLOCK_BYTES },
	{ "io_uring submit EINTR", READ("io_uring", SYS_io_uring_enter, EINTR, 3),
	  .result = BLOCK_BYTES },

	/* other errors belong to the request */
	{ "sync seek fails", READ("sync", SYS_lseek, EOVERFLOW, 1), .result = -EOVERFLOW },
	{ "sync read EIO", READ("sync", SYS_read, EIO, 1), .result = -EIO },
	{ "psync write ENOSPC", WRITE("psync", SYS_pwrite64, ENOSPC, 1), .result = -ENOSPC },
	{ "psync fsync EIO", SYNC("psync", SYS_fsync, EIO, 1), .result = -EIO },
	{ "vsync write EDQUOT", WRITE("vsync", SYS_pwritev, EDQUOT, 1), .result = -EDQUOT },
	{ "mmap fsync EIO", SYNC("mmap", SYS_msync, EIO, 1), .result = -EIO },
	{ "libaio refused", READ("libaio", SYS_io_submit, EINVAL, 1), .result = -EINVAL },

	/* the queue is full */
	{ "libaio EAGAIN", READ("libaio", SYS_io_submit, EAGAIN, 2), .nr_again = 2,
	  .result = BLOCK_BYTES },
	{ "io_uring EAGAIN", READ("io_uring", SYS_io_uring_enter, EAGAIN, 2), .nr_again = 2,
	  .result = BLOCK_BYTES },
	{ "io_uring EBUSY", READ("io_uring", SYS_io_uring_enter, EBUSY, 2), .nr_again = 2,
	  .result = BLOCK_BYTES },
	{ "io_uring broken", READ("io_uring", SYS_io_uring_enter, ENXIO, 1),
	  .submit_error = ENXIO },

	/* older kernels take fewer flags, and have no registered rings */
	{ "io_uring without DEFER_TASKRUN", READ("io_uring", SYS_io_uring_setup, EINVAL, 1),
	  .result = BLOCK_BYTES },
	{ "io_uring without COOP_TASKRUN", READ("io_uring", SYS_io_uring_setup, EINVAL, 2),
	  .result = BLOCK_BYTES },
	{ "io_uring without flags", READ("io_uring", SYS_io_uring_setup, EINVAL, 3),
	  .result = BLOCK_BYTES },
	{ "io_uring without ring descriptor", READ("io_uring", SYS_io_uring_register, EINVAL, 1),
	  .result = BLOCK_BYTES },

	/* what open says */
	{ "io_uring EINVAL", READ("io_uring", SYS_io_uring_setup, EINVAL, 4),
	  .open_code = ERR_SYSTEM,
	  .open_message = "io_uring: ring for iodepth 1: Invalid argument" },
	{ "io_uring forbidden", READ("io_uring", SYS_io_uring_setup, EPERM, 1),
	  .open_code = ERR_UNSUPPORTED,
	  .open_message = "io_uring: not permitted to this process (seccomp or container policy)" },
	{ "io_uring missing", READ("io_uring", SYS_io_uring_setup, ENOSYS, 1),
	  .open_code = ERR_UNSUPPORTED,
	  .open_message = "io_uring: not in this kernel (CONFIG_IO_URING)" },
	{ "io_uring memlock", READ("io_uring", SYS_io_uring_register, ENOMEM, 1), .fixed = true,
	  .open_code = ERR_UNSUPPORTED,
	  .open_message =
		  "io_uring: fixedbufs: 4096 bytes cannot be locked in memory (ulimit -l)" },
	{ "io_uring buffers", READ("io_uring", SYS_io_uring_register, EFAULT, 1), .fixed = true,
	  .open_code = ERR_SYSTEM,
	  .open_message = "io_uring: fixedbufs: register 4096 bytes: Bad address" },
	{ "libaio missing", READ("libaio", SYS_io_setup, ENOSYS, 1), .open_code = ERR_UNSUPPORTED,
	  .open_message = "libaio: this kernel has no AIO (CONFIG_AIO)" },
	{ "libaio limit", READ("libaio", SYS_io_setup, EAGAIN, 1), .open_code = ERR_UNSUPPORTED,
	  .open_message = "libaio: iodepth 1 is more than fs.aio-max-nr leaves" },
	{ "libaio memory", READ("libaio", SYS_io_setup, ENOMEM, 1), .open_code = ERR_SYSTEM,
	  .open_message = "libaio: io_setup for iodepth 1: Cannot allocate memory" },
};

int main(void)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	const size_t nr = sizeof(cases) / sizeof(cases[0]);
	struct CMUnitTest *tests = arena_alloc_array(&arena, nr + 1, sizeof(*tests));

	for (size_t i = 0; i < nr; i++)
		tests[i] = (struct CMUnitTest){ .name = cases[i].name,
						.test_func = run_case,
						.initial_state = (void *)&cases[i] };
	/* Last, because it changes what the process sees. */
	tests[nr] = (struct CMUnitTest)cmocka_unit_test(test_disabled_by_sysctl);
	return _cmocka_run_group_tests("engine faults", tests, nr + 1, NULL, NULL);
}
