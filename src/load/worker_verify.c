/* SPDX-License-Identifier: GPL-2.0-or-later */
/* worker_verify: when a worker seals, settles, checks, trims and reads back. What that means for
 * a block is verify.c's. */
#include "load/worker_hot.h"

#include <errno.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/rng.h"
#include "load/load.h"
#include "load/seed.h"
#include "load/verify.h"
#include "load/verify_pool.h"
#include "model/job.h"

int worker_verify_set_up(struct worker *worker, struct err *err)
{
	const struct clone_plan *plan = worker->config.plan;
	const struct verify_config config = {
		.plan = plan,
		.table = worker->config.files,
		.seed = seed_of_clone(plan, worker->config.load->seed, SEED_VERIFY),
		.max_bytes = (uint32_t)worker->slot_bytes,
		.nr_slots = worker->iodepth,
	};

	if (!verify_is_wanted(worker->job))
		return 0;
	worker->verify = verify_create(&config, err);
	if (!worker->verify)
		return -ERR_SYSTEM;
	if (worker->job->verify) { /* what is written is verify's */
		worker->payload.is_stamped = false;
		worker->payload.is_refilled = false;
	}
	return 0;
}

void worker_verify_tear_down(struct worker *worker)
{
	if (!worker->verify)
		return;
	verify_pool_free(worker->verify->pool);
	worker->verify->pool = NULL;
}

/* False, with the failure recorded, once anything was found wrong and is not to be passed over. */
static bool are_reports_good(struct worker *worker)
{
	struct verify *verify = worker->verify;
	struct verify_reports *reports = &verify->reports;
	uint64_t nr_failed = atomic_load_explicit(&reports->nr_failed, memory_order_relaxed);

	while (verify->nr_passed_over < nr_failed &&
	       worker_pass_over(worker, ERRORS_VERIFY, EILSEQ))
		verify->nr_passed_over++;
	if (verify->nr_passed_over == nr_failed)
		return true;
	(void)pthread_mutex_lock(&reports->lock);
	worker_fail(worker, EILSEQ, NULL, reports->nr_texts ? reports->texts[0] : "verify");
	(void)pthread_mutex_unlock(&reports->lock);
	return false;
}

static void remember(struct verify_backlog *backlog, const struct verify_io *io)
{
	if (backlog->capacity == 0)
		return;
	if (backlog->nr == backlog->capacity) { /* the end of the loop is soon enough for it */
		backlog->first = (backlog->first + 1) % backlog->capacity;
		backlog->nr--;
	}
	backlog->ios[(backlog->first + backlog->nr++) % backlog->capacity] = *io;
}

/* True with the oldest of a batch; batches begin when enough was written. */
static bool take_remembered(struct worker *worker, struct verify_backlog *backlog, unsigned every,
			    unsigned batch, struct verify_io *ret_io)
{
	if (backlog->capacity == 0)
		return false;
	if (backlog->left == 0 && worker->nr_writes >= backlog->due_at) {
		backlog->due_at = worker->nr_writes + every;
		backlog->left = batch ? batch : backlog->nr;
		if (!worker_drain(worker)) /* they have to be there before they are read */
			return false;
	}
	if (backlog->left == 0)
		return false;
	if (backlog->nr == 0) {
		backlog->left = 0;
		return false;
	}
	backlog->left--;
	*ret_io = backlog->ios[backlog->first];
	backlog->first = (backlog->first + 1) % backlog->capacity;
	backlog->nr--;
	return true;
}

/* What is still there of a remembered write: its first run, and the rest put back in front. */
static bool cut_current(struct verify *verify, struct verify_io *io)
{
	uint32_t interval_bytes = verify->interval_bytes;
	size_t nr, first = 0, end;
	const uint32_t *entries =
		verify_map_at(&verify->map, io->file, io->offset_bytes, io->len_bytes, &nr);
	struct verify_io rest = *io;

	while (first < nr && entries[first] != io->entry)
		first++;
	if (first == nr)
		return false;
	for (end = first + 1; end < nr && entries[end] == io->entry;)
		end++;
	rest.offset_bytes += end * (uint64_t)interval_bytes;
	rest.len_bytes -= (uint32_t)end * interval_bytes;
	if (rest.len_bytes && verify->written.nr < verify->written.capacity) {
		struct verify_backlog *backlog = &verify->written;

		backlog->first = (backlog->first + backlog->capacity - 1) % backlog->capacity;
		backlog->ios[backlog->first] = rest;
		backlog->nr++;
		backlog->left++;
	}
	io->offset_bytes += first * (uint64_t)interval_bytes;
	io->len_bytes = (uint32_t)(end - first) * interval_bytes;
	return true;
}

