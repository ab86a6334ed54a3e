/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The types of keys that share something out in percent: bssplit, random_distribution and
 * file_service_type. */
#include "job/key.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/units.h"
#include "job/direction_list.h"
#include "job/number.h"
#include "model/job.h"

#define MAX_SPLITS 64	      /* as fio */
#define MAX_ZONES 256	      /* as fio */
#define PERCENT_LEFT UINT_MAX /* not given: has its part of what the others leave */

/* The next ':'-separated item of a list, cut at '/'; *ret_second is NULL without one. */
static const char *item_next(const char **pos, struct arena *arena, char **ret_second)
{
	const char *item = *pos;
	size_t len;
	char *first;

	if (!item)
		return NULL;
	len = strcspn(item, ":");
	*pos = item[len] ? item + len + 1 : NULL;
	first = arena_strndup(arena, item, len);
	*ret_second = strchr(first, '/');
	if (*ret_second)
		*(*ret_second)++ = '\0';
	return first;
}

static int share_parse(struct number_reader *reader, const char *text, unsigned *ret_percent,
		       struct err *err)
{
	struct short_text quoted;
	uint64_t percent;
	int ret;

	if (!text || !*text) {
		*ret_percent = PERCENT_LEFT;
		return 0;
	}
	ret = number_parse_count(reader, text, &percent, err);
	if (ret == 0 && percent > 100)
		return err_set(err, ERR_INPUT, "'%s' is not in 0..100", short_text(text, &quoted));
	if (ret == 0)
		*ret_percent = (unsigned)percent;
	return ret;
}

/* Gives those without a percentage equal parts of what is left. `stride` bytes from one percentage
 * to the next. */
static int shares_complete(unsigned *percent, size_t nr, size_t stride, struct err *err)
{
	unsigned sum = 0;
	unsigned nr_left = 0;

	for (size_t i = 0; i < nr; i++) {
		const unsigned *one = (unsigned *)((char *)percent + i * stride);

		nr_left += *one == PERCENT_LEFT;
		sum += *one == PERCENT_LEFT ? 0 : *one;
	}
	if (sum > 100)
		return err_set(err, ERR_INPUT, "the percentages add up to %u", sum);
	for (size_t i = 0; i < nr; i++) {
		unsigned *one = (unsigned *)((char *)percent + i * stride);

		if (*one == PERCENT_LEFT)
			*one = (100 - sum) / nr_left;
	}
	return 0;
}

/* As fio does: what is beyond 100 % is lost, and 100 among others is no share at all. */
static void bs_shares_cut(struct bs_share *items, size_t nr)
{
	unsigned left = 100;

	for (size_t i = 0; i < nr; i++) {
		if (items[i].percent == 100 && nr > 1)
			items[i].percent = PERCENT_LEFT;
		if (items[i].percent == PERCENT_LEFT)
			continue;
		if (items[i].percent > left)
			items[i].percent = left;
		left -= items[i].percent;
	}
}

