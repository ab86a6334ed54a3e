/* SPDX-License-Identifier: GPL-2.0-or-later */
/* golden: reads the file of expected statistics for the tests. */
#include "golden.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "test.h"

#define TOLERANCE 1e-9

json_t *golden_load(void)
{
	const char *source_root = getenv("REGIO_SOURCE_ROOT");
	char path[4096];
	json_error_t error;
	json_t *root;

	if (!source_root)
		fail_msg("REGIO_SOURCE_ROOT is not set; run by meson test");
	snprintf(path, sizeof(path), "%s/tests/data/statistics-golden.json", source_root);
	root = json_load_file(path, 0, &error);
	if (!root)
		fail_msg("%s:%d: %s", path, error.line, error.text);
	return root;
}

json_t *golden_get(const json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);

	if (!value)
		fail_msg("no '%s' in the golden file", key);
	return value;
}

double golden_number(const json_t *object, const char *key)
{
	json_t *value = golden_get(object, key);

	if (!json_is_number(value))
		fail_msg("'%s' is not a number in the golden file", key);
	return json_number_value(value);
}

size_t golden_size(const json_t *object, const char *key)
{
	return (size_t)golden_number(object, key);
}

double golden_item(const json_t *array, size_t index)
{
	json_t *value = json_array_get(array, index);

	if (!json_is_number(value))
		fail_msg("no number %zu in an array of the golden file", index);
	return json_number_value(value);
}

double *golden_array(const json_t *root, const json_t *value, size_t *ret_nr)
{
	const json_t *array = value;
	double *items;

	if (json_is_string(value))
		array = golden_get(golden_get(root, "data"), json_string_value(value));
	if (!json_is_array(array))
		fail_msg("not an array in the golden file");
	*ret_nr = json_array_size(array);
	items = calloc(*ret_nr + 1, sizeof(*items));
	assert_non_null(items);
	for (size_t i = 0; i < *ret_nr; i++)
		items[i] = golden_item(array, i);
	return items;
}

double *golden_log_array(const json_t *root, const json_t *value, size_t *ret_nr)
{
	double *items = golden_array(root, value, ret_nr);

	for (size_t i = 0; i < *ret_nr; i++)
		items[i] = log(items[i]);
	return items;
}

void golden_close(double actual, double expected, const char *what, const char *file, int line)
{
	double limit = TOLERANCE * fmax(fabs(actual), fabs(expected));

	if (actual == expected || fabs(actual - expected) <= limit)
		return;
	print_error("%s is %.17g, expected %.17g\n", what, actual, expected);
	_fail(file, line);
}

void golden_matches(double actual, const json_t *object, const char *key, const char *file,
		    int line)
{
	json_t *value = golden_get(object, key);

	if (!json_is_null(value)) {
		golden_close(actual, golden_number(object, key), key, file, line);
		return;
	}
	if (isnan(actual))
		return;
	print_error("%s is %.17g, expected none\n", key, actual);
	_fail(file, line);
}
