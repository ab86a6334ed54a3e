/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log_writer: the files and the thread between the rings of the workers and fio's logs. */
#include "load/log_writer.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <time.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "engine/engine.h"
#include "load/log_file.h"
#include "load/log_lines.h"
#include "load/log_ring.h"
#include "load/plan.h"
#include "model/job.h"
#include "model/note.h"

#define DRAIN_NS 2000000
#define RING_BYTES_OF_ALL (UINT64_C(128) << 20)
#define RING_MAX_ENTRIES (UINT64_C(1) << 16)
#define RING_MIN_ENTRIES (UINT64_C(1) << 12)
#define STACK_BYTES (256U << 10)

struct clone_log {
	const struct job *job;
	struct log_ring *ring; /* owned; NULL: nothing is logged */
	struct log_lines lines;
	bool has_begun;
};

struct log_writer {
	const struct clock *clock;
	struct clone_log *clones;
	size_t nr_clones;
	struct log_file *files; /* room for all from the start: lines point into it */
	size_t nr_files;
	pthread_t thread;
	bool is_running;
	atomic_bool is_over; /* the workers have been joined */
};

/* ---- files ---- */

static bool logs_anything(const struct job *job)
{
	for (enum log_kind kind = LOG_BW; kind < LOG_NR_KINDS; kind++) {
		if (!job->is_silent && log_kind_prefix(&job->log, kind))
			return true;
	}
	return false;
}

/* "PREFIX_bw.1.log"; the number is that of the thread, from 1. */
static char *file_path(const struct clone_plan *clone, enum log_kind kind)
{
	const struct job *job = clone->job;
	const char *prefix = log_kind_prefix(&job->log, kind);

	if (!*prefix)
		prefix = job->name;
	if (job->log.is_shared)
		return xasprintf("%s_%s.log", prefix, log_kind_name(kind));
	return xasprintf("%s_%s.%u.log", prefix, log_kind_name(kind), clone->thread_number + 1);
}

/* Clones without logs of their own share one; so do jobs of the same name. */
static int find_file(struct log_writer *writer, const char *path, struct log_file **ret_file,
		     struct err *err)
{
	int ret;

	for (size_t i = 0; i < writer->nr_files; i++) {
		if (!strcmp(writer->files[i].path, path)) {
			*ret_file = &writer->files[i];
			return 0;
		}
	}
	ret = log_file_open(&writer->files[writer->nr_files], path, err);
	if (ret == 0)
		*ret_file = &writer->files[writer->nr_files++];
	return ret;
}

static int open_clone(struct log_writer *writer, const struct clone_plan *clone,
		      struct clone_log *log, uint64_t nr_entries, struct err *err)
{
	const struct job *job = clone->job;
	int ret = 0;

	log->job = job;
	log_lines_init(&log->lines, &job->log, writer->clock, engine_has_slat(clone->engine));
	for (enum log_kind kind = LOG_BW; kind < LOG_NR_KINDS && ret == 0; kind++) {
		CLEANUP(free) char *path = NULL;

		if (!log_kind_prefix(&job->log, kind))
			continue;
		path = file_path(clone, kind);
		ret = find_file(writer, path, &log->lines.files[kind], err);
	}
	if (ret < 0)
		return err_prefix(err, "job '%s'", job->name);
	if (job->log.nr_entries > nr_entries)
		nr_entries = job->log.nr_entries;
	log->ring = log_ring_create(nr_entries);
	if (!log->ring)
		return err_set(err, ERR_SYSTEM, "no memory for the log of job '%s'", job->name);
	return 0;
}

static uint64_t entries_per_ring(size_t nr_rings)
{
	uint64_t nr = RING_BYTES_OF_ALL / sizeof(struct log_entry) / (nr_rings ? nr_rings : 1);

	if (nr > RING_MAX_ENTRIES)
		return RING_MAX_ENTRIES;
	return nr < RING_MIN_ENTRIES ? RING_MIN_ENTRIES : nr;
}

static int open_all(struct log_writer *writer, const struct plan *plan, size_t nr_logging,
		    struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < plan->nr && ret == 0; i++) {
		if (logs_anything(plan->clones[i].job))
			ret = open_clone(writer, &plan->clones[i], &writer->clones[i],
					 entries_per_ring(nr_logging), err);
	}
	return ret;
}

int log_writer_open(const struct plan *plan, const struct clock *clock,
		    struct log_writer **ret_writer, struct err *err)
{
	struct log_writer *writer;
	size_t nr_logging = 0;
	int ret;

	*ret_writer = NULL;
	for (size_t i = 0; i < plan->nr; i++)
		nr_logging += logs_anything(plan->clones[i].job);
	if (nr_logging == 0)
		return 0;
	writer = xcalloc(1, sizeof(*writer));
	writer->clock = clock;
	writer->nr_clones = plan->nr;
	writer->clones = xcalloc(plan->nr, sizeof(*writer->clones));
	writer->files = xcalloc(nr_logging * LOG_NR_KINDS, sizeof(*writer->files));
	ret = open_all(writer, plan, nr_logging, err);
	if (ret == 0) {
		*ret_writer = writer;
		return 0;
	}
	log_writer_discard(writer);
	log_writer_free(writer);
	return ret;
}

