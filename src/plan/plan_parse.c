/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan_parse: regio's own language of plans, one row for each key. LKP's is left to plan_lkp. */
#include "plan/plan_parse.h"

#include <string.h>

#include "base/err.h"
#include "base/suggest.h"
#include "base/units.h"
#include "model/yaml_tree.h"
#include "plan/plan.h"
#include "plan/plan_read.h"
#include "stats/levels.h"

struct plan_key {
	const char *name, *summary;
	int (*read)(const struct plan_reader *reader, const struct yaml_node *node);
};

/* ---- the workload ---- */

static int need_no_workload(const struct plan_reader *reader, const struct yaml_node *node,
			    const char *key, enum plan_workload workload)
{
	enum plan_workload *now = &reader->plan->workload;

	if (*now != PLAN_NOTHING && *now != workload)
		return plan_refuse(reader, node->line, "%s: the plan has another workload already",
				   key);
	*now = workload;
	return 0;
}

static int read_job(const struct plan_reader *reader, const struct yaml_node *node)
{
	size_t nr = node->kind == YAML_LIST ? node->nr : 1;
	int ret = need_no_workload(reader, node, "job", PLAN_JOB);

	for (size_t i = 0; i < nr && ret == 0; i++) {
		const char *path = NULL;

		ret = plan_text(reader, "job", node->kind == YAML_LIST ? &node->items[i] : node,
				&path);
		if (ret == 0)
			vec_push(&reader->plan->words, plan_path(reader, path));
	}
	return ret;
}

/* A workload of regio's own by name; which there are is known where it is parsed. */
static int read_workload(const struct plan_reader *reader, const struct yaml_node *node)
{
	const char *name = NULL;
	int ret = need_no_workload(reader, node, "workload", PLAN_JOB);

	if (ret == 0)
		ret = plan_text(reader, "workload", node, &name);
	if (ret == 0 && reader->plan->words.nr)
		return plan_refuse(reader, node->line, "workload: the plan has a job already");
	if (ret == 0)
		vec_push(&reader->plan->words, name);
	return ret;
}

/* Options as on the command line, so that a plan can hold its job itself. */
static int read_options(const struct plan_reader *reader, const struct yaml_node *node)
{
	int ret = need_no_workload(reader, node, "options", PLAN_JOB);

	if (ret == 0 && node->kind != YAML_MAP)
		return plan_refuse(reader, node->line,
				   "options: job options look like {rw: randread, bs: 4k}");
	for (size_t i = 0; i < node->nr && ret == 0; i++) {
		const struct yaml_node *value = &node->items[i];
		const char *key = node->keys[i].text;

		if (value->kind != YAML_TEXT)
			return plan_refuse(reader, value->line,
					   "options: %s has several values; make it a factor", key);
		vec_push(&reader->plan->words, arena_printf(&reader->plan->arena, "--%s%s%s", key,
							    *value->text ? "=" : "", value->text));
	}
	return ret;
}

static int read_cmd(const struct plan_reader *reader, const struct yaml_node *node)
{
	int ret = need_no_workload(reader, node, "cmd", PLAN_COMMAND);

	return ret < 0 ? ret : plan_text(reader, "cmd", node, &reader->plan->command);
}

static int read_timeout(const struct plan_reader *reader, const struct yaml_node *node)
{
	return plan_duration(reader, "timeout", node, &reader->plan->timeout_ns);
}

static int read_name(const struct plan_reader *reader, const struct yaml_node *node)
{
	return plan_text(reader, "name", node, &reader->plan->name);
}

static int read_set(const struct plan_reader *reader, const struct yaml_node *node)
{
	return plan_read_settings(reader, "set", node, &reader->plan->settings);
}

/* A file is found from the plan; a line of layers has no such ending. */
static int read_stack(const struct plan_reader *reader, const struct yaml_node *node)
{
	const char *text = NULL;
	const char *ending;
	int ret = plan_text(reader, "stack", node, &text);

	if (ret < 0)
		return ret;
	ending = strrchr(text, '.');
	if (ending && (!strcmp(ending, ".yaml") || !strcmp(ending, ".yml")))
		text = plan_path(reader, text);
	reader->plan->stack = text;
	reader->plan->stack_line = node->line;
	return 0;
}

