/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STACK_LAYER_DM_H
#define REGIO_STACK_LAYER_DM_H

/* What the files of the device-mapper targets share. */

#include <stddef.h>
#include <stdint.h>

struct build;
struct err;
struct layer;
struct stack;
struct table_input;

/* The devices below as tables name them: new array, caller frees. */
struct table_input *dm_inputs(const struct build *build, const struct layer *layer, size_t *ret_nr);

/* Sectors of the smallest. */
uint64_t table_smallest(const struct table_input *inputs, size_t nr);

/* The UUID of the device that is made of the layer. Caller frees. */
char *dm_layer_uuid(const struct stack *stack, const struct layer *layer);

/* build() of every target: its table, journalled and made live. */
int dm_layer_build(struct build *build, const struct layer *layer, struct err *err);

#endif
