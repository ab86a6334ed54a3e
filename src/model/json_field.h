/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MODEL_JSON_FIELD_H
#define REGIO_MODEL_JSON_FIELD_H

/*
 * A struct as a JSON object, by a table of its fields: one row serves the writer and the reader,
 * so they cannot drift apart. Numbers are lossless: whole numbers above 2^63 - 1 are decimal
 * strings, reals have 17 digits, a real that is not finite is null and comes back as NaN. Text
 * that is no UTF-8 becomes {"hex": ".."}; NULL is null.
 *
 * The reader takes nothing for granted: each message starts with the place, such as
 * "jobs[2].read.clat.n: ".
 */

#include <stddef.h>

#include <jansson.h>

struct err;

enum json_field_type {
	FIELD_U64,
	FIELD_U128, /* unsigned __int128, always a decimal string */
	FIELD_I64,
	FIELD_UINT, /* unsigned */
	FIELD_INT,  /* int */
	FIELD_BOOL,
	FIELD_REAL, /* double */
	FIELD_TEXT, /* char *, owned; missing, null and NULL are one */
};

struct json_field {
	const char *key;
	size_t offset;
	size_t nr; /* length of an array in the struct; 0 = not an array */
	enum json_field_type type;
	int is_optional; /* missing = the struct keeps what it had */
};

struct json_fields {
	const struct json_field *items;
	size_t nr;
};

#define JSON_FIELDS(rows)                                                                          \
	(struct json_fields)                                                                       \
	{                                                                                          \
		.items = (rows), .nr = sizeof(rows) / sizeof((rows)[0])                            \
	}

/* Where in a document a value stands: a chain on the stack of the readers. */
struct json_place {
	const struct json_place *parent; /* NULL at the top */
	const char *key;		 /* member of the parent; NULL = the index counts */
	size_t index;
};

/* "place: message". Returns -ERR_INPUT. */
int json_refuse(const struct json_place *place, struct err *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

void json_write_fields(json_t *object, const struct json_fields *fields, const void *from);
/* Unknown keys are ignored. What was read before a failure stays in *into. */
int json_read_fields(const json_t *object, const struct json_fields *fields, void *into,
		     const struct json_place *place, struct err *err);

/* The member, NULL where it is missing; missing and is_needed is refused. */
int json_get_object(const json_t *object, const char *key, int is_needed, const json_t **ret_value,
		    const struct json_place *place, struct err *err);
int json_get_array(const json_t *object, const char *key, int is_needed, const json_t **ret_value,
		   const struct json_place *place, struct err *err);

/* One value of its own. */
json_t *json_from_u64(unsigned long long value);
int json_to_u64(const json_t *value, unsigned long long *ret_value, const struct json_place *place,
		struct err *err);
json_t *json_from_real(double value);
int json_to_real(const json_t *value, double *ret_value, const struct json_place *place,
		 struct err *err);
json_t *json_from_text(const char *text);
/* A new string (caller frees); null is refused. */
int json_to_text(const json_t *value, char **ret_text, const struct json_place *place,
		 struct err *err);

#endif
