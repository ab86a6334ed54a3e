/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_OWN_WORKLOAD_H
#define REGIO_LOAD_OWN_WORKLOAD_H

/*
 * Workloads that are no fio jobs but programs of regio's own, called by name: `regio run aiol
 * --requests 64`. One = one file with a const struct own_workload_ops and one row in
 * own_workload.c. Their options are argument rows, so they are checked before anything runs.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"

struct args_spec;
struct err;
struct load_config;
struct result;

struct own_workload_ops {
	const char *name, *summary;
	const struct args_spec *spec; /* of struct *config */
	size_t config_bytes;
	const void *defaults;	 /* config_bytes of them */
	size_t directory_offset; /* of a const char *: where its files are made */
	/* What the rows cannot say; may complete the config. */
	int (*check)(void *config, struct err *err);
	/* As load_run(), which uses all of load but its jobs. Adds metrics to result->monitored. */
	int (*run)(const void *config, const struct load_config *load, struct result *result,
		   struct err *err);
};

const struct own_workload_ops *const *own_workload_table(void); /* NULL-terminated */
const struct own_workload_ops *own_workload_find(const char *name);

/* One with its options. Read-only after own_workload_parse, but for the directory. */
struct own_workload;

/* words: "--requests", "64", "--instances=2"; of one option the last counts. */
int own_workload_parse(const char *name, const char *const *words, size_t nr_words,
		       struct own_workload **ret_workload, struct err *err);
void own_workload_free(struct own_workload *workload);
CLEANUP_DEFINE_PTR(own_workload, struct own_workload, own_workload_free)

const struct own_workload_ops *own_workload_ops_of(const struct own_workload *workload);
/* Name and options as they were given: "aiol --requests 64". */
const char *own_workload_text(const struct own_workload *workload);
/* The options alone, as words: with the name, own_workload_parse() makes another one of them. */
const char *const *own_workload_words(const struct own_workload *workload, size_t *ret_nr);
/* NULL until one was given. */
const char *own_workload_directory(const struct own_workload *workload);
void own_workload_set_directory(struct own_workload *workload, const char *path);

int own_workload_run(const struct own_workload *workload, const struct load_config *load,
		     struct result *result, struct err *err);

#endif
