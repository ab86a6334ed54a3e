/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare_load: what the operands of compare mean, and the files among them. */
#include "cmd/compare.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "cmd/compare_store.h"
#include "cmd/report_text.h"
#include "import/import.h"
#include "model/result.h"
#include "model/result_workload.h"

/* Keeps the list of samples in a message readable. */
#define MAX_LISTED 8

/* "FILE:*": all of a file are repeats of one measurement. */
#define ALL_SAMPLES "*"

enum cohort_jobs compare_jobs(const struct compare *compare)
{
	return compare->config->all_metrics ? COHORT_JOBS_ALL : COHORT_JOBS_USUAL;
}

/* ---- one text: its results by label ---- */

struct collection {
	const struct compare *compare;
	const char *path;
	bool is_one;		/* whatever the headings say */
	unsigned line;		/* only the result that begins there; 0 = all */
	VEC(unsigned) lines;	/* of the results */
	VEC(struct side) sides; /* by label, in the order of the text */
};

static void collection_release(struct collection *collection)
{
	VEC_FOREACH (&collection->sides, side)
		side_release(side);
	vec_release(&collection->sides);
	vec_release(&collection->lines);
}
CLEANUP_DEFINE(collection, struct collection, collection_release)

static struct side *need_side(struct collection *collection, const char *label)
{
	VEC_FOREACH (&collection->sides, side) {
		if (!strcmp(side->label, label))
			return side;
	}
	vec_push(&collection->sides, (struct side){ .label = xstrdup(label) });
	return vec_last(&collection->sides);
}

static int collect(void *context, struct result *result, struct err *err)
{
	struct collection *collection = context;
	const char *name = collection->is_one ? collection->path : result->label;
	CLEANUP(free) char *label = report_clean(name ? name : "");
	struct side *side;

	(void)err;
	vec_push(&collection->lines, result->source_line);
	if (collection->line && collection->line != result->source_line)
		return 0;
	side = need_side(collection, label);
	if (!side->where)
		side->where = xasprintf("%s:%u", result->source_file, result->source_line);
	side_add_result(side, result, compare_jobs(collection->compare));
	return 0;
}

static int collection_read(struct collection *collection, struct err *err)
{
	const struct import_options options = { .format = collection->compare->config->from };
	const struct import_sink sink = { .deliver = collect, .context = collection };

	return import_file(collection->path, &options, &sink, err);
}

/* "'a', 'b' and 3 more" */
static char *list_labels(const struct collection *collection)
{
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;

	for (size_t i = 0; i < collection->sides.nr && i < MAX_LISTED; i++)
		strbuf_printf(&out, "%s'%s'", i ? ", " : "", collection->sides.items[i].label);
	if (collection->sides.nr > MAX_LISTED)
		strbuf_printf(&out, " and %zu more", collection->sides.nr - MAX_LISTED);
	return strbuf_take(&out);
}

/* Whether lines tell results apart: of one document all have the same. */
static bool has_lines(const struct collection *collection)
{
	return collection->sides.nr == 1 && collection->lines.nr > 1 &&
	       collection->lines.items[0] != collection->lines.items[1];
}

/* "'a'", with the lines if it is one sample of several results. */
static char *list_choices(const struct collection *collection)
{
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;
	CLEANUP(free) char *labels = list_labels(collection);

	strbuf_add_str(&out, labels);
	if (!has_lines(collection))
		return strbuf_take(&out);
	strbuf_add_str(&out, " with results of lines ");
	for (size_t i = 0; i < collection->lines.nr && i < MAX_LISTED; i++)
		strbuf_printf(&out, "%s%u", i ? ", " : "", collection->lines.items[i]);
	if (collection->lines.nr > MAX_LISTED)
		strbuf_add_str(&out, " ..");
	return strbuf_take(&out);
}

/* Moves a side out of the collection. */
static void take_side(struct collection *collection, size_t index, struct side *ret_side)
{
	*ret_side = collection->sides.items[index];
	collection->sides.items[index] = (struct side){ .label = xstrdup("") };
}

/* The sample that a user calls so: its label, its number, or the only label with that text. */
static int find_label(const struct collection *collection, const char *wanted, size_t *ret_index,
		      struct err *err)
{
	CLEANUP(free) char *labels = list_labels(collection);
	size_t nr_found = 0;

	for (size_t i = 0; i < collection->sides.nr; i++) {
		if (strcmp(collection->sides.items[i].label, wanted) != 0)
			continue;
		*ret_index = i;
		return 0;
	}
	for (size_t i = 0; i < collection->sides.nr && *wanted; i++) {
		if (!strcasestr(collection->sides.items[i].label, wanted))
			continue;
		nr_found++;
		*ret_index = i;
	}
	if (nr_found == 1)
		return 0;
	return err_set(err, ERR_USAGE, "'%s' names %s of the samples in %s: %s", wanted,
		       nr_found ? "several" : "none", collection->path, labels);
}

