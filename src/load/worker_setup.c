/* SPDX-License-Identifier: GPL-2.0-or-later */
/* worker_setup: opens the files of a clone, maps and fills its buffers, starts its engine. */
#include "load/worker_hot.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "load/folders.h"
#include "load/load.h"
#include "load/seed.h"
#include "load/verify.h"
#include "model/job.h"

#define DATA_FILE_MODE 0644
#define PRE_READ_CHUNK_BYTES (1U << 20)

static const struct file_entry *entry_of(const struct worker *worker, size_t index)
{
	return &worker->config.files->items[worker->config.plan->files[index]];
}

static void set_up_failed(struct worker *worker, const struct err *err)
{
	int why = err->code == ERR_INPUT ? EINVAL : ENOTSUP;

	worker_fail(worker, err->saved_errno ? err->saved_errno : why, NULL, err->msg);
}

static int open_flags(const struct worker *worker)
{
	const struct job *job = worker->job;
	unsigned dirs = worker->config.plan->dirs;
	int flags = O_CLOEXEC;

	if (worker->engine->flags & ENGINE_CHANGES_FILES)
		flags |= O_RDWR;
	else if (!(dirs & (RW_WRITE | RW_TRIM)))
		flags |= O_RDONLY;
	else if ((dirs & RW_READ) || verify_reads_back(job) ||
		 (worker->engine->flags & ENGINE_NEEDS_MMAP))
		flags |= O_RDWR;
	else
		flags |= O_WRONLY;
	if (job->direct)
		flags |= O_DIRECT;
	if (job->sync == SYNC_SYNC)
		flags |= O_SYNC;
	if (job->sync == SYNC_DSYNC)
		flags |= O_DSYNC;
	if (job->create_on_open)
		flags |= O_CREAT;
	return flags;
}

/* A name may have come to mean another device since it was looked at. */
static int check_opened(const struct worker *worker, const struct file_entry *entry,
			const struct stat *info, struct err *err)
{
	const struct load_config *load = worker->config.load;

	if (!S_ISBLK(info->st_mode) || !load->may_write ||
	    !(worker->job->rw & (RW_WRITE | RW_TRIM)) || load->may_write(load->arg, info->st_rdev))
		return 0;
	errno = EPERM;
	return err_set_errno(err, "'%s' is not the device it was before the run", entry->path);
}

static int open_file(struct worker *worker, size_t index, struct err *err)
{
	const struct file_entry *entry = entry_of(worker, index);
	struct engine_file *file = &worker->engine_files[index];
	struct stat info;

	*file = (struct engine_file){ .path = entry->path, .fd = -1 };
	if (entry->kind == FILE_VIRTUAL) {
		file->size_bytes = UINT64_MAX;
		return 0;
	}
	if (worker->job->create_on_open && folders_make(entry->path, err) < 0)
		return -ERR_SYSTEM;
	file->fd = open(entry->path, open_flags(worker), DATA_FILE_MODE);
	if (file->fd < 0)
		return err_set_errno(
			err, "open '%s'%s", entry->path,
			errno == EINVAL && worker->job->direct
				? " (its filesystem may not do direct I/O: try direct=0)"
				: "");
	if (fstat(file->fd, &info) < 0)
		return err_set_errno(err, "look at '%s'", entry->path);
	file->size_bytes = S_ISREG(info.st_mode) ? (uint64_t)info.st_size : entry->size_bytes;
	return check_opened(worker, entry, &info, err);
}

static bool drop_cache(const struct file_entry *entry, int fd)
{
	if (entry->kind == FILE_BLOCK)
		return ioctl(fd, BLKFLSBUF) == 0;
	errno = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	return errno == 0;
}

void worker_invalidate(void *arg)
{
	struct worker *worker = arg;

	for (size_t i = 0; i < worker->config.plan->nr_files; i++) {
		const struct file_entry *entry = entry_of(worker, i);

		if (entry->kind == FILE_VIRTUAL || entry->kind == FILE_CHAR)
			continue;
		if (!drop_cache(entry, worker->engine_files[i].fd) && !worker->invalidate_error) {
			worker->invalidate_error = errno;
			worker->invalidate_file = (uint32_t)i;
		}
	}
}

static void advise(const struct worker *worker)
{
	static const int advices[] = {
		[FADVISE_RANDOM] = POSIX_FADV_RANDOM,
		[FADVISE_SEQUENTIAL] = POSIX_FADV_SEQUENTIAL,
		[FADVISE_NOREUSE] = POSIX_FADV_NOREUSE,
	};
	enum fadvise_hint hint = worker->job->fadvise_hint;

	if (hint == FADVISE_NONE)
		return;
	if (hint == FADVISE_BY_RW)
		hint = worker->job->rw & RW_RANDOM ? FADVISE_RANDOM : FADVISE_SEQUENTIAL;
	for (size_t i = 0; i < worker->config.plan->nr_files; i++) {
		const struct region *region = &worker->config.plan->regions[i];

		if (worker->engine_files[i].fd >= 0)
			(void)posix_fadvise(worker->engine_files[i].fd, (off_t)region->start_bytes,
					    (off_t)region->len_bytes,
					    advices[hint]); /* only advice */
	}
}

