/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan: turns the sizes and offsets of the jobs into regions of files, and refuses bad ones. */
#include "load/plan.h"

#include <inttypes.h>

#include "base/arena.h"
#include "base/err.h"
#include "engine/engine.h"
#include "load/folders.h"
#include "load/seed.h"
#include "model/job.h"
#include "model/note.h"
#include "model/trap.h"

#define PLAN_ENDLESS_BYTES (UINT64_C(1) << 60) /* fill_device without a size: 1 EiB */

#define PLAN_TOKEN_BYTES (UINT64_C(1) << 30) /* of a pass of an engine without I/O */

/* The clone whose plan is being made. */
struct planner {
	const struct plan_config *config;
	struct file_table *files;
	struct clone_plan *clone;
	uint64_t min_block_bytes; /* over its directions */
	uint64_t max_block_bytes; /* largest of the smallest blocks: what must fit */
};

unsigned plan_dirs(const struct job *job)
{
	unsigned dirs = job->rw & RW_DIR_MASK;

	return job->rw & RW_TRIM_THEN_WRITE ? dirs | RW_TRIM | RW_WRITE : dirs;
}

static uint64_t round_down(uint64_t value, uint64_t multiple)
{
	return value - value % multiple;
}

static uint64_t round_up(uint64_t value, uint64_t multiple)
{
	return value % multiple ? round_down(value, multiple) + multiple : value;
}

static uint64_t share_of(uint64_t bytes, unsigned percent)
{
	return (uint64_t)((unsigned __int128)bytes * percent / 100);
}

static bool has_size(const struct file_entry *file)
{
	return file->kind == FILE_REGULAR || file->kind == FILE_BLOCK;
}

static bool has_size_of_device(const struct file_entry *file)
{
	return file->kind == FILE_BLOCK;
}

static int need_size(const char *why, const struct file_entry *file, struct err *err)
{
	if (file->kind == FILE_VIRTUAL)
		return err_set(err, ERR_INPUT,
			       "you need to specify size: %s, and engine has no files", why);
	return err_set(err, ERR_INPUT, "you need to specify size: %s, and '%s' is %s", why,
		       file->path,
		       file->kind == FILE_ABSENT    ? "not there yet"
		       : file->kind == FILE_REGULAR ? "empty"
						    : "without a size of its own");
}

static int plan_start(const struct planner *planner, const struct file_entry *file,
		      uint64_t *ret_start_bytes, struct err *err)
{
	const struct job *job = planner->clone->job;
	uint64_t start_bytes = job->offset.bytes;
	uint64_t step_bytes = job->offset_increment.bytes;
	uint64_t align_bytes =
		job->offset_align_bytes ? job->offset_align_bytes : planner->min_block_bytes;

	if ((job->offset.percent || job->offset_increment.percent) && !has_size(file))
		return need_size("an offset is a percentage", file, err);
	/* shares are rounded up to a block, as fio does */
	if (job->offset.percent)
		start_bytes =
			round_up(share_of(file->size_bytes, job->offset.percent), align_bytes);
	if (job->offset_increment.percent)
		step_bytes = round_up(share_of(file->size_bytes, job->offset_increment.percent),
				      align_bytes);
	if (job->file_append && file->kind == FILE_REGULAR)
		start_bytes += file->size_bytes;
	if (__builtin_mul_overflow(step_bytes, planner->clone->clone, &step_bytes) ||
	    __builtin_add_overflow(start_bytes, step_bytes, ret_start_bytes))
		return err_set(err, ERR_INPUT, "offset of clone %u does not fit 64 bits",
			       planner->clone->clone);
	return 0;
}

/* filesize: what is drawn for a file; the same in every run with randrepeat. */
static uint64_t draw_file_size(const struct planner *planner, size_t index)
{
	const struct job *job = planner->clone->job;
	uint64_t width_bytes = job->filesize_max_bytes - job->filesize_min_bytes;
	uint64_t bytes;
	struct rng rng;

	if (width_bytes == 0)
		return job->filesize_min_bytes;
	rng_init(&rng, seed_of_clone(planner->clone, planner->config->seed, SEED_FILE_SIZES));
	rng = rng_split(&rng, index);
	bytes = round_down(job->filesize_min_bytes + rng_below(&rng, width_bytes + 1),
			   planner->min_block_bytes);
	return bytes > job->filesize_min_bytes ? bytes : job->filesize_min_bytes;
}

