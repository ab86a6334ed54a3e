/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timeline_json: timelines of a result as arrays of time and count. */
#include "model/timeline_json.h"

#include "base/err.h"
#include "model/json_field.h"
#include "model/result.h"

#define KEY "timelines"

void timelines_write(json_t *object, const struct result *result)
{
	json_t *array;

	if (result->nr_timelines == 0)
		return;
	array = json_array();
	for (size_t i = 0; i < result->nr_timelines; i++) {
		const struct timeline *timeline = &result->timelines[i];
		json_t *points = json_array();

		for (size_t j = 0; j < timeline->nr; j++) {
			(void)json_array_append_new(points, json_from_u64(timeline->elapsed_us[j]));
			(void)json_array_append_new(points, json_from_u64(timeline->count[j]));
		}
		(void)json_array_append_new(array, points);
	}
	(void)json_object_set_new(object, KEY, array);
}

static int read_point(const json_t *points, struct timeline *timeline,
		      const struct json_place *place, struct err *err)
{
	const size_t at = timeline->nr;
	const struct json_place at_us = { .parent = place, .index = 2 * at };
	const struct json_place at_count = { .parent = place, .index = 2 * at + 1 };
	unsigned long long us, count;
	int ret = json_to_u64(json_array_get(points, 2 * at), &us, &at_us, err);

	if (ret == 0)
		ret = json_to_u64(json_array_get(points, 2 * at + 1), &count, &at_count, err);
	if (ret < 0)
		return ret;
	if (at && us <= timeline->elapsed_us[at - 1])
		return json_refuse(&at_us, err, "time does not rise");
	if (at && count < timeline->count[at - 1])
		return json_refuse(&at_count, err, "the count falls");
	timeline_add(timeline, us, count);
	return 0;
}

static int read_timeline(const json_t *points, struct result *result,
			 const struct json_place *place, struct err *err)
{
	const size_t len = json_array_size(points);
	struct timeline *timeline = result_add_timeline(result);
	int ret = 0;

	if (!json_is_array(points) || len % 2 || len / 2 > TIMELINE_MAX_POINTS)
		return json_refuse(place, err, "not up to %d pairs of time and count",
				   TIMELINE_MAX_POINTS);
	while (ret == 0 && timeline->nr < len / 2)
		ret = read_point(points, timeline, place, err);
	return ret;
}

int timelines_read(const json_t *object, struct result *result, struct err *err)
{
	const struct json_place here = { .key = KEY };
	const json_t *array = NULL;
	int ret = json_get_array(object, KEY, 0, &array, NULL, err);

	for (size_t i = 0; ret == 0 && array && i < json_array_size(array); i++) {
		const struct json_place item = { .parent = &here, .index = i };

		ret = read_timeline(json_array_get(array, i), result, &item, err);
	}
	return ret;
}
