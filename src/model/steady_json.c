/* SPDX-License-Identifier: GPL-2.0-or-later */
/* steady_json: what a job was judged by when it was to settle, as a JSON object. */
#include "model/steady_json.h"

#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "model/json_field.h"
#include "model/result.h"
#include "model/steady.h"

#define KEY "steady"
#define ROW(key_text, member, field_type)                                                          \
	{                                                                                          \
		.key = (key_text), .offset = offsetof(struct steady_result, member),               \
		.type = (field_type)                                                               \
	}
#define SAMPLE_ROW(member)                                                                         \
	{                                                                                          \
		.key = #member, .offset = offsetof(struct steady_sample, member),                  \
		.type = FIELD_U64                                                                  \
	}

static const struct json_field rows[] = {
	ROW("metric", rule.metric, FIELD_UINT),
	ROW("is_slope", rule.is_slope, FIELD_BOOL),
	ROW("is_percent", rule.is_percent, FIELD_BOOL),
	ROW("limit", rule.limit, FIELD_REAL),
	ROW("duration_s", duration_s, FIELD_U64),
	ROW("is_attained", is_attained, FIELD_BOOL),
	ROW("spread", spread, FIELD_REAL),
	ROW("criterion", criterion, FIELD_REAL),
};

static const struct json_field sample_rows[] = {
	SAMPLE_ROW(iops),
	SAMPLE_ROW(bw_bytes_per_sec),
	SAMPLE_ROW(lat_ns),
};

static const struct json_fields fields = JSON_FIELDS(rows);
static const struct json_fields sample_fields = JSON_FIELDS(sample_rows);

void steady_write(json_t *object, const struct job_result *job)
{
	json_t *steady, *samples;

	if (!job->steady)
		return;
	steady = json_object();
	samples = json_array();
	json_write_fields(steady, &fields, job->steady);
	for (size_t i = 0; i < job->steady->nr; i++) {
		json_t *sample = json_object();

		json_write_fields(sample, &sample_fields, &job->steady->samples[i]);
		(void)json_array_append_new(samples, sample);
	}
	(void)json_object_set_new(steady, "samples", samples);
	(void)json_object_set_new(object, KEY, steady);
}

static int read_samples(const json_t *array, struct steady_result *steady,
			const struct json_place *place, struct err *err)
{
	size_t nr = json_array_size(array);

	if (nr > STEADY_MAX_SAMPLES)
		return json_refuse(place, err, "%zu samples are more than %d", nr,
				   STEADY_MAX_SAMPLES);
	steady->samples = xcalloc(nr + 1, sizeof(*steady->samples));
	for (; steady->nr < nr; steady->nr++) {
		const struct json_place item = { .parent = place, .index = steady->nr };
		const json_t *sample = json_array_get(array, steady->nr);
		int ret;

		if (!json_is_object(sample))
			return json_refuse(&item, err, "not an object");
		ret = json_read_fields(sample, &sample_fields, &steady->samples[steady->nr], &item,
				       err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

int steady_read(const json_t *object, struct job_result *job, const struct json_place *place,
		struct err *err)
{
	const struct json_place here = { .parent = place, .key = KEY };
	const struct json_place at_samples = { .parent = &here, .key = "samples" };
	const json_t *steady = NULL;
	const json_t *samples = NULL;
	int ret = json_get_object(object, KEY, 0, &steady, place, err);

	if (ret < 0 || !steady)
		return ret;
	job->steady = xcalloc(1, sizeof(*job->steady));
	ret = json_read_fields(steady, &fields, job->steady, &here, err);
	if (ret == 0 && job->steady->rule.metric >= STEADY_NR_METRICS)
		ret = json_refuse(&here, err, "there is no metric %u", job->steady->rule.metric);
	if (ret == 0)
		ret = json_get_array(steady, "samples", 1, &samples, &here, err);
	return ret < 0 ? ret : read_samples(samples, job->steady, &at_samples, err);
}