/* Length of the region in file number `index`, before it is cut to a device. */
static int plan_len(const struct planner *planner, const struct file_entry *file, size_t index,
		    uint64_t start_bytes, uint64_t *ret_len_bytes, struct err *err)
{
	const struct size_spec *size = &planner->clone->job->size;
	size_t nr_files = planner->clone->nr_files;
	uint64_t left_bytes;

	if (planner->clone->job->filesize_max_bytes && file->kind != FILE_BLOCK) {
		uint64_t file_bytes = draw_file_size(planner, index);

		*ret_len_bytes = file_bytes > start_bytes ? file_bytes - start_bytes : 0;
		return 0;
	}
	if (planner->clone->job->fill_device && !size->is_set && !has_size_of_device(file)) {
		*ret_len_bytes = PLAN_ENDLESS_BYTES;
		return 0;
	}
	if (size->is_set && !size->percent) {
		/* of the remainder, whole blocks go to the first files, as in fio */
		uint64_t nr_more = size->bytes % nr_files / planner->min_block_bytes;

		*ret_len_bytes =
			size->bytes / nr_files + (index < nr_more ? planner->min_block_bytes : 0);
		return 0;
	}
	if (!has_size(file) || file->size_bytes == 0)
		return need_size(size->percent ? "size is a percentage" : "there is no size", file,
				 err);
	left_bytes = file->size_bytes > start_bytes ? file->size_bytes - start_bytes : 0;
	*ret_len_bytes = left_bytes;
	if (size->percent) {
		uint64_t share_bytes = round_down(share_of(file->size_bytes, size->percent),
						  planner->min_block_bytes);

		*ret_len_bytes = share_bytes < left_bytes ? share_bytes : left_bytes;
	}
	return 0;
}

static int plan_fit_device(const struct planner *planner, const struct file_entry *file,
			   struct region *region, struct err *err)
{
	if (region->start_bytes >= file->size_bytes && planner->clone->job->fio_strict &&
	    planner->clone->job->size.is_set) {
		*region = (struct region){ .len_bytes = planner->max_block_bytes };
		planner->clone->is_idle = true; /* as fio: nothing is done, and that well */
		return 0;
	}
	if (region->start_bytes >= file->size_bytes)
		return err_set(err, ERR_INPUT,
			       "offset %" PRIu64 " is beyond the end of '%s' (%" PRIu64 " bytes)",
			       region->start_bytes, file->path, file->size_bytes);
	if (region->len_bytes <= file->size_bytes - region->start_bytes)
		return 0;
	region->len_bytes = file->size_bytes - region->start_bytes;
	note_add(planner->config->notes, NOTE_REGION_CLIPPED,
		 "job '%s': '%s' has %" PRIu64 " bytes, so a region that goes beyond is cut",
		 planner->clone->job->name, file->path, file->size_bytes);
	return 0;
}

/* A block size or alignment of that direction that is no multiple of the unit; 0: all are. */
static uint64_t odd_block(const struct job *job, enum io_dir dir, uint32_t unit_bytes)
{
	const struct bs_split *split = &job->bs_split[dir];

	for (size_t i = 0; i < split->nr; i++) {
		if (split->items[i].bytes % unit_bytes)
			return split->items[i].bytes;
	}
	if (job->bs_min_bytes[dir] % unit_bytes)
		return job->bs_min_bytes[dir];
	if (job->bs_max_bytes[dir] % unit_bytes)
		return job->bs_max_bytes[dir];
	return (job->rw & RW_RANDOM) && job->ba_bytes[dir] % unit_bytes ? job->ba_bytes[dir] : 0;
}

/* Direct I/O in parts of a block would fail at the first request; say why instead. */
static int plan_check_direct(const struct planner *planner, const struct file_entry *file,
			     const struct region *region, struct err *err)
{
	const struct job *job = planner->clone->job;
	uint32_t block_bytes = file->direct_block_bytes;

	if (!job->direct || block_bytes <= 1)
		return 0;
	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++) {
		uint64_t bytes = odd_block(job, dir, block_bytes);

		if ((planner->clone->dirs & (1U << dir)) && bytes)
			return err_set(err, ERR_INPUT,
				       "direct=1: bs %" PRIu64
				       " is not a multiple of the logical block size %u of '%s'",
				       bytes, block_bytes, file->path);
	}
	if (region->start_bytes % block_bytes)
		return err_set(err, ERR_INPUT,
			       "direct=1: offset %" PRIu64
			       " is not a multiple of the logical block size %u of '%s'",
			       region->start_bytes, block_bytes, file->path);
	return 0;
}

/* It is extended; fio makes it anew. */
static void plan_short_file(const struct planner *planner, struct file_entry *file)
{
	if (planner->clone->job->fio_strict)
		file->is_rewritten = true;
	else
		note_add(planner->config->notes, NOTE_FIO_TRAP,
			 "'%s' had only %" PRIu64
			 " bytes and was extended; fio writes it anew (trap %s)",
			 file->path, file->size_bytes, trap_row(TRAP_SHORT_FILE)->name);
}