/* Which targets and clocks there are is known where they are used. */
static int read_on(const struct plan_reader *reader, const struct yaml_node *node)
{
	return plan_text(reader, "on", node, &reader->plan->target);
}

static int read_time(const struct plan_reader *reader, const struct yaml_node *node)
{
	return plan_text(reader, "time", node, &reader->plan->time);
}

/* ---- factors and their combinations ---- */

static int read_factors(const struct plan_reader *reader, const struct yaml_node *node)
{
	int ret = 0;

	if (node->kind != YAML_MAP || node->nr == 0)
		return plan_refuse(reader, node->line,
				   "factors: they look like {queue.scheduler: [none, bfq]}");
	for (size_t i = 0; i < node->nr && ret == 0; i++)
		ret = plan_add_factor(reader, node->keys[i].text, node->keys[i].line,
				      &node->items[i]);
	return ret;
}

static int find_factor(const struct plan_reader *reader, const struct yaml_node *name,
		       size_t *ret_factor)
{
	struct suggest suggest = suggest_for(name->text);

	*ret_factor = plan_find_factor(reader->plan, name->text);
	if (*ret_factor != SIZE_MAX)
		return 0;
	for (size_t i = 0; i < reader->plan->factors.nr; i++)
		suggest_offer(&suggest, reader->plan->factors.items[i].label);
	if (suggest_best(&suggest))
		return plan_refuse(reader, name->line, "there is no factor '%s', did you mean '%s'",
				   name->text, suggest_best(&suggest));
	return plan_refuse(reader, name->line, "there is no factor '%s'", name->text);
}

static int find_value(const struct plan_reader *reader, const struct plan_factor *factor,
		      const struct yaml_node *node, size_t *ret_value)
{
	struct suggest suggest;
	const char *text = NULL;
	int ret = plan_text(reader, factor->label, node, &text);

	if (ret < 0)
		return ret;
	suggest = suggest_for(text);
	for (size_t i = 0; i < factor->values.nr; i++) {
		if (!strcmp(factor->values.items[i], text)) {
			*ret_value = i;
			return 0;
		}
		suggest_offer(&suggest, factor->values.items[i]);
	}
	if (suggest_best(&suggest))
		return plan_refuse(reader, node->line, "%s has no value '%s', did you mean '%s'",
				   factor->label, text, suggest_best(&suggest));
	return plan_refuse(reader, node->line, "%s has no value '%s'", factor->label, text);
}

static int read_pick(const struct plan_reader *reader, const struct yaml_node *map, size_t at,
		     bool may_add, struct plan_combination *into)
{
	const struct yaml_node *values = &map->items[at];
	struct plan_pick pick;
	const char *text = NULL;
	size_t nr = values->kind == YAML_LIST ? values->nr : 1;
	int ret = find_factor(reader, &map->keys[at], &pick.factor);

	for (size_t i = 0; i < nr && ret == 0; i++) {
		const struct yaml_node *value =
			values->kind == YAML_LIST ? &values->items[i] : values;
		struct plan_factor *factor = &reader->plan->factors.items[pick.factor];

		ret = may_add ? plan_text(reader, factor->label, value, &text)
			      : find_value(reader, factor, value, &pick.value);
		if (ret < 0)
			break;
		if (may_add)
			pick.value = plan_factor_value(factor, text);
		vec_push(&into->picks, pick);
	}
	return ret;
}

static int read_combination(const struct plan_reader *reader, const struct yaml_node *node,
			    bool may_add, struct plan_combination *into)
{
	int ret = 0;

	into->line = node->line;
	if (node->kind != YAML_MAP || node->nr == 0)
		return plan_refuse(
			reader, node->line,
			"a combination looks like {stack.fs: xfs, queue.scheduler: bfq}");
	for (size_t i = 0; i < node->nr && ret == 0; i++)
		ret = read_pick(reader, node, i, may_add, into);
	return ret;
}

static int read_combinations(const struct plan_reader *reader, const char *key,
			     const struct yaml_node *node, bool may_add, struct plan_list *into)
{
	int ret = 0;

	if (node->kind != YAML_LIST)
		return plan_refuse(reader, node->line, "%s: a list of combinations is wanted here",
				   key);
	for (size_t i = 0; i < node->nr && ret == 0; i++) {
		vec_push(into, (struct plan_combination){ .line = node->items[i].line });
		ret = read_combination(reader, &node->items[i], may_add, vec_last(into));
	}
	return ret;
}

