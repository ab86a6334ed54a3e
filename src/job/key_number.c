/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The types of keys whose values are numbers: counts, sizes, times, one each or one for each
 * direction. */
#include "job/key.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "job/direction_list.h"
#include "job/number.h"
#include "model/job.h"

static int limits_check(const struct key_row *row, uint64_t value, struct err *err)
{
	if (value >= row->min && value <= row->max)
		return 0;
	if (value < row->min && (row->max == UINT64_MAX || row->max == UINT_MAX))
		return err_set(err, ERR_INPUT, "%" PRIu64 " is less than %" PRIu64, value,
			       row->min);
	return err_set(err, ERR_INPUT, "%" PRIu64 " is not in %" PRIu64 "..%" PRIu64, value,
		       row->min, row->max);
}

static int count_parse(const struct key_row *row, const char *text, struct number_reader *reader,
		       uint64_t *ret_value, struct err *err)
{
	int ret = number_parse_count(reader, text, ret_value, err);

	return ret < 0 ? ret : limits_check(row, *ret_value, err);
}

static int unsigned_parse(const struct key_row *row, const char *text, struct number_reader *reader,
			  struct job *job, struct err *err)
{
	uint64_t value;
	int ret = count_parse(row, text, reader, &value, err);

	if (ret == 0)
		*(unsigned *)key_field(row, job) = (unsigned)value;
	return ret;
}

const struct key_type key_unsigned = { .parse = unsigned_parse };

static int cpu_parse(const struct key_row *row, const char *text, struct number_reader *reader,
		     struct job *job, struct err *err)
{
	int ret = unsigned_parse(row, text, reader, job, err);

	if (ret == 0)
		*(bool *)key_field_high(row, job) = true;
	return ret;
}

const struct key_type key_cpu = { .parse = cpu_parse };

static int percent_parse(const struct key_row *row, const char *text, struct number_reader *reader,
			 struct job *job, struct err *err)
{
	uint64_t value;
	int ret = count_parse(row, text, reader, &value, err);

	if (ret == 0)
		*(unsigned *)key_field(row, job) =
			(unsigned)(row->flags & KEY_NEGATED ? 100 - value : value);
	return ret;
}

const struct key_type key_percent = { .parse = percent_parse };

static int u64_parse(const struct key_row *row, const char *text, struct number_reader *reader,
		     struct job *job, struct err *err)
{
	uint64_t value;
	int ret = count_parse(row, text, reader, &value, err);

	if (ret == 0)
		*(uint64_t *)key_field(row, job) = value;
	return ret;
}

const struct key_type key_u64 = { .parse = u64_parse };

static int percent_of_size_parse(const char *text, struct number_reader *reader,
				 struct size_spec *ret_size, struct err *err)
{
	const char *digits = arena_strndup(reader->arena, text, strlen(text) - 1);
	struct short_text quoted;
	uint64_t percent;
	int ret = number_parse_count(reader, digits, &percent, err);

	if (ret < 0)
		return err_set(err, ERR_INPUT, "'%s' is not a size or percentage",
			       short_text(text, &quoted));
	if (percent < 1 || percent > 100)
		return err_set(err, ERR_INPUT, "'%s' is not in 1%%..100%%",
			       short_text(text, &quoted));
	*ret_size = (struct size_spec){ .percent = (unsigned)percent, .is_set = true };
	return 0;
}

static bool has_unit(const char *text, char unit)
{
	char last = text[strlen(text) - 1];

	return last == unit || (last >= 'A' && last <= 'Z' && last - 'A' + 'a' == unit);
}

/* "2z": their bytes are known when zonesize= is. */
static int nr_zones_parse(const char *text, struct number_reader *reader,
			  struct size_spec *ret_size, struct err *err)
{
	const char *digits = arena_strndup(reader->arena, text, strlen(text) - 1);
	struct short_text quoted;
	uint64_t nr;
	int ret = number_parse_count(reader, digits, &nr, err);

	if (ret < 0 || nr < 1 || nr > UINT_MAX)
		return err_set(err, ERR_INPUT, "'%s' is not a number of zones",
			       short_text(text, &quoted));
	*ret_size = (struct size_spec){ .zones = (unsigned)nr, .is_set = true };
	return 0;
}

/* 0 means "not given", as in fio. */
static int bytes_parse(const struct key_row *row, const char *text, struct number_reader *reader,
		       struct job *job, struct err *err)
{
	struct size_spec *size = key_field(row, job);
	uint64_t bytes;
	int ret;

	if (has_unit(text, 'z'))
		return nr_zones_parse(text, reader, size, err);
	ret = number_parse_size(reader, text, &bytes, err);
	if (ret == 0)
		ret = limits_check(row, bytes, err);
	if (ret == 0)
		*size = (struct size_spec){ .bytes = bytes, .is_set = bytes > 0 };
	return ret;
}

const struct key_type key_zones = { .parse = bytes_parse };

