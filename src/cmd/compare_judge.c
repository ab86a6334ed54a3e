/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare_judge: what was loaded, matched and judged as the user asked for. */
#include "cmd/compare.h"

#include "base/arena.h"
#include "base/err.h"

int compare_check_options(const struct compare_options *options, struct err *err)
{
	enum polarity polarity;

	if (!(options->alpha > 0.0 && options->alpha < 1.0))
		return err_set(err, ERR_USAGE, "--alpha: %g is not between 0 and 1",
			       options->alpha);
	if (!(options->min_effect >= 0.0 && options->min_effect < 1.0))
		return err_set(err, ERR_USAGE, "--min-effect: %g %% is not in 0..100 %%",
			       100 * options->min_effect);
	if (better_option_parse(options->better, &polarity, err) < 0)
		return -ERR_USAGE;
	if (options->metrics.nr > METRIC_MAX_PRIMARY)
		return err_set(err, ERR_USAGE, "--metric: at most %d metrics can decide",
			       METRIC_MAX_PRIMARY);
	return 0;
}

static int table_config_of(const struct compare_options *options, struct table_config *ret_config,
			   struct err *err)
{
	*ret_config = (struct table_config){
		.rule = { .alpha = options->alpha, .min_effect = options->min_effect },
		.metrics = options->metrics.items,
		.nr_metrics = options->metrics.nr,
	};
	return better_option_parse(options->better, &ret_config->polarity, err);
}

int compare_check_base(const struct compare *compare, struct err *err)
{
	const struct side *base = &compare->sides[0];
	struct metric_table table = { .nr = 0 };
	struct cohort_pairs pairs = VEC_INIT;
	struct table_config config;
	int ret = table_config_of(compare->config, &config, err);

	if (ret < 0)
		return ret;
	cohorts_match(base, base, &pairs);
	ret = metric_table_init(&table, &config, &pairs, err);
	metric_table_release(&table);
	vec_release(&pairs);
	return ret;
}

static void match_sides(struct compare *compare)
{
	for (size_t side = 1; side < compare->nr_sides; side++) {
		size_t before = compare->pairs.nr;

		cohorts_match(&compare->sides[0], &compare->sides[side], &compare->pairs);
		compare->pair_sides = xreallocarray(compare->pair_sides, compare->pairs.nr + 1,
						    sizeof(*compare->pair_sides));
		for (size_t i = before; i < compare->pairs.nr; i++)
			compare->pair_sides[i] = side;
	}
}

int compare_judge(struct compare *compare, struct err *err)
{
	struct table_config config;
	int ret = table_config_of(compare->config, &config, err);

	if (ret < 0)
		return ret;
	match_sides(compare);
	ret = metric_table_init(&compare->table, &config, &compare->pairs, err);
	if (ret == 0)
		compare_add_notes(compare);
	return ret;
}
