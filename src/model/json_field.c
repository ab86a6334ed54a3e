/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_field: structs to JSON objects and back, by tables of fields. Knows no particular struct. */
#include "model/json_field.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"

#define U128_TEXT_LEN 40 /* 39 digits and the terminator */

static void place_print(const struct json_place *place, struct strbuf *text)
{
	if (!place)
		return;
	place_print(place->parent, text);
	if (place->key)
		strbuf_printf(text, "%s%s", text->len ? "." : "", place->key);
	else
		strbuf_printf(text, "[%zu]", place->index);
}

int json_refuse(const struct json_place *place, struct err *err, const char *format, ...)
{
	CLEANUP(strbuf) struct strbuf message = STRBUF_INIT;
	va_list args;

	place_print(place, &message);
	if (message.len)
		strbuf_add_str(&message, ": ");
	va_start(args, format);
	strbuf_vprintf(&message, format, args);
	va_end(args);
	return err_set(err, ERR_INPUT, "%s", strbuf_str(&message));
}

static json_t *from_u128(unsigned __int128 value)
{
	char text[U128_TEXT_LEN];
	char *digit = text + sizeof(text) - 1;

	*digit = '\0';
	do {
		*--digit = (char)('0' + (int)(value % 10));
		value /= 10;
	} while (value);
	return json_string(digit);
}

/* Digits only; false when there is anything else or it does not fit. */
static bool parse_u128(const char *text, unsigned __int128 *ret_value)
{
	unsigned __int128 value = 0;

	if (!*text)
		return false;
	for (; *text; text++) {
		if (*text < '0' || *text > '9' || __builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (unsigned)(*text - '0'), &value))
			return false;
	}
	*ret_value = value;
	return true;
}

json_t *json_from_u64(unsigned long long value)
{
	if (value > INT64_MAX)
		return from_u128(value);
	return json_integer((json_int_t)value);
}

int json_to_u64(const json_t *value, unsigned long long *ret_value, const struct json_place *place,
		struct err *err)
{
	unsigned __int128 number;

	if (json_is_integer(value) && json_integer_value(value) >= 0) {
		*ret_value = (unsigned long long)json_integer_value(value);
		return 0;
	}
	if (json_is_string(value) && parse_u128(json_string_value(value), &number) &&
	    number <= UINT64_MAX) {
		*ret_value = (unsigned long long)number;
		return 0;
	}
	return json_refuse(place, err, "not a whole number of 0 to 2^64 - 1");
}

static int to_integer(const json_t *value, json_int_t min, json_int_t max, json_int_t *ret_value,
		      const struct json_place *place, struct err *err)
{
	json_int_t number = json_integer_value(value);

	if (!json_is_integer(value) || number < min || number > max)
		return json_refuse(place, err, "not a whole number of %lld to %lld", (long long)min,
				   (long long)max);
	*ret_value = number;
	return 0;
}