static void fill_request(struct worker *worker, struct io_req *req, enum io_dir dir,
			 const struct verify_io *io)
{
	req->dir = dir;
	req->file = io->file;
	req->offset_bytes = io->offset_bytes;
	req->len_bytes = io->len_bytes;
	worker->verify->ios[req->slot] = *io;
}

/* A block that is trimmed in place of being kept; false if it has been written since. */
static bool prepare_trim(struct verify *verify, struct verify_io *io)
{
	size_t nr;
	uint32_t *entries =
		verify_map_at(&verify->map, io->file, io->offset_bytes, io->len_bytes, &nr);

	for (size_t i = 0; i < nr; i++) {
		if ((entries[i] & ~VERIFY_ENTRY_CHECKED) != io->entry)
			return false;
	}
	io->use = VERIFY_TRIMMING;
	io->entry = VERIFY_ENTRY_TRIMMED;
	for (size_t i = 0; i < nr; i++)
		entries[i] = VERIFY_ENTRY_TRIMMED | VERIFY_ENTRY_IN_FLIGHT;
	return true;
}

/* The next run of the reading back at the end. */
static enum worker_event take_back(struct worker *worker, struct io_req *req)
{
	struct verify *verify = worker->verify;
	struct verify_run run;
	struct verify_io io;

	if (!verify_map_next(&verify->map, &verify->cursor,
			     (uint32_t)worker->job->bs_max_bytes[IO_WRITE], &run))
		return WORKER_EVENT_END;
	io = (struct verify_io){
		.use = VERIFY_READING,
		.file = run.file,
		.offset_bytes = run.offset_bytes,
		.len_bytes = run.len_bytes,
		.entry = run.entry,
		.is_known = true,
	};
	fill_request(worker, req, IO_READ, &io);
	return WORKER_EVENT_TAKEN;
}

enum worker_event worker_verify_take(struct worker *worker, struct io_req *req)
{
	struct verify *verify = worker->verify;
	const struct job *job = worker->job;
	struct verify_io io;

	if (!are_reports_good(worker))
		return WORKER_EVENT_END;
	if (verify->stage == VERIFY_STAGE_BACK)
		return take_back(worker, req);
	while (take_remembered(worker, &verify->to_trim, job->trim_backlog, job->trim_backlog_batch,
			       &io)) {
		if (!prepare_trim(verify, &io))
			continue;
		fill_request(worker, req, IO_TRIM, &io);
		return WORKER_EVENT_TAKEN;
	}
	while (take_remembered(worker, &verify->written, job->verify_backlog,
			       job->verify_backlog_batch, &io)) {
		if (!cut_current(verify, &io))
			continue;
		io.use = VERIFY_READING;
		fill_request(worker, req, IO_READ, &io);
		worker->verify_reads++;
		return WORKER_EVENT_TAKEN;
	}
	return worker->failure.error ? WORKER_EVENT_END : WORKER_EVENT_NONE;
}

static bool is_to_be_trimmed(const struct verify *verify, const struct verify_io *io)
{
	return rng_mix64(verify->seed ^ io->entry) % 100 < verify->job->trim_percentage;
}

/* trimwrite: the trim before the write. */
static bool prepare_stream_trim(struct verify *verify, const struct io_req *req)
{
	struct verify_io *io = &verify->ios[req->slot];
	uint32_t *entries;
	size_t nr;

	*io = (struct verify_io){
		.use = VERIFY_TRIMMING,
		.file = req->file,
		.offset_bytes = req->offset_bytes,
		.len_bytes = req->len_bytes,
		.entry = VERIFY_ENTRY_TRIMMED,
	};
	if (!verify->has_map)
		return true;
	entries = verify_map_at(&verify->map, req->file, req->offset_bytes, req->len_bytes, &nr);
	for (size_t i = 0; entries && i < nr; i++)
		entries[i] = VERIFY_ENTRY_TRIMMED | VERIFY_ENTRY_IN_FLIGHT;
	return entries != NULL;
}

static bool prepare_write(struct verify *verify, const struct io_req *req)
{
	const struct verify_io *io = &verify->ios[req->slot];

	if (!verify_seal(verify, req))
		return false;
	if (is_to_be_trimmed(verify, io))
		remember(&verify->to_trim, io);
	remember(&verify->written, io);
	return true;
}