/* What the clone wants to find on disk, or the refusal of it. */
static int plan_needs(const struct planner *planner, struct file_entry *file,
		      const struct region *region, struct err *err)
{
	const struct job *job = planner->clone->job;
	uint64_t end_bytes = region->start_bytes + region->len_bytes;
	bool is_content = (planner->clone->dirs & RW_READ) || job->overwrite ||
			  (planner->clone->engine->flags & ENGINE_NEEDS_MMAP);

	if (file->kind != FILE_ABSENT && file->kind != FILE_REGULAR)
		return 0;
	if (!job->allow_file_create && file->kind == FILE_ABSENT)
		return err_set(err, ERR_INPUT, "'%s' is not there, and allow_file_create is 0",
			       file->path);
	if (planner->config->readonly && file->kind == FILE_ABSENT)
		return err_set(err, ERR_UNSAFE, "read-only: '%s' would have to be created",
			       file->path);
	if (planner->config->readonly && file->size_bytes < end_bytes)
		return err_set(err, ERR_UNSAFE,
			       "read-only: '%s' would have to be extended from %" PRIu64
			       " to %" PRIu64 " bytes",
			       file->path, file->size_bytes, end_bytes);
	file->is_unlinked |= job->unlink;
	if (job->create_on_open)
		return 0;
	if (job->verify && !job->fio_strict &&
	    (job->verify_only || !(planner->clone->dirs & (RW_WRITE | RW_TRIM))))
		return 0; /* it is to be found as it was left */
	if (file->kind == FILE_REGULAR && file->size_bytes < end_bytes && file->size_bytes > 0)
		plan_short_file(planner, file);
	file->needs_file = true;
	file->needs_content |= is_content;
	file->is_never_synced |= !job->create_fsync;
	file->fallocate = job->fallocate;
	if (region->len_bytes == PLAN_ENDLESS_BYTES)
		return 0; /* grows until the filesystem is full */
	if (end_bytes > file->needed_bytes)
		file->needed_bytes = end_bytes;
	return 0;
}

/* An engine that does no I/O in files: one request for each, or for a while. True if it is one. */
static bool plan_token_region(const struct planner *planner, struct file_entry *file,
			      struct region *region)
{
	unsigned flags = planner->clone->engine->flags;

	if (!(flags & (ENGINE_NAMES_ONLY | ENGINE_NO_IO)))
		return false;
	region->len_bytes = flags & ENGINE_NO_IO ? PLAN_TOKEN_BYTES : planner->max_block_bytes;
	file->is_unlinked |= (flags & ENGINE_NAMES_ONLY) && planner->clone->job->unlink;
	return true;
}

static int plan_check_kind(const struct planner *planner, const struct file_entry *file,
			   struct err *err)
{
	const struct engine_ops *engine = planner->clone->engine;

	if (!(engine->flags & ENGINE_CHANGES_FILES) || file->kind == FILE_ABSENT ||
	    file->kind == FILE_REGULAR)
		return 0;
	return err_set(err, ERR_INPUT, "engine %s works on regular files, and '%s' is a %s",
		       engine->name, file->path, file_kind_name(file->kind));
}

static int plan_region(const struct planner *planner, size_t index, struct region *region,
		       struct err *err)
{
	struct file_entry *file = &planner->files->items[planner->clone->files[index]];
	uint64_t end_bytes;
	int ret;

	if (plan_token_region(planner, file, region))
		return 0;
	ret = plan_check_kind(planner, file, err);
	if (ret == 0)
		ret = plan_start(planner, file, &region->start_bytes, err);
	if (ret == 0)
		ret = plan_len(planner, file, index, region->start_bytes, &region->len_bytes, err);
	if (ret == 0 && file->kind == FILE_BLOCK)
		ret = plan_fit_device(planner, file, region, err);
	if (ret < 0)
		return ret;
	if (region->len_bytes < planner->max_block_bytes)
		return err_set(err, ERR_INPUT,
			       "size too small: %" PRIu64
			       " bytes in '%s' are less than bs %" PRIu64,
			       region->len_bytes, file->path, planner->max_block_bytes);
	if (__builtin_add_overflow(region->start_bytes, region->len_bytes, &end_bytes) ||
	    end_bytes > INT64_MAX)
		return err_set(err, ERR_INPUT, "offset + size of '%s' is too large", file->path);
	ret = plan_check_direct(planner, file, region, err);
	return ret < 0 ? ret : plan_needs(planner, file, region, err);
}

