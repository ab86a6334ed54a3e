/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STACK_BUILD_H
#define REGIO_STACK_BUILD_H

/* A stack being built: what layers find below them and the steps that they share. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stack/layer.h"
#include "stack/stack.h"

struct err;
struct journal;

struct build {
	const struct stack *stack;
	const struct stack_context *context;
	struct journal *journal;
	struct stack_built *built;
	unsigned nr; /* 0..count-1 of the device being made of this layer */
};

const char *build_sys_root(const struct build *build);
const char *build_dev_root(const struct build *build);

/* The devices below a layer, in order: new array of pointers into build->built, caller frees. */
const struct stack_device **build_inputs(const struct build *build, const struct layer *layer,
					 size_t *ret_nr);

/* Journals how the change that comes next is undone. what: "loop device /dev/loop3"; hidden: a
 * part that nobody needs to be told about. */
struct build_step {
	const char *action; /* of journal/action.h; NULL = value is written to path */
	const char *path;
	const char *value; /* NULL = "" */
	const char *what;
	const char *anchor;
	bool is_hidden;
};
int build_record(struct build *build, const struct build_step *step, struct err *err);

/* Waits for the node of a block device, looks it up and adds it. path: "/dev/loop3". */
int build_add_block(struct build *build, const struct layer *layer, const char *path,
		    struct err *err);
/* A file or, with dev 0, a mount point. */
void build_add_path(struct build *build, const struct layer *layer, const char *path,
		    uint64_t size_bytes);

/* Writes an attribute and reads it back; another value is an error. text is what it reads as. */
int build_write(const char *path, const char *text, struct err *err);

/* A new file of that size in the place of the stack, or at `path` if that is not NULL; an existing
 * one that is large enough is used and kept. *ret_path is new memory. */
int build_file(struct build *build, const struct layer *layer, char **ret_path,
	       uint64_t *ret_size_bytes, struct err *err);

/* Loads a driver unless `present` (a path) is there; the module goes away with the stack. Its
 * absence is "X: this kernel has no such driver; use --on vm", without the advice in a guest. */
int build_need_module(struct build *build, const struct layer *layer, const char *module,
		      const char *params, const char *present, struct err *err);
int build_no_driver(const struct build *build, const struct layer *layer, struct err *err);

#endif