static int read_exclude(const struct plan_reader *reader, const struct yaml_node *node)
{
	return read_combinations(reader, "exclude", node, false, &reader->plan->exclude);
}

static int read_include(const struct plan_reader *reader, const struct yaml_node *node)
{
	return read_combinations(reader, "include", node, true, &reader->plan->include);
}

static int read_rule(const struct plan_reader *reader, const struct yaml_node *node)
{
	const struct yaml_node *match = yaml_tree_find(node, "match");
	const struct yaml_node *set = yaml_tree_find(node, "set");
	struct plan_when *rule;
	int ret;

	if (!match || !set || node->nr != 2)
		return plan_refuse(reader, node->line,
				   "when: a rule has match: and set:, and nothing else");
	vec_push(&reader->plan->when, (struct plan_when){ .match = { .line = node->line } });
	rule = vec_last(&reader->plan->when);
	ret = read_combination(reader, match, false, &rule->match);
	return ret < 0 ? ret : plan_read_settings(reader, "set", set, &rule->settings);
}

static int read_when(const struct plan_reader *reader, const struct yaml_node *node)
{
	int ret = 0;

	if (node->kind != YAML_LIST)
		return plan_refuse(reader, node->line, "when: a list of rules is wanted here");
	for (size_t i = 0; i < node->nr && ret == 0; i++)
		ret = read_rule(reader, &node->items[i]);
	return ret;
}

/* "compare: {queue.wbt_lat_usec: 75000}": the factor, and its value that is the baseline. */
static int read_compare(const struct plan_reader *reader, const struct yaml_node *node)
{
	struct matrix_plan *plan = reader->plan;
	size_t factor = SIZE_MAX;
	int ret;

	if (node->kind != YAML_MAP || node->nr != 1)
		return plan_refuse(reader, node->line,
				   "compare: a factor and its baseline: {queue.scheduler: none}");
	ret = find_factor(reader, &node->keys[0], &factor);
	if (ret == 0)
		ret = find_value(reader, &plan->factors.items[factor], &node->items[0],
				 &plan->baseline);
	if (ret == 0 && plan->factors.items[factor].values.nr < 2)
		return plan_refuse(reader, node->line,
				   "compare: %s has one value, nothing to compare",
				   node->keys[0].text);
	if (ret == 0)
		plan->compared = factor;
	return ret;
}

/* ---- how cells are judged ---- */

static int read_repeats(const struct plan_reader *reader, const struct yaml_node *node)
{
	int ret = plan_unsigned(reader, "repeats", node, &reader->plan->repeats);

	if (ret == 0 && (reader->plan->repeats == 0 || reader->plan->repeats > 1000))
		return plan_refuse(reader, node->line, "repeats: 1 to 1000");
	reader->plan->has_repeats = true;
	return ret;
}

static int read_max_pairs(const struct plan_reader *reader, const struct yaml_node *node)
{
	int ret = plan_unsigned(reader, "max_pairs", node, &reader->plan->repeats);

	if (ret == 0 &&
	    (reader->plan->repeats < LEVELS_MIN_PAIRS || reader->plan->repeats > LEVELS_MAX_PAIRS))
		return plan_refuse(reader, node->line, "max_pairs: %d to %d", LEVELS_MIN_PAIRS,
				   LEVELS_MAX_PAIRS);
	reader->plan->is_sequential = true;
	return ret;
}

static int read_warmup(const struct plan_reader *reader, const struct yaml_node *node)
{
	return plan_unsigned(reader, "warmup", node, &reader->plan->nr_warmups);
}

static int read_metric(const struct plan_reader *reader, const struct yaml_node *node)
{
	return plan_text(reader, "metric", node, &reader->plan->metric);
}

static int read_better(const struct plan_reader *reader, const struct yaml_node *node)
{
	const char *text = NULL;
	int ret = plan_text(reader, "better", node, &text);

	if (ret < 0)
		return ret;
	if (polarity_parse(text, &reader->plan->better) < 0)
		return plan_refuse(reader, node->line, "better: '%s' is neither lower nor higher",
				   text);
	return 0;
}

