/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CANDIDATE_GIT_TREE_H
#define REGIO_CANDIDATE_GIT_TREE_H

/*
 * Private to src/candidate: built trees of commits, kept in a cache. The user's repository is only
 * read: a clone of ours borrows its objects, and each commit is checked out and built in a folder
 * of its own below that clone's. A tree counts as built once a file says so that is written last;
 * what a killed build left is removed by the next call.
 *
 *	CACHE/git-KEY/clone/		objects are those of the repository
 *	CACHE/git-KEY/HASH.XXXXXX/	a tree
 *	CACHE/git-KEY/HASH.built	its name
 *	CACHE/git-KEY/HASH.log		what its build printed
 */

#include <stdatomic.h>
#include <stdint.h>

struct candidate_request;
struct candidate_setup;
struct err;

struct git_trees {
	char *folder;  /* CACHE/git-KEY: of this repository and build command */
	char *git_dir; /* of the repository, absolute */
	char *build;   /* NULL = nothing to build */
	uint64_t build_timeout_ns;
	const atomic_bool *stop;
	int lock_fd; /* of folder/lock; one bisection at a time; 0 = none */
};

/* ERR_INPUT if the folder is no repository, ERR_UNSUPPORTED without the program git. */
int git_trees_check(const char *repository, struct err *err);
/* Makes the folder and the clone when they are not there. */
int git_trees_open(struct git_trees *trees, const struct candidate_request *request,
		   struct err *err);
/* The tree of a commit, built; ret_setup->why_untestable if it cannot be. */
int git_trees_build(struct git_trees *trees, const char *hash, struct candidate_setup *ret_setup,
		    struct err *err);
void git_trees_close(struct git_trees *trees);

#endif
