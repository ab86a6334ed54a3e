/* SPDX-License-Identifier: GPL-2.0-or-later */
/* candidate: the table of sources, and what all of them have in common. */
#include "candidate/candidate.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "candidate/candidate_sources.h"

const struct candidate_ops *const *candidate_table(void)
{
	static const struct candidate_ops *const table[] = {
		&candidate_git,
		&candidate_kernels,
		&candidate_list,
		NULL,
	};

	return table;
}

const struct candidate_ops *candidate_find(const char *name)
{
	for (const struct candidate_ops *const *row = candidate_table(); *row; row++) {
		if (!strcmp((*row)->name, name))
			return *row;
	}
	return NULL;
}

void candidate_list_add(struct candidate_list *list, const char *id, const char *name,
			const char *text)
{
	vec_push(list, (struct candidate){
			       .id = xstrdup(id), .name = xstrdup(name), .text = xstrdup(text) });
}

void candidate_list_release(struct candidate_list *list)
{
	VEC_FOREACH (list, candidate) {
		free(candidate->id);
		free(candidate->name);
		free(candidate->text);
	}
	vec_release(list);
}

void candidate_setup_release(struct candidate_setup *setup)
{
	free(setup->tree);
	free(setup->why_untestable);
	setting_list_release(&setup->settings);
	*setup = (struct candidate_setup){ .tree = NULL };
}

void candidate_facts_add(struct candidate_facts *facts, const char *key, const char *value)
{
	vec_push(facts, (struct candidate_fact){ .key = xstrdup(key), .value = xstrdup(value) });
}

void candidate_facts_release(struct candidate_facts *facts)
{
	VEC_FOREACH (facts, fact) {
		free(fact->key);
		free(fact->value);
	}
	vec_release(facts);
}

static int check_request(const struct candidate_ops *ops, const struct candidate_request *request,
			 struct err *err)
{
	if (ops->needs_range && !request->range)
		return err_set(err, ERR_USAGE, "--%s: GOOD..BAD is missing", ops->name);
	return 0;
}

static int check_list(const struct candidate_source *source, const char *where, struct err *err)
{
	size_t nr = source->list.nr;

	if (nr < 2)
		return err_set(err, ERR_INPUT,
			       "%s: %zu %s to choose from; a bisection needs a good and a bad one",
			       where, nr, nr == 1 ? source->ops->noun : source->ops->nouns);
	if (nr > CANDIDATE_MAX)
		return err_set(err, ERR_INPUT, "%s: more than %d %s", where, CANDIDATE_MAX,
			       source->ops->nouns);
	return 0;
}

int candidate_open(const struct candidate_ops *ops, const struct candidate_request *request,
		   struct candidate_source *ret_source, struct err *err)
{
	CLEANUP(candidate_source) struct candidate_source source = { .ops = ops };
	int ret = check_request(ops, request, err);

	if (ret == 0)
		ret = ops->open(&source, request, err);
	if (ret == 0)
		ret = check_list(&source, request->where, err);
	if (ret < 0)
		return ret;
	*ret_source = source;
	source = (struct candidate_source){ .ops = NULL }; /* moved */
	return 0;
}

int candidate_prepare(struct candidate_source *source, size_t position,
		      struct candidate_setup *ret_setup, struct err *err)
{
	*ret_setup = (struct candidate_setup){ .tree = NULL };
	return source->ops->prepare ? source->ops->prepare(source, position, ret_setup, err) : 0;
}

int candidate_describe(struct candidate_source *source, size_t position,
		       struct candidate_facts *ret_facts, struct err *err)
{
	return source->ops->describe ? source->ops->describe(source, position, ret_facts, err) : 0;
}

int candidate_enter(struct candidate_source *source, const struct candidate_door *door,
		    struct candidate_source *ret_source, char **ret_why, struct err *err)
{
	CLEANUP(candidate_source) struct candidate_source inside = { .ops = NULL };
	CLEANUP(free) char *why = NULL;
	int ret = 0;

	*ret_source = (struct candidate_source){ .ops = NULL };
	*ret_why = NULL;
	if (source->ops->enter)
		ret = source->ops->enter(source, door, &inside, &why, err);
	if (ret == 0 && inside.ops)
		ret = check_list(&inside, source->list.items[door->position].name, err);
	if (ret < 0)
		return ret;
	*ret_why = ptr_take(why);
	*ret_source = inside;
	inside = (struct candidate_source){ .ops = NULL }; /* moved */
	return 0;
}

void candidate_close(struct candidate_source *source)
{
	if (source->ops && source->ops->close)
		source->ops->close(source);
	candidate_list_release(&source->list);
	*source = (struct candidate_source){ .ops = NULL };
}
