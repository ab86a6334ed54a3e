/* SPDX-License-Identifier: GPL-2.0-or-later */
/* matrix: reads all metrics of a sample in one pass, for comparisons of many metrics. */
#include "store/store.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "store/db.h"
#include "store/query.h"

#include <math.h>
#include <string.h>

#define COLUMN_NONE SIZE_MAX

struct name {
	int64_t id;
	char *text;
	size_t column; /* COLUMN_NONE until a value of it is seen */
};

struct reader {
	VEC(struct name) names; /* all of the store, by id */
	VEC(int64_t) runs;	/* of the sample, in order */
	VEC(char *) metrics;	/* of the sample; the texts belong to names until the end */
	VEC(double) values;	/* one column of runs.nr values for each of metrics */
};

static void reader_release(struct reader *reader)
{
	VEC_FOREACH (&reader->names, name)
		free(name->text);
	vec_release(&reader->names);
	vec_release(&reader->runs);
	vec_release(&reader->metrics);
	vec_release(&reader->values);
}
CLEANUP_DEFINE(reader, struct reader, reader_release)

static int read_names(struct store *store, struct reader *reader, struct err *err)
{
	CLEANUP(stmt) sqlite3_stmt *stmt = NULL;
	int ret = db_prepare(store, "SELECT id, name FROM metric_name ORDER BY id", QUERY_WHAT,
			     &stmt, err);

	while (ret >= 0 && (ret = db_step(store, stmt, QUERY_WHAT, err)) == 1)
		vec_push(&reader->names, (struct name){ .id = sqlite3_column_int64(stmt, 0),
							.text = db_column_text(stmt, 1),
							.column = COLUMN_NONE });
	return ret;
}

static int read_runs(struct store *store, const struct store_sample *sample, struct reader *reader,
		     struct err *err)
{
	CLEANUP(stmt) sqlite3_stmt *stmt = NULL;
	int ret = sample_prepare(store, sample, "SELECT run.id FROM run WHERE run.used = 1", &stmt,
				 err);

	while (ret >= 0 && (ret = db_step(store, stmt, QUERY_WHAT, err)) == 1)
		vec_push(&reader->runs, sqlite3_column_int64(stmt, 0));
	return ret;
}

static int name_compare(const void *key, const void *item)
{
	int64_t id = *(const int64_t *)key;
	const struct name *name = item;

	return (id > name->id) - (id < name->id);
}

/* The column of a metric, made when this is its first value; COLUMN_NONE for an unknown id. */
static size_t column_of(struct reader *reader, int64_t metric_id)
{
	struct name *name = NULL;

	if (reader->names.nr > 0)
		name = bsearch(&metric_id, reader->names.items, reader->names.nr, sizeof(*name),
			       name_compare);
	if (!name)
		return COLUMN_NONE;
	if (name->column == COLUMN_NONE) {
		name->column = reader->metrics.nr;
		vec_push(&reader->metrics, name->text);
		for (size_t i = 0; i < reader->runs.nr; i++)
			vec_push(&reader->values, NAN);
	}
	return name->column;
}

static int read_values(struct store *store, const struct store_sample *sample,
		       struct reader *reader, struct err *err)
{
	CLEANUP(stmt) sqlite3_stmt *stmt = NULL;
	size_t run = 0;
	int ret = sample_prepare(store, sample,
				 "SELECT run.id, metric_value.metric_id, metric_value.value "
				 "FROM run CROSS JOIN metric_value ON metric_value.run_id = run.id "
				 "WHERE run.used = 1",
				 &stmt, err);

	while (ret >= 0 && (ret = db_step(store, stmt, QUERY_WHAT, err)) == 1) {
		int64_t run_id = sqlite3_column_int64(stmt, 0);
		size_t column = column_of(reader, sqlite3_column_int64(stmt, 1));

		while (run < reader->runs.nr && reader->runs.items[run] != run_id)
			run++; /* same order: these have no metrics */
		if (run == reader->runs.nr || column == COLUMN_NONE)
			return err_set(err, ERR_INPUT,
				       "store '%s': the metrics of run %lld are damaged",
				       store_path(store), (long long)run_id);
		reader->values.items[column * reader->runs.nr + run] =
			sqlite3_column_double(stmt, 2);
	}
	return ret;
}

/* All statements of one read transaction see the same state. */
static int read_all(struct store *store, const struct store_sample *sample, struct reader *reader,
		    struct err *err)
{
	int ret = db_exec(store, "BEGIN", QUERY_WHAT, err);

	if (ret < 0)
		return ret;
	ret = read_names(store, reader, err);
	if (ret == 0)
		ret = read_runs(store, sample, reader, err);
	if (ret == 0)
		ret = read_values(store, sample, reader, err);
	return db_end(store, ret, QUERY_WHAT, err);
}

int store_metric_matrix(struct store *store, const struct store_sample *sample,
			struct store_matrix *ret_matrix, struct err *err)
{
	CLEANUP(reader) struct reader reader = { .names = VEC_INIT };
	int ret = read_all(store, sample, &reader, err);

	if (ret < 0)
		return ret;
	for (size_t i = 0; i < reader.metrics.nr; i++)
		reader.metrics.items[i] = xstrdup(reader.metrics.items[i]);
	*ret_matrix = (struct store_matrix){
		.metrics = reader.metrics.items,
		.nr_metrics = reader.metrics.nr,
		.runs = reader.runs.items,
		.nr_runs = reader.runs.nr,
		.values = reader.values.items,
	};
	reader.metrics.items = NULL;
	reader.runs.items = NULL;
	reader.values.items = NULL;
	return 0;
}

void store_matrix_release(struct store_matrix *matrix)
{
	for (size_t i = 0; i < matrix->nr_metrics; i++)
		free(matrix->metrics[i]);
	free(matrix->metrics);
	free(matrix->runs);
	free(matrix->values);
	*matrix = (struct store_matrix){ .nr_metrics = 0 };
}

const double *store_matrix_column(const struct store_matrix *matrix, const char *metric)
{
	for (size_t i = 0; i < matrix->nr_metrics; i++) {
		if (strcmp(matrix->metrics[i], metric) == 0)
			return matrix->values + i * matrix->nr_runs;
	}
	return NULL;
}