static void plan_amount(struct clone_plan *clone)
{
	const struct size_spec *io_size = &clone->job->io_size;
	uint64_t region_bytes = 0;

	for (size_t i = 0; i < clone->nr_files; i++)
		region_bytes += clone->regions[i].len_bytes;
	clone->limit_bytes = region_bytes;
	if (clone->engine->flags & ENGINE_NO_IO) {
		clone->is_limit_wrapping = true;
		clone->limit_bytes = UINT64_MAX;
		return;
	}
	if (clone->job->filesize_max_bytes && clone->job->size.is_set &&
	    !clone->job->size.percent && clone->job->size.bytes < region_bytes)
		clone->limit_bytes = clone->job->size.bytes;
	if (!io_size->is_set)
		return;
	clone->is_limit_wrapping = true;
	clone->limit_bytes =
		io_size->percent ? share_of(region_bytes, io_size->percent) : io_size->bytes;
}

static int plan_files(const struct planner *planner, struct err *err)
{
	struct clone_plan *clone = planner->clone;
	bool is_virtual = clone->engine->flags & (ENGINE_NO_FILES | ENGINE_NAMES_ONLY);
	const char *const *names =
		job_file_names(clone->job, clone->clone, planner->config->arena, &clone->nr_files);
	size_t *files = arena_alloc_array(planner->config->arena, clone->nr_files, sizeof(*files));
	struct region *regions =
		arena_alloc_array(planner->config->arena, clone->nr_files, sizeof(*regions));

	clone->files = files;
	clone->regions = regions;
	for (size_t i = 0; i < clone->nr_files; i++) {
		int ret = file_table_add(planner->files, names[i], is_virtual, &files[i], err);

		if (ret == 0)
			ret = plan_region(planner, i, &regions[i], err);
		if (ret < 0)
			return ret;
	}
	plan_amount(clone);
	return 0;
}

static int plan_clone(struct planner *planner, struct err *err)
{
	const struct clone_plan *clone = planner->clone;

	planner->min_block_bytes = UINT64_MAX;
	planner->max_block_bytes = 0;
	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++) {
		uint64_t bytes = clone->job->bs_min_bytes[dir];

		if (!(clone->dirs & (1U << dir)))
			continue;
		if (bytes < planner->min_block_bytes)
			planner->min_block_bytes = bytes;
		if (bytes > planner->max_block_bytes)
			planner->max_block_bytes = bytes;
	}
	return plan_files(planner, err);
}

static int plan_job(struct plan *plan, const struct plan_config *config, const struct job *job,
		    struct err *err)
{
	const struct engine_ops *engine = engine_find(job->ioengine);
	unsigned iodepth = job->iodepth ? job->iodepth : 1;

	if (!engine)
		return err_set(err, ERR_INPUT, "unknown engine '%s'", job->ioengine);
	engine = engine_choose(engine, &job->engine, iodepth);
	if (!engine_is_async(engine) && iodepth > 1) {
		note_add(config->notes, NOTE_SYNC_ENGINE_DEPTH,
			 "job '%s': iodepth %u with the synchronous engine %s: each clone keeps 1 "
			 "I/O "
			 "in flight",
			 job->name, iodepth, job->ioengine);
		iodepth = 1;
	}
	if (!(engine->flags & ENGINE_NO_FILES)) {
		int ret = folders_check(job, err);

		if (ret < 0)
			return ret;
	}
	for (unsigned clone = 0; clone < job->nr_clones; clone++) {
		struct planner planner = {
			.config = config,
			.files = &plan->files,
			.clone = &plan->clones[plan->nr],
		};
		int ret;

		*planner.clone = (struct clone_plan){
			.job = job,
			.engine = engine,
			.clone = clone,
			.thread_number = (unsigned)plan->nr++,
			.iodepth = iodepth,
			.dirs = plan_dirs(job),
		};
		ret = plan_clone(&planner, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

int plan_make(const struct plan_config *config, struct plan *ret_plan, struct err *err)
{
	const struct job_set *jobs = config->jobs;
	size_t nr_clones = 0;

	*ret_plan = (struct plan){ .nr = 0 };
	for (size_t i = 0; i < jobs->nr; i++)
		nr_clones += jobs->jobs[i].nr_clones;
	ret_plan->clones = arena_alloc_array(config->arena, nr_clones, sizeof(*ret_plan->clones));
	for (size_t i = 0; i < jobs->nr; i++) {
		const struct job *job = &jobs->jobs[i];
		int ret = plan_job(ret_plan, config, job, err);

		if (ret < 0)
			return job_err_prefix(job, ret, err);
	}
	return 0;
}

void plan_release(struct plan *plan)
{
	file_table_release(&plan->files);
	*plan = (struct plan){ .nr = 0 };
}
