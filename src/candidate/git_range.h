/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CANDIDATE_GIT_RANGE_H
#define REGIO_CANDIDATE_GIT_RANGE_H

/* Private to src/candidate: commits along first parents, and what came in with a merge. */

struct candidate_list;
struct err;

/* The hash of what is named; ERR_INPUT if it is no commit. Caller frees. */
int git_resolve(const char *repository, const char *name, char **ret_hash, struct err *err);

/* Appends `good` and what comes after it up to `bad`, both hashes. */
int git_list_range(const char *repository, const char *good, const char *bad,
		   struct candidate_list *list, struct err *err);

struct git_side {
	char *good; /* where the side leaves; NULL: it cannot be searched, see why */
	char *tip;  /* the parent of the merge; NULL: it has no such parent */
	char *why;
};
void git_side_release(struct git_side *side);

/*
 * What came into a merge by its parent number 2, 3 ..: the commits along first parents of that
 * parent which were not in the history of the first one, after the commit where they leave it.
 */
int git_find_side(const char *repository, const char *merge, unsigned parent,
		  struct git_side *ret_side, struct err *err);

#endif
