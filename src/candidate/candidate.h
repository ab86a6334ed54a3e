/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CANDIDATE_CANDIDATE_H
#define REGIO_CANDIDATE_CANDIDATE_H

/*
 * Where the candidates of a bisection come from: commits, kernels, the lines of a file. They stand
 * in an order in which once and for all something became bad. One source = one file candidate_x.c
 * + one row in candidate.c.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/vec.h"
#include "model/setting.h"

struct err;

/* More than a bisection can tell apart, and less than memory. */
#define CANDIDATE_MAX 100000

struct candidate {
	char *id;   /* what a trial is told: hash, path, line; of one source no two are equal */
	char *name; /* short, for people: "1a2b3c4d5e6f", "6.1.55-1" */
	char *text; /* what else people know it by: the subject of a commit; "" */
};

struct candidate_list VEC_BODY(struct candidate);

void candidate_list_add(struct candidate_list *list, const char *id, const char *name,
			const char *text);
void candidate_list_release(struct candidate_list *list);
CLEANUP_DEFINE(candidate_list, struct candidate_list, candidate_list_release)

struct candidate_request {
	const char *where; /* repository, folder or file */
	const char *range; /* "GOOD..BAD"; NULL where the source has no use for it */
	const char *build; /* shell command that makes a candidate ready; NULL = none is needed */
	uint64_t build_timeout_ns; /* 0 = none */
	const char *cache_dir;	   /* folder of all bisections; it is made when needed */
	const atomic_bool *stop;   /* ends builds; NULL = never */
};

/* What a trial of one candidate needs beside its $REGIO_CANDIDATE. */
struct candidate_setup {
	char *tree;		      /* working folder of its command, $REGIO_TREE; NULL = none */
	struct setting_list settings; /* on top of those that were given */
	char *why_untestable;	      /* NULL = it can be measured */
};
void candidate_setup_release(struct candidate_setup *setup);
CLEANUP_DEFINE(candidate_setup, struct candidate_setup, candidate_setup_release)

/* "author", "Jo <jo@example.org>"; a key may come more than once: "file". */
struct candidate_fact {
	char *key, *value;
};
/* Of a merge: the range of what came in with it, to be searched next. */
#define CANDIDATE_FACT_INSIDE "inside"

struct candidate_facts VEC_BODY(struct candidate_fact);
void candidate_facts_add(struct candidate_facts *facts, const char *key, const char *value);
void candidate_facts_release(struct candidate_facts *facts);
CLEANUP_DEFINE(candidate_facts, struct candidate_facts, candidate_facts_release)

struct candidate_source;

/* Where it goes into a candidate that is a line of candidates itself: a merge. */
struct candidate_door {
	size_t position;
	unsigned parent; /* 2 .. */
};

struct candidate_ops {
	const char *name;  /* of its option: "git" */
	const char *noun;  /* of one candidate: "commit" */
	const char *nouns; /* "commits" */
	const char *summary;
	bool needs_range;
	bool needs_guest; /* unless a build command takes care of it */
	/* Lists the candidates, the good one first, and fills source->state. */
	int (*open)(struct candidate_source *source, const struct candidate_request *request,
		    struct err *err);
	/* Makes one ready. That it cannot be is no error but stands in *ret_setup. NULL: always
	 * ready. */
	int (*prepare)(struct candidate_source *source, size_t position,
		       struct candidate_setup *ret_setup, struct err *err);
	/* What a reader wants to know of the one that was found. NULL: nothing more. */
	int (*describe)(struct candidate_source *source, size_t position,
			struct candidate_facts *ret_facts, struct err *err);
	/* What came in by that door, as a source that must be closed before this one. Its ops stay
	 * NULL where nothing did; *ret_why says so, or is NULL if there is no such door. NULL:
	 * there are no doors. */
	int (*enter)(struct candidate_source *source, const struct candidate_door *door,
		     struct candidate_source *inside, char **ret_why, struct err *err);
	void (*close)(struct candidate_source *source); /* NULL: nothing to do */
};

struct candidate_source {
	const struct candidate_ops *ops; /* NULL = not open */
	struct candidate_list list;	 /* the first is good, the last is bad */
	void *state;
};

/* The table, NULL-terminated. */
const struct candidate_ops *const *candidate_table(void);
const struct candidate_ops *candidate_find(const char *name);

/* At least two candidates, or an error. */
int candidate_open(const struct candidate_ops *ops, const struct candidate_request *request,
		   struct candidate_source *ret_source, struct err *err);
/* Position 0 .. nr - 1. */
int candidate_prepare(struct candidate_source *source, size_t position,
		      struct candidate_setup *ret_setup, struct err *err);
int candidate_describe(struct candidate_source *source, size_t position,
		       struct candidate_facts *ret_facts, struct err *err);
/* *ret_source is closed, with *ret_why (caller frees) or NULL, where there is nothing to enter. */
int candidate_enter(struct candidate_source *source, const struct candidate_door *door,
		    struct candidate_source *ret_source, char **ret_why, struct err *err);
void candidate_close(struct candidate_source *source); /* zeroed is fine */
CLEANUP_DEFINE(candidate_source, struct candidate_source, candidate_close)

#endif
