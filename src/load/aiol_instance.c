/* SPDX-License-Identifier: GPL-2.0-or-later */
/* aiol_instance: the loop of one aiol process. Starting and counting up are left to aiol.c. */
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "load/aiol.h"
#include "load/aiol_random.h"

#define PATTERN_BYTES (2 * 256) /* every start of the pattern, once around */
#define SYNC_LOOPS 256		/* loops between two syncs */
#define ERROR_LOOPS 127		/* loops between two rounds of calls that must fail */
#define GATE_POLL_NS 200000
#define BAD_FD 20001 /* nobody has so many open */
#define BAD_CONTEXT UINT64_C(0x2525252525252525)

struct loop {
	const struct aiol_instance *instance;
	struct aiol_counts *counts;
	struct aiol_random random;
	aio_context_t context;
	int *fds;
	unsigned char *buffer;
	struct iocb *iocbs;
	struct iocb **pointers;
	struct iovec *vectors;
	struct io_event *events;
	unsigned char pattern[PATTERN_BYTES + AIOL_BLOCK_BYTES];
	unsigned nr;	/* requests */
	uint32_t round; /* loops since the last sync: it is in the pattern */
	uint64_t offset_bytes;
	uint64_t deadline_ns;
	bool is_sync_refused;
};

/* It only has to interrupt a wait: the clock says that the time is over. */
static void on_alarm(int signal)
{
	(void)signal;
}

static bool is_stopped(const struct loop *loop)
{
	const struct aiol_instance *instance = loop->instance;

	return atomic_load_explicit(&instance->shared->stop, memory_order_relaxed) ||
	       clock_now_ns() >= loop->deadline_ns ||
	       (instance->max_ops && loop->counts->ops >= instance->max_ops);
}

__attribute__((format(printf, 3, 4))) static int fail(struct loop *loop, int error, const char *fmt,
						      ...)
{
	va_list args;

	if (loop->counts->error)
		return -1;
	va_start(args, fmt);
	loop->counts->error = error;
	(void)vsnprintf(loop->counts->error_where, sizeof(loop->counts->error_where), fmt, args);
	va_end(args);
	return -1;
}

static const struct phase_kind {
	uint16_t opcode;
	bool is_write;
	bool is_vector;
	const char *name;
} kinds[AIOL_NR_PHASES] = {
	[AIOL_PWRITE] = { IOCB_CMD_PWRITE, true, false, "pwrite" },
	[AIOL_PREAD] = { IOCB_CMD_PREAD, false, false, "pread" },
	[AIOL_PWRITEV] = { IOCB_CMD_PWRITEV, true, true, "pwritev" },
	[AIOL_PREADV] = { IOCB_CMD_PREADV, false, true, "preadv" },
};

static unsigned char *block_at(const struct loop *loop, unsigned i)
{
	return loop->buffer + (size_t)i * AIOL_BLOCK_BYTES;
}

/* Byte k of a block is (p + k) mod 256, with p of the round and the page the block lies in. */
static const unsigned char *pattern_of(const struct loop *loop, const unsigned char *block)
{
	return loop->pattern + ((loop->round + (uintptr_t)block / AIOL_BLOCK_BYTES) & 255);
}

static void fill(struct loop *loop)
{
	for (unsigned i = 0; i < loop->nr; i++)
		memcpy(block_at(loop, i), pattern_of(loop, block_at(loop, i)), AIOL_BLOCK_BYTES);
}

static void check(struct loop *loop)
{
	for (unsigned i = 0; i < loop->nr; i++) {
		const unsigned char *block = block_at(loop, i);

		loop->counts->nr_mismatches +=
			memcmp(block, pattern_of(loop, block), AIOL_BLOCK_BYTES) != 0;
	}
}

static void prepare(struct loop *loop, const struct phase_kind *kind)
{
	for (unsigned i = 0; i < loop->nr; i++) {
		uintptr_t block = (uintptr_t)block_at(loop, i);

		loop->iocbs[i] = (struct iocb){
			.aio_lio_opcode = kind->opcode,
			.aio_fildes = (uint32_t)loop->fds[i],
			.aio_buf = kind->is_vector ? (uintptr_t)&loop->vectors[i] : block,
			.aio_nbytes = kind->is_vector ? 1 : AIOL_BLOCK_BYTES,
			.aio_offset =
				(int64_t)(loop->offset_bytes + (uint64_t)i * AIOL_BLOCK_BYTES),
		};
	}
}

