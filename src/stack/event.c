/* SPDX-License-Identifier: GPL-2.0-or-later */
/* event: what happens to a stack in the middle of a job, as the options of its layers ask. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "stack/layer.h"
#include "stack/stack.h"

struct events VEC_BODY(struct stack_event);

const struct stack_device *layer_scene_own(const struct layer_scene *scene,
					   const struct layer *layer, unsigned number)
{
	for (size_t i = 0; i < scene->built->nr; i++) {
		if (!strcmp(scene->built->items[i].layer, layer->name) && --number == 0)
			return &scene->built->items[i];
	}
	return NULL;
}

const struct stack_device *layer_scene_input(const struct layer_scene *scene,
					     const struct layer *layer, unsigned number)
{
	for (size_t i = 0; i < layer->nr_inputs; i++) {
		const struct layer *below = &scene->stack->layers[layer->inputs[i]];
		unsigned nr = layer_nr_outputs(below);

		if (number <= nr)
			return layer_scene_own(scene, below, number);
		number -= nr;
	}
	return NULL;
}

int layer_check_events(const struct layer *layer, unsigned nr, struct err *err)
{
	for (size_t i = 0; i < layer->nr_options; i++) {
		const struct layer_option *option = &layer->options[i];
		const char *rest = option->value;
		struct layer_event event;

		while (option->key->type == LAYER_EVENT && layer_event_next(&rest, &event)) {
			if (event.number > nr)
				return err_set(err, ERR_USAGE, "%s: there is no path %u among %u",
					       option->key->name, event.number, nr);
		}
	}
	return 0;
}

static int compare_times(const void *a, const void *b)
{
	const struct stack_event *left = a;
	const struct stack_event *right = b;

	return (left->at_ns > right->at_ns) - (left->at_ns < right->at_ns);
}

static void add_events(const struct layer *layer, struct events *events)
{
	for (size_t i = 0; i < layer->nr_options; i++) {
		const struct layer_option *option = &layer->options[i];
		const char *rest = option->value;
		struct layer_event event;

		while (option->key->type == LAYER_EVENT && layer_event_next(&rest, &event))
			vec_push(events, (struct stack_event){ .at_ns = event.at_ns,
							       .layer = layer,
							       .key = option->key->name,
							       .number = event.number });
	}
}

size_t stack_list_events(const struct stack *stack, struct stack_event **ret_events)
{
	struct events events = VEC_INIT;

	for (size_t i = 0; i < stack->nr; i++)
		add_events(&stack->layers[i], &events);
	if (events.nr)
		qsort(events.items, events.nr, sizeof(*events.items), compare_times);
	*ret_events = events.items;
	return events.nr;
}

int stack_event_happen(const struct stack *stack, const struct stack_built *built,
		       const struct stack_event *event, struct strbuf *words, struct err *err)
{
	const struct layer_scene scene = { .stack = stack, .built = built };
	int ret;

	strbuf_printf(words, "layer '%s': ", event->layer->name);
	ret = event->layer->ops->happen(event->layer, &scene, event->key, event->number, words,
					err);
	return ret < 0 ? layer_refuse(stack, event->layer, 0, ret, err) : 0;
}

bool layer_has_events(const struct layer *layer)
{
	for (size_t i = 0; i < layer->nr_options; i++) {
		if (layer->options[i].key->type == LAYER_EVENT)
			return true;
	}
	return false;
}

int stack_report(const struct stack *stack, const struct stack_built *built,
		 const struct stack_sink *sink, struct err *err)
{
	const struct layer_scene scene = { .stack = stack, .built = built };
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < stack->nr; i++) {
		const struct layer *layer = &stack->layers[i];

		if (layer->ops->report)
			ret = layer->ops->report(layer, &scene, sink, err);
		if (ret < 0)
			(void)layer_refuse(stack, layer, 0, ret, err);
	}
	return ret;
}
