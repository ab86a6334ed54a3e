/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * engine_rate: how many I/Os per second an engine reaches when nothing is done around it: no
 * clock, histogram or pattern. Contenders take turns, so that all see the same machine. The CPU
 * time of an I/O, kernel threads of the process included, is steadier than its rate when others
 * use the machine too.
 *
 *	engine_rate -f FILE [-n IOS] [-r ROUNDS] [-b BYTES] [-w] [-c] SPEC..
 *
 * -w writes, -c goes through the page cache (of a file that fits in it).
 *
 * A SPEC is NAME[:DEPTH[:BATCH[:fixed]]]; NAME is an engine, bare-pread or bare-uring.
 */
#include "engine_rate.h"

#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/rng.h"
#include "engine/engine.h"

#define MAX_CONTENDERS 16
#define MAX_ROUNDS 99
#define MAX_DEPTH 4096

struct sample {
	double iops;
	double cpu_ns; /* of one I/O */
};

struct contender {
	const char *spec;
	const struct engine_ops *ops; /* NULL: bare */
	void (*bare)(const struct rate_setup *setup, uint64_t nr_ios);
	struct rate_setup setup;
	struct sample samples[MAX_ROUNDS];
};

struct options {
	const char *path;
	uint64_t nr_ios;
	size_t nr_rounds;
	uint32_t block_bytes;
	int is_write;
	int is_cached;
};

/* The engine's state and slots during one run. */
struct engine_run {
	const struct engine_ops *ops;
	const struct rate_setup *setup;
	void *state;
	struct io_req *reqs;
	struct io_req **idle; /* a stack */
	size_t nr_idle;
};

static void run_check(const struct engine_run *run, const struct io_req *req)
{
	if (req->result != (int64_t)run->setup->block_bytes)
		errx(1, "%s: result %lld", run->ops->name, (long long)req->result);
}

static void run_sync(struct engine_run *run, uint64_t nr_ios)
{
	struct io_req *req = run->reqs;

	for (uint64_t i = 0; i < nr_ios; i++) {
		req->offset_bytes = run->setup->offsets[i % RATE_NR_OFFSETS];
		(void)run->ops->submit(run->state, &req, 1);
		run_check(run, req);
	}
}

static void run_reap(struct engine_run *run, size_t min)
{
	struct io_req **done = run->idle + run->nr_idle;
	int ret = run->ops->reap(run->state, done, min, run->setup->depth - run->nr_idle);

	if (ret < 0)
		errx(1, "%s: reap: %s", run->ops->name, strerror(-ret));
	for (int i = 0; i < ret; i++)
		run_check(run, done[i]);
	run->nr_idle += (size_t)ret;
}

static void run_async(struct engine_run *run, uint64_t nr_ios)
{
	const struct rate_setup *setup = run->setup;
	uint64_t nr_submitted = 0;

	while (nr_submitted < nr_ios) {
		size_t nr = setup->batch < run->nr_idle ? setup->batch : run->nr_idle;
		struct io_req **reqs = run->idle + run->nr_idle - nr;
		int ret;

		for (size_t i = 0; i < nr; i++)
			reqs[i]->offset_bytes =
				setup->offsets[(nr_submitted + i) % RATE_NR_OFFSETS];
		ret = run->ops->submit(run->state, reqs, nr);
		if (ret < (int)nr) /* would only make the loop longer */
			errx(1, "%s: submit of %zu returned %d", run->ops->name, nr, ret);
		run->nr_idle -= nr;
		nr_submitted += nr;
		if (run->nr_idle < setup->batch)
			run_reap(run, setup->batch - run->nr_idle);
	}
	while (run->nr_idle < setup->depth)
		run_reap(run, 1);
}

