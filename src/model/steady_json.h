/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MODEL_STEADY_JSON_H
#define REGIO_MODEL_STEADY_JSON_H

/* job_result.steady in the archive: an object with arrays of samples; absent where NULL. */

#include <jansson.h>

struct err;
struct job_result;
struct json_place;

void steady_write(json_t *object, const struct job_result *job);
int steady_read(const json_t *object, struct job_result *job, const struct json_place *place,
		struct err *err);

#endif
