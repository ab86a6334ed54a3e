/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_JOB_DRAFT_H
#define REGIO_JOB_DRAFT_H

/*
 * A draft is a job to which options are still being applied, with the place each of its values
 * comes from. Sections start as a copy of the draft of the defaults.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/vec.h"
#include "model/job.h"

struct arena;
struct key_index;
struct key_row;
struct number_reader;
struct warning_list;

/* Where a value comes from; a later one is stronger. */
enum option_rank {
	RANK_BUILTIN,
	RANK_FILE,
	RANK_COMMAND_LINE,
	RANK_OVERRIDE, /* wins over everything: settings, and command lines that win over files */
};

struct place {
	enum option_rank rank;
	const char *source; /* a file, "command line", "setting" or "plan.yaml:7: setting" */
	unsigned line;	    /* 0 where the source has no lines */
};

/* One option as it stands in a section, not yet understood. Strings live as long as the job. */
struct option {
	const char *key;
	const char *text; /* value as written, blanks in front included; NULL for a bare key */
	struct place place;
	const char *unset_variable; /* a variable in it that is not set, or NULL */
};

struct option_list VEC_BODY(struct option);

/* Given options by canonical name; the last of one name wins. An item without key is void. */
struct draft_list {
	struct VEC_BODY(struct job_option) options;
	size_t *positions; /* by row: 1 + index in options, 0 = not given */
	size_t nr_rows;
};

struct draft {
	struct job job;
	struct place *places;	   /* by row of keys_table() */
	struct draft_list applied; /* all options so far, in the order that counts */
};

/* What applying needs: names, memory for strings, and where to put warnings. */
struct draft_context {
	struct arena *arena;
	const struct key_index *index;
	struct warning_list *warnings;
};

/* A draft with the default of every row. The arrays of places are the arena's. */
void draft_init(struct draft *draft, struct arena *arena);
void draft_release(struct draft *draft);
/* dst must have been initialised. */
void draft_copy(struct draft *dst, const struct draft *src);

/* Which options of a list to apply: those marked KEY_FIRST, or the others. */
enum draft_pass {
	DRAFT_FIRST,
	DRAFT_REST,
};

/* given may be NULL; else it records what was applied. Stops at the first bad option. */
int draft_apply(struct draft *draft, const struct draft_context *context,
		const struct option_list *options, enum draft_pass pass, struct draft_list *given,
		struct err *err);

/* Place of the value of that key (canonical name); source is NULL for a default. */
const struct place *draft_place(const struct draft *draft, const char *key);

/* place_refuse() with the place of that key's value (the section, if it has the default), and
 * "key: " before the message. */
__attribute__((format(printf, 4, 5))) int draft_refuse(const struct draft *draft, const char *key,
						       struct err *err, const char *format, ...);

void draft_list_init(struct draft_list *given, struct arena *arena);
void draft_list_clear(struct draft_list *given);
void draft_list_release(struct draft_list *given);
/* A copy of the options in the arena. */
struct job_options draft_list_options(const struct draft_list *given, struct arena *arena);

/* ERR_INPUT for files, ERR_USAGE for what was typed. */
enum err_code place_error_code(const struct place *place);
/* err_set() with "file:line: " or "command line: " before the message. */
__attribute__((format(printf, 4, 5))) int place_refuse(const struct place *place,
						       enum err_code code, struct err *err,
						       const char *format, ...);

#endif