struct log_ring *log_writer_ring(const struct log_writer *writer, size_t clone)
{
	return writer ? writer->clones[clone].ring : NULL;
}

/* ---- the thread ---- */

/* What the clock of the log showed when the measurement began. */
static uint64_t epoch_on_clock_ms(const struct clone_log *log, uint64_t epoch_ticks)
{
	const struct clock *clock = log->lines.clock;
	struct timespec now;
	uint64_t since_ns = clock_ticks_to_ns(clock, clock_ticks(clock) - epoch_ticks);
	uint64_t now_ns;

	if (!log->job->log.is_unix_time ||
	    clock_gettime((clockid_t)log->job->log.clock_id, &now) != 0)
		return 0;
	now_ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
	return now_ns > since_ns ? (now_ns - since_ns) / 1000000 : 0;
}

/* I/Os of the ramp are before the epoch, or there is none yet. */
static void take_entries(struct clone_log *log)
{
	struct log_ring *ring = log->ring;
	uint64_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
	/* behind the head: the epoch of everything up to it is known */
	uint64_t epoch_ticks = atomic_load_explicit(&ring->epoch_ticks, memory_order_acquire);
	uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);

	if (epoch_ticks && !log->has_begun) {
		log->lines.base_ms = epoch_on_clock_ms(log, epoch_ticks);
		log->has_begun = true;
	}
	for (; tail != head; tail++) {
		const struct log_entry *entry = &ring->entries[tail & ring->mask];

		if (epoch_ticks && entry->done_ticks >= epoch_ticks)
			log_lines_add(&log->lines, entry, epoch_ticks);
		if ((tail & 1023) == 1023) /* makes room early */
			atomic_store_explicit(&ring->tail, tail + 1, memory_order_release);
	}
	atomic_store_explicit(&ring->tail, tail, memory_order_release);
}

static void take_all(struct log_writer *writer)
{
	for (size_t i = 0; i < writer->nr_clones; i++) {
		if (writer->clones[i].ring)
			take_entries(&writer->clones[i]);
	}
}

static void *writer_main(void *arg)
{
	static const struct timespec pause = { .tv_nsec = DRAIN_NS };
	struct log_writer *writer = arg;
	bool is_over;

	do {
		is_over = atomic_load_explicit(&writer->is_over, memory_order_acquire);
		take_all(writer);
		if (!is_over)
			(void)nanosleep(&pause, NULL);
	} while (!is_over);
	return NULL;
}

int log_writer_start(struct log_writer *writer, struct err *err)
{
	pthread_attr_t attributes;
	sigset_t all, before;

	if (!writer)
		return 0;
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	(void)pthread_attr_init(&attributes);
	(void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
	errno = pthread_create(&writer->thread, &attributes, writer_main, writer);
	(void)pthread_attr_destroy(&attributes);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (errno)
		return err_set_errno(err, "start the thread that writes logs");
	writer->is_running = true;
	return 0;
}

static void join(struct log_writer *writer)
{
	if (!writer->is_running)
		return;
	atomic_store_explicit(&writer->is_over, true, memory_order_release);
	(void)pthread_join(writer->thread, NULL);
	writer->is_running = false;
}

static void finish_clone(struct clone_log *log, struct note_list *notes)
{
	struct log_ring *ring = log->ring;
	uint64_t epoch_ticks = atomic_load_explicit(&ring->epoch_ticks, memory_order_relaxed);
	uint64_t end_ticks = atomic_load_explicit(&ring->end_ticks, memory_order_relaxed);

	if (epoch_ticks)
		log_lines_finish(&log->lines, epoch_ticks, end_ticks);
	if (ring->nr_waits)
		note_add(notes, NOTE_LOG_WAITED,
			 "job '%s': I/Os waited %" PRIu64 " times until its log was written",
			 log->job->name, ring->nr_waits);
}

void log_writer_stop(struct log_writer *writer, struct note_list *notes)
{
	if (!writer)
		return;
	join(writer);
	for (size_t i = 0; i < writer->nr_clones; i++) {
		if (writer->clones[i].ring)
			finish_clone(&writer->clones[i], notes);
	}
	for (size_t i = 0; i < writer->nr_files; i++) {
		struct log_file *file = &writer->files[i];
		CLEANUP(free) char *path = xstrdup(file->path);

		log_file_close(file);
		if (file->error)
			note_add(notes, NOTE_LOG_INCOMPLETE, "log file '%s' is incomplete: %s",
				 path, strerror(file->error));
	}
	writer->nr_files = 0;
}

void log_writer_discard(struct log_writer *writer)
{
	for (size_t i = 0; writer && i < writer->nr_files; i++)
		(void)unlink(writer->files[i].path);
}

void log_writer_free(struct log_writer *writer)
{
	if (!writer)
		return;
	join(writer);
	for (size_t i = 0; i < writer->nr_files; i++)
		log_file_close(&writer->files[i]);
	for (size_t i = 0; i < writer->nr_clones; i++) {
		log_ring_free(writer->clones[i].ring);
		log_lines_release(&writer->clones[i].lines);
	}
	free(writer->files);
	free(writer->clones);
	free(writer);
}
