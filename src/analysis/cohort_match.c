/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cohort_match: the nearest workload of the other side, from exact to barely comparable. */
#include "analysis/cohort_match.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/side.h"
#include "base/arena.h"
#include "base/strbuf.h"
#include "model/result_workload.h"

/* Text that is equal for two workloads that match in this way. Caller frees. */
typedef char *(*key_function)(const struct cohort *cohort);

static char *key_same(const struct cohort *cohort)
{
	return xstrdup(cohort->workload);
}

static char *key_renamed(const struct cohort *cohort)
{
	return workload_without_names(cohort->workload);
}

/* The directions that it has numbers of; for other programs the first metric tells. */
static char *key_other(const struct cohort *cohort)
{
	static const char *const dirs[] = { "read", "write", "trim" };
	CLEANUP(strbuf) struct strbuf key = STRBUF_INIT;

	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		CLEANUP(free) char *iops = xasprintf("%s.iops", dirs[i]);
		CLEANUP(free) char *bw = xasprintf("%s.bw_bytes_per_sec", dirs[i]);

		if (cohort_find(cohort, COHORT_WHOLE, iops) ||
		    cohort_find(cohort, COHORT_WHOLE, bw))
			strbuf_printf(&key, "%s ", dirs[i]);
	}
	if (!key.len && cohort->series.nr)
		strbuf_printf(&key, "=%s", cohort->series.items[0].name);
	return strbuf_take(&key);
}

struct matcher {
	const struct side *base, *new;
	size_t *new_of; /* of each cohort of base: 1 + index of its partner; 0 = none */
	bool *is_taken; /* of each cohort of new */
	enum cohort_match *how;
};

static char **keys_of(const struct side *side, key_function key)
{
	char **keys = xcalloc(side->cohorts.nr + 1, sizeof(*keys));

	for (size_t i = 0; i < side->cohorts.nr; i++)
		keys[i] = key(side->cohorts.items[i]);
	return keys;
}

static void keys_free(char **keys)
{
	for (size_t i = 0; keys[i]; i++)
		free(keys[i]);
	free(keys);
}

/* The first cohort of new with that key which has no partner; its number from 1, 0 = none. */
static size_t find_free(const struct matcher *matcher, char *const *keys, const char *wanted)
{
	for (size_t j = 0; keys[j]; j++) {
		if (!matcher->is_taken[j] && !strcmp(keys[j], wanted))
			return j + 1;
	}
	return 0;
}

static void match_by(struct matcher *matcher, key_function key, enum cohort_match how)
{
	char **wanted = keys_of(matcher->base, key);
	char **offered = keys_of(matcher->new, key);

	for (size_t i = 0; wanted[i]; i++) {
		if (matcher->new_of[i])
			continue;
		matcher->new_of[i] = find_free(matcher, offered, wanted[i]);
		if (!matcher->new_of[i])
			continue;
		matcher->is_taken[matcher->new_of[i] - 1] = true;
		matcher->how[i] = how;
	}
	keys_free(wanted);
	keys_free(offered);
}

static void add_pairs(const struct matcher *matcher, struct cohort_pairs *pairs)
{
	for (size_t i = 0; i < matcher->base->cohorts.nr; i++) {
		size_t partner = matcher->new_of[i];

		vec_push(pairs,
			 (struct cohort_pair){
				 .base = matcher->base->cohorts.items[i],
				 .new = partner ? matcher->new->cohorts.items[partner - 1] : NULL,
				 .match = matcher->how[i],
			 });
	}
	for (size_t j = 0; j < matcher->new->cohorts.nr; j++) {
		if (!matcher->is_taken[j])
			vec_push(pairs,
				 (struct cohort_pair){ .new = matcher->new->cohorts.items[j] });
	}
}

void cohorts_match(const struct side *base, const struct side *new, struct cohort_pairs *pairs)
{
	struct matcher matcher = {
		.base = base,
		.new = new,
		.new_of = xcalloc(base->cohorts.nr + 1, sizeof(*matcher.new_of)),
		.is_taken = xcalloc(new->cohorts.nr + 1, sizeof(*matcher.is_taken)),
		.how = xcalloc(base->cohorts.nr + 1, sizeof(*matcher.how)),
	};

	match_by(&matcher, key_same, COHORT_MATCH_SAME);
	match_by(&matcher, key_renamed, COHORT_MATCH_RENAMED);
	match_by(&matcher, key_other, COHORT_MATCH_OTHER);
	add_pairs(&matcher, pairs);
	free(matcher.new_of);
	free(matcher.is_taken);
	free(matcher.how);
}
