/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare_store: stored samples by columns; archives only where columns do not say it all. */
#include "cmd/compare_store.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/side.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/suggest.h"
#include "cmd/compare.h"
#include "cmd/report_text.h"
#include "model/metric_digest.h"
#include "model/result.h"
#include "store/store.h"

struct loader {
	const struct compare *compare;
	struct store *store;
	struct store_sample sample;
	struct side *side;
	struct store_run_list runs;
	struct store_matrix matrix;
	struct cohort **cohorts; /* of each run, NULL: takes no part */
};

static void loader_release(struct loader *loader)
{
	store_run_list_release(&loader->runs);
	store_matrix_release(&loader->matrix);
	free(loader->cohorts);
	store_close(loader->store);
}
CLEANUP_DEFINE(loader, struct loader, loader_release)

/* ---- runs ---- */

static void add_column_values(const struct loader *loader, struct cohort *cohort, size_t column)
{
	const struct store_matrix *matrix = &loader->matrix;

	for (size_t i = 0; i < matrix->nr_metrics; i++) {
		double value = matrix->values[i * matrix->nr_runs + column];

		if (!isnan(value))
			(void)cohort_add_value(cohort, matrix->metrics[i], value);
	}
}

static struct cohort_run run_of(const struct loader *loader, const struct store_run *run,
				size_t column)
{
	const struct store_matrix *matrix = &loader->matrix;
	struct cohort_run out = { .error = run->error,
				  .started_at_unix_ms = run->started_at_unix_ms };

	for (size_t i = 0; i < matrix->nr_metrics; i++) {
		double value = matrix->values[i * matrix->nr_runs + column];

		if (isnan(value))
			continue;
		out.digest += metric_digest(matrix->metrics[i], value);
		out.nr_metrics++;
	}
	return out;
}

/* What the columns do not have but every run of the cohort shares: names in LKP's tables. */
static int add_names(const struct loader *loader, struct cohort *cohort,
		     const struct store_run *run, struct err *err)
{
	CLEANUP(result) struct result result = { .nr_jobs = 0 };
	int ret = store_get_result(loader->store, run->id, &result, err);

	for (size_t i = 0; ret == 0 && i < result.nr_env; i++) {
		if (!strncmp(result.env[i].key, COHORT_LKP_PREFIX, strlen(COHORT_LKP_PREFIX)))
			cohort_add_lkp(cohort, result.env[i].key, result.env[i].value);
	}
	for (size_t i = 0; ret == 0 && i < result.given.nr; i++) {
		const struct given_metric *given = &result.given.items[i];

		if (given->source_name)
			cohort_add_source_name(cohort, given->name, given->source_name);
	}
	return ret;
}

static int add_plain_run(struct loader *loader, size_t index, size_t column, struct err *err)
{
	const struct store_run *run = &loader->runs.items[index];
	struct cohort *cohort = side_cohort(loader->side, run->workload);
	struct cohort_run cohort_run = run_of(loader, run, column);
	bool is_first = cohort->runs.nr == 0;

	if (*run->tool)
		side_add_env(loader->side, "tool.name", run->tool);
	if (*run->tool_version)
		side_add_env(loader->side, "tool.version", run->tool_version);
	if (!cohort_begin_run(cohort, &cohort_run))
		return 0;
	add_column_values(loader, cohort, column);
	loader->cohorts[index] = cohort;
	return is_first && *run->source ? add_names(loader, cohort, run, err) : 0;
}

static int add_archived_run(struct loader *loader, const struct store_run *run, struct err *err)
{
	CLEANUP(result) struct result result = { .nr_jobs = 0 };
	int ret = store_get_result(loader->store, run->id, &result, err);

	if (ret == 0)
		side_add_result(loader->side, &result, compare_jobs(loader->compare));
	return ret;
}

