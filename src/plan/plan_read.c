/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan_read: values, factors and settings of plans, for both languages. */
#include "plan/plan_read.h"

#include <stdarg.h>
#include <string.h>

#include "base/err.h"
#include "base/units.h"
#include "model/setting.h"
#include "model/yaml_tree.h"

/* What people call a setting that is long to write. */
static const struct key_alias {
	const char *name, *key;
} key_aliases[] = {
	{ "fs", "stack.fs" },
	{ "scheduler", "queue.scheduler" },
};

int plan_refuse(const struct plan_reader *reader, unsigned line, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	(void)err_vset_at(reader->err, ERR_INPUT, reader->plan->source, line, format, args);
	va_end(args);
	return -ERR_INPUT;
}

int plan_blame(const struct plan_reader *reader, unsigned line)
{
	(void)err_prefix(reader->err, "%s:%u", reader->plan->source, line);
	return -ERR_INPUT;
}

int plan_text(const struct plan_reader *reader, const char *key, const struct yaml_node *node,
	      const char **ret_text)
{
	if (node->kind != YAML_TEXT)
		return plan_refuse(reader, node->line, "%s: one value is wanted here", key);
	if (!*node->text)
		return plan_refuse(reader, node->line, "%s has no value", key);
	*ret_text = node->text;
	return 0;
}

int plan_unsigned(const struct plan_reader *reader, const char *key, const struct yaml_node *node,
		  unsigned *ret_value)
{
	const char *text = NULL;
	uint64_t value = 0;
	int ret = plan_text(reader, key, node, &text);

	if (ret < 0)
		return ret;
	if (units_parse_u64(text, &value, NULL) < 0 || value > UINT32_MAX)
		return plan_refuse(reader, node->line, "%s: '%s' is not a whole number", key, text);
	*ret_value = (unsigned)value;
	return 0;
}

int plan_duration(const struct plan_reader *reader, const char *key, const struct yaml_node *node,
		  uint64_t *ret_ns)
{
	const char *text = NULL;
	int ret = plan_text(reader, key, node, &text);

	if (ret < 0)
		return ret;
	if (units_parse_duration_ns(text, ret_ns, NULL) < 0)
		return plan_refuse(reader, node->line, "%s: '%s' is no time such as 90s or 10m",
				   key, text);
	return 0;
}

const char *plan_setting_key(struct matrix_plan *plan, const char *key)
{
	for (size_t i = 0; i < sizeof(key_aliases) / sizeof(key_aliases[0]); i++) {
		if (!strcmp(key, key_aliases[i].name))
			return key_aliases[i].key;
	}
	if (strchr(key, '.') || setting_is_whole(key)) /* whoever applies it knows them */
		return arena_strdup(&plan->arena, key);
	return arena_printf(&plan->arena, "job.%s", key);
}

size_t plan_factor_value(struct plan_factor *factor, const char *text)
{
	for (size_t i = 0; i < factor->values.nr; i++) {
		if (!strcmp(factor->values.items[i], text))
			return i;
	}
	vec_push(&factor->values, text);
	return factor->values.nr - 1;
}

size_t plan_find_factor(const struct matrix_plan *plan, const char *name)
{
	for (size_t i = 0; i < plan->factors.nr; i++) {
		const struct plan_factor *factor = &plan->factors.items[i];

		if (!strcmp(factor->label, name) || !strcmp(factor->key, name) ||
		    !strcmp(factor->name, name))
			return i;
	}
	return SIZE_MAX;
}

