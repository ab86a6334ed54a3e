/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_GOLDEN_H
#define REGIO_TESTS_GOLDEN_H

#include <jansson.h>
#include <stddef.h>

/*
 * Expected values from tests/data/statistics-golden.json for the tests of stats and analysis.
 * Anything missing in the file fails the test.
 */

/* The document; json_decref it. */
json_t *golden_load(void);

json_t *golden_get(const json_t *object, const char *key);
double golden_number(const json_t *object, const char *key);
size_t golden_size(const json_t *object, const char *key);

/* Item of an array of numbers. */
double golden_item(const json_t *array, size_t index);

/* A heap array of numbers: `value` is a JSON array, or the name of one under "data". */
double *golden_array(const json_t *root, const json_t *value, size_t *ret_nr);

/* Natural logarithms of golden_array(). */
double *golden_log_array(const json_t *root, const json_t *value, size_t *ret_nr);

/* Fails unless equal within a relative error of 1e-9. */
#define assert_close(actual, expected)                                                             \
	golden_close((actual), (expected), #actual, __FILE__, __LINE__)
void golden_close(double actual, double expected, const char *what, const char *file, int line);

/* The same, but null in the file means NAN. */
#define assert_golden(actual, object, key)                                                         \
	golden_matches((actual), (object), (key), __FILE__, __LINE__)
void golden_matches(double actual, const json_t *object, const char *key, const char *file,
		    int line);

#endif
