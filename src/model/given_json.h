/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MODEL_GIVEN_JSON_H
#define REGIO_MODEL_GIVEN_JSON_H

#include <jansson.h>

struct err;
struct given_list;
struct json_place;

/* The member "given" of the archive form of a result or job; none for an empty list. */
void given_write(json_t *object, const struct given_list *list);
/* A missing member is an empty list. What was read before a failure stays in *into. */
int given_read(const json_t *object, struct given_list *into, const struct json_place *place,
	       struct err *err);

/* The short form, {name: value}, for values of which nothing else is known; none if empty. */
void given_write_values(json_t *object, const char *key, const struct given_list *list);
int given_read_values(const json_t *object, const char *key, struct given_list *into,
		      const struct json_place *place, struct err *err);

#endif
