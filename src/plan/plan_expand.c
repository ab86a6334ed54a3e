/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan_expand: factors into points and cells. In which order they run is left to src/bench. */
#include "plan/plan_expand.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/name_index.h"
#include "base/strbuf.h"
#include "model/setting.h"
#include "plan/plan.h"

struct expander {
	const struct matrix_plan *plan;
	struct plan_points *out;
	size_t order[PLAN_MAX_FACTORS]; /* of the factors by key: for ids */
	struct name_index points, cells, ids;
	struct names VEC_BODY(char *) names; /* of the indexes */
	struct err *err;
};

static void expander_release(struct expander *expander)
{
	for (size_t i = 0; i < expander->names.nr; i++)
		free(expander->names.items[i]);
	vec_release(&expander->names);
	name_index_release(&expander->points);
	name_index_release(&expander->cells);
	name_index_release(&expander->ids);
}

static void sort_factors(struct expander *expander)
{
	const struct plan_factor *factors = expander->plan->factors.items;

	for (size_t i = 0; i < expander->plan->factors.nr; i++) {
		size_t at = i;

		for (; at > 0 && strcmp(factors[expander->order[at - 1]].key, factors[i].key) > 0;
		     at--)
			expander->order[at] = expander->order[at - 1];
		expander->order[at] = i;
	}
}

/* Key and value of each factor, `without` excepted; a name that the index may keep. */
static char *point_name(struct expander *expander, const uint16_t *values, size_t without)
{
	struct strbuf name = STRBUF_INIT;

	for (size_t i = 0; i < expander->plan->factors.nr; i++) {
		size_t nr = expander->order[i];
		const struct plan_factor *factor = &expander->plan->factors.items[nr];

		if (nr == without)
			continue;
		strbuf_add_str(&name, factor->key);
		strbuf_add_char(&name, '=');
		strbuf_add_str(&name, factor->values.items[values[nr]]);
		strbuf_add_char(&name, '\n');
	}
	return strbuf_take(&name);
}

static char *keep(struct expander *expander, char *name)
{
	vec_push(&expander->names, name);
	return name;
}

static void add_to_cell(struct expander *expander, struct plan_point *point, size_t nr)
{
	const struct matrix_plan *plan = expander->plan;
	struct plan_cell_list *cells = &expander->out->cells;
	char *name = keep(expander, point_name(expander, point->values, plan->compared));
	struct plan_cell_points *members;

	point->cell = *name_index_place(&expander->cells, name, cells->nr);
	if (point->cell == cells->nr)
		vec_push(cells, (struct plan_cell){ .points = { .nr = 0 } });
	members = &cells->items[point->cell].points;
	vec_push(members, nr);
	if (plan_is_compared(plan) && point->values[plan->compared] == plan->baseline) {
		memmove(members->items + 1, members->items,
			(members->nr - 1) * sizeof(*members->items));
		members->items[0] = nr;
	}
}

static int add_point(struct expander *expander, const uint16_t *values)
{
	struct plan_point_list *points = &expander->out->points;
	size_t nr_factors = expander->plan->factors.nr;
	char *name = point_name(expander, values, SIZE_MAX);
	struct plan_point point = { .cell = 0 };
	size_t nr = points->nr;

	if (*name_index_place(&expander->points, name, nr) != nr) {
		free(name);
		return 0; /* an include that names what is there */
	}
	(void)keep(expander, name);
	if (nr == PLAN_MAX_POINTS)
		return err_set(expander->err, ERR_INPUT, "%s: more than %d points",
			       expander->plan->source, PLAN_MAX_POINTS);
	(void)snprintf(point.id, sizeof(point.id), "%016llx", (unsigned long long)name_hash(name));
	if (*name_index_place(&expander->ids, keep(expander, xstrdup(point.id)), nr) != nr)
		return err_set(expander->err, ERR_INPUT,
			       "%s: two points have the id %s by chance; rename a value",
			       expander->plan->source, point.id);
	point.values = xcalloc(nr_factors, sizeof(*values));
	memcpy(point.values, values, nr_factors * sizeof(*values));
	vec_push(points, point);
	add_to_cell(expander, vec_last(points), nr);
	return 0;
}

/* Whether the values are among the picks, for each factor that these name. */
static bool matches(const struct plan_combination *combination, const uint16_t *values)
{
	for (size_t i = 0; i < combination->picks.nr; i++) {
		size_t factor = combination->picks.items[i].factor;
		bool is_in = false;

		for (size_t j = 0; j < combination->picks.nr && !is_in; j++)
			is_in = combination->picks.items[j].factor == factor &&
				combination->picks.items[j].value == values[factor];
		if (!is_in)
			return false;
	}
	return true;
}

static bool is_excluded(const struct matrix_plan *plan, const uint16_t *values)
{
	for (size_t i = 0; i < plan->exclude.nr; i++) {
		if (matches(&plan->exclude.items[i], values))
			return true;
	}
	return false;
}

/* The value lists of one product. */
struct product {
	struct product_values VEC_BODY(uint16_t) values[PLAN_MAX_FACTORS];
};

static void product_release(struct product *product)
{
	for (size_t i = 0; i < PLAN_MAX_FACTORS; i++)
		vec_release(&product->values[i]);
}

/* Listed values, but those of the combination for the factors that it names. */
static void product_init(struct product *product, const struct matrix_plan *plan,
			 const struct plan_combination *combination)
{
	*product = (struct product){ .values = { { .nr = 0 } } };
	for (size_t i = 0; combination && i < combination->picks.nr; i++) {
		const struct plan_pick *pick = &combination->picks.items[i];

		vec_push(&product->values[pick->factor], (uint16_t)pick->value);
	}
	for (size_t i = 0; i < plan->factors.nr; i++) {
		if (product->values[i].nr)
			continue;
		for (size_t j = 0; j < plan->factors.items[i].nr_listed; j++)
			vec_push(&product->values[i], (uint16_t)j);
	}
}

