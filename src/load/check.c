/* SPDX-License-Identifier: GPL-2.0-or-later */
/* check: refuses job sets that cannot be run, by their options alone. Files are plan.c's. */
#include "load/load.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/units.h"
#include "engine/engine.h"
#include "load/limits.h"
#include "load/plan.h"
#include "load/settle.h"
#include "load/verify_option.h"
#include "model/job.h"

/* Descriptors that are none of a worker's: standard streams, store, journal, engines. */
#define SPARE_FDS 64
/* io_uring and libaio keep one for themselves. */
#define ENGINE_FDS 1

int limits_check_memory(uint64_t bytes, const char *what, struct err *err)
{
	uint64_t memory_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t limit_bytes = memory_bytes / 100 * LOAD_MAX_MEMORY_PERCENT;
	char wanted[UNITS_TEXT_LEN];
	char limit[UNITS_TEXT_LEN];

	if (bytes <= limit_bytes)
		return 0;
	return err_set(err, ERR_INPUT, "%s need %s, more than the limit of %s (%u%% of the memory)",
		       what, units_print_bytes(bytes, wanted, sizeof(wanted)),
		       units_print_bytes(limit_bytes, limit, sizeof(limit)),
		       LOAD_MAX_MEMORY_PERCENT);
}

static int check_blocks(const struct job *job, struct err *err)
{
	unsigned dirs = plan_dirs(job);

	if (dirs == 0)
		return err_set(err, ERR_INPUT, "rw names no direction");
	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++) {
		uint64_t min_bytes = job->bs_min_bytes[dir];
		uint64_t max_bytes = job->bs_max_bytes[dir];

		if (!(dirs & (1U << dir)))
			continue;
		if (min_bytes == 0 || min_bytes > max_bytes)
			return err_set(err, ERR_INPUT, "bs of %ss is %" PRIu64 "-%" PRIu64 " bytes",
				       io_dir_name(dir), min_bytes, max_bytes);
		if (max_bytes > LOAD_MAX_BLOCK_BYTES)
			return err_set(err, ERR_INPUT,
				       "bs %" PRIu64 " is larger than the limit of %u bytes",
				       max_bytes, LOAD_MAX_BLOCK_BYTES);
	}
	return 0;
}

static int check_cpus(const struct job *job, struct err *err)
{
	long nr_cpus = sysconf(_SC_NPROCESSORS_CONF);

	for (unsigned cpu = 0; job->cpus_allowed.nr && cpu < JOB_MAX_CPUS; cpu++) {
		if ((job->cpus_allowed.bits[cpu / 64] >> (cpu % 64) & 1) && (long)cpu >= nr_cpus)
			return err_set(err, ERR_INPUT,
				       "cpus_allowed: there is no CPU %u, the last one is %ld", cpu,
				       nr_cpus - 1);
	}
	return 0;
}

static int check_nodes(const struct job *job, struct err *err)
{
	const struct cpu_list *nodes = &job->numa_cpu_nodes;

	for (unsigned node = 0; nodes->nr && node < JOB_MAX_CPUS; node++) {
		CLEANUP(free) char *path = xasprintf("/sys/devices/system/node/node%u", node);

		if ((nodes->bits[node / 64] >> (node % 64) & 1) && access(path, F_OK) < 0)
			return err_set(err, ERR_INPUT, "numa_cpu_nodes: there is no node %u", node);
	}
	return 0;
}

static int check_engine(const struct job *job, struct err *err)
{
	const struct engine_ops *engine = engine_find(job->ioengine);
	bool has_size = (job->size.is_set && !job->size.percent) || job->filesize_max_bytes;

	if (!engine)
		return err_set(err, ERR_INPUT, "unknown engine '%s'", job->ioengine);
	if ((engine->flags & ENGINE_NO_FILES) && !(engine->flags & ENGINE_NO_IO) && !has_size)
		return err_set(err, ERR_INPUT,
			       "you need to specify size: engine %s has no file to take it from",
			       engine->name);
	if (job->iodepth > LOAD_MAX_IODEPTH)
		return err_set(err, ERR_INPUT, "iodepth %u is larger than the limit of %u",
			       job->iodepth, LOAD_MAX_IODEPTH);
	return 0;
}

static int check_job(const struct job *job, struct err *err)
{
	int ret = check_engine(job, err);

	if (ret == 0)
		ret = check_blocks(job, err);
	if (ret == 0)
		ret = check_cpus(job, err);
	if (ret == 0)
		ret = check_nodes(job, err);
	if (ret == 0 && job->size.is_set && !job->size.percent && job->size.bytes == 0)
		ret = err_set(err, ERR_INPUT, "you need to specify size: it is 0");
	if (ret == 0 && job->rwmix_read_percent > 100)
		ret = err_set(err, ERR_INPUT, "rwmixread %u is more than 100",
			      job->rwmix_read_percent);
	if (ret == 0)
		ret = verify_option_check(job, err);
	return ret;
}