bool worker_verify_prepare(struct worker *worker, struct io_req *req)
{
	struct verify *verify = worker->verify;
	struct verify_io *io = &verify->ios[req->slot];
	bool is_placed = true;

	if (worker->iodepth > 1 && verify_overlaps(verify, req) && !worker_drain(worker))
		return false;
	if (worker->job->verify && req->dir == IO_WRITE) {
		is_placed = prepare_write(verify, req);
	} else if (worker->job->verify && req->dir == IO_TRIM) {
		is_placed = prepare_stream_trim(verify, req);
	} else {
		*io = (struct verify_io){
			.use = verify->is_checking_reads ? VERIFY_READING : VERIFY_OTHER,
			.file = req->file,
			.offset_bytes = req->offset_bytes,
			.len_bytes = req->len_bytes,
		};
	}
	if (!is_placed)
		worker_fail(worker, EINVAL, NULL,
			    "verify: an I/O is not made of whole intervals of its region");
	return is_placed;
}

/* Bytes of the I/O that are in the buffer of its slot. */
static uint32_t bytes_there(const struct verify_io *io, const struct io_req *req,
			    uint32_t last_bytes)
{
	return (uint32_t)(req->offset_bytes - io->offset_bytes) + last_bytes;
}

static void check_read(struct worker *worker, const struct verify_io *io, const struct io_req *req,
		       uint32_t got_bytes)
{
	struct verify *verify = worker->verify;
	void *buf = (char *)worker->buffer + req->slot * worker->slot_bytes;

	if (verify->pool)
		verify_pool_put(verify->pool, io, buf, got_bytes);
	else
		(void)verify_check(verify, io, buf, got_bytes);
	verify_mark_checked(verify, io);
}

bool worker_verify_completed(struct worker *worker, struct io_req *req)
{
	struct verify_io *io = &worker->verify->ios[req->slot];
	enum verify_use use = io->use;

	worker->needs_stamp = true;
	io->use = VERIFY_IDLE;
	if ((use == VERIFY_WRITING || use == VERIFY_TRIMMING) && worker->verify->has_map)
		verify_settle(worker->verify, io);
	if (use != VERIFY_READING)
		return true;
	check_read(worker, io, req, bytes_there(io, req, req->len_bytes));
	return are_reports_good(worker);
}

bool worker_verify_missing(struct worker *worker, struct io_req *req)
{
	struct verify_io *io = &worker->verify->ios[req->slot];

	if (io->use != VERIFY_READING || req->dir != IO_READ)
		return false;
	io->use = VERIFY_IDLE;
	worker_count(worker, req->dir, 0);
	(void)verify_check(worker->verify, io,
			   (char *)worker->buffer + req->slot * worker->slot_bytes,
			   bytes_there(io, req, 0));
	worker->is_passing_over = are_reports_good(worker);
	return true;
}

/* Whether anything is left to be checked; the cursor stays where it is. */
static bool has_more(const struct verify *verify)
{
	struct verify_cursor cursor = verify->cursor;
	struct verify_run run;

	return verify_map_next(&verify->map, &cursor, verify->interval_bytes, &run);
}

/* What was written has to come from the device. */
static void forget_cache(struct worker *worker)
{
	if (worker->engine->flags & ENGINE_NO_FILES)
		return;
	if (!worker->job->verify_only)
		worker_sync_files(worker);
	if (!worker->job->direct)
		worker_invalidate(worker);
}

static void read_back(struct worker *worker)
{
	struct verify *verify = worker->verify;
	uint64_t begin_ticks = worker_stamp(worker);

	verify->stage = VERIFY_STAGE_BACK;
	verify->cursor = (struct verify_cursor){ .file = 0 };
	forget_cache(worker);
	worker->now_ticks = worker_stamp(worker);
	worker->until_event = 0;
	if (!worker->failure.error)
		worker_run_loop(worker);
	verify->stage = VERIFY_STAGE_RUN;
	worker->verify_ticks += worker_stamp(worker) - begin_ticks;
}

void worker_verify_back(struct worker *worker)
{
	struct verify *verify = worker->verify;

	if (verify_reads_back(worker->job) && !worker->failure.error && worker_may_go_on(worker))
		read_back(worker);
	if (verify->pool)
		verify_pool_wait(verify->pool);
	(void)are_reports_good(worker);
	if (verify_reads_back(worker->job) && !worker->failure.error)
		worker->is_verify_cut |= has_more(verify);
}

void worker_verify_pretend(struct worker *worker)
{
	struct verify *verify = worker->verify;
	struct io_req *req = worker->reqs;

	if (worker->job->verify_state_load)
		return; /* the map knows */
	while (!atomic_load_explicit(&worker->control.stop, memory_order_relaxed) &&
	       stream_next(&worker->stream, req)) {
		if (req->dir != IO_WRITE)
			continue;
		if (!verify_seal(verify, req)) {
			worker_fail(worker, EINVAL, NULL,
				    "verify: an I/O is not made of whole intervals of its region");
			return;
		}
		verify->ios[req->slot].use = VERIFY_IDLE;
		verify_settle(verify, &verify->ios[req->slot]);
	}
}