/* The matrix has the used runs in the order of the list. */
static int add_runs(struct loader *loader, struct err *err)
{
	size_t column = 0;

	for (size_t i = 0; i < loader->runs.nr; i++) {
		const struct store_run *run = &loader->runs.items[i];
		int ret = 0;

		if (!run->used)
			continue;
		while (column < loader->matrix.nr_runs && loader->matrix.runs[column] != run->id)
			column++;
		if (run->is_plain && column < loader->matrix.nr_runs)
			ret = add_plain_run(loader, i, column, err);
		else
			ret = add_archived_run(loader, run, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

/* ---- what goes with them ---- */

static void take_histogram(void *context, const struct store_hist *hist)
{
	struct loader *loader = context;

	for (size_t i = 0; i < loader->runs.nr; i++) {
		if (loader->runs.items[i].id == hist->run && loader->cohorts[i])
			cohort_add_histogram(loader->cohorts[i], hist->dir, hist->kind, hist->hist);
	}
}

/* The texts whose digests the runs have: NAME_sha256. */
static int add_attachments(struct loader *loader, struct err *err)
{
	static const char ending[] = "_sha256";
	struct side *side = loader->side;

	for (size_t i = 0; i < side->env.nr; i++) {
		const struct result_pair *pair = &side->env.items[i];
		size_t len = strlen(pair->key);
		CLEANUP(free) char *name = NULL;
		CLEANUP(free) char *text = NULL;
		int ret;

		if (len < sizeof(ending) || strcmp(pair->key + len + 1 - sizeof(ending), ending))
			continue;
		name = xstrndup(pair->key, len + 1 - sizeof(ending));
		ret = store_get_attachment(loader->store, name, pair->value, &text, err);
		if (ret < 0)
			return ret;
		if (text)
			side_add_attachment(side, name, text);
	}
	return 0;
}

static int add_facts(struct loader *loader, struct err *err)
{
	CLEANUP(store_facts) struct store_facts facts = { .nr_env = 0 };
	struct side *side = loader->side;
	int ret = store_sample_facts(loader->store, &loader->sample, &facts, err);

	if (ret < 0)
		return ret;
	for (size_t i = 0; i < facts.nr_env; i++) {
		if (strncmp(facts.env[i].key, COHORT_LKP_PREFIX, strlen(COHORT_LKP_PREFIX)) != 0)
			side_add_env(side, facts.env[i].key, facts.env[i].value);
	}
	for (size_t i = 0; i < facts.nr_settings; i++)
		side_add_setting(side, facts.settings[i].key, facts.settings[i].value);
	note_list_append(&side->notes, &facts.notes);
	return add_attachments(loader, err);
}

/* `regio ab` stops when it likes what it sees: the number of runs is part of the result. */
static int add_experiments(struct loader *loader, struct err *err)
{
	int64_t last = 0;

	for (size_t i = 0; i < loader->runs.nr; i++) {
		CLEANUP(free) char *kind = NULL;
		int ret;

		if (loader->runs.items[i].experiment == last)
			continue;
		last = loader->runs.items[i].experiment;
		ret = store_experiment_kind(loader->store, last, &kind, err);
		if (ret < 0)
			return ret;
		if (!strcmp(kind, "ab"))
			note_add(&loader->side->notes, NOTE_CHOSEN_RUNS,
				 "experiment %lld ended when its own verdict was found",
				 (long long)last);
	}
	return 0;
}

/* ---- the sample ---- */

/* "7:A" is label A of experiment 7, unless there is a label "7:A". */
static void parse_operand(const char *operand, struct store_sample *ret_sample)
{
	size_t len = strspn(operand, "0123456789");

	*ret_sample = (struct store_sample){ .label = operand };
	if (len == 0 || len > 18 || operand[len] != ':')
		return;
	ret_sample->experiment = (int64_t)strtoll(operand, NULL, 10);
	ret_sample->label = operand + len + 1;
}

static int refuse_label(struct loader *loader, const char *operand, struct err *err)
{
	CLEANUP(store_run_list) struct store_run_list all = { .nr = 0 };
	struct suggest suggest = suggest_for(operand);
	int ret = store_list_runs(loader->store, &(struct store_sample){ .experiment = 0 }, &all,
				  err);

	if (ret < 0)
		return ret;
	for (size_t i = 0; i < all.nr; i++)
		suggest_offer(&suggest, all.items[i].label);
	return err_set(err, ERR_USAGE, "'%s' is neither a file nor a label in the store %s%s%s%s",
		       operand, store_path(loader->store),
		       suggest_best(&suggest) ? "; did you mean '" : "",
		       suggest_best(&suggest) ? suggest_best(&suggest) : "",
		       suggest_best(&suggest) ? "'?" : "");
}

/* The newest experiment with a run that counts, and how many there are. */
static int64_t newest_experiment(const struct store_run_list *runs, size_t *ret_nr)
{
	int64_t newest = 0;

	*ret_nr = 0;
	for (size_t i = 0; i < runs->nr; i++) {
		const struct store_run *run = &runs->items[i];

		*ret_nr += run->used && run->experiment != newest;
		newest = run->used ? run->experiment : newest;
	}
	return newest;
}

/* ab and matrix give the labels themselves, so equal ones of two sessions have nothing to do with
 * each other; those of run and import were chosen to be one sample. */
static bool is_session(const char *kind)
{
	return !strcmp(kind, "ab") || !strcmp(kind, "matrix");
}

/* Of the sessions that have the label, the newest. */
static int keep_newest_session(struct loader *loader, const char *operand, struct err *err)
{
	CLEANUP(free) char *kind = NULL;
	size_t nr;
	int64_t newest = newest_experiment(&loader->runs, &nr);
	int ret;

	if (nr < 2)
		return 0;
	ret = store_experiment_kind(loader->store, newest, &kind, err);
	if (ret < 0 || !is_session(kind))
		return ret;
	note_add(
		&loader->side->notes, NOTE_NEWEST_SESSION,
		"this is session %lld (%s), the newest of %zu with that label; another one is N:%s",
		(long long)newest, kind, nr, operand);
	loader->sample.experiment = newest;
	store_run_list_release(&loader->runs);
	return store_list_runs(loader->store, &loader->sample, &loader->runs, err);
}

static int list_runs(struct loader *loader, const char *operand, struct err *err)
{
	int ret;

	loader->sample = (struct store_sample){ .label = operand };
	ret = store_list_runs(loader->store, &loader->sample, &loader->runs, err);
	if (ret == 0 && loader->runs.nr)
		return keep_newest_session(loader, operand, err);
	if (ret < 0)
		return ret;
	parse_operand(operand, &loader->sample);
	ret = store_list_runs(loader->store, &loader->sample, &loader->runs, err);
	if (ret < 0 || loader->runs.nr)
		return ret;
	return refuse_label(loader, operand, err);
}

static int open_store(struct loader *loader, const char *operand, struct err *err)
{
	CLEANUP(free) char *path = store_path_resolve(loader->compare->config->store_path, err);

	if (!path)
		return -ERR_USAGE;
	/* asking is no reason to make one */
	if (!file_exists(path))
		return err_set(err, ERR_USAGE, "'%s' is not a file, and there is no store %s yet",
			       operand, path);
	return store_open(path, &loader->store, err);
}

static int load(struct loader *loader, const char *operand, struct err *err)
{
	int ret = open_store(loader, operand, err);

	if (ret == 0)
		ret = list_runs(loader, operand, err);
	if (ret < 0)
		return ret;
	loader->side->label = report_clean(operand);
	loader->side->where = xasprintf("%s", store_path(loader->store));
	loader->cohorts = xcalloc(loader->runs.nr, sizeof(*loader->cohorts));
	ret = store_metric_matrix(loader->store, &loader->sample, &loader->matrix, err);
	if (ret == 0)
		ret = add_runs(loader, err);
	if (ret == 0)
		ret = store_each_histogram(loader->store, &loader->sample, take_histogram, loader,
					   err);
	if (ret == 0)
		ret = add_facts(loader, err);
	return ret == 0 ? add_experiments(loader, err) : ret;
}

int compare_load_stored(const struct compare *compare, const char *operand, struct side *ret_side,
			struct err *err)
{
	CLEANUP(side) struct side side = { .label = NULL };
	CLEANUP(loader) struct loader loader = { .compare = compare, .side = &side };
	int ret = load(&loader, operand, err);

	if (ret < 0)
		return ret;
	*ret_side = side;
	side = (struct side){ .label = NULL };
	return 0;
}
