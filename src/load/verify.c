/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verify: makes blocks that can be checked, remembers them, and starts and ends that memory. */
#include "load/verify.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/rng.h"
#include "load/plan.h"
#include "load/verify_pool.h"
#include "model/job.h"
#include "verify/sum.h"

bool verify_is_wanted(const struct job *job)
{
	return job->verify != VERIFY_NONE || (job->serialize_overlap && job->iodepth > 1);
}

bool verify_reads_back(const struct job *job)
{
	return job->verify != VERIFY_NONE && job_does(job, IO_WRITE) && job->do_verify;
}

bool verify_trims(const struct job *job)
{
	return job->verify != VERIFY_NONE && job_does(job, IO_WRITE) && job->trim_backlog &&
	       job->trim_percentage;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

uint32_t verify_interval_of(const struct job *job)
{
	enum io_dir dir = job_does(job, IO_WRITE) ? IO_WRITE : IO_READ;
	uint64_t all_bytes = common_divisor(job->bs_min_bytes[dir], job->bs_max_bytes[dir]);

	for (size_t i = 0; i < job->bs_split[dir].nr; i++)
		all_bytes = common_divisor(all_bytes, job->bs_split[dir].items[i].bytes);
	if (job->verify_interval_bytes && all_bytes % job->verify_interval_bytes == 0)
		return job->verify_interval_bytes;
	return (uint32_t)all_bytes;
}

/* As fio names it: the number is that of the clone in the whole set. */
static char *state_path_of(const struct clone_plan *plan)
{
	char *path = xasprintf("local-%s-%u-verify.state", plan->job->name, plan->thread_number);

	for (char *pos = path; *pos; pos++) {
		if (*pos == '/')
			*pos = '_';
	}
	return path;
}

static int open_map(struct verify *verify, struct err *err)
{
	const struct job *job = verify->job;
	struct verify_map_config config = {
		.regions = verify->plan->regions,
		.nr_files = verify->plan->nr_files,
		.interval_bytes = verify->interval_bytes,
		.is_loaded = job->verify_state_load,
		.is_kept = job->verify_state_save,
	};

	if (job->verify_state_save || job->verify_state_load) {
		verify->state_path = state_path_of(verify->plan);
		config.state_path = verify->state_path;
	}
	return verify_map_open(&verify->map, &config, err);
}

static void make_backlog(struct verify_backlog *backlog, unsigned nr)
{
	if (nr == 0)
		return;
	backlog->capacity = 2 * (size_t)nr; /* a batch may be smaller than what comes in */
	backlog->ios = xcalloc(backlog->capacity, sizeof(*backlog->ios));
	backlog->due_at = nr;
}

static int set_up(struct verify *verify, const struct verify_config *config, struct err *err)
{
	const struct job *job = verify->job;
	int ret = 0;

	verify->ios = xcalloc(config->nr_slots, sizeof(*verify->ios));
	verify->nr_ios = config->nr_slots;
	if (job->verify == VERIFY_NONE)
		return 0;
	verify->has_map = job_does(job, IO_WRITE) || job->verify_state_load;
	if (verify->has_map)
		ret = open_map(verify, err);
	make_backlog(&verify->written, job->verify_backlog);
	make_backlog(&verify->to_trim, verify_trims(job) ? job->trim_backlog : 0);
	if (ret == 0 && job->verify_async) {
		verify->pool = verify_pool_create(verify, config->max_bytes, err);
		ret = verify->pool ? 0 : -ERR_SYSTEM;
	}
	return ret;
}

struct verify *verify_create(const struct verify_config *config, struct err *err)
{
	const struct job *job = config->plan->job;
	struct verify *verify = xcalloc(1, sizeof(*verify));
	bool has_files = !(config->plan->engine->flags & ENGINE_NO_FILES);

	*verify = (struct verify){
		.job = job,
		.plan = config->plan,
		.table = config->table,
		.interval_bytes = verify_interval_of(job),
		.max_bytes = config->max_bytes,
		.is_pattern_per_interval =
			job->bs_min_bytes[IO_WRITE] != job->bs_max_bytes[IO_WRITE] ||
			job->rw_step_bytes != 0,
		.is_checking_reads = job->verify != VERIFY_NONE && !job_does(job, IO_WRITE),
		.seed = config->seed,
		.thread = (uint16_t)(config->plan->thread_number + 1),
	};
	if (job->verify != VERIFY_NONE) {
		/* an engine without files gives back whatever is in the buffer */
		verify->format.method =
			sum_method(has_files ? (enum verify_method)job->verify : VERIFY_NULL);
		verify->format.pattern = job->verify_pattern;
		verify->format.header_at = job->verify_offset_bytes;
	}
	(void)pthread_mutex_init(&verify->reports.lock, NULL);
	if (set_up(verify, config, err) < 0) {
		verify_free(verify);
		return NULL;
	}
	return verify;
}

void verify_free(struct verify *verify)
{
	if (!verify)
		return;
	verify_pool_free(verify->pool);
	verify_map_release(&verify->map);
	for (size_t i = 0; i < verify->reports.nr_texts; i++)
		free(verify->reports.texts[i]);
	(void)pthread_mutex_destroy(&verify->reports.lock);
	free(verify->ios);
	free(verify->written.ios);
	free(verify->to_trim.ios);
	free(verify->state_path);
	free(verify);
}

/* The data of a block depend on nothing but this, so that they can be told afterwards. */
static uint64_t seed_of_block(const struct verify *verify, uint32_t number, uint64_t offset_bytes)
{
	return rng_mix64(rng_mix64(verify->seed + number) + offset_bytes);
}

static void seal_blocks(const struct verify *verify, const struct io_req *req, uint32_t number)
{
	const struct block_format *format = &verify->format;
	bool is_filled = format->pattern && !verify->is_pattern_per_interval;
	uint32_t interval_bytes = verify->interval_bytes;

	if (is_filled)
		block_fill(format, req->buf, req->len_bytes, 0, req->offset_bytes);
	for (uint32_t at = 0; at < req->len_bytes; at += interval_bytes) {
		const struct block_id id = {
			.offset_bytes = req->offset_bytes + at,
			.seed = seed_of_block(verify, number, req->offset_bytes + at),
			.number = number - 1,
			.thread = verify->thread,
		};
		char *block = (char *)req->buf + at;

		if (!is_filled)
			block_fill(format, block, interval_bytes, id.seed, id.offset_bytes);
		block_seal(format, block, interval_bytes, &id);
	}
}

/* Numbers start again at 1 when they are used up. */
static uint32_t next_number(struct verify *verify)
{
	if (++*verify->map.last_number > VERIFY_MAX_NUMBER)
		*verify->map.last_number = 1;
	return (uint32_t)*verify->map.last_number;
}

bool verify_seal(struct verify *verify, const struct io_req *req)
{
	struct verify_io *io = &verify->ios[req->slot];
	uint32_t number;
	uint32_t *entries;
	size_t nr;

	entries = verify_map_at(&verify->map, req->file, req->offset_bytes, req->len_bytes, &nr);
	if (!entries)
		return false;
	number = next_number(verify);
	*io = (struct verify_io){
		.use = VERIFY_WRITING,
		.file = req->file,
		.offset_bytes = req->offset_bytes,
		.len_bytes = req->len_bytes,
		.entry = number,
		.is_known = true,
	};
	for (size_t i = 0; i < nr; i++)
		entries[i] = number | VERIFY_ENTRY_IN_FLIGHT;
	if (!verify->job->verify_only)
		seal_blocks(verify, req, number);
	return true;
}

void verify_settle(struct verify *verify, const struct verify_io *io)
{
	size_t nr;
	uint32_t *entries =
		verify_map_at(&verify->map, io->file, io->offset_bytes, io->len_bytes, &nr);

	for (size_t i = 0; entries && i < nr; i++) {
		if (entries[i] == (io->entry | VERIFY_ENTRY_IN_FLIGHT))
			entries[i] = io->entry;
	}
}

void verify_mark_checked(struct verify *verify, const struct verify_io *io)
{
	size_t nr;
	uint32_t *entries;

	if (!verify->has_map || !io->is_known)
		return;
	entries = verify_map_at(&verify->map, io->file, io->offset_bytes, io->len_bytes, &nr);
	for (size_t i = 0; entries && i < nr; i++) {
		if (entries[i] == io->entry)
			entries[i] |= VERIFY_ENTRY_CHECKED;
	}
}

bool verify_overlaps(const struct verify *verify, const struct io_req *req)
{
	for (size_t i = 0; i < verify->nr_ios; i++) {
		const struct verify_io *io = &verify->ios[i];

		if (io->use != VERIFY_IDLE && io->file == req->file && i != req->slot &&
		    io->offset_bytes < req->offset_bytes + req->len_bytes &&
		    req->offset_bytes < io->offset_bytes + io->len_bytes)
			return true;
	}
	return false;
}
