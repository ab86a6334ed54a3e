/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TARGET_TARGET_H
#define REGIO_TARGET_TARGET_H

/*
 * A target is where a trial runs. The rest of the program does not care which. One target =
 * one file target_x.c + one row in target.c.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct job_set;
struct load_progress;
struct own_workload;
struct result;
struct setting_list;
struct stack;
struct trial_exec;

/* What only the target vm looks at. */
struct trial_vm {
	const char *time;    /* "virtual" or "real" */
	unsigned memory_mib; /* 0 never */
	unsigned nr_cpus;
	unsigned nr_warmups; /* runs of the jobs in the guest before the one that counts */
	uint64_t seed;	     /* of what the guest takes for random */
	uint64_t timeout_ns; /* wall time of one guest */
	const char *append;  /* words for the guest kernel's command line, or NULL */
};

struct trial {
	const struct job_set *jobs;	     /* job.* settings applied already; none with exec */
	const char *job_text;		     /* the same as one job file; for other machines */
	const struct trial_vm *vm;	     /* never NULL for the target vm */
	const struct trial_exec *exec;	     /* a command to run in place of jobs; NULL = none */
	const struct own_workload *own;	     /* the same for a workload of regio's own */
	const struct setting_list *settings; /* the others */
	const struct stack *stack;	     /* built for this trial alone; NULL = none */
	const char *label;
	uint64_t seed;
	uint64_t watch_ns; /* not 0: nothing runs or is changed, the machine is watched so long */
	bool readonly;
	bool is_repeat;	      /* what only the first result of a session carries is known */
	const char *monitors; /* LIST of --monitors; NULL = none */
	const char *const *allow_destructive; /* device paths */
	size_t nr_allow_destructive;
	const char *state_dir;	   /* of the undo journal; NULL = default */
	bool is_guest;		   /* it runs in a guest now, as the trial of a target_vm */
	const atomic_bool *stop;   /* set by a signal */
	const atomic_bool *urgent; /* set by the second one; or NULL */
	/* Once the measurement is about to begin: nothing can be refused any more. Or NULL. */
	void (*begun)(void *arg);
	void (*progress)(void *arg, const struct load_progress *progress); /* or NULL */
	uint64_t progress_interval_ns;					   /* 0: a second */
	/* Results in the middle of the run, every so often and whenever the flag is set. Or NULL;
	 * targets that cannot know them give none. */
	void (*status)(void *arg, const struct result *partial);
	uint64_t status_interval_ns;
	atomic_bool *status_wanted;
	void *arg;
};

struct target_ops {
	const char *name, *summary;
	/* Not this machine: jobs go there as text, the clock is chosen by --time, and runs repeat
	 * themselves unless a seed says otherwise. */
	bool is_guest;
	/* What can be wrong with the settings before the first trial, and what takes time once
	 * (a kernel is unpacked). Or NULL. */
	int (*check)(const struct setting_list *settings, struct err *err);
	/*
	 * Stack, guard, settings, files, load, environment, undo. Fills *ret_result only when the
	 * measurement took place, errors of single jobs included. Everything changed on the
	 * machine is undone when it returns, whatever it returns; a change that could not be
	 * undone is a note of the result and stays in the journal for `regio restore`.
	 */
	int (*run)(const struct trial *trial, struct result *ret_result, struct err *err);
};

/* This machine; also what runs inside of a guest, which has no table. */
extern const struct target_ops target_local;

const struct target_ops *target_find(const char *name);
const struct target_ops *const *target_table(void);

#endif
