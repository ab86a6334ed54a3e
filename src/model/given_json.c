/* SPDX-License-Identifier: GPL-2.0-or-later */
/* given_json: given metrics in the archive form: an array of objects, or values by name. */
#include "model/given_json.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "model/given.h"
#include "model/json_field.h"

#define FIELD(member, field_type, optional)                                                        \
	{                                                                                          \
		.key = #member, .type = (field_type),                                              \
		.offset = offsetof(struct given_metric, member), .is_optional = (optional)         \
	}

static const struct json_field given_rows[] = {
	FIELD(value, FIELD_REAL, 0),
	FIELD(line, FIELD_UINT, 0),
};

/* Only of a posted summary of several runs. */
static const struct json_field summary_rows[] = {
	FIELD(stddev_percent, FIELD_REAL, 1),
	FIELD(nr_runs, FIELD_UINT, 1),
	FIELD(change, FIELD_REAL, 1),
	FIELD(source_name, FIELD_TEXT, 1),
};

static const struct json_fields given_fields = JSON_FIELDS(given_rows);
static const struct json_fields summary_fields = JSON_FIELDS(summary_rows);

static bool is_summary(const struct given_metric *metric)
{
	return metric->nr_runs || metric->source_name || !isnan(metric->stddev_percent) ||
	       !isnan(metric->change);
}

void given_write(json_t *object, const struct given_list *list)
{
	json_t *array;

	if (!list->nr)
		return;
	array = json_array();
	for (size_t i = 0; i < list->nr; i++) {
		const struct given_metric *metric = &list->items[i];
		json_t *item = json_object();

		(void)json_object_set_new(item, "name", json_from_text(metric->name));
		json_write_fields(item, &given_fields, metric);
		if (is_summary(metric))
			json_write_fields(item, &summary_fields, metric);
		(void)json_array_append_new(array, item);
	}
	(void)json_object_set_new(object, "given", array);
}

static int read_one(const json_t *object, struct given_list *into, const struct json_place *place,
		    struct err *err)
{
	const struct json_place at_name = { .parent = place, .key = "name" };
	CLEANUP(free) char *name = NULL;
	struct given_metric *metric;
	int ret = json_to_text(json_object_get(object, "name"), &name, &at_name, err);

	if (ret < 0)
		return ret;
	metric = given_append(into, name, 0, 0);
	ret = json_read_fields(object, &given_fields, metric, place, err);
	if (ret == 0)
		ret = json_read_fields(object, &summary_fields, metric, place, err);
	return ret;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A metric has one value: which of two would be meant? */
static int refuse_repeated(const struct given_list *list, const struct json_place *place,
			   struct err *err)
{
	CLEANUP(free) const char **names = xcalloc(list->nr + 1, sizeof(*names));

	for (size_t i = 0; i < list->nr; i++)
		names[i] = list->items[i].name;
	qsort(names, list->nr, sizeof(*names), compare_names);
	for (size_t i = 1; i < list->nr; i++) {
		if (!strcmp(names[i], names[i - 1]))
			return json_refuse(place, err, "'%s' stands there twice", names[i]);
	}
	return 0;
}

int given_read(const json_t *object, struct given_list *into, const struct json_place *place,
	       struct err *err)
{
	const struct json_place here = { .parent = place, .key = "given" };
	const json_t *array = NULL;
	int ret = json_get_array(object, here.key, 0, &array, place, err);

	for (size_t i = 0; ret == 0 && i < json_array_size(array); i++) {
		const struct json_place item = { .parent = &here, .index = i };

		ret = read_one(json_array_get(array, i), into, &item, err);
	}
	return ret < 0 ? ret : refuse_repeated(into, &here, err);
}

void given_write_values(json_t *object, const char *key, const struct given_list *list)
{
	json_t *values;

	if (!list->nr)
		return;
	values = json_object();
	for (size_t i = 0; i < list->nr; i++)
		(void)json_object_set_new(values, list->items[i].name,
					  json_from_real(list->items[i].value));
	(void)json_object_set_new(object, key, values);
}

int given_read_values(const json_t *object, const char *key, struct given_list *into,
		      const struct json_place *place, struct err *err)
{
	const struct json_place here = { .parent = place, .key = key };
	const json_t *values = NULL;
	int ret = json_get_object(object, key, 0, &values, place, err);
	const char *name;
	json_t *item;

	if (ret < 0 || !values)
		return ret;
	json_object_foreach((json_t *)values, name, item)
	{
		const struct json_place at = { .parent = &here, .key = name };
		double value;

		ret = json_to_real(item, &value, &at, err);
		if (ret < 0)
			return ret;
		(void)given_append(into, name, value, 0);
	}
	return 0;
}