/* Values of one factor are compared as texts, by a list of up to PLAN_MAX_VALUES. */
static int add_values(const struct plan_reader *reader, struct plan_factor *factor,
		      const struct yaml_node *node)
{
	const char *text = NULL;
	size_t nr = node->kind == YAML_LIST ? node->nr : 1;

	if (nr > PLAN_MAX_VALUES)
		return plan_refuse(reader, node->line, "%s: more than %d values", factor->label,
				   PLAN_MAX_VALUES);
	for (size_t i = 0; i < nr; i++) {
		const struct yaml_node *value = node->kind == YAML_LIST ? &node->items[i] : node;
		int ret = plan_text(reader, factor->label, value, &text);

		if (ret < 0)
			return ret;
		if (plan_factor_value(factor, text) != i)
			return plan_refuse(reader, value->line, "%s: '%s' stands twice",
					   factor->label, text);
	}
	if (nr == 0)
		return plan_refuse(reader, node->line, "%s has no values", factor->label);
	return 0;
}

int plan_add_factor(const struct plan_reader *reader, const char *key, unsigned line,
		    const struct yaml_node *values)
{
	struct matrix_plan *plan = reader->plan;
	struct plan_factor factor = {
		.key = plan_setting_key(plan, key),
		.label = key,
		.line = line,
	};
	const char *dot = strrchr(factor.key, '.');
	int ret;

	if (plan->factors.nr == PLAN_MAX_FACTORS)
		return plan_refuse(reader, line, "more than %d factors", PLAN_MAX_FACTORS);
	factor.name = dot && dot[1] ? dot + 1 : factor.key;
	for (size_t i = 0; i < plan->factors.nr; i++) {
		const struct plan_factor *other = &plan->factors.items[i];

		if (!strcmp(other->key, factor.key))
			return plan_refuse(reader, line, "'%s' and '%s' are the same setting",
					   other->label, key);
		if (!strcmp(other->name, factor.name))
			factor.name = factor.key;
	}
	ret = add_values(reader, &factor, values);
	factor.nr_listed = factor.values.nr;
	vec_push(&plan->factors, factor); /* released with the plan also when it is refused */
	return ret;
}

static int add_setting(const struct plan_reader *reader, const struct yaml_node *key,
		       const struct yaml_node *node, struct plan_settings *into)
{
	const char *value = NULL;
	int ret = plan_text(reader, key->text, node, &value);

	if (ret < 0)
		return ret;
	vec_push(into,
		 (struct plan_setting){
			 .text = arena_printf(&reader->plan->arena, "%s=%s",
					      plan_setting_key(reader->plan, key->text), value),
			 .line = key->line,
		 });
	return 0;
}

int plan_read_settings(const struct plan_reader *reader, const char *key,
		       const struct yaml_node *node, struct plan_settings *into)
{
	int ret = 0;

	if (node->kind != YAML_MAP)
		return plan_refuse(reader, node->line,
				   "%s: settings look like {queue.scheduler: bfq}", key);
	for (size_t i = 0; i < node->nr && ret == 0; i++)
		ret = add_setting(reader, &node->keys[i], &node->items[i], into);
	return ret;
}

const char *plan_path(const struct plan_reader *reader, const char *path)
{
	if (path[0] == '/' || !*reader->folder)
		return path;
	return arena_printf(&reader->plan->arena, "%s%s", reader->folder, path);
}

void matrix_plan_release(struct matrix_plan *plan)
{
	for (size_t i = 0; i < plan->factors.nr; i++)
		vec_release(&plan->factors.items[i].values);
	for (size_t i = 0; i < plan->include.nr; i++)
		vec_release(&plan->include.items[i].picks);
	for (size_t i = 0; i < plan->exclude.nr; i++)
		vec_release(&plan->exclude.items[i].picks);
	for (size_t i = 0; i < plan->when.nr; i++) {
		vec_release(&plan->when.items[i].match.picks);
		vec_release(&plan->when.items[i].settings);
	}
	vec_release(&plan->factors);
	vec_release(&plan->include);
	vec_release(&plan->exclude);
	vec_release(&plan->when);
	vec_release(&plan->words);
	vec_release(&plan->settings);
	arena_release(&plan->arena);
	*plan = (struct matrix_plan)PLAN_DEFAULTS;
}
