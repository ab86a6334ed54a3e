/* SPDX-License-Identifier: GPL-2.0-or-later */
/* draft: one layer after the other from text. What they build on is left to graph.c. */
#include "stack/draft.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/suggest.h"
#include "base/units.h"

static enum err_code draft_code(const struct stack_draft *draft)
{
	return draft->stack->is_file ? ERR_INPUT : ERR_USAGE;
}

/* The place in front of a message that concerns no layer yet. */
static int draft_refuse(const struct stack_draft *draft, unsigned line, struct err *err)
{
	if (draft->stack->is_file)
		(void)err_prefix(err, "%s:%u", draft->stack->source, line);
	else
		(void)err_prefix(err, "%s", draft->stack->source);
	return -draft_code(draft);
}

static int unknown_layer(const struct stack_draft *draft, const char *type, unsigned line,
			 struct err *err)
{
	const struct layer_ops *const *table = layer_table();
	struct suggest suggest = suggest_for(type);
	const char *best;

	for (size_t i = 0; table[i]; i++)
		suggest_offer(&suggest, table[i]->name);
	best = suggest_best(&suggest);
	(void)err_set(err, draft_code(draft), "there is no layer '%s'%s%s%s", type,
		      best ? "; did you mean '" : "", best ? best : "", best ? "'" : "");
	return draft_refuse(draft, line, err);
}

int stack_draft_add_layer(struct stack_draft *draft, const char *type, unsigned line,
			  struct err *err)
{
	struct arena *arena = &draft->stack->arena;
	const struct layer_ops *ops = layer_ops_find(type);
	struct layer layer = { .ops = ops, .count = 1, .line = line };
	size_t nr_same = 1;

	if (!ops)
		return unknown_layer(draft, type, line, err);
	if (draft->layers.nr == LAYER_MAX_NR) {
		(void)err_set(err, draft_code(draft), "more than %d layers", LAYER_MAX_NR);
		return draft_refuse(draft, line, err);
	}
	VEC_FOREACH (&draft->layers, other)
		nr_same += other->ops == ops;
	layer.name = nr_same == 1 ? arena_strdup(arena, type)
				  : arena_printf(arena, "%s%zu", type, nr_same);
	vec_push(&draft->layers, layer);
	return 0;
}

static void *arena_grow(struct arena *arena, const void *items, size_t nr, size_t item_bytes)
{
	void *grown = arena_alloc_array(arena, nr + 1, item_bytes);

	if (nr)
		memcpy(grown, items, nr * item_bytes);
	return grown;
}

int stack_draft_add_on(struct stack_draft *draft, const char *name, unsigned line, struct err *err)
{
	struct arena *arena = &draft->stack->arena;
	struct layer *layer = vec_last(&draft->layers);

	if (layer->nr_on == LAYER_MAX_NR) {
		int ret = err_set(err, draft_code(draft), "on: more than %d layers", LAYER_MAX_NR);

		return layer_refuse(draft->stack, layer, line, ret, err);
	}
	layer->on = arena_grow(arena, layer->on, layer->nr_on, sizeof(*layer->on));
	layer->on_lines =
		arena_grow(arena, layer->on_lines, layer->nr_on, sizeof(*layer->on_lines));
	layer->on[layer->nr_on] = arena_strdup(arena, name);
	layer->on_lines[layer->nr_on++] = line;
	return 0;
}

static int set_count(struct layer *layer, const char *value, struct err *err)
{
	uint64_t count = 0;

	if (units_parse_u64(value, &count, NULL) < 0 || count < 1 || count > LAYER_MAX_COUNT)
		return err_set(err, ERR_USAGE, "count '%s' is not a number from 1 to %d", value,
			       LAYER_MAX_COUNT);
	layer->count = (unsigned)count;
	return 0;
}

static int set_name(struct stack_draft *draft, struct layer *layer, const char *value,
		    struct err *err)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_-";

	if (!isalpha((unsigned char)*value) || value[strspn(value, allowed)])
		return err_set(err, ERR_USAGE,
			       "name '%s' is not a letter followed by letters, digits, - and _",
			       value);
	layer->name = arena_strdup(&draft->stack->arena, value);
	return 0;
}

static int unknown_key(const struct layer *layer, const char *name, struct err *err)
{
	static const char *const common[] = { "name", "on", "count" };
	struct suggest suggest = suggest_for(name);
	const char *best;

	for (size_t i = 0; i < layer->ops->nr_keys; i++)
		suggest_offer(&suggest, layer->ops->keys[i].name);
	for (size_t i = 0; i < sizeof(common) / sizeof(common[0]); i++)
		suggest_offer(&suggest, common[i]);
	best = suggest_best(&suggest);
	return err_set(err, ERR_USAGE, "%s has no option '%s'%s%s%s", layer->ops->name, name,
		       best ? "; did you mean '" : "", best ? best : "", best ? "'" : "");
}

