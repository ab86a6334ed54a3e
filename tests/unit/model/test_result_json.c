/* SPDX-License-Identifier: GPL-2.0-or-later */
/* result_json: nothing is lost on the way out and back. */
#include "model/result_json.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "model/result.h"
#include "model/steady.h"
#include "sample_result.h"
#include "test.h"

/* ---- random results ---- */

static uint64_t any_u64(struct rng *rng)
{
	return rng_next(rng) >> rng_below(rng, 64);
}

static char *any_text(struct rng *rng)
{
	size_t len = rng_below(rng, 12);
	char *text = xcalloc(len + 1, 1);

	for (size_t i = 0; i < len; i++) /* quotes, controls and broken UTF-8 included */
		text[i] = (char)(1 + rng_below(rng, 255));
	return text;
}

static char *any_text_or_null(struct rng *rng)
{
	return rng_below(rng, 3) ? any_text(rng) : NULL;
}

static double any_real(struct rng *rng)
{
	static const double special[] = { 0, 0.1, 1e300, DBL_MIN, DBL_MAX, -1.5, 1.0 / 3 };

	if (rng_below(rng, 2))
		return special[rng_below(rng, sizeof(special) / sizeof(special[0]))];
	return rng_double(rng) * 1e6;
}

static void any_latency(struct rng *rng, struct latency *latency)
{
	struct hist *hist;

	if (!rng_below(rng, 3))
		return;
	latency->moments = (struct moments){
		.n = rng_below(rng, 1000000),
		.min = any_u64(rng),
		.sum = any_u64(rng),
		.sum_sq = (unsigned __int128)any_u64(rng) << 64 | any_u64(rng),
	};
	latency->moments.max = latency->moments.min | any_u64(rng);
	if (!rng_below(rng, 4))
		return; /* imported without a histogram */
	hist = latency_need_hist(latency);
	for (uint64_t left = latency->moments.n; left;) {
		uint64_t count = 1 + rng_below(rng, left);

		hist->counts[rng_below(rng, HIST_NR_BUCKETS)] += count;
		left -= count;
	}
}

static void any_running(struct rng *rng, struct running *running)
{
	if (rng_below(rng, 3))
		*running = (struct running){
			.n = 1 + any_u64(rng) / 2,
			.mean = any_real(rng),
			.sum_sq_dev = any_real(rng),
			.min = any_real(rng),
			.max = any_real(rng),
		};
}

static void any_depths(struct rng *rng, uint64_t *depths)
{
	for (size_t i = 0; i < RESULT_NR_DEPTHS; i++)
		depths[i] = any_u64(rng);
}

static void any_dir(struct rng *rng, struct dir_result *dir)
{
	dir->total_ios = any_u64(rng);
	dir->io_bytes = any_u64(rng);
	dir->short_ios = any_u64(rng);
	dir->drop_ios = any_u64(rng);
	dir->runtime_ms = any_u64(rng);
	dir->runtime_ns = any_u64(rng);
	for (size_t kind = 0; kind < LATENCY_NR_KINDS; kind++)
		any_latency(rng, &dir->latency[kind]);
	any_running(rng, &dir->bw_kib_per_sec);
	any_running(rng, &dir->iops);
}

static void any_given(struct rng *rng, struct given_list *list)
{
	for (size_t i = rng_below(rng, 4); i; i--) {
		CLEANUP(free) char *text = any_text(rng);
		CLEANUP(free) char *name = xasprintf("%zu%s", i, text); /* none twice */
		struct given_metric *metric =
			given_append(list, name, rng_double(rng) * 1e12, (unsigned)rng_next(rng));

		if (rng_below(rng, 2))
			continue;
		metric->stddev_percent = rng_below(rng, 2) ? rng_double(rng) * 100 : (double)NAN;
		metric->nr_runs = (unsigned)rng_below(rng, 20);
		metric->change = rng_below(rng, 2) ? rng_double(rng) * 200 - 100 : (double)NAN;
		metric->source_name = any_text_or_null(rng);
	}
}

