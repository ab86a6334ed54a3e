/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_TRIAL_OPTIONS_H
#define REGIO_CMD_TRIAL_OPTIONS_H

/*
 * The options that every command shares which runs trials, and what they open: the target,
 * the store, the signal flag, the progress line. A command embeds struct trial_options in its
 * config and puts TRIAL_OPTION_ROWS among its option rows.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/args.h"
#include "cmd/progress.h"
#include "cmd/vm_options.h"

struct err;
struct job_set;
struct load_progress;
struct result;
struct setting_list;
struct store;
struct target_ops;
struct workload;

struct trial_options {
	struct arg_list sections;
	struct arg_list allow_destructive;
	const char *target;
	const char *stack;	  /* text or file of --stack; NULL = none */
	const char *stack_source; /* where it stands, for messages; NULL = the command line */
	/* Where all stacks of the command stand, one after the other; NULL = each elsewhere. */
	const char *stack_place;
	const char *store_path;
	const char *progress_mode;
	const char *monitors;
	const char *exec; /* external command in place of jobs; NULL = none */
	uint64_t exec_timeout_ns;
	struct vm_options vm;
	uint64_t seed; /* 0 = drawn from the clock and stored */
	bool order;    /* one monitor more, which looks at each request */
	bool readonly;
	bool save;
	bool fio_strict;
};

#define TRIAL_OPTIONS_INIT                                                                         \
	((struct trial_options){ .target = "local",                                                \
				 .progress_mode = "auto",                                          \
				 .monitors = "default",                                            \
				 .save = true,                                                     \
				 .vm = VM_OPTIONS_INIT })

#define TRIAL_OPTION_ROWS(config_type, field)                                                      \
	{ .name = "section",                                                                       \
	  .type = ARG_STRING_LIST,                                                                 \
	  .offset = offsetof(config_type, field.sections),                                         \
	  .value_name = "NAME",                                                                    \
	  .help = "run only the job sections of that name (may be repeated)" },                    \
		{ .name = "on",                                                                    \
		  .type = ARG_STRING,                                                              \
		  .offset = offsetof(config_type, field.target),                                   \
		  .value_name = "TARGET",                                                          \
		  .help = "where to run: local, vm" },                                             \
		{ .name = "stack",                                                                 \
		  .type = ARG_STRING,                                                              \
		  .offset = offsetof(config_type, field.stack),                                    \
		  .value_name = "LAYERS",                                                          \
		  .help = "devices to build for each trial: loop:2G,btrfs or a YAML file" },       \
		{ .name = "allow-destructive",                                                     \
		  .type = ARG_STRING_LIST,                                                         \
		  .offset = offsetof(config_type, field.allow_destructive),                        \
		  .value_name = "DEVICE",                                                          \
		  .help = "write to DEVICE although it carries data or is in use" },               \
		{ .name = "readonly",                                                              \
		  .type = ARG_BOOL,                                                                \
		  .offset = offsetof(config_type, field.readonly),                                 \
		  .help = "refuse jobs that write or trim" },                                      \
		{ .name = "exec",                                                                  \
		  .type = ARG_STRING,                                                              \
		  .offset = offsetof(config_type, field.exec),                                     \
		  .value_name = "COMMAND",                                                         \
		  .help = "measure a shell command in place of job files" },                       \
		{ .name = "exec-timeout",                                                          \
		  .type = ARG_DURATION,                                                            \
		  .offset = offsetof(config_type, field.exec_timeout_ns),                          \
		  .value_name = "TIME",                                                            \
		  .help = "end the command after TIME; such a run has failed" },                   \
		{ .name = "monitors",                                                              \
		  .type = ARG_STRING,                                                              \
		  .offset = offsetof(config_type, field.monitors),                                 \
		  .value_name = "LIST",                                                            \
		  .help = "what to watch meanwhile: default, all, none, or names" },               \
		{ .name = "order",                                                                 \
		  .type = ARG_BOOL,                                                                \
		  .offset = offsetof(config_type, field.order),                                    \
		  .help = "also watch in which order requests reach the disks" },                  \
		{ .name = "seed",                                                                  \
		  .type = ARG_U64,                                                                 \
		  .offset = offsetof(config_type, field.seed),                                     \
		  .value_name = "N",                                                               \
		  .help = "seed of everything random; stored with the result" },                   \
		{ .name = "store",                                                                 \
		  .type = ARG_STRING,                                                              \
		  .offset = offsetof(config_type, field.store_path),                               \
		  .value_name = "PATH",                                                            \
		  .help = "database of results" },                                                 \
		{ .name = "save",                                                                  \
		  .type = ARG_BOOL,                                                                \
		  .offset = offsetof(config_type, field.save),                                     \
		  .help = "keep results in the store (default; --no-save does not)" },             \
		{ .name = "fio-strict",                                                            \
		  .type = ARG_BOOL,                                                                \
		  .offset = offsetof(config_type, field.fio_strict),                               \
		  .help = "do as fio also where fio surprises: regio --list-traps" },              \
		VM_OPTION_ROWS(config_type, field.vm),                                             \
	{                                                                                          \
		.name = "progress", .type = ARG_STRING,                                            \
		.offset = offsetof(config_type, field.progress_mode), .value_name = "WHEN",        \
		.help = "progress line on stderr: auto, always, never"                             \
	}

