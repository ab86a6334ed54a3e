/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_JOB_PARSER_H
#define REGIO_JOB_PARSER_H

/*
 * The state of one job_parse(): what the steps hand to each other.
 *
 *	cmdline.c   words -> options, files          parse.c   files -> sections
 *	job_parse.c sections -> jobs, in order       finish.c  one job: defaults that depend on
 *	check.c     one job: contradictions                    others, groups, phases
 *	share.c     all jobs: files used by several
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"
#include "job/draft.h"
#include "job/key_index.h"
#include "job/source.h"
#include "job/warning.h"
#include "model/job.h"

struct err;
struct job_parse_config;

/* A job to be: a section of a file, or what belongs to one --name. */
struct section {
	const char *name;
	struct place place;
	struct option_list options;
};

struct section_list VEC_BODY(struct section);
struct job_list VEC_BODY(struct job);
struct name_list VEC_BODY(const char *);

/* The words of the command line, sorted. */
struct cmdline {
	struct option_list defaults;  /* before the first --name and after --name=global */
	struct section_list sections; /* one for each --name */
	struct name_list files;
};

struct parser {
	const struct job_parse_config *config;
	struct arena *arena;
	struct key_index index;
	struct warning_list warnings;
	struct draft_context context; /* of the three above */

	struct draft builtin;		   /* default of every row */
	struct draft defaults;		   /* of the sections to come */
	struct draft draft;		   /* the job being made */
	struct draft_list given;	   /* to draft */
	struct draft_list global_given;	   /* to defaults */
	struct option_list file_overrides; /* command line, where it wins over files */
	struct option_list overrides;	   /* settings */

	struct job_list jobs;
	bool is_wall_next; /* the next job starts a phase: first of a further file */
	unsigned group_id, phase;
	size_t nr_in_group, nr_in_phase; /* jobs so far */
	size_t nr_clones;
	size_t nr_includes;
	const char *include_error;    /* why a file could not be included; strict goes on */
	const char *counted_filename; /* the list whose length is nr_counted */
	size_t nr_counted;
};

/* cmdline.c. The lists are released by cmdline_release(), the strings are the arena's. */
int cmdline_parse(struct parser *parser, struct cmdline *cmdline, struct err *err);
void cmdline_release(struct cmdline *cmdline);

/* parse.c: calls parser_add_global() and parser_add_job() for the sections of a file. */
int source_parse(struct parser *parser, struct source *source, struct err *err);

/* job_parse.c */
int parser_add_global(struct parser *parser, const struct option_list *options, struct err *err);
int parser_add_job(struct parser *parser, const struct section *section, struct err *err);

/* finish.c: fills what depends on several options, and the place in groups and phases. */
int draft_finish(struct parser *parser, struct draft *draft, struct err *err);

/* check.c: what contradicts itself, with the place of the option. */
int draft_check(const struct draft *draft, struct err *err);

/* share.c: warnings about files that several jobs or clones use at the same time. */
void warn_of_shared_files(struct parser *parser);

#endif