static int size_parse(const struct key_row *row, const char *text, struct number_reader *reader,
		      struct job *job, struct err *err)
{
	if (has_unit(text, '%'))
		return percent_of_size_parse(text, reader, key_field(row, job), err);
	return bytes_parse(row, text, reader, job, err);
}

const struct key_type key_size = { .parse = size_parse };

static int size_range_parse(const struct key_row *row, const char *text,
			    struct number_reader *reader, struct job *job, struct err *err)
{
	uint64_t *low = key_field(row, job);
	uint64_t *high = key_field_high(row, job);
	int ret;

	if (strpbrk(text, "-:")) {
		ret = number_parse_size_range(reader, text, low, high, err);
	} else {
		ret = number_parse_size(reader, text, low, err);
		if (ret == 0)
			*high = *low;
	}
	if (ret == 0)
		ret = limits_check(row, *low, err);
	return ret < 0 ? ret : limits_check(row, *high, err);
}

const struct key_type key_size_range = { .parse = size_range_parse };

static int time_parse(const struct key_row *row, const char *text, struct number_reader *reader,
		      struct job *job, struct err *err)
{
	return number_parse_time(reader, text, row->unit_ns, key_field(row, job), err);
}

const struct key_type key_time = { .parse = time_parse };

static int time_range_parse(const struct key_row *row, const char *text,
			    struct number_reader *reader, struct job *job, struct err *err)
{
	return number_parse_time_range(reader, text, row->unit_ns, key_field(row, job),
				       key_field_high(row, job), err);
}

const struct key_type key_time_range = { .parse = time_range_parse };

int direction_list_split(const char *text, struct arena *arena, struct direction_list *ret_list,
			 struct err *err)
{
	struct short_text quoted;
	const char *part = text;
	size_t nr = 0;

	do {
		const char *comma = strchr(part, ',');

		if (nr == IO_NR_DATA_DIRS && *part)
			return err_set(err, ERR_INPUT,
				       "'%s' has more than three parts (read,write,trim)",
				       short_text(text, &quoted));
		if (nr < IO_NR_DATA_DIRS)
			ret_list->parts[nr++] =
				comma ? arena_strndup(arena, part, (size_t)(comma - part)) : part;
		part = comma ? comma + 1 : NULL;
	} while (part);
	for (; nr < IO_NR_DATA_DIRS; nr++)
		ret_list->parts[nr] = ret_list->parts[nr - 1];
	if (!*ret_list->parts[0] && !*ret_list->parts[1] && !*ret_list->parts[2])
		return err_set(err, ERR_INPUT, "'%s' gives no value", short_text(text, &quoted));
	return 0;
}

static int counts_parse(const struct key_row *row, const char *text, struct number_reader *reader,
			struct job *job, struct err *err)
{
	uint64_t *counts = key_field(row, job);
	struct direction_list list;
	int ret = direction_list_split(text, reader->arena, &list, err);

	for (size_t dir = 0; ret == 0 && dir < IO_NR_DATA_DIRS; dir++) {
		if (*list.parts[dir])
			ret = count_parse(row, list.parts[dir], reader, &counts[dir], err);
	}
	return ret;
}

const struct key_type key_counts = { .parse = counts_parse };

static int sizes_parse(const struct key_row *row, const char *text, struct number_reader *reader,
		       struct job *job, struct err *err)
{
	uint64_t *low = key_field(row, job);
	uint64_t *high = row->offset_high ? key_field_high(row, job) : low;
	struct direction_list list;
	struct short_text quoted;
	int ret = direction_list_split(text, reader->arena, &list, err);

	for (size_t dir = 0; ret == 0 && dir < IO_NR_DATA_DIRS; dir++) {
		if (!*list.parts[dir])
			continue;
		if (list.parts[dir][0] == '-') /* fio takes what follows for the next direction */
			return err_set(err, ERR_INPUT, "'%s' is not a size",
				       short_text(list.parts[dir], &quoted));
		ret = number_parse_size(reader, list.parts[dir], &low[dir], err);
		if (ret == 0)
			ret = limits_check(row, low[dir], err);
		high[dir] = low[dir];
	}
	return ret;
}

const struct key_type key_sizes = { .parse = sizes_parse };

static int size_ranges_parse(const struct key_row *row, const char *text,
			     struct number_reader *reader, struct job *job, struct err *err)
{
	uint64_t *low = key_field(row, job);
	uint64_t *high = key_field_high(row, job);
	struct direction_list list;
	int ret = direction_list_split(text, reader->arena, &list, err);

	for (size_t dir = 0; ret == 0 && dir < IO_NR_DATA_DIRS; dir++) {
		if (!*list.parts[dir])
			continue;
		ret = number_parse_size_range(reader, list.parts[dir], &low[dir], &high[dir], err);
		if (ret == 0)
			ret = limits_check(row, low[dir], err);
		if (ret == 0)
			ret = limits_check(row, high[dir], err);
	}
	return ret;
}

const struct key_type key_size_ranges = { .parse = size_ranges_parse };