static void any_timeline(struct rng *rng, struct timeline *timeline)
{
	uint64_t us = any_u64(rng) / 4, count = any_u64(rng) / 4;

	for (size_t i = rng_below(rng, 6); i; i--) {
		us += 1 + rng_below(rng, 1000000);
		count += rng_below(rng, 1000000);
		timeline_add(timeline, us, count);
	}
}

static struct steady_result *any_steady(struct rng *rng)
{
	struct steady_result *steady = xcalloc(1, sizeof(*steady));

	steady->rule.metric = (unsigned)rng_below(rng, STEADY_NR_METRICS);
	steady->rule.is_slope = rng_below(rng, 2);
	steady->rule.is_percent = rng_below(rng, 2);
	steady->rule.limit = rng_double(rng);
	steady->duration_s = any_u64(rng);
	steady->is_attained = rng_below(rng, 2);
	steady->spread = rng_double(rng) - 0.5;
	steady->criterion = rng_double(rng) - 0.5;
	steady->nr = rng_below(rng, 5);
	steady->samples = xcalloc(steady->nr + 1, sizeof(*steady->samples));
	for (size_t i = 0; i < steady->nr; i++)
		steady->samples[i] =
			(struct steady_sample){ any_u64(rng), any_u64(rng), any_u64(rng) };
	return steady;
}

static void any_job(struct rng *rng, struct job_result *job)
{
	job->name = any_text_or_null(rng);
	job->description = any_text_or_null(rng);
	job->rw = any_text_or_null(rng);
	job->ioengine = any_text_or_null(rng);
	job->iodepth = (unsigned)rng_next(rng);
	job->group_id = (unsigned)rng_next(rng);
	job->phase = (unsigned)rng_next(rng);
	job->nr_clones = (unsigned)rng_next(rng);
	job->tid = (int64_t)rng_next(rng);
	job->ended_at_unix_s = (int64_t)rng_next(rng);
	job->error = (int)rng_below(rng, 4096);
	job->error_where = any_text_or_null(rng);
	job->nr_errors = any_u64(rng);
	for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
		job->bs_min_bytes[dir] = any_u64(rng);
		job->bs_max_bytes[dir] = any_u64(rng);
		any_dir(rng, &job->dir[dir]);
	}
	any_latency(rng, &job->sync);
	job->sync_ios = any_u64(rng);
	job->wall_ms = any_u64(rng);
	job->usr_ms = any_u64(rng);
	job->sys_ms = any_u64(rng);
	job->region_bytes = any_u64(rng);
	job->context_switches = any_u64(rng);
	job->major_faults = any_u64(rng);
	job->minor_faults = any_u64(rng);
	any_depths(rng, job->depth_at_submit);
	any_depths(rng, job->per_submit);
	any_depths(rng, job->per_complete);
	job->kb_base = rng_below(rng, 2) ? 1000 : 1024;
	job->group_reporting = rng_below(rng, 2);
	job->has_slat = rng_below(rng, 2);
	job->clat_percentiles = rng_below(rng, 2);
	job->lat_percentiles = rng_below(rng, 2);
	job->slat_percentiles = rng_below(rng, 2);
	job->unified_rw = (unsigned)rng_next(rng);
	job->unit_base = (unsigned)rng_next(rng);
	job->significant_figures = (unsigned)rng_next(rng);
	job->is_silent = rng_below(rng, 2);
	job->shows_errors = rng_below(rng, 2);
	job->latency_target_ns = any_u64(rng);
	job->latency_window_us = any_u64(rng);
	job->latency_percentile = rng_double(rng) * 100;
	job->latency_depth = (unsigned)rng_next(rng);
	if (rng_below(rng, 2))
		job->steady = any_steady(rng);
	job->nr_percentiles = rng_below(rng, 4);
	job->percentiles =
		job->nr_percentiles ? xcalloc(job->nr_percentiles, sizeof(double)) : NULL;
	for (size_t i = 0; i < job->nr_percentiles; i++)
		job->percentiles[i] = (double)i * 33 + rng_double(rng);
	for (size_t i = rng_below(rng, 4); i; i--) {
		CLEANUP(free) char *key = any_text(rng);
		CLEANUP(free) char *value = any_text(rng);

		job_result_add_option(job, key, value);
	}
	any_given(rng, &job->given);
}

