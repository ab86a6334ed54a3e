/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MODEL_TIMELINE_JSON_H
#define REGIO_MODEL_TIMELINE_JSON_H

/* Private to src/model: the timelines of a result in its archive form, new after version 1. */

#include <jansson.h>

struct err;
struct result;

/* "timelines": [[us, ios, us, ios ..], ..]; without any there is no member. */
void timelines_write(json_t *object, const struct result *result);
int timelines_read(const json_t *object, struct result *result, struct err *err);

#endif