static int read_min_effect(const struct plan_reader *reader, const struct yaml_node *node)
{
	const char *text = NULL;
	int ret = plan_text(reader, "min_effect", node, &text);

	if (ret < 0)
		return ret;
	if (units_parse_share(text, &reader->plan->min_effect, NULL) < 0 ||
	    reader->plan->min_effect >= 1.0)
		return plan_refuse(reader, node->line, "min_effect: '%s' is no share such as 5%%",
				   text);
	reader->plan->has_min_effect = true;
	return 0;
}

static int read_alpha(const struct plan_reader *reader, const struct yaml_node *node)
{
	const char *text = NULL;
	int ret = plan_text(reader, "alpha", node, &text);

	if (ret < 0)
		return ret;
	if (units_parse_double(text, &reader->plan->alpha, NULL) < 0 ||
	    !(reader->plan->alpha > 0 && reader->plan->alpha < 0.5))
		return plan_refuse(reader, node->line, "alpha: '%s' is no chance such as 0.05",
				   text);
	return 0;
}

static int read_budget(const struct plan_reader *reader, const struct yaml_node *node)
{
	const struct yaml_node *time = yaml_tree_find(node, "time");
	const struct yaml_node *trials = yaml_tree_find(node, "trials");
	int ret = 0;

	if (node->kind != YAML_MAP || node->nr == 0 || node->nr != (size_t)(!!time + !!trials))
		return plan_refuse(reader, node->line,
				   "budget: {time: 10m}, {trials: 100} or both");
	if (time)
		ret = plan_duration(reader, "budget", time, &reader->plan->budget_ns);
	if (ret == 0 && trials)
		ret = plan_unsigned(reader, "budget", trials, &reader->plan->budget_trials);
	return ret;
}

static int read_trial_time(const struct plan_reader *reader, const struct yaml_node *node)
{
	return plan_duration(reader, "trial_time", node, &reader->plan->trial_ns);
}

static int read_seed(const struct plan_reader *reader, const struct yaml_node *node)
{
	const char *text = NULL;
	int ret = plan_text(reader, "seed", node, &text);

	if (ret == 0 &&
	    (units_parse_u64(text, &reader->plan->seed, NULL) < 0 || reader->plan->seed == 0))
		return plan_refuse(reader, node->line, "seed: '%s' is no whole number above 0",
				   text);
	return ret;
}

/* In the order in which they are read, whatever the order in the file: factors before users. */
static const struct plan_key keys[] = {
	{ "name", "what the plan is called in reports", read_name },
	{ "job", "job file, or a list of them", read_job },
	{ "workload", "a workload of regio's own, such as aiol", read_workload },
	{ "options", "job options, as on the command line of run", read_options },
	{ "cmd", "an external command in place of a job", read_cmd },
	{ "timeout", "ends the command of cmd", read_timeout },
	{ "stack", "layers built for each trial; {KEY} is the value of a factor", read_stack },
	{ "on", "where trials run: local (default) or vm", read_on },
	{ "time", "clock of a guest: virtual, real or auto", read_time },
	{ "set", "settings of all trials", read_set },
	{ "factors", "settings that are varied, with their values", read_factors },
	{ "exclude", "combinations that are left out", read_exclude },
	{ "include", "combinations that are added", read_include },
	{ "when", "settings of some combinations only", read_when },
	{ "compare", "the factor whose values are compared, and the baseline", read_compare },
	{ "repeats", "runs of each combination (default 8); seeds in virtual time (5)",
	  read_repeats },
	{ "max_pairs", "in place of repeats: pairs until each cell is decided, at most",
	  read_max_pairs },
	{ "warmup", "trials before the first that counts (default 1); runs in each guest",
	  read_warmup },
	{ "metric", "what decides", read_metric },
	{ "better", "lower or higher, for a metric that does not tell", read_better },
	{ "min_effect", "smallest difference that matters (default 5%; in virtual time 0.3%)",
	  read_min_effect },
	{ "alpha", "chance of a false alarm (default 0.05)", read_alpha },
	{ "budget", "most time or trials of one call", read_budget },
	{ "trial_time", "estimate of one trial, for --dry-run", read_trial_time },
	{ "seed", "seed of everything random", read_seed },
};

#define NR_KEYS (sizeof(keys) / sizeof(keys[0]))