static void any_disk(struct rng *rng, struct result *result)
{
	CLEANUP(free) char *name = any_text(rng);
	struct disk_result *disk =
		result_add_disk(result, name, (int)rng_below(rng, result->nr_disks + 1) - 1);

	for (size_t i = 0; i < 2; i++) {
		disk->ios[i] = any_u64(rng);
		disk->merges[i] = any_u64(rng);
		disk->sectors[i] = any_u64(rng);
		disk->ticks_ms[i] = any_u64(rng);
	}
	disk->in_queue_ms = any_u64(rng);
	disk->io_ticks_ms = any_u64(rng);
	disk->wall_ms = any_u64(rng);
}

static void any_result(struct rng *rng, struct result *result)
{
	result->label = any_text_or_null(rng);
	result->workload = any_text_or_null(rng);
	result->tool = any_text_or_null(rng);
	result->tool_version = any_text_or_null(rng);
	result->target = any_text_or_null(rng);
	result->source_file = any_text_or_null(rng);
	result->source_line = (unsigned)rng_next(rng);
	result->method_version = (unsigned)rng_next(rng);
	result->started_at_unix_ms = (int64_t)rng_next(rng);
	result->elapsed_ms = any_u64(rng);
	result->seed = rng_next(rng);
	result->clock = any_text_or_null(rng);
	result->interrupted = rng_below(rng, 2);
	for (size_t i = rng_below(rng, 4); i; i--)
		any_job(rng, result_add_job(result));
	any_given(rng, &result->given);
	for (size_t i = 0, nr = rng_below(rng, 9); i < nr; i++) {
		CLEANUP(free) char *name = xasprintf("iostat.sd%zu.%%rrqm", i);

		(void)given_append(&result->monitored, name, rng_double(rng) * 1e9 - 5e8, 0);
	}
	for (size_t i = rng_below(rng, 5); i; i--)
		any_disk(rng, result);
	for (size_t i = rng_below(rng, 3); i; i--)
		any_timeline(rng, result_add_timeline(result));
	for (size_t i = rng_below(rng, 5); i; i--) {
		CLEANUP(free) char *key = any_text(rng);
		CLEANUP(free) char *value = any_text(rng);

		result_add_env(result, key, value);
		result_add_setting(result, value, key);
		result_add_global_option(result, key, value);
		result_add_attachment(result, value, key);
		note_add(&result->notes, (enum note_id)rng_below(rng, NOTE_NR_IDS), "%s", value);
	}
}

/* ---- equality, without the code under test ---- */

static void assert_same_text(const char *a, const char *b)
{
	assert_int_equal(!a, !b);
	if (a)
		assert_string_equal(a, b);
}

static void assert_same_pairs(const struct result_pair *a, size_t nr_a, const struct result_pair *b,
			      size_t nr_b)
{
	assert_int_equal(nr_a, nr_b);
	for (size_t i = 0; i < nr_a; i++) {
		assert_same_text(a[i].key, b[i].key);
		assert_same_text(a[i].value, b[i].value);
	}
}

/* Compares the histograms and forgets them, so that the rest can be compared as memory. */
static void assert_same_hists(struct latency *a, struct latency *b)
{
	assert_int_equal(!a->hist, !b->hist);
	if (a->hist)
		assert_memory_equal(a->hist, b->hist, sizeof(*a->hist));
	a->hist = b->hist = NULL;
}

static void assert_same_real(double a, double b)
{
	assert_int_equal(isnan(a), isnan(b));
	if (!isnan(a))
		assert_memory_equal(&a, &b, sizeof(a));
}

static void assert_same_given(const struct given_list *a, const struct given_list *b)
{
	assert_int_equal(a->nr, b->nr);
	for (size_t i = 0; i < a->nr; i++) {
		const struct given_metric *left = &a->items[i], *right = &b->items[i];

		assert_string_equal(left->name, right->name);
		assert_memory_equal(&left->value, &right->value, sizeof(left->value));
		assert_int_equal(left->line, right->line);
		assert_int_equal(left->nr_runs, right->nr_runs);
		assert_same_real(left->stddev_percent, right->stddev_percent);
		assert_same_real(left->change, right->change);
		assert_int_equal(!left->source_name, !right->source_name);
		if (left->source_name)
			assert_string_equal(left->source_name, right->source_name);
	}
}

