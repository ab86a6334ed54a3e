/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MODEL_RESULT_FIELDS_H
#define REGIO_MODEL_RESULT_FIELDS_H

/* The tables that result_json.c writes and reads by: plain members of the structs of a result. */
struct json_fields;

extern const struct json_fields result_json_fields; /* struct result */
extern const struct json_fields result_json_job_fields;
extern const struct json_fields result_json_dir_fields;
extern const struct json_fields result_json_moments_fields;
extern const struct json_fields result_json_running_fields;
extern const struct json_fields result_json_disk_fields;

#endif
