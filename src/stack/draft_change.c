/* SPDX-License-Identifier: GPL-2.0-or-later */
/* draft_change: one setting stack.KEY=VALUE applied to a stack as it was read. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/suggest.h"
#include "stack/draft.h"

/* The filesystem at the end of the description; NULL if there is none. */
static struct layer *find_filesystem(struct stack_draft *draft)
{
	for (size_t i = draft->layers.nr; i-- > 0;) {
		if (draft->layers.items[i].ops->is_filesystem)
			return &draft->layers.items[i];
	}
	return NULL;
}

static void remove_layer(struct stack_draft *draft, const struct layer *layer)
{
	size_t index = (size_t)(layer - draft->layers.items);

	draft->layers.nr--;
	for (; index < draft->layers.nr; index++)
		draft->layers.items[index] = draft->layers.items[index + 1];
}

/* Options for mkfs and mount belong to one kind of filesystem, so they go with it. */
static int change_filesystem(struct stack_draft *draft, const char *type, struct err *err)
{
	struct layer *layer = find_filesystem(draft);
	const struct layer_ops *ops = layer_ops_find(type);
	bool is_named_by_type = layer && !strcmp(layer->name, layer->ops->name);

	if (!strcmp(type, "none")) {
		if (layer)
			remove_layer(draft, layer);
		return 0;
	}
	if (!ops || !ops->is_filesystem)
		return err_set(err, ERR_USAGE, "'%s' is no filesystem: ext4, xfs, btrfs or none",
			       type);
	if (!layer)
		return stack_draft_add_layer(draft, type, 0, err);
	if (layer->ops == ops)
		return 0;
	layer->ops = ops;
	layer->nr_options = 0;
	if (is_named_by_type)
		layer->name = ops->name;
	return 0;
}

static struct layer *find_layer(struct stack_draft *draft, const char *name, struct err *err)
{
	struct suggest suggest = suggest_for(name);
	const char *best;

	VEC_FOREACH (&draft->layers, layer) {
		if (!strcmp(layer->name, name))
			return layer;
		suggest_offer(&suggest, layer->name);
	}
	best = suggest_best(&suggest);
	(void)err_set(err, ERR_USAGE, "there is no layer named '%s'%s%s%s", name,
		      best ? "; did you mean '" : "", best ? best : "", best ? "'" : "");
	return NULL;
}

static void forget_option(struct layer *layer, const char *key)
{
	for (size_t i = 0; i < layer->nr_options; i++) {
		if (strcmp(layer->options[i].key->name, key) != 0)
			continue;
		layer->options[i] = layer->options[--layer->nr_options];
		return;
	}
}

/* An empty value leaves the option out. */
static int change_option(struct stack_draft *draft, const char *name, const char *key,
			 const char *value, struct err *err)
{
	struct layer *layer = find_layer(draft, name, err);

	if (!layer)
		return -ERR_USAGE;
	if (!strcmp(key, "on") || !strcmp(key, "name"))
		return err_set(err, ERR_USAGE, "'%s' of a layer cannot be changed", key);
	forget_option(layer, key);
	if (!*value && layer_key_find(layer->ops, key))
		return 0;
	return stack_draft_set_option(draft, layer, key, value, err);
}

int stack_draft_change(struct stack_draft *draft, const struct stack_change *change,
		       struct err *err)
{
	const char *dot = strrchr(change->key, '.');
	CLEANUP(free) char *name = NULL;
	int ret;

	if (!strcmp(change->key, "fs")) {
		ret = change_filesystem(draft, change->value, err);
	} else if (dot) {
		name = xstrndup(change->key, (size_t)(dot - change->key));
		ret = change_option(draft, name, dot + 1, change->value, err);
	} else {
		ret = err_set(err, ERR_USAGE, "it is neither stack.fs nor stack.LAYER.OPTION");
	}
	if (ret < 0)
		(void)err_prefix(err, "%s%ssetting 'stack.%s=%s'",
				 change->origin ? change->origin : "", change->origin ? ": " : "",
				 change->key, change->value);
	return ret;
}
