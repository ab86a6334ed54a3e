/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STACK_STACK_H
#define REGIO_STACK_STACK_H

/*
 * A stack: the block devices and the filesystem that are made for a job and taken away after it.
 * It is a graph of layers, written as text ("loop:2G,btrfs") or as a YAML file; regio-stack(5)
 * has the grammar. Built bottom-up; every step stands in the undo journal before it is taken, so
 * taking the stack away is journal_undo_from(), after a kill too.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/cleanup.h"

struct err;
struct journal;
struct layer;
struct strbuf;

/* Read-only after stack_parse. It can be built again and again, once at a time. */
struct stack;

/* A setting stack.KEY=VALUE: "fs" makes the filesystem at the top another one, or with "none"
 * leaves it out; "LAYER.OPTION" gives an option of a layer another value. */
struct stack_change {
	const char *key;
	const char *value;
	const char *origin; /* "plan.yaml:7", for messages; or NULL */
};

struct stack_request {
	const char *text;   /* a YAML file or layers in one line */
	const char *source; /* what messages about a line of layers begin with; NULL = "--stack" */
	const char *place;  /* folder to create for mount points, links and backing files; NULL =
			      one of its own in $TMPDIR or /var/tmp */
	const struct stack_change *changes;
	size_t nr_changes;
};

/* The name of a folder that nobody else makes, for a place: stacks that stand one after the other
 * may share one, and then jobs see the same paths. Caller frees. */
char *stack_choose_place(void);

/* -ERR_USAGE for a line of layers or a change, -ERR_INPUT for the content of a file, with the
 * place of the mistake. */
int stack_parse(const struct stack_request *request, struct stack **ret_stack, struct err *err);
void stack_free(struct stack *stack);
CLEANUP_DEFINE_PTR(stack, struct stack, stack_free)

/* As given. */
const char *stack_text(const struct stack *stack);
/* What a job calls ${stack} and ${mount}: the same for every build of this stack. The device is a
 * link in the place; the mount is NULL where the top is no filesystem. */
const char *stack_device_path(const struct stack *stack);
const char *stack_mount_path(const struct stack *stack);

/* A stack file that means the same, one line for each layer, bottom first. */
void stack_describe(const struct stack *stack, struct strbuf *out);

/* The modules and programs that its layers name, each once, blanks between: for a machine that
 * has nothing else. */
void stack_needs(const struct stack *stack, struct strbuf *modules, struct strbuf *programs);

/* The same of all layers that there are. */
void stack_all_modules(struct strbuf *modules);

/* What a build needs from outside. Zero is this machine as it is. */
struct stack_context {
	const char *sys_root;		      /* NULL = /sys */
	const char *dev_root;		      /* NULL = /dev */
	const char *const *allow_destructive; /* devices that may lose what they hold */
	size_t nr_allow_destructive;
	bool is_guest;		 /* already one: no advice to use --on vm */
	const atomic_bool *stop; /* ends it between two steps and ends mkfs; or NULL */
	/* In place of modprobe: loads a module with these parameters ("" = none). Or NULL. */
	int (*load_module)(void *arg, const char *name, const char *params, struct err *err);
	/* In place of mkfs: puts an empty filesystem on the devices. Or NULL. */
	int (*format)(void *arg, const struct layer *layer, const char *const *devices, size_t nr,
		      struct err *err);
	void *arg;
};

struct stack_device {
	const char *layer; /* its name */
	char *path;	   /* "/dev/loop3", or of a file; for a filesystem where it is mounted */
	char *name;	   /* kernel name of a block device, else NULL */
	dev_t dev;	   /* 0 if it is none */
	uint64_t size_bytes;
};

/* What was built, in the order of building. Zero is empty. */
struct stack_built {
	struct stack_device *items;
	size_t nr;
	size_t capacity;
};

void stack_built_release(struct stack_built *built);
CLEANUP_DEFINE(stack_built, struct stack_built, stack_built_release)

/* On failure all of it is undone already; what could not be undone stays in the journal and is
 * told behind the reason. */
int stack_build(const struct stack *stack, const struct stack_context *context,
		struct journal *journal, struct stack_built *ret_built, struct err *err);

/*
 * What happens to a stack while jobs run on it, by options of layers such as fail=2@50ms; the
 * earliest first. *ret_events is new memory.
 */
struct stack_event {
	uint64_t at_ns; /* after the jobs began */
	const struct layer *layer;
	const char *key; /* "fail" */
	unsigned number; /* of the device */
};
size_t stack_list_events(const struct stack *stack, struct stack_event **ret_events);

/* Makes it happen now. words gets "layer 'mp': fail_path 8:16". */
int stack_event_happen(const struct stack *stack, const struct stack_built *built,
		       const struct stack_event *event, struct strbuf *words, struct err *err);

/* What the layers know about themselves after the jobs: counts such as the hits of a cache, and
 * words where something happened to them. */
struct stack_sink {
	void (*number)(void *arg, const char *layer, const char *name, double value);
	void (*words)(void *arg, const char *layer, const char *words);
	void *arg;
};
int stack_report(const struct stack *stack, const struct stack_built *built,
		 const struct stack_sink *sink, struct err *err);

/* For --list-layers: layers and their options, from index 0 on; false after the last. */
struct stack_word {
	const char *name;
	const char *summary;
};
bool stack_layer_info(size_t layer, struct stack_word *ret_word);
bool stack_layer_option_info(size_t layer, size_t option, struct stack_word *ret_word);

#endif
