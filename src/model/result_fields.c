/* SPDX-License-Identifier: GPL-2.0-or-later */
/* result_fields: which members of a result are in the archive form, and of which type. */
#include "model/result_fields.h"

#include <stddef.h>

#include "model/json_field.h"
#include "model/result.h"

#define FIELD(type_, member, field_type)                                                           \
	{                                                                                          \
		.key = #member, .type = (field_type), .offset = offsetof(type_, member)            \
	}
/* Not in version 1. */
#define FIELD_NEW(type_, member, field_type)                                                       \
	{                                                                                          \
		.key = #member, .type = (field_type), .offset = offsetof(type_, member),           \
		.is_optional = 1                                                                   \
	}
#define FIELD_ARRAY(type_, member, field_type, nr_)                                                \
	{                                                                                          \
		.key = #member, .type = (field_type), .offset = offsetof(type_, member),           \
		.nr = (nr_)                                                                        \
	}

static const struct json_field result_rows[] = {
	FIELD(struct result, label, FIELD_TEXT),
	FIELD(struct result, tool, FIELD_TEXT),
	FIELD(struct result, tool_version, FIELD_TEXT),
	FIELD(struct result, target, FIELD_TEXT),
	FIELD_NEW(struct result, source_file, FIELD_TEXT),
	FIELD_NEW(struct result, source_line, FIELD_UINT),
	FIELD(struct result, method_version, FIELD_UINT),
	FIELD(struct result, started_at_unix_ms, FIELD_I64),
	FIELD(struct result, elapsed_ms, FIELD_U64),
	FIELD(struct result, seed, FIELD_U64),
	FIELD(struct result, clock, FIELD_TEXT),
	FIELD(struct result, interrupted, FIELD_BOOL),
	FIELD_NEW(struct result, command, FIELD_TEXT),
	FIELD_NEW(struct result, output, FIELD_TEXT),
	FIELD_NEW(struct result, workload, FIELD_TEXT),
};

static const struct json_field job_rows[] = {
	FIELD(struct job_result, name, FIELD_TEXT),
	FIELD(struct job_result, description, FIELD_TEXT),
	FIELD(struct job_result, rw, FIELD_TEXT),
	FIELD(struct job_result, ioengine, FIELD_TEXT),
	FIELD_ARRAY(struct job_result, bs_min_bytes, FIELD_U64, IO_NR_DATA_DIRS),
	FIELD_ARRAY(struct job_result, bs_max_bytes, FIELD_U64, IO_NR_DATA_DIRS),
	FIELD(struct job_result, iodepth, FIELD_UINT),
	FIELD(struct job_result, group_id, FIELD_UINT),
	FIELD(struct job_result, phase, FIELD_UINT),
	FIELD(struct job_result, nr_clones, FIELD_UINT),
	FIELD(struct job_result, tid, FIELD_I64),
	FIELD(struct job_result, ended_at_unix_s, FIELD_I64),
	FIELD(struct job_result, error, FIELD_INT),
	FIELD(struct job_result, error_where, FIELD_TEXT),
	FIELD(struct job_result, nr_errors, FIELD_U64),
	FIELD(struct job_result, sync_ios, FIELD_U64),
	FIELD(struct job_result, wall_ms, FIELD_U64),
	FIELD(struct job_result, usr_ms, FIELD_U64),
	FIELD_NEW(struct job_result, region_bytes, FIELD_U64),
	FIELD(struct job_result, sys_ms, FIELD_U64),
	FIELD(struct job_result, context_switches, FIELD_U64),
	FIELD(struct job_result, major_faults, FIELD_U64),
	FIELD(struct job_result, minor_faults, FIELD_U64),
	FIELD_ARRAY(struct job_result, depth_at_submit, FIELD_U64, RESULT_NR_DEPTHS),
	FIELD_ARRAY(struct job_result, per_submit, FIELD_U64, RESULT_NR_DEPTHS),
	FIELD_ARRAY(struct job_result, per_complete, FIELD_U64, RESULT_NR_DEPTHS),
	FIELD(struct job_result, kb_base, FIELD_UINT),
	FIELD(struct job_result, group_reporting, FIELD_BOOL),
	FIELD(struct job_result, has_slat, FIELD_BOOL),
	FIELD(struct job_result, clat_percentiles, FIELD_BOOL),
	FIELD(struct job_result, lat_percentiles, FIELD_BOOL),
	FIELD(struct job_result, slat_percentiles, FIELD_BOOL),
	FIELD_NEW(struct job_result, unified_rw, FIELD_UINT),
	FIELD_NEW(struct job_result, unit_base, FIELD_UINT),
	FIELD_NEW(struct job_result, significant_figures, FIELD_UINT),
	FIELD_NEW(struct job_result, is_silent, FIELD_BOOL),
	FIELD_NEW(struct job_result, shows_errors, FIELD_BOOL),
	FIELD_NEW(struct job_result, latency_target_ns, FIELD_U64),
	FIELD_NEW(struct job_result, latency_window_us, FIELD_U64),
	FIELD_NEW(struct job_result, latency_percentile, FIELD_REAL),
	FIELD_NEW(struct job_result, latency_depth, FIELD_UINT),
};

static const struct json_field dir_rows[] = {
	FIELD(struct dir_result, total_ios, FIELD_U64),
	FIELD(struct dir_result, io_bytes, FIELD_U64),
	FIELD(struct dir_result, short_ios, FIELD_U64),
	FIELD(struct dir_result, drop_ios, FIELD_U64),
	FIELD(struct dir_result, runtime_ms, FIELD_U64),
	FIELD_NEW(struct dir_result, runtime_ns, FIELD_U64),
};

static const struct json_field moments_rows[] = {
	FIELD(struct moments, n, FIELD_U64),	   FIELD(struct moments, min, FIELD_U64),
	FIELD(struct moments, max, FIELD_U64),	   FIELD(struct moments, sum, FIELD_U64),
	FIELD(struct moments, sum_sq, FIELD_U128),
};

static const struct json_field running_rows[] = {
	FIELD(struct running, n, FIELD_U64),	       FIELD(struct running, mean, FIELD_REAL),
	FIELD(struct running, sum_sq_dev, FIELD_REAL), FIELD(struct running, min, FIELD_REAL),
	FIELD(struct running, max, FIELD_REAL),
};

static const struct json_field disk_rows[] = {
	FIELD(struct disk_result, parent, FIELD_INT),
	FIELD_ARRAY(struct disk_result, ios, FIELD_U64, 2),
	FIELD_ARRAY(struct disk_result, merges, FIELD_U64, 2),
	FIELD_ARRAY(struct disk_result, sectors, FIELD_U64, 2),
	FIELD_ARRAY(struct disk_result, ticks_ms, FIELD_U64, 2),
	FIELD(struct disk_result, in_queue_ms, FIELD_U64),
	FIELD(struct disk_result, io_ticks_ms, FIELD_U64),
	FIELD(struct disk_result, wall_ms, FIELD_U64),
};

const struct json_fields result_json_fields = JSON_FIELDS(result_rows);
const struct json_fields result_json_job_fields = JSON_FIELDS(job_rows);
const struct json_fields result_json_dir_fields = JSON_FIELDS(dir_rows);
const struct json_fields result_json_moments_fields = JSON_FIELDS(moments_rows);
const struct json_fields result_json_running_fields = JSON_FIELDS(running_rows);
const struct json_fields result_json_disk_fields = JSON_FIELDS(disk_rows);
