/* SPDX-License-Identifier: GPL-2.0-or-later */
/* graph: what each layer builds on, in an order in which it can be built, with one top. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/suggest.h"
#include "stack/draft.h"

struct graph {
	struct stack_draft *draft;
	struct layer *layers; /* as written */
	size_t nr;
	bool is_used[LAYER_MAX_NR];   /* something builds on it */
	bool is_placed[LAYER_MAX_NR]; /* in the order already */
	size_t order[LAYER_MAX_NR];
	size_t nr_placed;
};

static int graph_refuse(const struct graph *graph, const struct layer *layer, unsigned line,
			struct err *err)
{
	(void)layer_refuse(graph->draft->stack, layer, line, 0, err);
	return graph->draft->stack->is_file ? -ERR_INPUT : -ERR_USAGE;
}

static int check_names(const struct graph *graph, struct err *err)
{
	for (size_t i = 0; i < graph->nr; i++) {
		for (size_t k = 0; k < i; k++) {
			if (strcmp(graph->layers[i].name, graph->layers[k].name) != 0)
				continue;
			(void)err_set(err, ERR_USAGE, "there are two layers of that name");
			return graph_refuse(graph, &graph->layers[i], 0, err);
		}
	}
	return 0;
}

static void add_input(struct graph *graph, struct layer *layer, size_t index)
{
	layer->inputs[layer->nr_inputs++] = index;
	graph->is_used[index] = true;
}

static int resolve_name(struct graph *graph, struct layer *layer, size_t nr, struct err *err)
{
	struct suggest suggest = suggest_for(layer->on[nr]);
	const char *best;

	for (size_t i = 0; i < graph->nr; i++) {
		if (!strcmp(graph->layers[i].name, layer->on[nr])) {
			add_input(graph, layer, i);
			return 0;
		}
		suggest_offer(&suggest, graph->layers[i].name);
	}
	best = suggest_best(&suggest);
	(void)err_set(err, ERR_USAGE, "on: there is no layer named '%s'%s%s%s", layer->on[nr],
		      best ? "; did you mean '" : "", best ? best : "", best ? "'" : "");
	return graph_refuse(graph, layer, layer->on_lines[nr], err);
}

/* A loop device with a size of its own makes its own backing file. */
static bool is_bottom(const struct layer *layer)
{
	return layer->ops->max_inputs == 0 ||
	       (layer->ops->min_inputs == 0 &&
		(layer_text(layer, "size") || layer_text(layer, "path")));
}

/* Without `on`: a layer that takes several devices builds on all before it that nothing was built
 * on yet, any other one on the layer before it. */
static void resolve_default(struct graph *graph, size_t index)
{
	struct layer *layer = &graph->layers[index];

	if (is_bottom(layer) || index == 0)
		return;
	if (layer->ops->max_inputs == 1) {
		add_input(graph, layer, index - 1);
		return;
	}
	for (size_t i = 0; i < index; i++) {
		if (!graph->is_used[i])
			add_input(graph, layer, i);
	}
}

static int resolve(struct graph *graph, struct err *err)
{
	struct arena *arena = &graph->draft->stack->arena;
	int ret = 0;

	for (size_t i = 0; i < graph->nr; i++)
		graph->layers[i].inputs =
			arena_alloc_array(arena, LAYER_MAX_NR + 1, sizeof(size_t));
	for (size_t i = 0; ret == 0 && i < graph->nr; i++) {
		struct layer *layer = &graph->layers[i];

		for (size_t k = 0; ret == 0 && k < layer->nr_on; k++)
			ret = resolve_name(graph, layer, k, err);
		if (ret == 0 && layer->nr_on == 0)
			resolve_default(graph, i);
	}
	return ret;
}

static unsigned device_count(const struct graph *graph, const struct layer *layer)
{
	unsigned nr = 0;

	for (size_t i = 0; i < layer->nr_inputs; i++)
		nr += layer_nr_outputs(&graph->layers[layer->inputs[i]]);
	return nr;
}

static int check_below(const struct graph *graph, const struct layer *layer, struct err *err)
{
	for (size_t i = 0; i < layer->nr_inputs; i++) {
		const struct layer *below = &graph->layers[layer->inputs[i]];

		if (below->ops->is_filesystem)
			return err_set(err, ERR_USAGE, "it cannot build on the filesystem '%s'",
				       below->name);
		if (below->ops == layer_ops_find("file") && !layer->ops->takes_file)
			return err_set(err, ERR_USAGE,
				       "it needs a block device, and '%s' is a file: put a loop "
				       "layer between them",
				       below->name);
	}
	return 0;
}

