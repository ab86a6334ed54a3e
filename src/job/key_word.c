/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The types of keys whose values are words or lists: text, switches, choices, rw, CPUs,
 * percentiles. */
#include "job/key.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/units.h"
#include "job/number.h"
#include "model/job.h"

static int text_parse(const struct key_row *row, const char *text, struct number_reader *reader,
		      struct job *job, struct err *err)
{
	(void)reader;
	(void)err;
	*(const char **)key_field(row, job) = text;
	return 0;
}

const struct key_type key_text = { .parse = text_parse };
const struct key_type key_prefix = { .is_bare_allowed = true,
				     .is_empty_allowed = true,
				     .parse = text_parse };

static int bool_parse(const struct key_row *row, const char *text, struct number_reader *reader,
		      struct job *job, struct err *err)
{
	const bool is_negated = (row->flags & KEY_NEGATED) != 0;
	struct short_text quoted;

	if (reader->is_fio)
		text += strspn(text, " \t");
	if (strcmp(text, "0") != 0 && strcmp(text, "1") != 0)
		return err_set(err, ERR_INPUT, "'%s' is not 0 or 1", short_text(text, &quoted));
	*(bool *)key_field(row, job) = (text[0] == '1') != is_negated;
	return 0;
}

const struct key_type key_flag = { .is_bare_allowed = true, .parse = bool_parse };
const struct key_type key_bool = { .parse = bool_parse };

/* Position of text in "native none|0 posix|1 keep", where '|' separates names of one choice. */
static bool choice_find(const char *values, const char *text, size_t *ret_position)
{
	const size_t len = strlen(text);
	size_t position = 0;

	for (const char *pos = values; *pos; pos++) {
		size_t name_len = strcspn(pos, " |");

		if (name_len == len && !memcmp(pos, text, len)) {
			*ret_position = position;
			return true;
		}
		pos += name_len;
		if (!*pos)
			break;
		position += *pos == ' ';
	}
	return false;
}

static int choice_refuse(const struct key_row *row, const char *text, struct err *err)
{
	struct short_text quoted;
	size_t position;

	(void)short_text(text, &quoted);
	if (row->later && choice_find(row->later, text, &position))
		return err_set(err, ERR_UNSUPPORTED,
			       "'%s' is a value of fio that regio does not support yet",
			       quoted.buf);
	return err_set(err, ERR_INPUT, "'%s' is not one of: %s", quoted.buf, row->info.values);
}

static int choice_parse(const struct key_row *row, const char *text, struct number_reader *reader,
			struct job *job, struct err *err)
{
	size_t position;

	(void)reader;
	if (!choice_find(row->info.values, text, &position))
		return choice_refuse(row, text, err);
	*(unsigned *)key_field(row, job) = (unsigned)position;
	return 0;
}

const struct key_type key_choice = { .parse = choice_parse };

static int choice_unsigned_parse(const struct key_row *row, const char *text,
				 struct number_reader *reader, struct job *job, struct err *err)
{
	size_t position;
	uint64_t value;
	int ret;

	if (!choice_find(row->info.values, text, &position))
		return choice_refuse(row, text, err);
	ret = number_parse_count(reader, text, &value, err);
	if (ret == 0)
		*(unsigned *)key_field(row, job) = (unsigned)value;
	return ret;
}

const struct key_type key_choice_unsigned = { .parse = choice_unsigned_parse };

/* What follows "rw=read:": bytes between I/Os, or I/Os between random offsets. */
static int rw_postfix_parse(const char *text, unsigned rw, struct number_reader *reader,
			    struct job *job, struct err *err)
{
	const bool is_backwards = text[0] == '-';
	struct short_text quoted;
	uint64_t value;
	int ret;

	if (rw & RW_RANDOM) {
		ret = number_parse_count(reader, text, &value, err);
		if (ret == 0 && value > UINT_MAX)
			return err_set(err, ERR_INPUT, "'%s' is too large",
				       short_text(text, &quoted));
		if (ret == 0)
			job->rw_random_every = (unsigned)value;
		return ret;
	}
	ret = number_parse_size(reader, is_backwards ? text + 1 : text, &value, err);
	if (ret == 0 && value > INT64_MAX)
		return err_set(err, ERR_INPUT, "'%s' is too large", short_text(text, &quoted));
	if (ret == 0)
		job->rw_step_bytes = is_backwards ? -(int64_t)value : (int64_t)value;
	return ret;
}

static int rw_parse(const struct key_row *row, const char *text, struct number_reader *reader,
		    struct job *job, struct err *err)
{
	const size_t name_len = strcspn(text, ":");
	unsigned rw;

	if (!rw_from_name(text, name_len, &rw))
		return choice_refuse(row, text, err);
	job->rw = rw;
	job->rw_step_bytes = 0;
	job->rw_random_every = 0;
	if (!text[name_len])
		return 0;
	return rw_postfix_parse(text + name_len + 1, rw, reader, job, err);
}

const struct key_type key_rw = { .parse = rw_parse };

/* The part of a list up to the separator, moving *pos behind it; NULL at the end. */
static const char *part_next(const char **pos, char separator, struct arena *arena)
{
	const char *part = *pos;
	const char *end;

	if (!part)
		return NULL;
	end = strchr(part, separator);
	*pos = end ? end + 1 : NULL;
	return end ? arena_strndup(arena, part, (size_t)(end - part)) : part;
}

static int double_compare(const void *a, const void *b)
{
	const double x = *(const double *)a;
	const double y = *(const double *)b;

	return (x > y) - (x < y);
}

static int percentile_parse(const char *text, double *ret_percentile, struct err *err)
{
	struct short_text quoted;
	double value;

	if (units_parse_double(text, &value, NULL) < 0)
		return err_set(err, ERR_INPUT, "'%s' is not a number", short_text(text, &quoted));
	if (value < 0 || value > 100)
		return err_set(err, ERR_INPUT, "'%s' is not in 0..100", short_text(text, &quoted));
	*ret_percentile = value;
	return 0;
}

static int share_parse(const struct key_row *row, const char *text, struct number_reader *reader,
		       struct job *job, struct err *err)
{
	(void)reader;
	return percentile_parse(text, key_field(row, job), err);
}

const struct key_type key_share = { .parse = share_parse };

static int percentiles_parse(const struct key_row *row, const char *text,
			     struct number_reader *reader, struct job *job, struct err *err)
{
	double percentiles[JOB_MAX_PERCENTILES];
	const char *part;
	size_t nr = 0;

	(void)row;
	while ((part = part_next(&text, ':', reader->arena))) {
		int ret;

		if (nr == JOB_MAX_PERCENTILES)
			return err_set(err, ERR_INPUT, "the list has more than %d percentiles",
				       JOB_MAX_PERCENTILES);
		ret = percentile_parse(part, &percentiles[nr++], err);
		if (ret < 0)
			return ret;
	}
	qsort(percentiles, nr, sizeof(percentiles[0]), double_compare);
	memcpy(job->percentiles, percentiles, nr * sizeof(percentiles[0]));
	job->nr_percentiles = nr;
	return 0;
}

const struct key_type key_percentiles = { .parse = percentiles_parse };