bool plan_key_info(size_t index, const char **ret_name, const char **ret_summary)
{
	if (index >= NR_KEYS)
		return false;
	*ret_name = keys[index].name;
	*ret_summary = keys[index].summary;
	return true;
}

static const struct plan_key *find_key(const char *name)
{
	for (size_t i = 0; i < NR_KEYS; i++) {
		if (!strcmp(keys[i].name, name))
			return &keys[i];
	}
	return NULL;
}

static int check_keys(const struct plan_reader *reader, const struct yaml_node *root)
{
	for (size_t i = 0; i < root->nr; i++) {
		const char *name = root->keys[i].text;
		struct suggest suggest = suggest_for(name);

		if (find_key(name))
			continue;
		for (size_t j = 0; j < NR_KEYS; j++)
			suggest_offer(&suggest, keys[j].name);
		if (suggest_best(&suggest))
			return plan_refuse(reader, root->keys[i].line,
					   "a plan has no key '%s', did you mean '%s'", name,
					   suggest_best(&suggest));
		return plan_refuse(reader, root->keys[i].line, "a plan has no key '%s'", name);
	}
	return 0;
}

static int check_plan(const struct plan_reader *reader, const struct yaml_node *root)
{
	const struct matrix_plan *plan = reader->plan;

	if (plan->workload == PLAN_NOTHING)
		return plan_refuse(reader, root->line,
				   "there is no workload: job, options or cmd is missing");
	if (plan->factors.nr == 0)
		return plan_refuse(reader, root->line, "there are no factors");
	if (yaml_tree_find(root, "repeats") && plan->is_sequential)
		return plan_refuse(reader, root->line, "repeats and max_pairs: only one of them");
	if (plan->is_sequential && !plan_is_compared(plan))
		return plan_refuse(reader, root->line,
				   "max_pairs needs compare: without pairs nothing can be decided");
	if (plan->is_sequential && plan->alpha != 0.05 && plan->alpha != 0.01)
		return plan_refuse(reader, root->line,
				   "alpha: with max_pairs it is 0.05 or 0.01, not %g", plan->alpha);
	if (plan->time && !plan->target)
		return plan_refuse(reader, yaml_tree_find(root, "time")->line,
				   "time is the clock of guests: it needs on: vm");
	if (plan->timeout_ns && plan->workload != PLAN_COMMAND)
		return plan_refuse(reader, root->line, "timeout is for cmd only");
	return 0;
}

static int read_plan(const struct plan_reader *reader, const struct yaml_node *root)
{
	int ret = check_keys(reader, root);

	for (size_t i = 0; i < NR_KEYS && ret == 0; i++) {
		const struct yaml_node *node = yaml_tree_find(root, keys[i].name);

		ret = node ? keys[i].read(reader, node) : 0;
	}
	return ret < 0 ? ret : check_plan(reader, root);
}

static int read_documents(const struct plan_reader *reader, const struct yaml_node *documents,
			  size_t nr)
{
	if (nr == 0)
		return plan_refuse(reader, 1, "nothing in it");
	if (documents[0].kind != YAML_MAP)
		return plan_refuse(reader, documents[0].line, "a plan is a mapping of keys");
	if (plan_lkp_is_job(&documents[0]))
		return plan_lkp_read(reader, documents, nr);
	if (nr > 1)
		return plan_refuse(reader, documents[1].line, "a second document; a plan is one");
	return read_plan(reader, &documents[0]);
}

int plan_parse(const char *path, const char *text, size_t len, struct matrix_plan *ret_plan,
	       struct err *err)
{
	struct matrix_plan plan = PLAN_DEFAULTS;
	const char *slash = strrchr(path, '/');
	struct plan_reader reader = { .plan = &plan, .folder = "", .err = err };
	struct yaml_text yaml = { .name = path, .text = text, .len = len };
	struct yaml_node *documents = NULL;
	size_t nr = 0;
	int ret;

	plan.source = arena_strdup(&plan.arena, path);
	if (slash)
		reader.folder = arena_strndup(&plan.arena, path, (size_t)(slash - path) + 1);
	ret = yaml_tree_read(&yaml, &plan.arena, &documents, &nr, err);
	if (ret == 0)
		ret = read_documents(&reader, documents, nr);
	if (ret < 0) {
		matrix_plan_release(&plan);
		return ret;
	}
	*ret_plan = plan;
	return 0;
}