/* ---- a file that is one sample ---- */

/* Whether one workload stands under two labels: these are two samples, not repeats of one. */
static bool has_two_samples(const struct collection *collection)
{
	for (size_t i = 0; i < collection->sides.nr; i++) {
		for (size_t j = 0; j < i; j++) {
			struct cohort_pairs pairs = VEC_INIT;
			bool is_shared = false;

			cohorts_match(&collection->sides.items[j], &collection->sides.items[i],
				      &pairs);
			VEC_FOREACH (&pairs, pair)
				is_shared |=
					pair->base && pair->new && pair->match == COHORT_MATCH_SAME;
			vec_release(&pairs);
			if (is_shared)
				return true;
		}
	}
	return false;
}

static void move_facts(struct side *from, struct side *into)
{
	note_list_append(&into->notes, &from->notes);
	for (size_t i = 0; i < from->env.nr; i++)
		side_add_env(into, from->env.items[i].key, from->env.items[i].value);
	for (size_t i = 0; i < from->settings.nr; i++)
		side_add_setting(into, from->settings.items[i].key, from->settings.items[i].value);
	for (size_t i = 0; i < from->attachments.nr; i++)
		side_add_attachment(into, from->attachments.items[i].key,
				    from->attachments.items[i].value);
}

/* All of a file as one sample; its workloads are different ones. */
static void join_sides(struct collection *collection, struct side *ret_side)
{
	struct side *all = ret_side;

	take_side(collection, 0, all);
	for (size_t i = 1; i < collection->sides.nr; i++) {
		struct side *side = &collection->sides.items[i];

		VEC_FOREACH (&side->cohorts, cohort)
			vec_push(&all->cohorts, *cohort);
		side->cohorts.nr = 0; /* moved */
		move_facts(side, all);
	}
	if (collection->sides.nr > 1) {
		free(all->label);
		all->label = report_clean(collection->path);
	}
}

/* The line in "FILE:LINE" at which a result of the collection begins; 0 = it is none. */
static unsigned line_wanted(const struct collection *collection, const char *label)
{
	uint64_t line = 0;

	VEC_FOREACH (&collection->sides, side) {
		if (!strcmp(side->label, label))
			return 0;
	}
	if (units_parse_u64(label, &line, NULL) < 0)
		return 0;
	VEC_FOREACH (&collection->lines, known) {
		if (*known == line)
			return *known;
	}
	return 0;
}

/* Another look at the file, at one result alone. */
static int load_line(const struct compare *compare, const char *path, unsigned line,
		     struct side *ret_side, struct err *err)
{
	CLEANUP(collection)
	struct collection collection = { .compare = compare, .path = path, .line = line };
	int ret = collection_read(&collection, err);

	if (ret == 0 && collection.sides.nr == 0)
		return err_set(err, ERR_INPUT, "%s:%u: there is no result any more", path, line);
	if (ret == 0)
		take_side(&collection, 0, ret_side);
	return ret;
}

static int load_file(const struct compare *compare, const char *path, const char *label,
		     struct side *ret_side, struct err *err)
{
	CLEANUP(collection)
	struct collection collection = { .compare = compare,
					 .path = path,
					 .is_one = label && !strcmp(label, ALL_SAMPLES) };
	size_t index = 0;
	int ret = collection_read(&collection, err);

	if (ret < 0)
		return ret;
	if (label && line_wanted(&collection, label))
		return load_line(compare, path, line_wanted(&collection, label), ret_side, err);
	if (label && !collection.is_one) {
		ret = find_label(&collection, label, &index, err);
		if (ret == 0)
			take_side(&collection, index, ret_side);
		return ret;
	}
	if (has_two_samples(&collection)) {
		CLEANUP(free) char *labels = list_labels(&collection);

		return err_set(err, ERR_USAGE,
			       "%s holds %zu samples; name one as FILE:LABEL, or FILE:%s for all "
			       "together: %s",
			       path, collection.sides.nr, ALL_SAMPLES, labels);
	}
	join_sides(&collection, ret_side);
	return 0;
}

/* ---- operands ---- */

/* The length of the path in "FILE:LABEL": the longest beginning that is a file; 0 = none. */
static size_t path_len(const char *operand)
{
	CLEANUP(free) char *path = xstrdup(operand);

	for (char *colon = strrchr(path, ':'); colon; colon = strrchr(path, ':')) {
		*colon = '\0';
		if (file_exists(path) || !strcmp(path, "-"))
			return strlen(path);
	}
	return 0;
}

static int load_operand(const struct compare *compare, const char *operand, struct side *ret_side,
			struct err *err)
{
	size_t len;