/* All of them, however many calls it takes. */
static int submit(struct loop *loop, unsigned nr, const char *what)
{
	unsigned nr_submitted = 0;

	while (nr_submitted < nr) {
		long ret = syscall(SYS_io_submit, loop->context, (long)(nr - nr_submitted),
				   loop->pointers + nr_submitted);

		if (ret > 0)
			nr_submitted += (unsigned)ret;
		else if (ret == 0 || (errno != EAGAIN && errno != EINTR))
			return fail(loop, ret == 0 ? EIO : errno, "io_submit of %s", what);
	}
	return 0;
}

static long get_events(struct loop *loop, unsigned max, bool is_pgetevents)
{
	struct timespec *forever = NULL;

	if (is_pgetevents)
		return syscall(SYS_io_pgetevents, loop->context, 1L, (long)max, loop->events,
			       forever, NULL);
	return syscall(SYS_io_getevents, loop->context, 1L, (long)max, loop->events, forever);
}

static int take_events(struct loop *loop, enum aiol_phase phase, long nr, uint64_t lat_ns)
{
	struct aiol_counts *counts = loop->counts;

	for (long i = 0; i < nr; i++) {
		int64_t res = (int64_t)loop->events[i].res;

		moments_add(&counts->moments[phase], lat_ns);
		hist_record(&counts->hists[phase], lat_ns);
		if (res == AIOL_BLOCK_BYTES)
			counts->io_bytes[phase] += AIOL_BLOCK_BYTES;
		else
			(void)fail(loop, res < 0 ? (int)-res : EIO, "%s of %d bytes at offset %lld",
				   kinds[phase].name, AIOL_BLOCK_BYTES,
				   (long long)((struct iocb *)(uintptr_t)loop->events[i].obj)
					   ->aio_offset);
	}
	return counts->error ? -1 : 0;
}

/* Waits for a batch. What is still in flight when the run is to stop is waited for when the
 * context goes away, and counts no more. */
static int wait_batch(struct loop *loop, enum aiol_phase phase, uint64_t submitted_ns)
{
	struct aiol_counts *counts = loop->counts;
	unsigned nr_missing = loop->nr;

	while (nr_missing) {
		bool is_pgetevents = aiol_random_bit(&loop->random);
		long nr = get_events(loop, nr_missing, is_pgetevents);
		uint64_t lat_ns = clock_now_ns() - submitted_ns;

		if (nr < 0 && errno != EINTR)
			return fail(loop, errno, "io_getevents of %s", kinds[phase].name);
		if (nr < 0 && is_stopped(loop))
			return -1;
		if (nr <= 0)
			continue;
		counts->nr_completed += (uint64_t)nr;
		nr_missing -= (unsigned)nr;
		if (take_events(loop, phase, nr, lat_ns) < 0)
			return -1;
		if (nr_missing == 0) {
			counts->nr_batches[phase]++;
			moments_add(&counts->batch_moments[phase], lat_ns);
			hist_record(&counts->batch_hists[phase], lat_ns);
		}
	}
	return 0;
}

static int batch(struct loop *loop, enum aiol_phase phase)
{
	const struct phase_kind *kind = &kinds[phase];
	uint64_t start_ns;

	if (phase == AIOL_PREAD)
		memset(loop->buffer, 0, (size_t)loop->nr * AIOL_BLOCK_BYTES);
	else
		fill(loop); /* before the second read too, which is not checked */
	prepare(loop, kind);
	start_ns = clock_now_ns();
	if (submit(loop, loop->nr, kind->name) < 0 || wait_batch(loop, phase, start_ns) < 0)
		return -1;
	if (phase == AIOL_PREAD)
		check(loop);
	return 0;
}

/* Counts a bogo operation; false when it was the last one. */
static bool count_op(struct loop *loop)
{
	loop->counts->ops++;
	return !is_stopped(loop);
}

