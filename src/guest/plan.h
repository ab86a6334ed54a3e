/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_GUEST_PLAN_H
#define REGIO_GUEST_PLAN_H

/*
 * What the host asks a guest to do: the JSON document GUEST_PLAN_FILE of the initramfs
 * (model/guest_link.h).
 *
 *	modules  [{"file": "/m/null_blk.ko", "params": ""}], in order
 *	stack    content of a stack file (stack/stack.h), built for each run; absent: none
 *	place    folder that ${stack} and ${mount} of the jobs lie in
 *	jobs     text of a job file (job/job_text.h)
 *	own      name of a workload of regio's own in place of jobs; own_words are its options,
 *	         own_directory is where its files go
 *	settings ["queue.scheduler=bfq"], applied in the guest
 *	label, seed, monitors, nr_warmups
 *	steps    of a script, in place of jobs: [{"step": "cat", "line": 3, "may_fail": false,
 *		 "words": ["/proc/cmdline"]}]; a job has "jobs" as above in place of words
 *	script   name of that script
 *	shell    true: a shell for whoever sits at the console, in place of jobs
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

struct err;

/* Strings belong to the document. */
struct guest_plan {
	json_t *document;
	const json_t *modules;	/* array, maybe empty */
	const json_t *settings; /* array of strings, maybe empty */
	const char *stack;	/* NULL = none */
	const char *place;	/* NULL with none */
	const char *jobs;	/* NULL = only boot */
	const char *own;	/* NULL = none */
	const char *own_directory;
	const json_t *own_words; /* array of strings, NULL without own */
	const char *label;	 /* NULL = none */
	const char *monitors;	 /* NULL = none */
	const json_t *steps;	 /* array, NULL = none */
	const char *script;	 /* "" with none */
	bool is_shell;
	uint64_t seed;
	unsigned nr_warmups;
};

int guest_plan_read(const char *path, struct guest_plan *ret_plan, struct err *err);
void guest_plan_release(struct guest_plan *plan);

#endif
