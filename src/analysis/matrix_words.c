/* SPDX-License-Identifier: GPL-2.0-or-later */
/* matrix_words: sentences about a matrix. Which cells belong together is left to matrix_groups. */
#include "analysis/matrix_words.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/matrix_answer.h"
#include "analysis/virtual_rule.h"
#include "base/strbuf.h"

/* A sentence names so many groups of a class; reports show every cell. */
#define MAX_GROUPS 6

/* How a class is called before its conditions. */
static const char *const class_words[MATRIX_NR_CLASSES] = {
	[MATRIX_REGRESSION] = "regression",  [MATRIX_IMPROVEMENT] = "improvement",
	[MATRIX_CHANGE] = "change",	     [MATRIX_SAME] = "none",
	[MATRIX_UNDECIDED] = "undecided",    [MATRIX_FEW_RUNS] = "too few runs",
	[MATRIX_FAILING] = "failing trials",
};

static size_t count_levels(const struct matrix_group *group, const struct matrix_input *input,
			   size_t factor, bool has)
{
	size_t nr = 0;

	for (size_t i = 0; i < input->factors[factor].nr_values; i++)
		nr += group->levels[factor][i] == has;
	return nr;
}

/* "fs btrfs", "fs ext4 or xfs", "fs other than btrfs". */
static void add_levels(const struct matrix_input *input, const struct matrix_group *group,
		       size_t factor, struct strbuf *out)
{
	const struct matrix_factor *it = &input->factors[factor];
	bool is_rest = it->nr_values > 3 && count_levels(group, input, factor, false) == 1;
	const char *separator = is_rest ? " other than " : " ";

	strbuf_add_str(out, it->name);
	for (size_t i = 0; i < it->nr_values; i++) {
		if (group->levels[factor][i] == is_rest)
			continue;
		strbuf_printf(out, "%s%s", separator, it->values[i]);
		separator = " or ";
	}
}

void matrix_group_conditions(const struct matrix_input *input, const struct matrix_answer *answer,
			     const struct matrix_group *group, struct strbuf *out)
{
	size_t start = out->len;

	for (size_t i = 0; i < input->nr_factors; i++) {
		size_t factor = answer->order[i];

		if (count_levels(group, input, factor, false) == 0)
			continue;
		if (out->len > start)
			strbuf_add_str(out, " and ");
		add_levels(input, group, factor, out);
	}
}

struct range {
	double lo, hi;
};

static void range_add(struct range *range, double value)
{
	if (isnan(value))
		return;
	range->lo = fmin(range->lo, value);
	range->hi = fmax(range->hi, value);
}

/* Of one cell with its interval, of several from the smallest to the largest. */
/* A clock without noise deserves a digit more. */
static void add_effects(const struct matrix_input *input, const struct matrix_answer *answer,
			const struct matrix_group *group, struct strbuf *out)
{
	int nr_digits = input->is_virtual ? 2 : 1;
	const struct decision *first = &answer->cells[group->cells[0]].comparison.decision;
	struct range range = { INFINITY, -INFINITY };
	bool is_ratio = true;

	if (group->nr_cells == 1) {
		char text[VERDICT_TEXT_LEN];

		verdict_format_effect(first, text);
		strbuf_printf(out, " (%s)", text);
		return;
	}
	for (size_t i = 0; i < group->nr_cells; i++) {
		const struct decision *decision =
			&answer->cells[group->cells[i]].comparison.decision;

		is_ratio = is_ratio && decision->scale == SCALE_RATIO;
		range_add(&range, decision->effect);
	}
	if (is_ratio)
		strbuf_printf(out, " (%+.*f to %+.*f %%)", nr_digits, 100 * (range.lo - 1),
			      nr_digits, 100 * (range.hi - 1));
	else
		strbuf_printf(out, " (%zu cells)", group->nr_cells);
}

static void add_noise(const struct matrix_answer *answer, const struct matrix_group *group,
		      struct strbuf *out)
{
	struct range range = { INFINITY, -INFINITY };

	for (size_t i = 0; i < group->nr_cells; i++)
		range_add(&range, answer->cells[group->cells[i]].noise);
	if (!isfinite(range.hi))
		return;
	if (range.hi >= 0.01 && range.hi - range.lo >= 0.01)
		strbuf_printf(out, " (noise %.0f to %.0f %%)", 100 * range.lo, 100 * range.hi);
	else
		strbuf_printf(out, " (noise %.*f %%)", range.hi < 0.01 ? 1 : 0, 100 * range.hi);
}