/* What a command holds while its trials run. Zero is valid for session_close. */
/* What a command does while its trials run, beside the progress line on stderr. */
struct session_live {
	void (*begun)(void *arg);
	void (*progress)(void *arg, const struct load_progress *load);
	uint64_t progress_interval_ns;
	void (*status)(void *arg, const struct result *partial);
	uint64_t status_interval_ns;
	atomic_bool *status_wanted;
	void *arg;
	bool is_quiet; /* there is another line */
	/* set by session_trial: the line on stderr */
	void (*otherwise)(void *arg, const struct load_progress *load);
	void *otherwise_arg;
};

struct session {
	const struct trial_options *options;
	const struct target_ops *target;
	const char *vm_time; /* clock of guests, NULL where there are none */
	char *monitors;	     /* what to watch, --order included */
	struct store *store; /* NULL with --no-save */
	int64_t experiment;
	const atomic_bool *stop;
	struct progress progress;
	struct session_live *live; /* NULL: nothing else */
	uint64_t seed;
	unsigned nr_stored;
	bool has_attachments; /* a result brought them */
	bool is_warned;	      /* of jobs that take long in guests */
};

/*
 * Opens everything; warns of settings that a killed run left behind. kind and command
 * describe the experiment in the store.
 */
int session_open(struct session *session, const struct trial_options *options, const char *kind,
		 const char *command, struct err *err);

/* An experiment that can be interrupted and taken up again. */
struct session_plan {
	const char *kind, *command;
	/* Of all that its trials depend on: an equal one may go on, but not two at a time. With
	 * `resumed` it may be NULL: the experiment is only looked at. */
	const char *digest;
	const char *source; /* file of the plan */
	const char *more;   /* members of its JSON beside these: an object; NULL = none */
	bool is_fresh;	    /* never go on with an old one */
	int64_t resumed;    /* go on with this one, whatever its digest; 0 = none */
};

/*
 * As session_open, but goes on with the newest experiment of this digest that has not ended, with
 * its seed. Then *ret_goes_on is true. -ERR_SYSTEM while another process runs the plan.
 */
int session_open_plan(struct session *session, const struct trial_options *options,
		      const struct session_plan *plan, bool *ret_goes_on, struct err *err);
void session_close(struct session *session);

/* What a killed call left behind would be in the way of the next stack: it is undone. */
int session_restore_leftovers(struct err *err);

/* One trial of a session. */
struct session_trial {
	const struct workload *workload;
	const struct setting_list *settings;	     /* all, as given */
	const struct setting_list *machine_settings; /* those that are not job.* */
	const char *label;
	const char *dir;   /* where the command of --exec runs; NULL = the current folder */
	uint64_t seed_nr;  /* tells trials of one session apart */
	uint64_t watch_ns; /* not 0: only the machine is watched, so long */
};

/* Runs it. What an external command printed is in the result already. */
int session_trial(struct session *session, const struct session_trial *work,
		  struct result *ret_result, struct err *err);
/* Stores it at once, where there is a store. -ERR_SYSTEM also when something that the trial has
 * changed could not be undone: then nothing can be measured after it. */
int session_store(struct session *session, const char *label, bool used,
		  const struct result *result, struct err *err);

/* The same for a trial of a plan, by its name there. */
int session_store_trial(struct session *session, const char *label, const char *trial, bool used,
			const struct result *result, struct err *err);

bool session_is_stopped(const struct session *session);

#endif