/* Calls that must fail, or do nothing, which stress-ng makes to exercise the kernel. */
static void error_calls(struct loop *loop)
{
	struct timespec at_once = { .tv_sec = 0 };
	struct iocb bad = { .aio_lio_opcode = UINT16_MAX, .aio_fildes = BAD_FD };
	struct iocb *list[] = { &bad };
	const aio_context_t wrong = BAD_CONTEXT;
	aio_context_t none = 0;

	(void)syscall(SYS_io_cancel, loop->context, &bad, loop->events);
	(void)syscall(SYS_io_destroy, wrong);
	(void)syscall(SYS_io_getevents, wrong, 1L, 1L, loop->events, &at_once);
	(void)syscall(SYS_io_getevents, loop->context, -1L, 0L, loop->events, &at_once);
	(void)syscall(SYS_io_setup, 0L, &none);
	(void)syscall(SYS_io_submit, wrong, 1L, list);
	(void)syscall(SYS_io_submit, loop->context, 0L, list);
	(void)syscall(SYS_io_submit, loop->context, -1L, list);
	(void)syscall(SYS_io_submit, loop->context, 1L, list);
}

/* Refused at once: offset and length are all ones. */
static void poll_calls(struct loop *loop)
{
	for (unsigned i = 0; i < loop->nr; i++)
		loop->iocbs[i] = (struct iocb){
			.aio_lio_opcode = IOCB_CMD_POLL,
			.aio_fildes = (uint32_t)loop->fds[i],
			.aio_buf = POLLIN,
			.aio_nbytes = UINT64_MAX,
			.aio_offset = -1,
		};
	(void)syscall(SYS_io_submit, loop->context, (long)loop->nr, loop->pointers);
}

static int sync_file(struct loop *loop)
{
	bool is_fsync = aiol_random_bit(&loop->random);
	long nr = 0;

	loop->iocbs[0] = (struct iocb){
		.aio_lio_opcode = is_fsync ? IOCB_CMD_FSYNC : IOCB_CMD_FDSYNC,
		.aio_fildes = (uint32_t)loop->fds[0],
	};
	if (syscall(SYS_io_submit, loop->context, 1L, loop->pointers) != 1) {
		loop->is_sync_refused = true; /* this filesystem cannot */
		return 0;
	}
	while (nr < 1) {
		nr = get_events(loop, 1, aiol_random_bit(&loop->random));
		if (nr < 0 && errno != EINTR)
			return fail(loop, errno, "io_getevents of fsync");
		if (nr < 0 && is_stopped(loop))
			return -1;
	}
	loop->counts->nr_completed++;
	loop->counts->nr_syncs++;
	loop->is_sync_refused = (int64_t)loop->events[0].res < 0;
	return 0;
}

/* One loop of all phases; false when the run is over. */
static bool loop_once(struct loop *loop)
{
	bool like_stress_ng = loop->instance->config->like_stress_ng;
	uint64_t nr_loops = loop->counts->nr_loops;

	loop->offset_bytes = (uint64_t)aiol_random_window(&loop->random) * AIOL_BLOCK_BYTES;
	if (batch(loop, AIOL_PWRITE) < 0 || !count_op(loop))
		return false;
	if (batch(loop, AIOL_PREAD) < 0 || is_stopped(loop))
		return false;
	if (batch(loop, AIOL_PWRITEV) < 0 || !count_op(loop))
		return false;
	if (batch(loop, AIOL_PREADV) < 0 || !count_op(loop))
		return false;
	if (like_stress_ng && nr_loops % ERROR_LOOPS == ERROR_LOOPS - 1)
		error_calls(loop);
	if (!count_op(loop))
		return false;
	if (like_stress_ng)
		poll_calls(loop);
	if (!count_op(loop))
		return false;
	if (loop->round++ >= SYNC_LOOPS) {
		loop->round = 0;
		if (!loop->is_sync_refused && sync_file(loop) < 0)
			return false;
	}
	loop->counts->nr_loops++;
	return count_op(loop);
}

static int open_file(const char *path, bool *ret_is_buffered)
{
	int fd = open(path, O_CREAT | O_RDWR | O_DIRECT | O_CLOEXEC, 0600);

	*ret_is_buffered = fd < 0 && errno == EINVAL;
	return *ret_is_buffered ? open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600) : fd;
}

