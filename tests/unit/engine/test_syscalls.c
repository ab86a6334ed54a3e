/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many system calls an engine makes for eight requests: what its name promises, no more. */
#include "faults.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "test.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "engine/engine.h"
#include "scratch.h"

#define BLOCK_BYTES 4096L
#define NR_REQS 8
#define FILE_BYTES (2L * NR_REQS * BLOCK_BYTES)

struct count_case {
	const char *name;
	const char *engine;
	enum io_dir dir;
	unsigned nr_calls;
	uint64_t stride_blocks; /* from one request to the next; 1: adjacent */
	long syscall_nr;
};

struct workload {
	const struct count_case *test;
	int fd;
	void *buffer;
	size_t nr_completed; /* in full */
};

static size_t workload_submit(const struct engine_ops *ops, void *state, struct io_req *const *reqs)
{
	size_t nr = 0;

	while (nr < NR_REQS) {
		int ret = ops->submit(state, reqs + nr, engine_is_async(ops) ? NR_REQS - nr : 1);

		if (ret < 1)
			break;
		nr += (size_t)ret;
	}
	return nr;
}

static size_t workload_reap(const struct engine_ops *ops, void *state, size_t nr_submitted)
{
	struct io_req *done[NR_REQS];
	size_t nr = 0;

	if (!engine_is_async(ops))
		return nr_submitted;
	while (nr < nr_submitted) {
		int ret = ops->reap(state, done, 1, NR_REQS - nr);

		if (ret < 1)
			break;
		nr += (size_t)ret;
	}
	return nr;
}

/* Runs in the thread whose calls are counted. */
static void workload_run(void *arg)
{
	struct workload *workload = arg;
	const struct engine_ops *ops = engine_find(workload->test->engine);
	struct engine_file file = { .path = "file", .fd = workload->fd, .size_bytes = FILE_BYTES };
	struct io_req reqs[NR_REQS];
	struct io_req *pointers[NR_REQS];
	struct engine_config config = { .files = &file,
					.nr_files = 1,
					.reqs = reqs,
					.nr_slots = NR_REQS,
					.buffer = workload->buffer,
					.buffer_bytes = NR_REQS * BLOCK_BYTES,
					.dirs = 1U << workload->test->dir };
	void *state;
	size_t nr;

	for (uint32_t i = 0; i < NR_REQS; i++) {
		pointers[i] = &reqs[i];
		reqs[i] = (struct io_req){
			.slot = i,
			.dir = workload->test->dir,
			.buf = (char *)workload->buffer + i * BLOCK_BYTES,
			.offset_bytes = i * workload->test->stride_blocks * BLOCK_BYTES,
			.len_bytes = BLOCK_BYTES,
		};
	}
	if (ops->open(&config, &state, NULL) < 0)
		return;
	nr = workload_reap(ops, state, workload_submit(ops, state, pointers));
	ops->close(state);
	for (size_t i = 0; i < nr; i++)
		workload->nr_completed += reqs[i].result == BLOCK_BYTES;
}

static void run_case(void **state)
{
	const struct count_case *test = *state;
	const struct fault counted = { .syscall_nr = test->syscall_nr };
	CLEANUP(fd) int fd = scratch_file(FILE_BYTES, O_RDWR);
	struct workload workload = { .test = test, .fd = fd };
	struct fault_count count = { .nr_calls = 0 };
	char zeros[FILE_BYTES] = { 0 };
	bool ran;

	/* In the page cache, so that every read completes at once. */
	assert_int_equal(pwrite(fd, zeros, FILE_BYTES, 0), FILE_BYTES);
	workload.buffer = mmap(NULL, NR_REQS * BLOCK_BYTES, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(workload.buffer, MAP_FAILED);
	ran = faults_run(&counted, workload_run, &workload, &count);
	munmap(workload.buffer, NR_REQS * BLOCK_BYTES);
	if (!ran)
		test_skip("this kernel or sandbox offers no seccomp listener");
	assert_int_equal(workload.nr_completed, NR_REQS);
	assert_int_equal(count.nr_calls, test->nr_calls);
}

static const struct count_case cases[] = {
	{ "vsync joins adjacent reads", "vsync", IO_READ, 1, 1, SYS_preadv },
	{ "vsync joins adjacent writes", "vsync", IO_WRITE, 1, 1, SYS_pwritev },
	{ "vsync keeps others apart", "vsync", IO_READ, NR_REQS, 2, SYS_preadv },
	{ "sync seeks once when sequential", "sync", IO_READ, 1, 1, SYS_lseek },
	{ "sync seeks each time otherwise", "sync", IO_READ, NR_REQS, 2, SYS_lseek },
	{ "sync reads", "sync", IO_READ, NR_REQS, 1, SYS_read },
	{ "psync never seeks", "psync", IO_READ, 0, 2, SYS_lseek },
	{ "psync reads at offsets", "psync", IO_READ, NR_REQS, 2, SYS_pread64 },
	{ "pvsync reads vectors", "pvsync", IO_READ, NR_REQS, 1, SYS_preadv },
	{ "mmap reads without calls", "mmap", IO_READ, 0, 1, SYS_pread64 },
	{ "libaio submits once", "libaio", IO_READ, 1, 1, SYS_io_submit },
	{ "libaio reaps without a call", "libaio", IO_READ, 0, 1, SYS_io_getevents },
	{ "io_uring enters once", "io_uring", IO_READ, 1, 1, SYS_io_uring_enter },
};

int main(void)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	const size_t nr = sizeof(cases) / sizeof(cases[0]);
	struct CMUnitTest *tests = arena_alloc_array(&arena, nr, sizeof(*tests));

	for (size_t i = 0; i < nr; i++)
		tests[i] = (struct CMUnitTest){ .name = cases[i].name,
						.test_func = run_case,
						.initial_state = (void *)&cases[i] };
	return _cmocka_run_group_tests("engine system calls", tests, nr, NULL, NULL);
}