json_t *json_from_real(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

int json_to_real(const json_t *value, double *ret_value, const struct json_place *place,
		 struct err *err)
{
	if (json_is_null(value)) {
		*ret_value = NAN;
		return 0;
	}
	if (!json_is_number(value))
		return json_refuse(place, err, "not a number");
	*ret_value = json_number_value(value);
	return 0;
}

json_t *json_from_text(const char *text)
{
	CLEANUP(strbuf) struct strbuf hex = STRBUF_INIT;
	json_t *value;

	if (!text)
		return json_null();
	value = json_string(text);
	if (value)
		return value;
	for (; *text; text++) /* no UTF-8: a file name, say */
		strbuf_printf(&hex, "%02x", (unsigned)(unsigned char)*text);
	return json_pack("{s:s}", "hex", strbuf_str(&hex));
}

static int hex_digit(char c)
{
	const char *digits = "0123456789abcdef";
	const char *found = c ? strchr(digits, c) : NULL;

	return found ? (int)(found - digits) : -1;
}

static int hex_to_text(const char *hex, char **ret_text, const struct json_place *place,
		       struct err *err)
{
	struct strbuf text = STRBUF_INIT;

	for (; *hex; hex += 2) {
		int high = hex_digit(hex[0]);
		int low = high < 0 ? -1 : hex_digit(hex[1]);

		if (low < 0 || (high == 0 && low == 0)) {
			strbuf_release(&text);
			return json_refuse(place, err, "'hex' is not pairs of hexadecimal digits");
		}
		strbuf_add_char(&text, (char)(high << 4 | low));
	}
	*ret_text = strbuf_take(&text);
	return 0;
}

int json_to_text(const json_t *value, char **ret_text, const struct json_place *place,
		 struct err *err)
{
	const json_t *hex = json_object_get(value, "hex");

	if (json_is_string(value)) {
		*ret_text = xstrdup(json_string_value(value));
		return 0;
	}
	if (json_is_string(hex))
		return hex_to_text(json_string_value(hex), ret_text, place, err);
	return json_refuse(place, err, "not a string");
}

static size_t item_bytes(enum json_field_type type)
{
	static const size_t bytes[] = {
		[FIELD_U64] = sizeof(uint64_t), [FIELD_U128] = sizeof(unsigned __int128),
		[FIELD_I64] = sizeof(int64_t),	[FIELD_UINT] = sizeof(unsigned),
		[FIELD_INT] = sizeof(int),	[FIELD_BOOL] = sizeof(bool),
		[FIELD_REAL] = sizeof(double),	[FIELD_TEXT] = sizeof(char *),
	};

	return bytes[type];
}

static json_t *write_item(enum json_field_type type, const void *from)
{
	switch (type) {
	case FIELD_U64:
		return json_from_u64(*(const uint64_t *)from);
	case FIELD_U128:
		return from_u128(*(const unsigned __int128 *)from);
	case FIELD_I64:
		return json_integer(*(const int64_t *)from);
	case FIELD_UINT:
		return json_integer(*(const unsigned *)from);
	case FIELD_INT:
		return json_integer(*(const int *)from);
	case FIELD_BOOL:
		return json_boolean(*(const bool *)from);
	case FIELD_REAL:
		return json_from_real(*(const double *)from);
	case FIELD_TEXT:
		return json_from_text(*(char *const *)from);
	}
	abort();
}

void json_write_fields(json_t *object, const struct json_fields *fields, const void *from)
{
	for (size_t i = 0; i < fields->nr; i++) {
		const struct json_field *field = &fields->items[i];
		const char *member = (const char *)from + field->offset;
		json_t *array;

		if (!field->nr) {
			(void)json_object_set_new(object, field->key,
						  write_item(field->type, member));
			continue;
		}
		array = json_array();
		for (size_t j = 0; j < field->nr; j++)
			(void)json_array_append_new(
				array,
				write_item(field->type, member + j * item_bytes(field->type)));
		(void)json_object_set_new(object, field->key, array);
	}
}

static int read_integer(const json_t *value, enum json_field_type type, void *into,
			const struct json_place *place, struct err *err)
{
	static const json_int_t limits[][2] = {
		[FIELD_I64] = { INT64_MIN, INT64_MAX },
		[FIELD_UINT] = { 0, UINT_MAX },
		[FIELD_INT] = { INT_MIN, INT_MAX },
	};
	json_int_t number = 0;
	int ret = to_integer(value, limits[type][0], limits[type][1], &number, place, err);

	if (ret < 0)
		return ret;
	if (type == FIELD_I64)
		*(int64_t *)into = number;
	else if (type == FIELD_UINT)
		*(unsigned *)into = (unsigned)number;
	else
		*(int *)into = (int)number;
	return 0;
}

static int read_u64(const json_t *value, uint64_t *into, const struct json_place *place,
		    struct err *err)
{
	unsigned long long number = 0;
	int ret = json_to_u64(value, &number, place, err);

	if (ret == 0)
		*into = number;
	return ret;
}

static int read_u128(const json_t *value, unsigned __int128 *into, const struct json_place *place,
		     struct err *err)
{
	if (!json_is_string(value) || !parse_u128(json_string_value(value), into))
		return json_refuse(place, err, "not a decimal string below 2^128");
	return 0;
}

static int read_bool(const json_t *value, bool *into, const struct json_place *place,
		     struct err *err)
{
	if (!json_is_boolean(value))
		return json_refuse(place, err, "not true or false");
	*into = json_is_true(value);
	return 0;
}

static int read_text(const json_t *value, char **into, const struct json_place *place,
		     struct err *err)
{
	return json_is_null(value) ? 0 : json_to_text(value, into, place, err);
}

static int read_item(const json_t *value, enum json_field_type type, void *into,
		     const struct json_place *place, struct err *err)
{
	switch (type) {
	case FIELD_U64:
		return read_u64(value, into, place, err);
	case FIELD_U128:
		return read_u128(value, into, place, err);
	case FIELD_I64:
	case FIELD_UINT:
	case FIELD_INT:
		return read_integer(value, type, into, place, err);
	case FIELD_BOOL:
		return read_bool(value, into, place, err);
	case FIELD_REAL:
		return json_to_real(value, into, place, err);
	case FIELD_TEXT:
		return read_text(value, into, place, err);
	}
	abort();
}

static int read_array(const json_t *array, const struct json_field *field, char *into,
		      const struct json_place *place, struct err *err)
{
	if (!json_is_array(array) || json_array_size(array) != field->nr)
		return json_refuse(place, err, "not an array of %zu", field->nr);
	for (size_t i = 0; i < field->nr; i++) {
		const struct json_place item = { .parent = place, .index = i };
		int ret = read_item(json_array_get(array, i), field->type,
				    into + i * item_bytes(field->type), &item, err);

		if (ret < 0)
			return ret;
	}
	return 0;
}

int json_read_fields(const json_t *object, const struct json_fields *fields, void *into,
		     const struct json_place *place, struct err *err)
{
	for (size_t i = 0; i < fields->nr; i++) {
		const struct json_field *field = &fields->items[i];
		const struct json_place here = { .parent = place, .key = field->key };
		const json_t *value = json_object_get(object, field->key);
		char *member = (char *)into + field->offset;
		int ret;

		if (!value && (field->is_optional || field->type == FIELD_TEXT))
			continue;
		if (!value)
			return json_refuse(&here, err, "missing");
		ret = field->nr ? read_array(value, field, member, &here, err)
				: read_item(value, field->type, member, &here, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

int json_get_object(const json_t *object, const char *key, int is_needed, const json_t **ret_value,
		    const struct json_place *place, struct err *err)
{
	const struct json_place here = { .parent = place, .key = key };
	const json_t *value = json_object_get(object, key);

	if (value && !json_is_object(value))
		return json_refuse(&here, err, "not an object");
	if (is_needed && !value)
		return json_refuse(&here, err, "missing");
	*ret_value = value;
	return 0;
}

int json_get_array(const json_t *object, const char *key, int is_needed, const json_t **ret_value,
		   const struct json_place *place, struct err *err)
{
	const struct json_place here = { .parent = place, .key = key };
	const json_t *value = json_object_get(object, key);

	if (value && !json_is_array(value))
		return json_refuse(&here, err, "not an array");
	if (is_needed && !value)
		return json_refuse(&here, err, "missing");
	*ret_value = value;
	return 0;
}