static void run_engine(const struct engine_ops *ops, const struct rate_setup *setup,
		       uint64_t nr_ios)
{
	struct engine_file file = { .path = setup->path,
				    .fd = setup->fd,
				    .size_bytes = setup->size_bytes };
	enum io_dir dir = setup->is_write ? IO_WRITE : IO_READ;
	struct engine_config config = { .files = &file,
					.nr_files = 1,
					.nr_slots = setup->depth,
					.buffer = setup->buffer,
					.buffer_bytes = setup->depth * setup->block_bytes,
					.dirs = 1U << dir,
					.random = true,
					.options = { .fixedbufs = setup->is_fixed,
						     .registerfiles = setup->is_fixed } };
	struct engine_run run = { .ops = engine_choose(ops, &config.options, setup->depth),
				  .setup = setup };
	struct err err = { .code = 0 };

	/* Slots of a cache line each, as load/ keeps them. */
	run.reqs = aligned_alloc(64, setup->depth * sizeof(*run.reqs));
	if (!run.reqs)
		errx(1, "out of memory");
	run.idle = xcalloc(setup->depth, sizeof(struct io_req *));
	config.reqs = run.reqs;
	for (size_t i = 0; i < setup->depth; i++) {
		run.reqs[i] = (struct io_req){ .buf = setup->buffer + i * setup->block_bytes,
					       .len_bytes = setup->block_bytes,
					       .dir = dir,
					       .slot = (uint32_t)i };
		run.idle[run.nr_idle++] = &run.reqs[i];
	}
	if (run.ops->open(&config, &run.state, &err) < 0)
		errx(1, "%s", err.msg);
	if (engine_is_async(run.ops))
		run_async(&run, nr_ios);
	else
		run_sync(&run, nr_ios);
	run.ops->close(run.state);
	free(run.idle);
	free(run.reqs);
}

static uint64_t cpu_now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); /* valid arguments: cannot fail */
	return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

static struct sample contender_measure(const struct contender *contender, uint64_t nr_ios)
{
	uint64_t start_ns = clock_now_ns();
	uint64_t cpu_start_ns = cpu_now_ns();

	if (contender->bare)
		contender->bare(&contender->setup, nr_ios);
	else
		run_engine(contender->ops, &contender->setup, nr_ios);
	return (struct sample){
		.cpu_ns = (double)(cpu_now_ns() - cpu_start_ns) / (double)nr_ios,
		.iops = (double)nr_ios * 1e9 / (double)(clock_now_ns() - start_ns),
	};
}

static int compare_iops(const void *a, const void *b)
{
	double left = ((const struct sample *)a)->iops;
	double right = ((const struct sample *)b)->iops;

	return (left > right) - (left < right);
}

static int compare_cpu(const void *a, const void *b)
{
	double left = ((const struct sample *)a)->cpu_ns;
	double right = ((const struct sample *)b)->cpu_ns;

	return (left > right) - (left < right);
}

static void contender_parse(struct contender *contender, const char *spec)
{
	char name[32];
	char fixed[8] = "";
	unsigned depth = 1;
	unsigned batch = 1;

	if (sscanf(spec, "%31[^:]:%u:%u:%7s", name, &depth, &batch, fixed) < 1 || depth < 1 ||
	    depth > MAX_DEPTH || batch < 1 || batch > depth ||
	    (*fixed && strcmp(fixed, "fixed") != 0))
		errx(2, "bad contender '%s': NAME[:DEPTH[:BATCH[:fixed]]]", spec);
	contender->spec = spec;
	contender->setup.depth = depth;
	contender->setup.batch = batch;
	contender->setup.is_fixed = *fixed != '\0';
	if (strcmp(name, "bare-pread") == 0)
		contender->bare = rate_bare_pread;
	else if (strcmp(name, "bare-uring") == 0)
		contender->bare = rate_bare_uring;
	else
		contender->ops = engine_find(name);
	if (!contender->bare && !contender->ops)
		errx(2, "no engine '%s'", name);
}

static uint64_t *offsets_draw(uint64_t nr_blocks, uint32_t block_bytes)
{
	uint64_t *offsets = xcalloc(RATE_NR_OFFSETS, sizeof(*offsets));
	struct rng rng;

	rng_init(&rng, 1);
	for (size_t i = 0; i < RATE_NR_OFFSETS; i++)
		offsets[i] = rng_below(&rng, nr_blocks) * block_bytes;
	return offsets;
}