static int bs_share_compare(const void *a, const void *b)
{
	const struct bs_share *x = a;
	const struct bs_share *y = b;

	return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static int bs_share_parse(const struct key_row *row, const char *size, const char *percent,
			  struct number_reader *reader, struct bs_share *ret_share, struct err *err)
{
	struct short_text quoted;
	int ret = number_parse_size(reader, size, &ret_share->bytes, err);

	if (ret == 0 && (ret_share->bytes < row->min || ret_share->bytes > row->max))
		return err_set(err, ERR_INPUT, "'%s' is not in %" PRIu64 "..%" PRIu64,
			       short_text(size, &quoted), row->min, row->max);
	return ret < 0 ? ret : share_parse(reader, percent, &ret_share->percent, err);
}

/* One direction: "4k/10:64k/50:32k/40". Sorted, so that what is missing to 100 % is the largest. */
static int bs_split_parse(const struct key_row *row, const char *text, struct number_reader *reader,
			  struct bs_split *ret_split, struct err *err)
{
	struct bs_share *items = arena_alloc_array(reader->arena, MAX_SPLITS, sizeof(*items));
	const char *size;
	char *percent;
	size_t nr = 0;
	int ret;

	while ((size = item_next(&text, reader->arena, &percent))) {
		if (nr == MAX_SPLITS)
			return err_set(err, ERR_INPUT, "more than %d block sizes", MAX_SPLITS);
		ret = bs_share_parse(row, size, percent, reader, &items[nr++], err);
		if (ret < 0)
			return ret;
	}
	if (reader->is_fio)
		bs_shares_cut(items, nr);
	ret = shares_complete(&items[0].percent, nr, sizeof(items[0]), err);
	qsort(items, nr, sizeof(items[0]), bs_share_compare);
	*ret_split = (struct bs_split){ .items = items, .nr = nr };
	return ret;
}

static int bssplit_parse(const struct key_row *row, const char *text, struct number_reader *reader,
			 struct job *job, struct err *err)
{
	struct direction_list list;
	int ret = direction_list_split(text, reader->arena, &list, err);

	for (size_t dir = 0; ret == 0 && dir < IO_NR_DATA_DIRS; dir++) {
		if (*list.parts[dir])
			ret = bs_split_parse(row, list.parts[dir], reader, &job->bs_split[dir],
					     err);
	}
	return ret;
}

const struct key_type key_bssplit = { .parse = bssplit_parse };

static int zone_parse(const char *access, const char *size, bool is_bytes,
		      struct number_reader *reader, struct access_zone *ret_zone, struct err *err)
{
	int ret = share_parse(reader, access, &ret_zone->access_percent, err);

	if (ret < 0 || !is_bytes)
		return ret < 0 ? ret : share_parse(reader, size, &ret_zone->size_percent, err);
	if (!size || !*size)
		return err_set(err, ERR_INPUT, "a zone has no size");
	return number_parse_size(reader, size, &ret_zone->size_bytes, err);
}

/* One direction: "60/10:30/20:8/30:2/40", shares of the accesses and of the space. */
static int zones_parse(const char *text, bool is_bytes, struct number_reader *reader,
		       struct access_zones *ret_zones, struct err *err)
{
	struct access_zone *items = arena_alloc_array(reader->arena, MAX_ZONES, sizeof(*items));
	const char *access;
	char *size;
	size_t nr = 0;
	int ret;

	while ((access = item_next(&text, reader->arena, &size))) {
		if (nr == MAX_ZONES)
			return err_set(err, ERR_INPUT, "more than %d zones", MAX_ZONES);
		ret = zone_parse(access, size, is_bytes, reader, &items[nr++], err);
		if (ret < 0)
			return ret;
	}
	ret = shares_complete(&items[0].access_percent, nr, sizeof(items[0]), err);
	if (ret == 0 && !is_bytes)
		ret = shares_complete(&items[0].size_percent, nr, sizeof(items[0]), err);
	*ret_zones = (struct access_zones){ .items = items, .nr = nr };
	return ret;
}

static int all_zones_parse(const char *text, bool is_bytes, struct number_reader *reader,
			   struct distribution *distribution, struct err *err)
{
	struct direction_list list;
	int ret = direction_list_split(text, reader->arena, &list, err);

	for (size_t dir = 0; ret == 0 && dir < IO_NR_DATA_DIRS; dir++) {
		if (!*list.parts[dir])
			return err_set(err, ERR_INPUT, "a direction has no zones");
		ret = zones_parse(list.parts[dir], is_bytes, reader, &distribution->zones[dir],
				  err);
	}
	return ret;
}

static int parameter_parse(const char *text, double low, double high, double *ret_value,
			   struct err *err)
{
	struct short_text quoted;

	(void)short_text(text, &quoted);
	if (units_parse_double(text, ret_value, NULL) < 0)
		return err_set(err, ERR_INPUT, "'%s' is not a number", quoted.buf);
	if (*ret_value < low || *ret_value > high)
		return err_set(err, ERR_INPUT, "'%s' is not in %g..%g", quoted.buf, low, high);
	return 0;
}

struct distribution_name {
	const char *name;
	enum distribution_kind kind;
	double usual, low, high; /* of the parameter */
};

static const struct distribution_name distribution_names[] = {
	{ "random", DISTRIBUTION_UNIFORM, 0, 0, 0 },
	{ "zipf", DISTRIBUTION_ZIPF, 1.1, 1e-6, 1e3 },
	{ "pareto", DISTRIBUTION_PARETO, 0.2, 1e-6, 1 - 1e-6 },
	{ "normal", DISTRIBUTION_NORMAL, 0, 0, 100 },
	{ "gauss", DISTRIBUTION_NORMAL, 0, 0, 100 },
	{ "zoned", DISTRIBUTION_ZONED, 0, 0, 0 },
	{ "zoned_abs", DISTRIBUTION_ZONED_BYTES, 0, 0, 0 },
};

static const struct distribution_name *distribution_find(const char *text, size_t len)
{
	const size_t nr = sizeof(distribution_names) / sizeof(distribution_names[0]);

	for (size_t i = 0; i < nr; i++) {
		if (strlen(distribution_names[i].name) == len &&
		    !memcmp(distribution_names[i].name, text, len))
			return &distribution_names[i];
	}
	return NULL;
}

/* "1.2" or "1.2:0.25": the parameter, and where in the range the most likely value is. */
static int parameters_parse(const struct distribution_name *name, const char *text,
			    struct arena *arena, struct distribution *distribution, struct err *err)
{
	const size_t len = strcspn(text, ":");
	int ret = 0;

	if (len > 0)
		ret = parameter_parse(arena_strndup(arena, text, len), name->low, name->high,
				      &distribution->parameter, err);
	if (ret == 0 && text[len]) {
		ret = parameter_parse(text + len + 1, 0, 1, &distribution->center, err);
		distribution->has_center = true;
	}
	if (ret == 0 && name->kind == DISTRIBUTION_ZIPF && distribution->parameter == 1)
		return err_set(err, ERR_INPUT, "zipf: theta must not be 1");
	return ret;
}

static int distribution_parse(const struct key_row *row, const char *text,
			      struct number_reader *reader, struct job *job, struct err *err)
{
	const size_t len = strcspn(text, ":");
	const struct distribution_name *name = distribution_find(text, len);
	const char *rest = text[len] ? text + len + 1 : "";
	struct distribution distribution = { .center = 0.5 };
	struct short_text quoted;
	int ret = 0;

	if (!name)
		return err_set(err, ERR_INPUT, "'%s' is not one of: %s", short_text(text, &quoted),
			       row->info.values);
	distribution.kind = name->kind;
	distribution.parameter = name->usual;
	if (name->kind == DISTRIBUTION_ZONED || name->kind == DISTRIBUTION_ZONED_BYTES)
		ret = all_zones_parse(rest, name->kind == DISTRIBUTION_ZONED_BYTES, reader,
				      &distribution, err);
	else if (name->kind != DISTRIBUTION_UNIFORM)
		ret = parameters_parse(name, rest, reader->arena, &distribution, err);
	else if (text[len])
		return err_set(err, ERR_INPUT, "'%s': random has no parameter",
			       short_text(text, &quoted));
	if (ret == 0)
		job->distribution = distribution;
	return ret;
}

const struct key_type key_distribution = { .parse = distribution_parse };

/* "roundrobin:4" or "random:4": I/Os in a row to one file. */
static int file_service_ios_parse(const char *text, struct number_reader *reader, struct job *job,
				  struct err *err)
{
	struct short_text quoted;
	uint64_t nr = 1;
	int ret = *text ? number_parse_count(reader, text, &nr, err) : 0;

	if (ret == 0 && (nr < 1 || nr > UINT_MAX))
		return err_set(err, ERR_INPUT, "'%s' is no number of I/Os",
			       short_text(text, &quoted));
	if (ret == 0)
		job->file_service_ios = (unsigned)nr;
	return ret;
}

static int file_service_parse(const struct key_row *row, const char *text,
			      struct number_reader *reader, struct job *job, struct err *err)
{
	static const char *const names[] = { "roundrobin", "random", "sequential" };
	const size_t len = strcspn(text, ":");
	const char *rest = text[len] ? text + len + 1 : "";
	const struct distribution_name *name = distribution_find(text, len);
	struct distribution distribution = { .center = 0.5 };
	struct short_text quoted;
	int ret;

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strlen(names[i]) != len || memcmp(names[i], text, len) != 0)
			continue;
		job->file_service = i;
		return file_service_ios_parse(rest, reader, job, err);
	}
	if (!name || name->kind > DISTRIBUTION_NORMAL)
		return err_set(err, ERR_INPUT, "'%s' is not one of: %s", short_text(text, &quoted),
			       row->info.values);
	distribution.kind = name->kind;
	distribution.parameter = name->usual;
	ret = parameters_parse(name, rest, reader->arena, &distribution, err);
	if (ret < 0)
		return ret;
	job->file_service = FILE_SERVICE_DISTRIBUTION;
	job->file_service_ios = 1;
	job->file_distribution = distribution;
	return 0;
}

const struct key_type key_file_service = { .parse = file_service_parse };