	if (!strcmp(operand, "-") || file_exists(operand))
		return load_file(compare, operand, NULL, ret_side, err);
	len = path_len(operand);
	if (len) {
		CLEANUP(free) char *path = xstrndup(operand, len);

		return load_file(compare, path, operand + len + 1, ret_side, err);
	}
	return compare_load_stored(compare, operand, ret_side, err);
}

/* ---- a text that holds all samples ---- */

static int choose_base(struct compare *compare, const struct collection *collection,
		       size_t *ret_index, struct err *err)
{
	const char *labels[COMPARE_MAX_SIDES];

	if (compare->config->base_label)
		return find_label(collection, compare->config->base_label, ret_index, err);
	for (size_t i = 0; i < collection->sides.nr; i++)
		labels[i] = collection->sides.items[i].label;
	compare->is_base_chosen = true;
	compare->base_choice = label_choose_base(labels, collection->sides.nr);
	*ret_index = compare->base_choice.index;
	return 0;
}

static int load_all(struct compare *compare, const char *path, struct err *err)
{
	CLEANUP(collection)
	struct collection collection = { .compare = compare, .path = path };
	size_t base = 0;
	int ret = collection_read(&collection, err);

	if (ret < 0)
		return ret;
	if (collection.sides.nr < 2 || collection.sides.nr > COMPARE_MAX_SIDES) {
		CLEANUP(free) char *choices = list_choices(&collection);

		return err_set(err, ERR_USAGE, "%s holds %zu sample%s: %s; name two as %s", path,
			       collection.sides.nr, collection.sides.nr == 1 ? "" : "s", choices,
			       has_lines(&collection)	  ? "FILE:LINE FILE:LINE"
			       : collection.sides.nr == 1 ? "BASE NEW"
							  : "FILE:LABEL FILE:LABEL");
	}
	ret = choose_base(compare, &collection, &base, err);
	if (ret < 0)
		return ret;
	take_side(&collection, base, &compare->sides[0]);
	compare->nr_sides = 1;
	for (size_t i = 0; i < collection.sides.nr; i++) {
		if (i != base)
			take_side(&collection, i, &compare->sides[compare->nr_sides++]);
	}
	return 0;
}

/* Two samples of one heading are told apart by what the user called them. */
static void name_apart(struct compare *compare, const struct arg_list *operands)
{
	for (size_t i = 0; i < compare->nr_sides; i++) {
		bool is_shared = false;

		for (size_t j = 0; j < compare->nr_sides; j++)
			is_shared |=
				i != j && !strcmp(compare->sides[i].label, compare->sides[j].label);
		if (!is_shared)
			continue;
		for (size_t j = 0; j < compare->nr_sides; j++) {
			free(compare->sides[j].label);
			compare->sides[j].label = report_clean(operands->items[j]);
		}
		return;
	}
}

/* The sides in the order of the operands, unless --base names another one. */
static int reorder(struct compare *compare, const struct arg_list *operands, struct err *err)
{
	const char *wanted = compare->config->base_label;
	struct side base;

	for (size_t i = 0; wanted && i < compare->nr_sides; i++) {
		if (strcmp(compare->sides[i].label, wanted) != 0 &&
		    strcmp(operands->items[i], wanted) != 0)
			continue;
		base = compare->sides[i];
		compare->sides[i] = compare->sides[0];
		compare->sides[0] = base;
		return 0;
	}
	if (wanted)
		return err_set(err, ERR_USAGE, "--base: none of the samples is called '%s'",
			       wanted);
	return 0;
}

int compare_load(struct compare *compare, const struct arg_list *operands, struct err *err)
{
	if (operands->nr == 0 || operands->nr > COMPARE_MAX_SIDES)
		return err_set(err, ERR_USAGE,
			       "%zu operands; give BASE NEW [NEW2], or one file that holds all",
			       operands->nr);
	if (operands->nr == 1 && strcmp(operands->items[0], "-") != 0 &&
	    !file_exists(operands->items[0]))
		return err_set(
			err, ERR_USAGE,
			"'%s' is no file, so it can be one sample only; give BASE NEW [NEW2], or "
			"one file that holds all",
			operands->items[0]);
	if (operands->nr == 1)
		return load_all(compare, operands->items[0], err);
	for (size_t i = 0; i < operands->nr; i++) {
		int ret = load_operand(compare, operands->items[i], &compare->sides[i], err);

		if (ret < 0)
			return ret;
		compare->nr_sides = i + 1;
	}
	name_apart(compare, operands);
	return reorder(compare, operands, err);
}

void compare_release(struct compare *compare)
{
	metric_table_release(&compare->table);
	vec_release(&compare->pairs);
	free(compare->pair_sides);
	for (size_t i = 0; i < COMPARE_MAX_SIDES; i++)
		side_release(&compare->sides[i]);
	note_list_release(&compare->notes);
}
