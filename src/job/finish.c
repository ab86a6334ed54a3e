/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Completes one job once all its options are known: what depends on several of them, and its
 * place in groups, phases and threads. */
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "job/keys.h"
#include "job/parser.h"

static bool is_device(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && (S_ISBLK(status.st_mode) || S_ISCHR(status.st_mode));
}

/* The name as one item of a filename list. */
static const char *escape_colons(const char *name, struct arena *arena)
{
	CLEANUP(strbuf) struct strbuf escaped = STRBUF_INIT;

	for (; *name; name++) {
		if (*name == ':')
			strbuf_add_char(&escaped, '\\');
		strbuf_add_char(&escaped, *name);
	}
	return arena_strdup(arena, strbuf_str(&escaped));
}

/* Number of names in the filename list. Jobs mostly share the one of [global]. */
static unsigned count_files(struct parser *parser, const struct job *job)
{
	CLEANUP(arena) struct arena scratch = ARENA_INIT;

	if (parser->counted_filename != job->filename)
		(void)job_file_names(job, 0, &scratch, &parser->nr_counted);
	parser->counted_filename = job->filename;
	return (unsigned)parser->nr_counted;
}

static void finish_files(struct parser *parser, struct draft *draft)
{
	struct job *job = &draft->job;

	/* A full path given instead of the job's own files is meant as it stands. */
	if (job->filename && job->filename[0] == '/' &&
	    draft_place(draft, "filename")->rank == RANK_OVERRIDE &&
	    draft_place(draft, "directory")->rank != RANK_OVERRIDE)
		job->directory = NULL;
	/* As in fio, [/dev/sdb] is a job on that device. */
	if (!job->filename && !job->directory && job->section[0] == '/' && job->nr_files == 1 &&
	    is_device(job->section))
		job->filename = escape_colons(job->section, parser->arena);
	if (job->filename)
		job->nr_files = count_files(parser, job);
}

static unsigned unsigned_min(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static void finish_depths(struct job *job)
{
	if (job->iodepth_batch == 0 || job->iodepth_batch > job->iodepth)
		job->iodepth_batch = job->iodepth;
	if (job->iodepth_low == 0 || job->iodepth_low > job->iodepth)
		job->iodepth_low = job->iodepth;
	if (job->iodepth_batch_complete_max < job->iodepth_batch_complete_min)
		job->iodepth_batch_complete_max = job->iodepth_batch_complete_min;
	if (job->iodepth_batch_complete_max == 0)
		job->iodepth_batch_complete_max = 1;
	job->iodepth_batch_complete_min =
		unsigned_min(job->iodepth_batch_complete_min, job->iodepth);
	job->iodepth_batch_complete_max =
		unsigned_min(job->iodepth_batch_complete_max, job->iodepth);
}

/* Sizes in zones; draft_check() refuses those that do not fit. */
static void finish_zones(struct job *job)
{
	struct size_spec *const sizes[] = { &job->size, &job->io_size, &job->offset,
					    &job->offset_increment, &job->zone_skip };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		if (sizes[i]->zones)
			sizes[i]->bytes = sizes[i]->zones * job->zone_size_bytes;
	}
	job->zone_skip_bytes = job->zone_skip.bytes;
}

/* bssplit gives the ends of the range; what makes a map of used blocks senseless turns it off. */
static void finish_blocks(struct parser *parser, struct draft *draft)
{
	struct job *job = &draft->job;
	bool is_aligned_apart = false;

	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++) {
		const struct bs_split *split = &job->bs_split[dir];

		if (split->nr > 0) {
			job->bs_min_bytes[dir] = split->items[0].bytes;
			job->bs_max_bytes[dir] = split->items[split->nr - 1].bytes;
		}
		is_aligned_apart |= job_does(job, dir) && job->ba_bytes[dir] &&
				    job->ba_bytes[dir] != job->bs_min_bytes[dir];
	}
	if (job->zone_range_bytes == 0)
		job->zone_range_bytes = job->zone_size_bytes;
	finish_zones(job);
	if (!is_aligned_apart || job->norandommap || !(job->rw & RW_RANDOM))
		return;
	warning_add(&parser->warnings, parser->arena, draft_place(draft, "ba"),
		    "a blockalign other than the block size turns norandommap on");
	job->norandommap = true;
}

static void finish_times(struct parser *parser, struct draft *draft)
{
	struct job *job = &draft->job;

	if (job->time_based && job->runtime_ns == 0) {
		warning_add(&parser->warnings, parser->arena, draft_place(draft, "time_based"),
			    "time_based is ignored without a runtime");
		job->time_based = false;
	}
	if (job->steady_duration_ns == 0 && draft_place(draft, "steadystate")->rank != RANK_BUILTIN)
		warning_add(&parser->warnings, parser->arena, draft_place(draft, "steadystate"),
			    "steadystate is ignored without a steadystate_duration");
	if (job->thinktime_spin_ns > job->thinktime_ns)
		job->thinktime_spin_ns = job->thinktime_ns;
}

/* fio's rules: stonewall and new_group start a group unless the current one is still empty. */
static void finish_groups(struct parser *parser, struct job *job)
{
	if ((job->stonewall || job->new_group) && parser->nr_in_group > 0) {
		parser->group_id++;
		parser->nr_in_group = 0;
	}
	if (job->stonewall && parser->nr_in_phase > 0) {
		parser->phase++;
		parser->nr_in_phase = 0;
	}
	job->group_id = parser->group_id;
	job->phase = parser->phase;
	parser->nr_in_group++;
	parser->nr_in_phase++;
}

int draft_finish(struct parser *parser, struct draft *draft, struct err *err)
{
	struct job *job = &draft->job;

	if (!job->name)
		job->name = job->section;
	if (draft_place(draft, "randseed")->rank != RANK_BUILTIN)
		job->randrepeat = true; /* a seed is given to repeat what it yields */
	if (parser->is_wall_next)
		job->stonewall = true;
	parser->is_wall_next = false;
	job->ioengine = engine_name(job->ioengine);
	job->direct |= job->engine.atomic;
	finish_files(parser, draft);
	finish_depths(job);
	finish_blocks(parser, draft);
	if (job->verify_pattern && draft_place(draft, "verify")->rank == RANK_BUILTIN)
		job->verify = VERIFY_PATTERN; /* as in fio */
	if (job->fio_strict && draft_place(draft, "verify_state_save")->rank == RANK_BUILTIN)
		job->verify_state_save = true;
	finish_times(parser, draft);
	finish_groups(parser, job);

	job->first_clone = (unsigned)parser->nr_clones;
	parser->nr_clones += job->nr_clones;
	if (parser->nr_clones > JOB_MAX_CLONES)
		return draft_refuse(draft, "numjobs", err,
				    "the jobs up to '%s' make %zu clones; %d are possible",
				    job->name, parser->nr_clones, JOB_MAX_CLONES);
	return 0;
}