/* Brings one region into the cache, by a descriptor that is not O_DIRECT. */
static int read_region(const char *path, const struct region *region, char *chunk, struct err *err)
{
	CLEANUP(fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint64_t at_bytes = region->start_bytes;
	uint64_t end_bytes = region->start_bytes + region->len_bytes;

	if (fd < 0)
		return err_set_errno(err, "pre_read: open '%s'", path);
	while (at_bytes < end_bytes) {
		ssize_t nr = pread(fd, chunk, PRE_READ_CHUNK_BYTES, (off_t)at_bytes);

		if (nr < 0)
			return err_set_errno(err, "pre_read: read '%s'", path);
		if (nr == 0)
			break;
		at_bytes += (uint64_t)nr;
	}
	return 0;
}

static int pre_read(const struct worker *worker, struct err *err)
{
	CLEANUP(free) char *chunk = xmalloc(PRE_READ_CHUNK_BYTES);
	int ret = 0;

	for (size_t i = 0; i < worker->config.plan->nr_files && ret == 0; i++) {
		if (worker->engine_files[i].fd >= 0)
			ret = read_region(entry_of(worker, i)->path,
					  &worker->config.plan->regions[i], chunk, err);
	}
	return ret;
}

static int open_files(struct worker *worker, struct err *err)
{
	size_t nr_files = worker->config.plan->nr_files;

	worker->engine_files = xcalloc(nr_files, sizeof(*worker->engine_files));
	for (size_t i = 0; i < nr_files; i++)
		worker->engine_files[i].fd = -1;
	for (size_t i = 0; i < nr_files; i++) {
		int ret = open_file(worker, i, err);

		if (ret < 0)
			return ret;
	}
	if (worker->job->invalidate && !worker->job->pre_read)
		worker_invalidate(worker);
	advise(worker);
	return worker->job->pre_read ? pre_read(worker, err) : 0;
}

static uint64_t max_block_bytes(const struct worker *worker)
{
	uint64_t bytes = 0;

	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++) {
		if ((worker->config.plan->dirs & (1U << dir)) &&
		    worker->job->bs_max_bytes[dir] > bytes)
			bytes = worker->job->bs_max_bytes[dir];
	}
	return bytes;
}

static int map_buffers(struct worker *worker, struct err *err)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	size_t bytes;
	struct rng rng;
	int ret;

	worker->slot_bytes = (max_block_bytes(worker) + page_bytes - 1) / page_bytes * page_bytes;
	bytes = worker->slot_bytes * worker->iodepth;
	ret = buffers_map(worker->job, bytes, worker->config.plan->thread_number, &worker->buffers,
			  err);
	if (ret < 0)
		return ret;
	worker->buffer = worker->buffers.start;
	worker->buffer_bytes = bytes;
	rng_init(&rng, seed_of_clone(worker->config.plan, worker->config.load->seed, SEED_DATA));
	if ((worker->config.plan->dirs & RW_WRITE) && !worker->job->zero_buffers)
		payload_fill(&rng, worker->buffer, bytes);
	return 0;
}

static void make_requests(struct worker *worker)
{
	size_t depth = worker->iodepth;

	worker->reqs = xcalloc(depth, sizeof(*worker->reqs));
	worker->free = xcalloc(depth, sizeof(struct io_req *));
	worker->queued = xcalloc(depth, sizeof(struct io_req *));
	worker->done = xcalloc(depth, sizeof(struct io_req *));
	for (size_t i = 0; i < depth; i++) {
		worker->reqs[i].slot = (uint32_t)i;
		worker->reqs[i].buf = (char *)worker->buffer + i * worker->slot_bytes;
		worker->free[depth - 1 - i] = &worker->reqs[i]; /* slot 0 first */
	}
	worker->nr_free = depth;
}

/* What the job issues, and what verify adds to it. */
static unsigned dirs_of_engine(const struct worker *worker)
{
	const struct job *job = worker->job;
	unsigned dirs = worker->config.plan->dirs;

	if (verify_reads_back(job))
		dirs |= RW_READ;
	if (verify_trims(job))
		dirs |= RW_TRIM;
	if (job->fsync_every || job->fdatasync_every || job->end_fsync || verify_reads_back(job))
		dirs |= 1U << IO_SYNC;
	return dirs;
}