static void forget_job_pointers(struct job_result *job)
{
	job->name = job->description = job->rw = job->ioengine = job->error_where = NULL;
	job->percentiles = NULL;
	job->options = NULL;
	job->given.items = NULL;
	job->steady = NULL;
}

static void assert_same_steady(const struct steady_result *a, const struct steady_result *b)
{
	struct steady_result rest_a, rest_b;

	assert_int_equal(a != NULL, b != NULL);
	if (!a)
		return;
	assert_int_equal(a->nr, b->nr);
	assert_memory_equal(a->samples, b->samples, a->nr * sizeof(*a->samples));
	rest_a = *a;
	rest_b = *b;
	rest_a.samples = rest_b.samples = NULL;
	assert_memory_equal(&rest_a, &rest_b, sizeof(rest_a));
}

static void assert_same_jobs(const struct job_result *a, const struct job_result *b)
{
	struct job_result rest_a = *a;
	struct job_result rest_b = *b;

	assert_same_text(a->name, b->name);
	assert_same_text(a->description, b->description);
	assert_same_text(a->rw, b->rw);
	assert_same_text(a->ioengine, b->ioengine);
	assert_same_text(a->error_where, b->error_where);
	assert_same_pairs(a->options, a->nr_options, b->options, b->nr_options);
	assert_same_given(&a->given, &b->given);
	assert_same_steady(a->steady, b->steady);
	assert_int_equal(a->nr_percentiles, b->nr_percentiles);
	if (a->nr_percentiles)
		assert_memory_equal(a->percentiles, b->percentiles,
				    a->nr_percentiles * sizeof(double));
	for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
		for (size_t kind = 0; kind < LATENCY_NR_KINDS; kind++)
			assert_same_hists(&rest_a.dir[dir].latency[kind],
					  &rest_b.dir[dir].latency[kind]);
	}
	assert_same_hists(&rest_a.sync, &rest_b.sync);
	forget_job_pointers(&rest_a);
	forget_job_pointers(&rest_b);
	assert_memory_equal(&rest_a, &rest_b, sizeof(rest_a));
}

static void assert_same_results(const struct result *a, const struct result *b)
{
	assert_same_text(a->label, b->label);
	assert_same_text(a->tool, b->tool);
	assert_same_text(a->tool_version, b->tool_version);
	assert_same_text(a->target, b->target);
	assert_same_text(a->clock, b->clock);
	assert_same_text(a->source_file, b->source_file);
	assert_int_equal(a->source_line, b->source_line);
	assert_same_given(&a->given, &b->given);
	assert_same_given(&a->monitored, &b->monitored);
	assert_int_equal(a->method_version, b->method_version);
	assert_true(a->started_at_unix_ms == b->started_at_unix_ms);
	assert_true(a->elapsed_ms == b->elapsed_ms);
	assert_true(a->seed == b->seed);
	assert_int_equal(a->interrupted, b->interrupted);
	assert_int_equal(a->nr_jobs, b->nr_jobs);
	for (size_t i = 0; i < a->nr_jobs; i++)
		assert_same_jobs(&a->jobs[i], &b->jobs[i]);
	assert_int_equal(a->nr_disks, b->nr_disks);
	for (size_t i = 0; i < a->nr_disks; i++) {
		struct disk_result rest_a = a->disks[i];
		struct disk_result rest_b = b->disks[i];

		assert_same_text(rest_a.name, rest_b.name);
		rest_a.name = rest_b.name = NULL;
		assert_memory_equal(&rest_a, &rest_b, sizeof(rest_a));
	}
	assert_int_equal(a->nr_timelines, b->nr_timelines);
	for (size_t i = 0; i < a->nr_timelines; i++) {
		const struct timeline *line = &a->timelines[i];

		assert_int_equal(line->nr, b->timelines[i].nr);
		for (size_t j = 0; j < line->nr; j++) {
			assert_true(line->elapsed_us[j] == b->timelines[i].elapsed_us[j]);
			assert_true(line->count[j] == b->timelines[i].count[j]);
		}
	}
	assert_same_pairs(a->env, a->nr_env, b->env, b->nr_env);
	assert_same_pairs(a->attachments, a->nr_attachments, b->attachments, b->nr_attachments);
	assert_same_pairs(a->settings, a->nr_settings, b->settings, b->nr_settings);
	assert_same_pairs(a->global_options, a->nr_global_options, b->global_options,
			  b->nr_global_options);
	assert_int_equal(a->notes.nr, b->notes.nr);
	for (size_t i = 0; i < a->notes.nr; i++) {
		assert_int_equal(a->notes.items[i].id, b->notes.items[i].id);
		assert_same_text(a->notes.items[i].text, b->notes.items[i].text);
	}
}

