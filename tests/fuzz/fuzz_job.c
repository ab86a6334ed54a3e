/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any text as a job file, or as a command line when it starts with '-': refused in one line, or
 * jobs that are within their limits. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "job/job_parse.h"
#include "model/job.h"

#define MAX_FILES_NAMED 1000 /* a job may have a million; naming them all finds nothing new */

static void require(int condition)
{
	if (!condition)
		abort();
}

static void check_names(const struct job *job)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	const char *const *names;
	size_t nr;

	if (job->nr_files > MAX_FILES_NAMED)
		return;
	names = job_file_names(job, job->nr_clones - 1, &arena, &nr);
	require(nr == job->nr_files && nr > 0);
	for (size_t i = 0; i < nr; i++)
		require(names[i] != NULL);
}

static void check_job(const struct job *job, size_t first_clone)
{
	for (int dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
		require(job->bs_min_bytes[dir] > 0);
		require(job->bs_min_bytes[dir] <= job->bs_max_bytes[dir]);
	}
	require(job->name && job->section && job->ioengine && job->filename_format);
	require(job->rw & RW_DIR_MASK);
	require(job->iodepth > 0 && job->nr_clones > 0 && job->loops > 0);
	require(job->iodepth_batch > 0 && job->iodepth_batch <= job->iodepth);
	require(job->iodepth_low > 0 && job->iodepth_low <= job->iodepth);
	require(job->iodepth_batch_complete_min <= job->iodepth_batch_complete_max);
	require(job->rwmix_read_percent <= 100 && job->size.percent <= 100);
	require(job->startdelay_min_ns <= job->startdelay_max_ns);
	require(job->nr_percentiles <= JOB_MAX_PERCENTILES);
	for (size_t i = 1; i < job->nr_percentiles; i++)
		require(job->percentiles[i - 1] <= job->percentiles[i]);
	require(job->first_clone == first_clone);
	check_names(job);
}

static void check_set(const struct job_set *set)
{
	size_t nr_clones = 0;

	require(set->nr > 0);
	for (size_t i = 0; i < set->nr; i++) {
		check_job(&set->jobs[i], nr_clones);
		nr_clones += set->jobs[i].nr_clones;
		require(i == 0 || set->jobs[i].phase >= set->jobs[i - 1].phase);
		require(i == 0 || set->jobs[i].group_id >= set->jobs[i - 1].group_id);
	}
	require(set->nr_clones == nr_clones);
}

static void check_parse(const struct job_parse_config *config)
{
	struct err err = { .code = (enum err_code)0 };
	struct job_set set = { .nr = 0 };
	int ret = job_parse(config, &set, &err);

	if (ret == 0) {
		check_set(&set);
		job_set_release(&set);
		return;
	}
	require(ret == -(int)err.code);
	require(err.msg[0] && !strchr(err.msg, '\n'));
}

/* One word a line. Files are left out: their names are of no interest here. */
static void check_words(char *text)
{
	VEC(const char *) words = VEC_INIT;
	struct job_parse_config config = { .command_line_wins = true };

	for (char *word; (word = strsep(&text, "\n"));) {
		if (word[0] == '-' && word[1])
			vec_push(&words, word);
	}
	config.words = words.items;
	config.nr_words = words.nr;
	check_parse(&config);
	vec_release(&words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const struct job_parse_text file = { "fuzz", (const char *)data, len };
	struct job_parse_config config = { .texts = &file, .nr_texts = 1 };
	CLEANUP(free) char *text = NULL;

	if (len == 0 || data[0] != '-') {
		check_parse(&config);
		config.fio_strict = true;
		check_parse(&config);
		return 0;
	}
	text = xstrndup((const char *)data, len);
	check_words(text);
	return 0;
}
