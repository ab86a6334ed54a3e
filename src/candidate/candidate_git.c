/* SPDX-License-Identifier: GPL-2.0-or-later */
/* git: the commits from a good to a bad one, along first parents. Building is left to git_tree. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "candidate/candidate_sources.h"
#include "candidate/git.h"
#include "candidate/git_range.h"
#include "candidate/git_tree.h"

struct git_source {
	char *repository; /* as given */
	char *good, *bad; /* hashes */
	struct git_trees *trees;
	struct git_trees own_trees; /* zero where they belong to another source */
};

/* ---- the range ---- */

static int split_range(const char *range, char **ret_good, char **ret_bad, struct err *err)
{
	const char *dots = strstr(range, "..");

	if (!dots || dots == range || !dots[2] || dots[2] == '.' || strstr(dots + 2, ".."))
		return err_set(err, ERR_USAGE, "--git: '%s' is not GOOD..BAD", range);
	*ret_good = xstrndup(range, (size_t)(dots - range));
	*ret_bad = xstrdup(dots + 2);
	return 0;
}

static int is_ancestor(const char *repository, const char *old, const char *new, bool *ret_yes,
		       struct err *err)
{
	const struct git_call call = {
		.dir = repository,
		.words = { "merge-base", "--is-ancestor", old, new },
	};

	return git_ask(&call, "git merge-base", ret_yes, err);
}

static int check_order(const struct git_source *git, const char *good, const char *bad,
		       struct err *err)
{
	bool is_good_first = false, is_bad_first = false;
	int ret;

	if (!strcmp(git->good, git->bad))
		return err_set(err, ERR_INPUT, "'%s' and '%s' are the same commit", good, bad);
	ret = is_ancestor(git->repository, git->good, git->bad, &is_good_first, err);
	if (ret == 0 && !is_good_first)
		ret = is_ancestor(git->repository, git->bad, git->good, &is_bad_first, err);
	if (ret < 0 || is_good_first)
		return ret;
	if (is_bad_first)
		return err_set(err, ERR_INPUT,
			       "'%s' comes after '%s', not before it; to find what made it better, "
			       "swap them and give --direction=any",
			       good, bad);
	return err_set(err, ERR_INPUT, "'%s' is not an ancestor of '%s': measure their merge base",
		       good, bad);
}

static int resolve_range(struct git_source *git, const char *range, struct err *err)
{
	CLEANUP(free) char *good = NULL;
	CLEANUP(free) char *bad = NULL;
	int ret = split_range(range, &good, &bad, err);

	if (ret == 0)
		ret = git_resolve(git->repository, good, &git->good, err);
	if (ret == 0)
		ret = git_resolve(git->repository, bad, &git->bad, err);
	return ret < 0 ? ret : check_order(git, good, bad, err);
}

/* ---- the source ---- */

static void git_close(struct candidate_source *source)
{
	struct git_source *git = source->state;

	if (!git)
		return;
	git_trees_close(&git->own_trees);
	free(git->repository);
	free(git->good);
	free(git->bad);
	free(git);
	source->state = NULL;
}

static int git_open(struct candidate_source *source, const struct candidate_request *request,
		    struct err *err)
{
	struct git_source *git = xcalloc(1, sizeof(*git));
	int ret;

	source->state = git; /* git_close frees it */
	git->repository = xstrdup(request->where);
	git->trees = &git->own_trees;
	ret = git_trees_check(request->where, err);
	if (ret == 0)
		ret = resolve_range(git, request->range, err);
	if (ret == 0)
		ret = git_list_range(git->repository, git->good, git->bad, &source->list, err);
	return ret < 0 ? ret : git_trees_open(&git->own_trees, request, err);
}

static int git_prepare(struct candidate_source *source, size_t position,
		       struct candidate_setup *ret_setup, struct err *err)
{
	struct git_source *git = source->state;

	return git_trees_build(git->trees, source->list.items[position].id, ret_setup, err);
}

/* The trees stay those of the first one: there is one lock. */
static int git_enter(struct candidate_source *source, const struct candidate_door *door,
		     struct candidate_source *inside, char **ret_why, struct err *err)
{
	const struct git_source *git = source->state;
	const char *merge = source->list.items[door->position].id;
	struct git_side side;
	struct git_source *state;
	int ret = git_find_side(git->repository, merge, door->parent, &side, err);

	if (ret == 0 && side.good) {
		state = xcalloc(1, sizeof(*state));
		*state = (struct git_source){ .repository = xstrdup(git->repository),
					      .good = xstrdup(side.good),
					      .bad = xstrdup(side.tip),
					      .trees = git->trees };
		*inside = (struct candidate_source){ .ops = source->ops, .state = state };
		ret = git_list_range(git->repository, side.good, side.tip, &inside->list, err);
	}
	*ret_why = ptr_take(side.why);
	git_side_release(&side);
	return ret;
}

/* ---- the one that was found ---- */

static void add_lines(struct candidate_facts *facts, const char *const keys[], char *text)
{
	size_t nr = 0;
	char *line;

	while ((line = strsep(&text, "\n")) != NULL) {
		if (*line)
			candidate_facts_add(facts, keys[nr], line);
		if (keys[nr + 1])
			nr++;
	}
}

static int add_command_lines(const struct git_call *call, const char *const keys[],
			     struct candidate_facts *facts, struct err *err)
{
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;
	int ret = git_run(call, "git", &out, err);

	if (ret == 0 && out.buf)
		add_lines(facts, keys, out.buf);
	return ret;
}

/* Of a merge: the range of what came in by its second parent. */
static int add_merge(const struct git_source *git, const char *hash, struct candidate_facts *facts,
		     struct err *err)
{
	CLEANUP(free) char *range = NULL;
	struct git_side side;
	int ret = git_find_side(git->repository, hash, 2, &side, err);

	if (ret == 0 && side.good) {
		range = xasprintf("%.*s..%.*s", GIT_NAME_LEN, side.good, GIT_NAME_LEN, side.tip);
		candidate_facts_add(facts, CANDIDATE_FACT_INSIDE, range);
	}
	git_side_release(&side);
	return ret;
}

static int git_describe(struct candidate_source *source, size_t position,
			struct candidate_facts *ret_facts, struct err *err)
{
	static const char *const head_keys[] = { "commit", "subject", "author", "author date",
						 NULL };
	static const char *const file_keys[] = { "file", NULL };
	const struct git_source *git = source->state;
	const char *hash = source->list.items[position].id;
	const struct git_call head = {
		.dir = git->repository,
		.words = { "log", "-1", "--format=%H%n%s%n%an <%ae>%n%aI", hash },
	};
	const struct git_call files = {
		.dir = git->repository,
		.words = { "diff-tree", "--no-commit-id", "--name-only", "-r", "--root",
			   "--diff-merges=first-parent", hash },
	};
	int ret = add_command_lines(&head, head_keys, ret_facts, err);

	if (ret == 0)
		ret = add_command_lines(&files, file_keys, ret_facts, err);
	return ret < 0 ? ret : add_merge(git, hash, ret_facts, err);
}

const struct candidate_ops candidate_git = {
	.name = "git",
	.noun = "commit",
	.nouns = "commits",
	.summary = "the commits GOOD..BAD of a repository, along first parents",
	.needs_range = true,
	.open = git_open,
	.prepare = git_prepare,
	.describe = git_describe,
	.enter = git_enter,
	.close = git_close,
};