/* A descriptor for each request; where there are too many, the first one again. */
static int open_files(struct loop *loop)
{
	const struct aiol_instance *instance = loop->instance;
	char path[4096];

	(void)snprintf(path, sizeof(path), "%s/regio-aiol-%ld-%u", instance->config->directory,
		       (long)getpid(), instance->number);
	for (unsigned i = 0; i < loop->nr; i++) {
		bool is_buffered = false;

		loop->fds[i] = open_file(path, &is_buffered);
		if (loop->fds[i] < 0 && i == 0)
			return fail(loop, errno, "create a file in '%s'",
				    instance->config->directory);
		if (loop->fds[i] < 0)
			loop->fds[i] = loop->fds[0];
		loop->counts->is_buffered |= is_buffered;
#ifdef F_SET_RW_HINT
		uint64_t hint = RWH_WRITE_LIFE_SHORT;

		(void)fcntl(loop->fds[i], F_SET_RW_HINT, &hint); /* advice only */
#endif
	}
	if (unlink(path) < 0)
		return fail(loop, errno, "remove '%s'", path);
	return 0;
}

static int loop_open(struct loop *loop)
{
	size_t len = (size_t)loop->nr * AIOL_BLOCK_BYTES;

	loop->buffer = mmap(NULL, len, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (loop->buffer == MAP_FAILED)
		return fail(loop, errno, "map %zu bytes", len);
	for (unsigned i = 0; i < loop->nr; i++) {
		loop->pointers[i] = &loop->iocbs[i];
		loop->vectors[i] = (struct iovec){ .iov_base = block_at(loop, i),
						   .iov_len = AIOL_BLOCK_BYTES };
	}
	for (size_t i = 0; i < sizeof(loop->pattern); i++)
		loop->pattern[i] = (unsigned char)i;
	if (open_files(loop) < 0)
		return -1;
	if (syscall(SYS_io_setup, (long)loop->nr, &loop->context) < 0)
		return fail(loop, errno, "io_setup of %u requests%s", loop->nr,
			    errno == EAGAIN ? " (see sysctl fs.aio-max-nr)" : "");
	return 0;
}

static void loop_close(struct loop *loop)
{
	if (loop->context)
		(void)syscall(SYS_io_destroy, loop->context); /* waits for what is in flight */
	for (unsigned i = 0; i < loop->nr; i++) {
		if (i == 0 || loop->fds[i] != loop->fds[0])
			(void)close(loop->fds[i]); /* its blocks are freed by the last one */
	}
}

/* Ends itself after the time; the parent sends the same signal to end it sooner. */
static void arm(const struct aiol_instance *instance)
{
	struct sigaction action = { .sa_handler = on_alarm }; /* waits are to be interrupted */
	struct itimerval timer = {
		.it_value = {
			.tv_sec = (time_t)(instance->config->timeout_ns / 1000000000),
			.tv_usec = (suseconds_t)(instance->config->timeout_ns % 1000000000 / 1000),
		},
	};

	(void)sigaction(SIGALRM, &action, NULL); /* cannot fail with a valid signal */
	(void)setitimer(ITIMER_REAL, &timer, NULL);
}

void aiol_instance_run(const struct aiol_instance *instance)
{
	unsigned nr = instance->config->requests;
	struct loop loop = {
		.instance = instance,
		.counts = instance->counts,
		.nr = nr,
		.deadline_ns = UINT64_MAX,
		.fds = xcalloc(nr, sizeof(int)),
		.iocbs = xcalloc(nr, sizeof(struct iocb)),
		.pointers = xcalloc(nr, sizeof(struct iocb *)),
		.vectors = xcalloc(nr, sizeof(struct iovec)),
		.events = xcalloc(nr, sizeof(struct io_event)),
	};
	uint64_t start_ns;

	for (unsigned i = 0; i < nr; i++)
		loop.fds[i] = -1;
	aiol_random_init(&loop.random, instance->config->like_stress_ng, instance->seed,
			 instance->number);
	while (!atomic_load(&instance->shared->is_started) && !is_stopped(&loop))
		(void)clock_sleep_until_ns(clock_now_ns() + GATE_POLL_NS);
	start_ns = clock_now_ns();
	loop.deadline_ns = start_ns + instance->config->timeout_ns;
	arm(instance);
	if (loop_open(&loop) == 0) {
		uint64_t begin_ns = clock_now_ns();

		while (loop_once(&loop))
			;
		loop.counts->loop_ns = clock_now_ns() - begin_ns;
	}
	loop_close(&loop);
	loop.counts->wall_ns = clock_now_ns() - start_ns;
}