/* The next combination, the last factor fastest; false after the last. */
static bool next_values(const struct product *product, size_t nr_factors, size_t *digits)
{
	for (size_t i = nr_factors; i-- > 0;) {
		if (++digits[i] < product->values[i].nr)
			return true;
		digits[i] = 0;
	}
	return false;
}

static int add_product(struct expander *expander, const struct product *product, bool may_exclude)
{
	size_t nr_factors = expander->plan->factors.nr;
	size_t digits[PLAN_MAX_FACTORS] = { 0 };
	uint16_t values[PLAN_MAX_FACTORS];
	int ret = 0;

	for (size_t i = 0; i < nr_factors; i++) {
		if (product->values[i].nr == 0)
			return 0; /* a plan of includes alone */
	}
	do {
		for (size_t i = 0; i < nr_factors; i++)
			values[i] = product->values[i].items[digits[i]];
		if (!may_exclude || !is_excluded(expander->plan, values))
			ret = add_point(expander, values);
	} while (ret == 0 && next_values(product, nr_factors, digits));
	return ret;
}

/* So that what is excluded cannot take for ever either. */
static int check_size(const struct matrix_plan *plan, const struct product *product,
		      struct err *err)
{
	size_t nr = 1;

	for (size_t i = 0; i < plan->factors.nr; i++) {
		if (__builtin_mul_overflow(nr, product->values[i].nr, &nr) ||
		    nr > 10 * (size_t)PLAN_MAX_POINTS)
			return err_set(err, ERR_INPUT,
				       "%s:%u: with this factor there are more than %d points",
				       plan->source, plan->factors.items[i].line, PLAN_MAX_POINTS);
	}
	return 0;
}

static int expand_one(struct expander *expander, const struct plan_combination *combination)
{
	struct product product;
	int ret;

	product_init(&product, expander->plan, combination);
	ret = check_size(expander->plan, &product, expander->err);
	if (ret == 0)
		ret = add_product(expander, &product, !combination);
	product_release(&product);
	return ret;
}

int plan_expand(const struct matrix_plan *plan, struct plan_points *ret_points, struct err *err)
{
	struct plan_points points = { .points = { .nr = 0 } };
	struct expander expander = { .plan = plan, .out = &points, .err = err };
	int ret;

	sort_factors(&expander);
	ret = expand_one(&expander, NULL);
	for (size_t i = 0; i < plan->include.nr && ret == 0; i++)
		ret = expand_one(&expander, &plan->include.items[i]);
	if (ret == 0 && points.points.nr == 0)
		ret = err_set(err, ERR_INPUT, "%s: every combination is excluded", plan->source);
	expander_release(&expander);
	if (ret < 0) {
		plan_points_release(&points);
		return ret;
	}
	*ret_points = points;
	return 0;
}

void plan_points_release(struct plan_points *points)
{
	for (size_t i = 0; i < points->points.nr; i++)
		free(points->points.items[i].values);
	for (size_t i = 0; i < points->cells.nr; i++)
		vec_release(&points->cells.items[i].points);
	vec_release(&points->points);
	vec_release(&points->cells);
	*points = (struct plan_points){ .points = { .nr = 0 } };
}

static int add_setting(const struct matrix_plan *plan, const char *text, unsigned line,
		       struct setting_list *into, struct err *err)
{
	size_t nr_before = into->nr;
	int ret = setting_list_parse(into, text, err);

	if (ret < 0)
		(void)err_prefix(err, "%s:%u", plan->source, line);
	else
		setting_list_mark(into, nr_before, plan->source, line);
	return ret;
}

static int add_settings(const struct matrix_plan *plan, const struct plan_settings *settings,
			struct setting_list *into, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < settings->nr && ret == 0; i++)
		ret = add_setting(plan, settings->items[i].text, settings->items[i].line, into,
				  err);
	return ret;
}

int plan_point_settings(const struct matrix_plan *plan, const struct plan_point *point,
			struct setting_list *into, struct err *err)
{
	int ret = add_settings(plan, &plan->settings, into, err);

	for (size_t i = 0; i < plan->factors.nr && ret == 0; i++) {
		const struct plan_factor *factor = &plan->factors.items[i];
		CLEANUP(free)
		char *text =
			xasprintf("%s=%s", factor->key, factor->values.items[point->values[i]]);

		ret = add_setting(plan, text, factor->line, into, err);
	}
	for (size_t i = 0; i < plan->when.nr && ret == 0; i++) {
		if (matches(&plan->when.items[i].match, point->values))
			ret = add_settings(plan, &plan->when.items[i].settings, into, err);
	}
	return ret;
}

static void add_label(const struct matrix_plan *plan, const struct plan_point *point,
		      size_t without, struct strbuf *out)
{
	size_t start = out->len;

	for (size_t i = 0; i < plan->factors.nr; i++) {
		const struct plan_factor *factor = &plan->factors.items[i];

		if (i == without || factor->values.nr < 2)
			continue;
		strbuf_printf(out, "%s%s=%s", out->len > start ? ", " : "", factor->name,
			      factor->values.items[point->values[i]]);
	}
	if (out->len == start)
		strbuf_add_str(out, "all");
}

void plan_point_label(const struct matrix_plan *plan, const struct plan_point *point,
		      struct strbuf *out)
{
	add_label(plan, point, SIZE_MAX, out);
}

void plan_cell_label(const struct matrix_plan *plan, const struct plan_point *point,
		     struct strbuf *out)
{
	add_label(plan, point, plan->compared, out);
}
