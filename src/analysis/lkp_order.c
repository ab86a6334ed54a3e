/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lkp_order: the order of rows in LKP's comparison table. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/lkp_compare.h"
#include "base/arena.h"
#include "model/lkp_table.h"

/* Groups with failures come before all others. */
#define FAILURE_WEIGHT (-10000)
/* Of these only the first two parts of a name count; then the changes decide. */
#define PROFILE "perf-profile"
#define PROFILE_PARTS 2

struct keyed {
	struct lkp_row row;
	size_t nr_columns;
	long weight;	/* of its group */
	size_t key_len; /* of the name */
	size_t place;	/* before sorting */
};

static bool is_same_group(const char *a, const char *b)
{
	size_t len = lkp_group_len(a);

	return lkp_group_len(b) == len && strncmp(a, b, len) == 0;
}

static size_t key_len(const char *name)
{
	size_t len = 0;

	if (!is_same_group(name, PROFILE))
		return strlen(name);
	for (int i = 0; i < PROFILE_PARTS; i++)
		len += strcspn(name + len, ".") +
		       (i + 1 < PROFILE_PARTS && strchr(name + len, '.'));
	return len;
}

/* Small groups first; the test's own rows before all monitors. */
static long group_weight(const struct lkp_table *table, const char *name,
			 const struct lkp_options *options)
{
	long nr = 0, weight = 0;

	for (size_t i = 0; i < table->nr_rows; i++) {
		if (!is_same_group(table->rows[i].name, name))
			continue;
		if (nr++ == 0 && table->rows[i].is_failure)
			weight = FAILURE_WEIGHT;
	}
	weight += nr;
	if (weight > 0 && !options->are_tests_last && !lkp_is_monitor(name))
		return 0;
	return weight;
}

static int compare_names(const struct keyed *a, const struct keyed *b)
{
	size_t len = a->key_len < b->key_len ? a->key_len : b->key_len;
	int order = memcmp(a->row.name, b->row.name, len);

	if (order)
		return order;
	return a->key_len < b->key_len ? -1 : a->key_len > b->key_len;
}

static int compare_changes(const struct keyed *a, const struct keyed *b)
{
	for (size_t i = 1; i < a->nr_columns; i++) {
		double left = a->row.cells[i].change, right = b->row.cells[i].change;

		if (left < right || (isnan(left) && !isnan(right)))
			return -1;
		if (left > right || (isnan(right) && !isnan(left)))
			return 1;
	}
	return 0;
}

static int compare_rows(const void *left, const void *right)
{
	const struct keyed *a = left, *b = right;
	int order;

	if (a->weight != b->weight)
		return a->weight < b->weight ? -1 : 1;
	order = compare_names(a, b);
	if (order)
		return order;
	order = compare_changes(a, b);
	if (order)
		return order;
	return a->place < b->place ? -1 : a->place > b->place;
}

void lkp_sort_rows(struct lkp_table *table, const struct lkp_options *options)
{
	CLEANUP(free) struct keyed *rows = xcalloc(table->nr_rows + 1, sizeof(*rows));

	for (size_t i = 0; i < table->nr_rows; i++) {
		const char *name = table->rows[i].name;
		bool is_known = i && is_same_group(name, table->rows[i - 1].name);

		rows[i] = (struct keyed){
			.row = table->rows[i],
			.nr_columns = table->nr_columns,
			.weight =
				is_known ? rows[i - 1].weight : group_weight(table, name, options),
			.key_len = key_len(name),
			.place = i,
		};
	}
	qsort(rows, table->nr_rows, sizeof(*rows), compare_rows);
	for (size_t i = 0; i < table->nr_rows; i++)
		table->rows[i] = rows[i].row;
}
