/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STACK_LAYER_H
#define REGIO_STACK_LAYER_H

/*
 * A layer of a stack: one kind = one file layer_x.c with a const struct layer_ops and one row in
 * layer.c. Its options are rows too, so they are checked before anything is built.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "stack/stack.h"

struct build;
struct err;
struct strbuf;

enum layer_value {
	LAYER_TEXT,
	LAYER_BOOL,	/* on off yes no true false 1 0 */
	LAYER_UNSIGNED, /* 0..4294967295 */
	LAYER_SIZE,	/* 2G = 2GiB; at least 1 */
	LAYER_CHOICE,	/* one of `choices` */
	LAYER_EVENT, /* "2@50ms": what happens to the second device, so long after the jobs began;
			 * several with blanks between */
};

struct layer_key {
	const char *name;
	enum layer_value type;
	const char *choices; /* "bio rq mq": for LAYER_CHOICE */
	const char *help;
	char separator;	 /* joins a value that is given more than once; 0 = only once */
	bool is_default; /* "loop:2G" means this one */
};

#define LAYER_MAX_COUNT 64 /* devices of one layer, and devices below one layer */
#define LAYER_MAX_NR 64	   /* layers of a stack */

struct layer_option {
	const struct layer_key *key;
	const char *value;
	unsigned line;
};

/* A device below, as a device-mapper table wants it. */
struct table_input {
	char device[32]; /* "7:0" */
	uint64_t sectors;
};

struct layer;

/* The built stack that something happens to. */
struct layer_scene {
	const struct stack *stack;
	const struct stack_built *built;
};

struct layer_ops {
	const char *name, *summary;
	const char *driver; /* for the message that this kernel has none; NULL = name */
	/* What a machine that has nothing else needs for it: kernel modules, besides what they
	 * depend on, and programs. Blanks between; NULL = none. */
	const char *modules;
	const char *programs;
	const struct layer_key *keys;
	size_t nr_keys;
	unsigned min_inputs, max_inputs; /* devices below it */
	bool is_filesystem;
	bool takes_file;	 /* what is below may be a file */
	const char *outputs_key; /* option that says how many devices one makes; NULL = one */
	/* What the types of the keys cannot say; or NULL. */
	int (*check)(const struct layer *layer, struct err *err);
	/* Makes one device after journalling it and reports it with build_add(). */
	int (*build)(struct build *build, const struct layer *layer, struct err *err);
	/* Does what a key of type LAYER_EVENT says, to device number (from 1). words gets what it
	 * was: "fail_path 8:16". Or NULL. */
	int (*happen)(const struct layer *layer, const struct layer_scene *scene, const char *key,
		      unsigned number, struct strbuf *words, struct err *err);
	/* Tells the sink what it knows about itself when the jobs have ended. Or NULL. */
	int (*report)(const struct layer *layer, const struct layer_scene *scene,
		      const struct stack_sink *sink, struct err *err);
	/* Device-mapper targets have this and .build = dm_layer_build: appends the lines of the
	 * table, "START LENGTH TARGET PARAMETERS". */
	int (*table)(const struct layer *layer, const struct table_input *inputs, size_t nr,
		     struct strbuf *out, struct err *err);
};

struct layer {
	const struct layer_ops *ops;
	const char *name;
	unsigned count; /* devices to make */
	unsigned line;	/* of its description; 0 = a line of layers */
	struct layer_option *options;
	size_t nr_options;
	const char **on; /* names, as written; nr_on 0 = by the rule of regio-stack(5) */
	unsigned *on_lines;
	size_t nr_on;
	size_t *inputs; /* indices of layers, all smaller than its own */
	size_t nr_inputs;
};

struct stack {
	struct arena arena;
	const char *text;   /* as given */
	const char *source; /* file, "--stack", "plan.yaml:7: stack" */
	bool is_file;
	struct layer *layers; /* in the order of building; the last one is the top */
	size_t nr;
	const char *folder; /* its place */
	const char *device_path;
	const char *mount_path; /* NULL if the top is no filesystem */
};

const struct layer_ops *const *layer_table(void); /* NULL-terminated */
const struct layer_ops *layer_ops_find(const char *name);
const struct layer_key *layer_key_find(const struct layer_ops *ops, const char *name);

/* The next event of a value of type LAYER_EVENT that was checked before; false after the last. */
struct layer_event {
	unsigned number;
	uint64_t at_ns;
};
bool layer_event_next(const char **rest, struct layer_event *ret_event);
bool layer_has_events(const struct layer *layer);
/* -ERR_USAGE for an event of a device that is not among nr. */
int layer_check_events(const struct layer *layer, unsigned nr, struct err *err);

/* The nr-th device, from 1, that the layer made, or of those below it; NULL if there is none. */
const struct stack_device *layer_scene_own(const struct layer_scene *scene,
					   const struct layer *layer, unsigned number);
const struct stack_device *layer_scene_input(const struct layer_scene *scene,
					     const struct layer *layer, unsigned number);

/* Checks the value by the type of its key. */
int layer_value_check(const struct layer_key *key, const char *value, struct err *err);

/* Values of options, checked before. NULL, or `otherwise`, when the option was not given. */
const char *layer_text(const struct layer *layer, const char *key);
/* Devices that it makes for those above. */
unsigned layer_nr_outputs(const struct layer *layer);
uint64_t layer_size(const struct layer *layer, const char *key, uint64_t otherwise);
unsigned layer_unsigned(const struct layer *layer, const char *key, unsigned otherwise);
bool layer_bool(const struct layer *layer, const char *key, bool otherwise);

/* "stack.yaml:3: layer 'disk': " in front of the message. Returns ret. */
int layer_refuse(const struct stack *stack, const struct layer *layer, unsigned line, int ret,
		 struct err *err);

#endif
