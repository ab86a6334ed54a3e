/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_JOB_KEY_INDEX_H
#define REGIO_JOB_KEY_INDEX_H

/* Finds a job option by name: all names of all tables, sorted once per parse. */

#include <stddef.h>

struct arena;
struct err;
struct key_row;
struct known_without_effect;

struct key_name {
	const char *name;
	const struct key_row *row; /* NULL: not supported, or without effect */
	const struct known_without_effect *without_effect;
};

struct key_index {
	struct key_name *names; /* ascending; owned by the arena */
	size_t nr;
};

void key_index_init(struct key_index *index, struct arena *arena);

/* NULL if there is none of exactly that name. */
const struct key_name *key_index_find(const struct key_index *index, const char *name);

/*
 * As find, and else the option of which name is a prefix, as on the command line. NULL if there
 * is none or several; *ret_nr says how many names start like that.
 */
const struct key_name *key_index_find_prefix(const struct key_index *index, const char *name,
					     size_t *ret_nr);

/* "unknown option 'x'; did you mean 'y'?"; -ERR_INPUT. */
int key_index_refuse(const struct key_index *index, const char *name, struct err *err);

#endif