static void read_back(const char *text, struct result *ret_result)
{
	struct err err = { .code = (enum err_code)0 };

	if (result_from_json(text, strlen(text), ret_result, &err) != 0)
		fail_msg("%s", err.msg);
}

static void test_random_results_round_trip(void **state)
{
	struct rng rng;

	(void)state;
	rng_init(&rng, 20240531);
	for (int i = 0; i < 300; i++) {
		CLEANUP(result) struct result before = { .label = NULL };
		CLEANUP(result) struct result after = { .label = NULL };
		CLEANUP(free) char *text = NULL;

		any_result(&rng, &before);
		text = result_to_json(&before, i % 2);
		read_back(text, &after);
		assert_same_results(&before, &after);
	}
}

/* A field added to a struct must be added to result_json.c, to any_job() above and to a new
 * version of the archive; then this number may change. */
static void test_no_field_is_forgotten(void **state)
{
	(void)state;
	if (sizeof(void *) != 8)
		test_skip("the sizes are those of a 64-bit machine");
	assert_int_equal(sizeof(struct result), 272);
	assert_int_equal(sizeof(struct job_result), 1712);
	assert_int_equal(sizeof(struct dir_result), 384);
	assert_int_equal(sizeof(struct disk_result), 104);
}

static void test_sample_round_trip(void **state)
{
	CLEANUP(result) struct result before = { .label = NULL };
	CLEANUP(result) struct result after = { .label = NULL };
	CLEANUP(free) char *text = NULL;

	(void)state;
	sample_result(&before);
	text = result_to_json(&before, 0);
	assert_null(strchr(text, '\n'));
	read_back(text, &after);
	assert_same_results(&before, &after);
}

/* Reals that are no numbers are kept as such and never break the document. */
static void test_not_a_number(void **state)
{
	CLEANUP(result) struct result before = { .label = NULL };
	CLEANUP(result) struct result after = { .label = NULL };
	CLEANUP(free) char *text = NULL;

	(void)state;
	result_add_job(&before)->dir[IO_READ].iops =
		(struct running){ .n = 1, .mean = NAN, .max = INFINITY };
	text = result_to_json(&before, 0);
	read_back(text, &after);
	assert_true(isnan(after.jobs[0].dir[IO_READ].iops.mean));
	assert_true(isnan(after.jobs[0].dir[IO_READ].iops.max));
}

static void assert_archive_opens(const char *name, void (*build)(struct result *result))
{
	const char *root = getenv("REGIO_SOURCE_ROOT");
	CLEANUP(result) struct result expected = { .label = NULL };
	CLEANUP(result) struct result read = { .label = NULL };
	CLEANUP(free) char *path = xasprintf("%s/tests/data/archive/%s", root ? root : ".", name);
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;

	assert_int_equal(file_read(path, 16U << 20, &text, NULL), 0);
	read_back(strbuf_str(&text), &read);
	build(&expected);
	assert_same_results(&expected, &read);
}

static void test_version_1_opens(void **state)
{
	(void)state;
	assert_archive_opens("result-v1.json", sample_result);
}

static void test_version_2_opens(void **state)
{
	(void)state;
	assert_archive_opens("result-v2.json", sample_imported_result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_results_round_trip),
		cmocka_unit_test(test_no_field_is_forgotten),
		cmocka_unit_test(test_sample_round_trip),
		cmocka_unit_test(test_not_a_number),
		cmocka_unit_test(test_version_1_opens),
		cmocka_unit_test(test_version_2_opens),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