static int check_layer(const struct graph *graph, const struct layer *layer, struct err *err)
{
	const struct layer_ops *ops = layer->ops;
	unsigned nr = device_count(graph, layer);
	int ret = check_below(graph, layer, err);

	if (ret < 0)
		return ret;
	if (nr < ops->min_inputs && ops->max_inputs == 1)
		return err_set(err, ERR_USAGE, "there is nothing below it to build on");
	if (nr < ops->min_inputs)
		return err_set(err, ERR_USAGE, "it takes at least %u device%s, and is given %u",
			       ops->min_inputs, ops->min_inputs == 1 ? "" : "s", nr);
	if (nr > ops->max_inputs)
		return err_set(err, ERR_USAGE, "it takes %s%u device%s, and is given %u",
			       ops->max_inputs == ops->min_inputs ? "" : "at most ",
			       ops->max_inputs, ops->max_inputs == 1 ? "" : "s", nr);
	if (layer->count > 1 && ops->max_inputs > 0 && nr > 0)
		return err_set(err, ERR_USAGE, "count is for layers at the bottom only");
	return ops->check ? ops->check(layer, err) : 0;
}

static bool is_ready(const struct graph *graph, const struct layer *layer)
{
	for (size_t i = 0; i < layer->nr_inputs; i++) {
		if (!graph->is_placed[layer->inputs[i]])
			return false;
	}
	return true;
}

/* From a layer that cannot be placed, down the layers that cannot: until one comes again. */
static int refuse_cycle(const struct graph *graph, size_t index, struct err *err)
{
	CLEANUP(strbuf) struct strbuf path = STRBUF_INIT;
	bool is_seen[LAYER_MAX_NR] = { false };

	while (!is_seen[index]) {
		const struct layer *layer = &graph->layers[index];
		size_t i = 0;

		is_seen[index] = true;
		while (graph->is_placed[layer->inputs[i]])
			i++;
		index = layer->inputs[i];
	}
	for (size_t start = index, at = index;;) {
		const struct layer *layer = &graph->layers[at];
		size_t i = 0;

		strbuf_printf(&path, "%s on ", layer->name);
		while (graph->is_placed[layer->inputs[i]])
			i++;
		at = layer->inputs[i];
		if (at == start)
			break;
	}
	(void)err_set(err, ERR_USAGE, "the stack is a circle: %s%s", strbuf_str(&path),
		      graph->layers[index].name);
	return graph_refuse(graph, &graph->layers[index], 0, err);
}

static int sort(struct graph *graph, struct err *err)
{
	size_t nr_before;

	do {
		nr_before = graph->nr_placed;
		for (size_t i = 0; i < graph->nr; i++) {
			if (graph->is_placed[i] || !is_ready(graph, &graph->layers[i]))
				continue;
			graph->is_placed[i] = true;
			graph->order[graph->nr_placed++] = i;
		}
	} while (graph->nr_placed > nr_before && graph->nr_placed < graph->nr);
	for (size_t i = 0; i < graph->nr; i++) {
		if (!graph->is_placed[i])
			return refuse_cycle(graph, i, err);
	}
	return 0;
}

static int check_top(const struct graph *graph, struct err *err)
{
	const struct layer *top = NULL;

	for (size_t i = 0; i < graph->nr; i++) {
		const struct layer *layer = &graph->layers[i];

		if (graph->is_used[i])
			continue;
		if (top) {
			(void)err_set(err, ERR_USAGE,
				      "a stack has one top, but nothing builds on it nor on '%s'",
				      top->name);
			return graph_refuse(graph, layer, 0, err);
		}
		top = layer;
	}
	if (layer_nr_outputs(top) == 1)
		return 0;
	(void)err_set(err, ERR_USAGE, "it makes %u devices at the top, where one is needed",
		      layer_nr_outputs(top));
	return graph_refuse(graph, top, 0, err);
}

/* The layers in the order of building, with inputs renumbered. */
static void graph_emit(const struct graph *graph)
{
	struct stack *stack = graph->draft->stack;
	size_t place[LAYER_MAX_NR] = { 0 };

	stack->layers = arena_alloc_array(&stack->arena, graph->nr, sizeof(*stack->layers));
	stack->nr = graph->nr;
	for (size_t i = 0; i < graph->nr; i++)
		place[graph->order[i]] = i;
	for (size_t i = 0; i < graph->nr; i++) {
		stack->layers[i] = graph->layers[graph->order[i]];
		for (size_t k = 0; k < stack->layers[i].nr_inputs; k++)
			stack->layers[i].inputs[k] = place[stack->layers[i].inputs[k]];
	}
}

int stack_draft_finish(struct stack_draft *draft, struct err *err)
{
	struct graph graph = {
		.draft = draft,
		.layers = draft->layers.items,
		.nr = draft->layers.nr,
	};
	int ret;

	if (graph.nr == 0)
		return err_set(err, draft->stack->is_file ? ERR_INPUT : ERR_USAGE,
			       "%s: there is no layer", draft->stack->source);
	ret = check_names(&graph, err);
	if (ret == 0)
		ret = resolve(&graph, err);
	if (ret == 0)
		ret = sort(&graph, err);
	for (size_t i = 0; ret == 0 && i < graph.nr; i++) {
		ret = check_layer(&graph, &graph.layers[i], err);
		if (ret < 0)
			ret = graph_refuse(&graph, &graph.layers[i], 0, err);
	}
	if (ret == 0)
		ret = check_top(&graph, err);
	if (ret == 0)
		graph_emit(&graph);
	return ret;
}
