/* SPDX-License-Identifier: GPL-2.0-or-later */
/* git_range: lists commits along first parents, of the main line and of what was merged into it. */
#include "candidate/git_range.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "candidate/candidate.h"
#include "candidate/git.h"

int git_resolve(const char *repository, const char *name, char **ret_hash, struct err *err)
{
	CLEANUP(free) char *spec = xasprintf("%s^{commit}", name);
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;
	const struct git_call call = {
		.dir = repository,
		.words = { "rev-parse", "--verify", "--quiet", "--end-of-options", spec },
	};

	if (git_run(&call, "git", &out, NULL) < 0)
		return err_set(err, ERR_INPUT, "'%s' names no commit of '%s'", name, repository);
	strbuf_trim(&out);
	*ret_hash = strbuf_take(&out);
	return 0;
}

/* "HASH SUBJECT\n" for each */
static void add_commits(struct candidate_list *list, char *text)
{
	char *line;

	while ((line = strsep(&text, "\n")) != NULL) {
		char *subject = strchr(line, ' ');
		CLEANUP(free) char *name = xstrndup(line, GIT_NAME_LEN);

		if (!subject)
			continue;
		*subject++ = '\0';
		candidate_list_add(list, line, name, subject);
	}
}

int git_list_range(const char *repository, const char *good, const char *bad,
		   struct candidate_list *list, struct err *err)
{
	CLEANUP(free) char *range = xasprintf("%s..%s", good, bad);
	const struct git_call first_call = {
		.dir = repository,
		.words = { "log", "-1", "--format=%H %s", good },
	};
	const struct git_call rest_call = {
		.dir = repository,
		.words = { "log", "--first-parent", "--reverse", "--format=%H %s", range },
	};
	CLEANUP(strbuf) struct strbuf first = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf rest = STRBUF_INIT;
	int ret = git_run(&first_call, "git log", &first, err);

	if (ret == 0)
		ret = git_run(&rest_call, "git log", &rest, err);
	if (ret < 0)
		return ret;
	if (first.buf)
		add_commits(list, first.buf);
	if (rest.buf)
		add_commits(list, rest.buf);
	return 0;
}

void git_side_release(struct git_side *side)
{
	free(side->good);
	free(side->tip);
	free(side->why);
	*side = (struct git_side){ .tip = NULL };
}

/* The oldest commit of the side; NULL if all of them were there already. Caller frees. */
static int find_oldest(const char *repository, const char *merge, const char *tip,
		       char **ret_oldest, struct err *err)
{
	CLEANUP(free) char *range = xasprintf("%s^1..%s", merge, tip);
	const struct git_call call = {
		.dir = repository,
		.words = { "rev-list", "--first-parent", "--reverse", range },
	};
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;
	int ret = git_run(&call, "git rev-list", &out, err);
	const char *text = strbuf_str(&out);

	*ret_oldest = ret == 0 && *text ? xstrndup(text, strcspn(text, "\n")) : NULL;
	return ret;
}

int git_find_side(const char *repository, const char *merge, unsigned parent,
		  struct git_side *ret_side, struct err *err)
{
	CLEANUP(free) char *tip_name = xasprintf("%s^%u", merge, parent);
	CLEANUP(free) char *good_name = NULL;
	CLEANUP(free) char *oldest = NULL;
	int ret;

	*ret_side = (struct git_side){ .tip = NULL };
	if (git_resolve(repository, tip_name, &ret_side->tip, NULL) < 0)
		return 0;
	ret = find_oldest(repository, merge, ret_side->tip, &oldest, err);
	if (ret < 0)
		return ret;
	good_name = xasprintf("%s^1", oldest ? oldest : "");
	if (!oldest)
		ret_side->why = xstrdup("nothing new came in with it");
	else if (git_resolve(repository, good_name, &ret_side->good, NULL) < 0)
		ret_side->why = xstrdup("its history has no commit in common");
	return 0;
}
