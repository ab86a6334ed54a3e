/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_JOB_JOB_PARSE_H
#define REGIO_JOB_JOB_PARSE_H

/*
 * Reads fio job files and fio's command-line form into a job set. Order of precedence, last
 * wins: built-in defaults, job options of the command line before any --name, [global]
 * sections, the section itself, overrides (settings job.X=V).
 */

#include <stddef.h>

struct err;
struct job_set;

struct job_parse_override {
	const char *key, *value;
};

struct job_parse_config {
	/* Words of the command line in order: "--rw=randread", "--name=x", "FILE.fio", "-". */
	const char *const *words;
	size_t nr_words;
	const char *const *sections; /* --section=NAME; none = all */
	size_t nr_sections;
	const struct job_parse_override *overrides; /* win over everything, in every job */
	size_t nr_overrides;
};

/*
 * Parses, expands and validates. On success *ret_set owns its arena. Messages carry
 * "file:line: ". ERR_USAGE for the command line, ERR_INPUT for files, ERR_UNSUPPORTED for a
 * fio option or value that regio knows but cannot do yet.
 */
int job_parse(const struct job_parse_config *config, struct job_set *ret_set, struct err *err);

/* True if word is a fio job option as `--key[=value]`; *ret_takes_next: value is the next word. */
int job_word_is_option(const char *word, int *ret_takes_next);

/* One key for help, completion and the man page check. */
struct job_key_info {
	const char *name, *alias, *help, *values, *default_text;
};
/* index 0..; NULL after the last. */
const struct job_key_info *job_key_info(size_t index);

#endif
