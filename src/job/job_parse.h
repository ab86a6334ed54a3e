/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_JOB_JOB_PARSE_H
#define REGIO_JOB_JOB_PARSE_H

/*
 * Reads fio job files and fio's command-line form into a job set. Order of precedence, last
 * wins: built-in defaults, [global] sections, the section itself, job options of the command
 * line before any --name, overrides (settings job.X=V).
 *
 * fio ranks the command line below the file: `fio JOB.fio --size=64m` does nothing when JOB.fio
 * has its own size=. Who types an option after a job file wants it, so `regio run` sets
 * command_line_wins; with --fio-strict it is clear and fio_strict is set. A --name job has no
 * file to win over: there options before the first --name are defaults, as in fio.
 *
 * A filename that wins like that and is a full path stands for itself: the directory= of the job
 * is not put before it (--filename=/dev/loop0 is the device), unless directory is given as well.
 */

#include <stdbool.h>
#include <stddef.h>

struct err;
struct job_set;

struct job_parse_override {
	const char *key, *value;
	const char *origin; /* "plan.yaml:7", for messages; NULL = none */
};

/* A job file that is already in memory; `name` stands in messages and warnings. */
struct job_parse_text {
	const char *name;
	const char *data;
	size_t len;
};

struct job_parse_config {
	/* Words of the command line in order: "--rw=randread", "--name=x", "FILE.fio", "-". */
	const char *const *words;
	size_t nr_words;
	const struct job_parse_text *texts; /* as if they were files named before all words */
	size_t nr_texts;
	const char *const *sections; /* --section=NAME; none = all */
	size_t nr_sections;
	const struct job_parse_override *overrides; /* win over everything, in every job */
	size_t nr_overrides;
	bool command_line_wins; /* false: fio's precedence */
	bool fio_strict;	/* as fio also where fio surprises: model/trap.h */
};

/*
 * Parses, expands and validates. On success *ret_set owns its arena. Messages carry
 * "file:line: ". ERR_USAGE for the command line and overrides, ERR_INPUT for the content of
 * files, ERR_SYSTEM for a file that cannot be read, ERR_UNSUPPORTED for a fio option or value
 * that regio knows but cannot do yet.
 */
int job_parse(const struct job_parse_config *config, struct job_set *ret_set, struct err *err);

/*
 * True if word is a fio job option as `--key[=value]` or `-key[=value]`, also by an unambiguous
 * prefix; *ret_takes_next: its value is the next word. Options that regio knows but does not
 * support are job options too, so that job_parse can say so.
 */
int job_word_is_option(const char *word, int *ret_takes_next);

/* One key for help, completion and the man page check. alias is NULL where there is none;
 * default_text is "" for options that are off or unset by default. */
struct job_key_info {
	const char *name, *alias, *help, *values, *default_text;
};
/* index 0..; NULL after the last. */
const struct job_key_info *job_key_info(size_t index);

#endif