/* Opens the file for all contenders and gives them buffers and offsets. */
static void contenders_prepare(struct contender *contenders, size_t nr,
			       const struct options *options)
{
	int flags = O_CLOEXEC | (options->is_cached ? 0 : O_DIRECT);
	int fd = open(options->path, flags | (options->is_write ? O_RDWR : O_RDONLY));
	off_t size = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
	char *buffer = mmap(NULL, (size_t)MAX_DEPTH * options->block_bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const uint64_t *offsets;

	if (size < (off_t)options->block_bytes || buffer == MAP_FAILED)
		err(1, "%s", options->path);
	offsets = offsets_draw((uint64_t)size / options->block_bytes, options->block_bytes);
	for (size_t i = 0; i < nr; i++) {
		struct rate_setup *setup = &contenders[i].setup;

		setup->path = options->path;
		setup->fd = fd;
		setup->size_bytes = (uint64_t)size;
		setup->block_bytes = options->block_bytes;
		setup->is_write = options->is_write;
		setup->buffer = buffer;
		setup->offsets = offsets;
		memset(buffer, 'r', setup->depth * options->block_bytes);
	}
}

static int options_parse(int argc, char **argv, struct options *options)
{
	int option;

	while ((option = getopt(argc, argv, "f:n:r:b:wc")) != -1) {
		switch (option) {
		case 'f':
			options->path = optarg;
			break;
		case 'n':
			options->nr_ios = strtoull(optarg, NULL, 0);
			break;
		case 'r':
			options->nr_rounds = strtoul(optarg, NULL, 0);
			break;
		case 'b':
			options->block_bytes = (uint32_t)strtoul(optarg, NULL, 0);
			break;
		case 'w':
			options->is_write = 1;
			break;
		case 'c':
			options->is_cached = 1;
			break;
		default:
			return -1;
		}
	}
	if (!options->path || options->nr_ios == 0 || options->block_bytes == 0 ||
	    options->nr_rounds < 1 || options->nr_rounds > MAX_ROUNDS)
		return -1;
	return optind;
}

static void report(struct contender *contenders, size_t nr, size_t nr_rounds)
{
	double first_iops = 0;
	double first_cpu_ns = 0;

	printf("%-28s %12s %12s %12s %7s %8s %7s\n", "contender", "median IOPS", "min", "max",
	       "ratio", "cpu ns", "ratio");
	for (size_t i = 0; i < nr; i++) {
		struct sample *samples = contenders[i].samples;
		double iops[3]; /* min, median, max */
		double cpu_ns;

		qsort(samples, nr_rounds, sizeof(*samples), compare_cpu);
		cpu_ns = samples[nr_rounds / 2].cpu_ns;
		qsort(samples, nr_rounds, sizeof(*samples), compare_iops);
		for (size_t k = 0; k < 3; k++)
			iops[k] = samples[k * (nr_rounds - 1) / 2].iops;
		if (i == 0) {
			first_iops = iops[1];
			first_cpu_ns = cpu_ns;
		}
		printf("%-28s %12.0f %12.0f %12.0f %7.3f %8.1f %7.3f\n", contenders[i].spec,
		       iops[1], iops[0], iops[2], iops[1] / first_iops, cpu_ns,
		       cpu_ns / first_cpu_ns);
	}
}

int main(int argc, char **argv)
{
	struct options options = { .nr_ios = 300000, .nr_rounds = 5, .block_bytes = 4096 };
	int first = options_parse(argc, argv, &options);
	size_t nr = first < 0 ? 0 : (size_t)(argc - first);
	struct contender *contenders;

	if (nr < 1 || nr > MAX_CONTENDERS)
		errx(2,
		     "usage: engine_rate -f FILE [-n IOS] [-r ROUNDS] [-b BYTES] [-w] [-c] SPEC..");
	contenders = xcalloc(nr, sizeof(*contenders));
	for (size_t i = 0; i < nr; i++)
		contender_parse(&contenders[i], argv[first + (int)i]);
	contenders_prepare(contenders, nr, &options);
	for (size_t round = 0; round < options.nr_rounds; round++) {
		for (size_t i = 0; i < nr; i++)
			contenders[i].samples[round] =
				contender_measure(&contenders[i], options.nr_ios);
	}
	report(contenders, nr, options.nr_rounds);
	free(contenders);
	return 0;
}