static struct layer_option *option_given(struct layer *layer, const struct layer_key *key)
{
	for (size_t i = 0; i < layer->nr_options; i++) {
		if (layer->options[i].key == key)
			return &layer->options[i];
	}
	return NULL;
}

static int set_option(struct stack_draft *draft, struct layer *layer,
		      const struct layer_option *option, struct err *err)
{
	struct arena *arena = &draft->stack->arena;
	struct layer_option *given = option_given(layer, option->key);
	int ret = layer_value_check(option->key, option->value, err);

	if (ret < 0)
		return ret;
	if (given && !option->key->separator)
		return err_set(err, ERR_USAGE, "%s is given twice", option->key->name);
	if (given) {
		given->value = arena_printf(arena, "%s%c%s", given->value, option->key->separator,
					    option->value);
		return 0;
	}
	layer->options =
		arena_grow(arena, layer->options, layer->nr_options, sizeof(*layer->options));
	layer->options[layer->nr_options++] = (struct layer_option){
		.key = option->key,
		.value = arena_strdup(arena, option->value),
		.line = option->line,
	};
	return 0;
}

static int set_by_name(struct stack_draft *draft, struct layer *layer, const char *name,
		       const struct layer_option *option, struct err *err)
{
	if (!strcmp(name, "name"))
		return set_name(draft, layer, option->value, err);
	if (!strcmp(name, "count"))
		return set_count(layer, option->value, err);
	return option->key ? set_option(draft, layer, option, err) : unknown_key(layer, name, err);
}

int stack_draft_set_option(struct stack_draft *draft, struct layer *layer, const char *name,
			   const char *value, struct err *err)
{
	const struct layer_option option = {
		.key = layer_key_find(layer->ops, name),
		.value = value,
		.line = layer->line,
	};

	return set_by_name(draft, layer, name, &option, err);
}

int stack_draft_add_option(struct stack_draft *draft, const char *name, const char *value,
			   unsigned line, struct err *err)
{
	struct layer *layer = vec_last(&draft->layers);
	const struct layer_option option = {
		.key = layer_key_find(layer->ops, name),
		.value = value,
		.line = line,
	};
	int ret;

	if (!strcmp(name, "on"))
		return stack_draft_add_on(draft, value, line, err);
	ret = set_by_name(draft, layer, name, &option, err);
	if (ret == 0)
		return 0;
	(void)layer_refuse(draft->stack, layer, line, ret, err);
	return -draft_code(draft);
}

static const struct layer_key *default_key(const struct layer_ops *ops)
{
	for (size_t i = 0; i < ops->nr_keys; i++) {
		if (ops->keys[i].is_default)
			return &ops->keys[i];
	}
	return NULL;
}

/* "direct_io=on", or "2G" for the option that needs no name. */
static int add_word(struct stack_draft *draft, char *word, unsigned line, struct err *err)
{
	struct layer *layer = vec_last(&draft->layers);
	const struct layer_key *key = default_key(layer->ops);
	char *equals = strchr(word, '=');

	if (equals) {
		*equals = '\0';
		return stack_draft_add_option(draft, word, equals + 1, line, err);
	}
	if (key)
		return stack_draft_add_option(draft, key->name, word, line, err);
	(void)err_set(err, draft_code(draft), "'%s' is not OPTION=VALUE", word);
	(void)layer_refuse(draft->stack, layer, line, 0, err);
	return -draft_code(draft);
}

int stack_draft_add_words(struct stack_draft *draft, const char *words, unsigned line,
			  struct err *err)
{
	CLEANUP(free) char *copy = xstrdup(words);
	char *rest = copy;
	char *word = strsep(&rest, ":");
	int ret = stack_draft_add_layer(draft, word, line, err);

	while (ret == 0 && (word = strsep(&rest, ":")) != NULL)
		ret = add_word(draft, word, line, err);
	return ret;
}

int stack_draft_read_line(struct stack_draft *draft, const char *text, struct err *err)
{
	CLEANUP(free) char *copy = xstrdup(text);
	char *rest = copy;
	char *words;
	int ret = 0;

	while (ret == 0 && (words = strsep(&rest, ",")) != NULL)
		ret = stack_draft_add_words(draft, words, 0, err);
	return ret;
}

void stack_draft_release(struct stack_draft *draft)
{
	vec_release(&draft->layers);
}
