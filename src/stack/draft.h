/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STACK_DRAFT_H
#define REGIO_STACK_DRAFT_H

/* A stack being read: layers as they are written, before names are resolved and sorted. */

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"
#include "stack/layer.h"

struct err;

struct stack_draft {
	struct stack *stack; /* its arena holds every string */
	struct layer_vec VEC_BODY(struct layer) layers;
};

/* line 0 where there are none. Messages carry the place. */
int stack_draft_add_layer(struct stack_draft *draft, const char *type, unsigned line,
			  struct err *err);
/* To the newest layer: its name, on, count or an option of its kind. */
int stack_draft_add_option(struct stack_draft *draft, const char *key, const char *value,
			   unsigned line, struct err *err);
/* The same for any layer; without a place in the message. */
int stack_draft_set_option(struct stack_draft *draft, struct layer *layer, const char *key,
			   const char *value, struct err *err);
/* A layer name that it builds on. */
int stack_draft_add_on(struct stack_draft *draft, const char *name, unsigned line, struct err *err);

/* "loop:2G:direct_io=on": one layer. */
int stack_draft_add_words(struct stack_draft *draft, const char *words, unsigned line,
			  struct err *err);
/* "loop:2G,btrfs" */
int stack_draft_read_line(struct stack_draft *draft, const char *text, struct err *err);
int stack_draft_read_yaml(struct stack_draft *draft, const char *text, size_t len, struct err *err);

int stack_draft_change(struct stack_draft *draft, const struct stack_change *change,
		       struct err *err);

/* Resolves names, checks every layer, sorts them bottom-up into draft->stack. */
int stack_draft_finish(struct stack_draft *draft, struct err *err);

void stack_draft_release(struct stack_draft *draft);

#endif