/* iodepth x bs of one clone; factors are limited already, so it cannot overflow. */
static uint64_t buffers_of_clone(const struct job *job)
{
	const struct engine_ops *engine = engine_find(job->ioengine);
	uint64_t iodepth = job->iodepth ? job->iodepth : 1;
	uint64_t block_bytes = 0;

	if (!engine_is_async(engine_choose(engine, &job->engine, iodepth)))
		iodepth = 1;
	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++) {
		if ((plan_dirs(job) & (1U << dir)) && job->bs_max_bytes[dir] > block_bytes)
			block_bytes = job->bs_max_bytes[dir];
	}
	return iodepth * block_bytes;
}

static int check_buffers(const struct job_set *jobs, struct err *err)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < jobs->nr; i++) {
		const struct job *job = &jobs->jobs[i];
		uint64_t more_bytes;

		if (__builtin_mul_overflow(buffers_of_clone(job), job->nr_clones, &more_bytes) ||
		    __builtin_add_overflow(bytes, more_bytes, &bytes))
			bytes = UINT64_MAX;
	}
	return limits_check_memory(bytes, "the buffers (iodepth x bs x numjobs) of all jobs", err);
}

static uint64_t files_of_clone(const struct job *job)
{
	const char *pos = job->filename;
	uint64_t nr = 1;

	if (engine_find(job->ioengine)->flags & (ENGINE_NO_FILES | ENGINE_NAMES_ONLY))
		return 0;
	if (!pos)
		return job->nr_files;
	for (; *pos; pos++)
		nr += *pos == ':'; /* an escaped one too: it need not be exact */
	return nr;
}

/* All clones of the largest phase have all their files open at once. */
static int check_descriptors(const struct job_set *jobs, struct err *err)
{
	struct rlimit limit;
	uint64_t nr_wanted = SPARE_FDS;

	for (size_t i = 0; i < jobs->nr; i++) {
		const struct job *job = &jobs->jobs[i];

		nr_wanted += (files_of_clone(job) + ENGINE_FDS) * job->nr_clones;
	}
	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return err_set_errno(err, "read the limit of open files");
	if (nr_wanted > limit.rlim_max)
		return err_set(err, ERR_INPUT,
			       "the jobs need %" PRIu64
			       " open files, more than the limit of %ju (ulimit -Hn)",
			       nr_wanted, (uintmax_t)limit.rlim_max);
	if (nr_wanted <= limit.rlim_cur)
		return 0;
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
		return err_set_errno(err, "raise the limit of open files");
	return 0;
}

static int refuse_settling(const struct job *first, const struct job *later, struct err *err)
{
	(void)err_set(err, ERR_INPUT,
		      "steadystate is another than that of job '%s', with which it is reported as "
		      "one",
		      first->name);
	return job_err_prefix(later, -ERR_INPUT, err);
}

/* Jobs that settle together have to be judged alike. */
static int check_settling(const struct job_set *jobs, struct err *err)
{
	for (size_t i = 0; i < jobs->nr; i++) {
		const struct job *job = &jobs->jobs[i];

		if (!settle_is_wanted(job))
			continue;
		for (size_t j = 0; j < jobs->nr; j++) {
			const struct job *other = &jobs->jobs[j];

			if (j != i && settle_is_shared(job, other) && !settle_is_alike(job, other))
				return j < i ? refuse_settling(other, job, err)
					     : refuse_settling(job, other, err);
		}
	}
	return 0;
}

int load_check_jobs(const struct job_set *jobs, struct err *err)
{
	for (size_t i = 0; i < jobs->nr; i++) {
		int ret = check_job(&jobs->jobs[i], err);

		if (ret < 0)
			return job_err_prefix(&jobs->jobs[i], ret, err);
	}
	return check_settling(jobs, err);
}

/* What only all jobs together come to. */
static int check_sum(const struct job_set *jobs, struct err *err)
{
	uint64_t nr_clones = 0;
	int ret;

	for (size_t i = 0; i < jobs->nr; i++)
		nr_clones += jobs->jobs[i].nr_clones;
	if (nr_clones == 0 || nr_clones > LOAD_MAX_WORKERS)
		return err_set(err, ERR_INPUT, "%" PRIu64 " clones: there can be 1 to %u",
			       nr_clones, LOAD_MAX_WORKERS);
	ret = check_buffers(jobs, err);
	return ret < 0 ? ret : check_descriptors(jobs, err);
}

int load_check(const struct job_set *jobs, struct err *err)
{
	int ret = load_check_jobs(jobs, err);

	if (ret < 0)
		return ret;
	if (jobs->nr == 0)
		return err_set(err, ERR_INPUT, "no job to run");
	return job_err_code(&jobs->jobs[0], check_sum(jobs, err), err);
}