static void add_runs(const struct matrix_input *input, const struct matrix_answer *answer,
		     const struct matrix_group *group, struct strbuf *out)
{
	int wanted = input->is_virtual ? VIRTUAL_MIN_SEEDS : EFFECT_MIN_RUNS;
	size_t fewest = SIZE_MAX, most = 0;

	for (size_t i = 0; i < group->nr_cells; i++) {
		size_t nr = answer->cells[group->cells[i]].nr_pairs;

		fewest = nr < fewest ? nr : fewest;
		most = nr > most ? nr : most;
	}
	if (fewest == most)
		strbuf_printf(out, " (%zu of at least %d)", most, wanted);
	else
		strbuf_printf(out, " (%zu to %zu of at least %d)", fewest, most, wanted);
}

static void add_group(const struct matrix_input *input, const struct matrix_answer *answer,
		      const struct matrix_group *group, struct strbuf *out)
{
	CLEANUP(strbuf) struct strbuf conditions = STRBUF_INIT;

	matrix_group_conditions(input, answer, group, &conditions);
	strbuf_add_str(out, class_words[group->class]);
	if (conditions.len)
		strbuf_printf(out, " with %s", strbuf_str(&conditions));
	else
		strbuf_add_str(out, " everywhere");
	switch (group->class) {
	case MATRIX_REGRESSION:
	case MATRIX_IMPROVEMENT:
	case MATRIX_CHANGE:
		add_effects(input, answer, group, out);
		break;
	case MATRIX_UNDECIDED:
		add_noise(answer, group, out);
		break;
	case MATRIX_FEW_RUNS:
		add_runs(input, answer, group, out);
		break;
	default:
		break;
	}
}

void matrix_sentence(const struct matrix_input *input, const struct matrix_answer *answer,
		     const struct matrix_groups *groups, struct strbuf *out)
{
	size_t start = out->len, nr_of_class = 0, nr_more = 0;

	for (size_t i = 0; i < groups->nr; i++) {
		const struct matrix_group *group = &groups->items[i];

		nr_of_class = i && groups->items[i - 1].class == group->class ? nr_of_class + 1 : 1;
		if (nr_of_class > MAX_GROUPS) {
			nr_more++;
			continue;
		}
		if (out->len > start)
			strbuf_add_str(out, "; ");
		add_group(input, answer, group, out);
	}
	if (nr_more)
		strbuf_printf(out, "; and %zu more groups of cells", nr_more);
}

/* ---- what the tests say ---- */

static void add_test_name(const struct matrix_input *input, const struct matrix_test *test,
			  struct strbuf *out)
{
	strbuf_add_str(out, input->factors[test->first].name);
	if (test->second != SIZE_MAX)
		strbuf_printf(out, " and %s together", input->factors[test->second].name);
}

enum test_kind { TEST_FOUND, TEST_NOT_FOUND, TEST_MISSING };

static enum test_kind test_kind(const struct matrix_input *input, const struct matrix_test *test)
{
	if (!test->is_tested)
		return TEST_MISSING;
	return test->adjusted_p <= input->rule.alpha ? TEST_FOUND : TEST_NOT_FOUND;
}

/* Appends the names of all tests of that kind; false if there are none. */
static bool add_tests(const struct matrix_input *input, const struct matrix_answer *answer,
		      enum test_kind kind, const char *before, struct strbuf *out)
{
	bool has_one = false;

	for (size_t i = 0; i < answer->nr_tests; i++) {
		const struct matrix_test *test = &answer->tests[i];

		if (test_kind(input, test) != kind)
			continue;
		strbuf_add_str(out, has_one ? ", " : before);
		add_test_name(input, test, out);
		if (kind == TEST_FOUND && !input->is_virtual)
			strbuf_printf(out, " (p %.2g)", test->adjusted_p);
		has_one = true;
	}
	return has_one;
}

void matrix_depends_sentence(const struct matrix_input *input, const struct matrix_answer *answer,
			     struct strbuf *out)
{
	bool has_found = add_tests(input, answer, TEST_FOUND, "depends on ", out);
	size_t len = out->len;

	if (has_found)
		strbuf_add_str(out, "; ");
	if (!add_tests(input, answer, TEST_NOT_FOUND, "no dependence found on ", out))
		strbuf_truncate(out, len);
	len = out->len;
	if (len)
		strbuf_add_str(out, "; ");
	if (!add_tests(input, answer, TEST_MISSING, "too few runs to tell: ", out))
		strbuf_truncate(out, len);
}