/* Only what the job can count, and touched so that the loop does not fault it in. */
static void make_histograms(struct worker *worker)
{
	const bool is_wanted[LATENCY_NR_KINDS] = {
		[LATENCY_SLAT] = engine_is_async(worker->engine),
		[LATENCY_CLAT] = true,
		[LATENCY_LAT] = engine_is_async(worker->engine),
		[LATENCY_INTENDED] = worker->pace.is_limited,
	};

	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++) {
		struct latency *latency = worker->dir[dir].latency;

		if (!(dirs_of_engine(worker) & (1U << dir)))
			continue;
		for (unsigned kind = 0; kind < LATENCY_NR_KINDS; kind++) {
			if (is_wanted[kind])
				memset(latency_need_hist(&latency[kind]), 0, sizeof(struct hist));
		}
	}
	if (worker->job->fsync_every || worker->job->fdatasync_every)
		memset(latency_need_hist(&worker->sync), 0, sizeof(struct hist));
}

static int open_engine(struct worker *worker, struct err *err)
{
	const struct clone_plan *plan = worker->config.plan;
	const struct engine_config config = {
		.files = worker->engine_files,
		.nr_files = plan->nr_files,
		.reqs = worker->reqs,
		.nr_slots = worker->iodepth,
		.buffer = worker->buffer,
		.buffer_bytes = worker->buffer_bytes,
		.dirs = dirs_of_engine(worker),
		.random = worker->job->rw & RW_RANDOM,
		.direct = worker->job->direct,
		.options = worker->job->engine,
		.job_name = worker->job->name,
		.runtime_ns = worker->job->runtime_ns,
		.end = &worker->control.stop,
	};

	return worker->engine->open(&config, &worker->engine_state, err);
}

static void set_up_stream(struct worker *worker)
{
	const struct clone_plan *plan = worker->config.plan;
	const struct stream_config config = {
		.job = worker->job,
		.regions = plan->regions,
		.nr_files = plan->nr_files,
		.limit_bytes = plan->limit_bytes,
		.is_limit_wrapping = plan->is_limit_wrapping,
		.seed = seed_of_clone(plan, worker->config.load->seed, SEED_OFFSETS),
		.is_pausing = verify_reads_back(worker->job),
		.new_pass =
			worker->job->invalidate && !worker->job->direct && !worker->job->pre_read
				? worker_invalidate
				: NULL,
		.arg = worker,
	};

	stream_init(&worker->stream, &config);
	payload_init(&worker->payload, worker->job,
		     seed_of_clone(plan, worker->config.load->seed, SEED_REFILL));
	pace_init(&worker->pace, worker->job, &worker->clock,
		  seed_of_clone(plan, worker->config.load->seed, SEED_PACE));
}

void worker_set_up(struct worker *worker)
{
	struct err err = { .code = 0 };
	int ret;

	(void)prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL); /* sleeps of rate and thinktime */
	worker->tid = gettid();
	ret = worker_take_place(worker, &err);
	if (ret == 0)
		ret = open_files(worker, &err);
	if (ret == 0)
		ret = map_buffers(worker, &err);
	if (ret == 0) {
		make_requests(worker);
		set_up_stream(worker);
		make_histograms(worker);
		if (worker->pace.is_limited)
			worker->due_ticks = xcalloc(worker->iodepth, sizeof(*worker->due_ticks));
		ret = worker_verify_set_up(worker, &err);
	}
	if (ret == 0) {
		worker->is_observed = worker_wants_observing(worker);
		ret = open_engine(worker, &err);
		worker->is_engine_open = ret == 0;
	}
	if (ret < 0)
		set_up_failed(worker, &err);
}

static void close_files(struct worker *worker)
{
	for (size_t i = 0; worker->engine_files && i < worker->config.plan->nr_files; i++) {
		int fd = worker->engine_files[i].fd;

		if (fd < 0)
			continue;
		if (worker->job->fsync_on_close && fsync(fd) < 0 && errno != EINVAL)
			worker_fail(worker, errno, NULL, "fsync a file before it is closed");
		(void)close(fd);
	}
	free(worker->engine_files);
	worker->engine_files = NULL;
}

void worker_tear_down(struct worker *worker)
{
	if (worker->is_engine_open)
		worker->engine->close(worker->engine_state);
	worker->is_engine_open = false;
	close_files(worker);
	buffers_release(&worker->buffers);
	worker->buffer = NULL;
	free(worker->due_ticks);
	worker->due_ticks = NULL;
	free(worker->reqs);
	free(worker->free);
	free(worker->queued);
	free(worker->done);
	worker->reqs = NULL;
	worker->free = worker->queued = worker->done = NULL;
	stream_release(&worker->stream);
	worker_verify_tear_down(worker);
}
