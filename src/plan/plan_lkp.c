/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan_lkp: job files of LKP as plans, as far as their meaning is local to one machine. */
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/suggest.h"
#include "base/units.h"
#include "base/vec.h"
#include "model/yaml_tree.h"
#include "plan/plan_parse.h"
#include "plan/plan_read.h"

/*
 * One key of LKP. A factor may have several values, a label is only a name in LKP's folders, a
 * program holds more keys, and what is refused needs other machines or kernels.
 */
enum lkp_kind { LKP_FACTOR, LKP_FIXED, LKP_LABEL, LKP_PROGRAM, LKP_REFUSED };

struct lkp_key {
	const char *name;
	enum lkp_kind kind;
	const char *key;      /* LKP_FACTOR: of the setting */
	const char *fallback; /* LKP's own silent default for fio; NULL = none */
	const char *summary;
	/* LKP_FACTOR: the value as a setting has it; NULL = as it is. In the arena. */
	const char *(*convert)(struct matrix_plan *plan, const char *text);
};

/* "100%" of the CPUs, rounded down but at least one; "8t" is 8. */
static const char *convert_tasks(struct matrix_plan *plan, const char *text)
{
	long nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	size_t len = strlen(text);
	uint64_t value = 0;
	const char *digits = len ? arena_strndup(&plan->arena, text, len - 1) : text;

	if (units_parse_u64(text, &value, NULL) == 0)
		return text;
	if (!len || units_parse_u64(digits, &value, NULL) < 0 || value > 100000)
		return NULL;
	if (text[len - 1] == 't')
		return digits;
	if (text[len - 1] != '%')
		return NULL;
	value = value * (uint64_t)(nr_cpus > 0 ? nr_cpus : 1) / 100;
	return arena_printf(&plan->arena, "%llu", (unsigned long long)(value ? value : 1));
}

/* A number without a unit is seconds. */
static const char *convert_time(struct matrix_plan *plan, const char *text)
{
	uint64_t value = 0;

	if (units_parse_u64(text, &value, NULL) == 0)
		return arena_printf(&plan->arena, "%ss", text);
	return units_parse_duration_ns(text, &value, NULL) == 0 ? text : NULL;
}

static const struct lkp_key lkp_keys[] = {
	{ "fs", LKP_FACTOR, "stack.fs", NULL, "filesystem on the loop device", NULL },
	{ "rw", LKP_FACTOR, "job.rw", "write", "as fio's rw", NULL },
	{ "bs", LKP_FACTOR, "job.bs", "4k", "as fio's bs", NULL },
	{ "ioengine", LKP_FACTOR, "job.ioengine", "sync", "as fio's ioengine", NULL },
	{ "iodepth", LKP_FACTOR, "job.iodepth", "32", "as fio's iodepth", NULL },
	{ "direct", LKP_FACTOR, "job.direct", "0", "as fio's direct", NULL },
	{ "ramp_time", LKP_FACTOR, "job.ramp_time", NULL, "as fio's ramp_time", convert_time },
	{ "runtime", LKP_FACTOR, "job.runtime", "300s", "as fio's runtime", convert_time },
	{ "fallocate", LKP_FACTOR, "job.fallocate", "posix", "as fio's fallocate", NULL },
	{ "invalidate", LKP_FACTOR, "job.invalidate", "1", "as fio's invalidate", NULL },
	{ "nr_task", LKP_FACTOR, "job.numjobs", "1", "jobs; 50% of the CPUs, 8t = 8",
	  convert_tasks },
	{ "test_size", LKP_FACTOR, "job.test_size", NULL, "over all jobs: size is its share",
	  NULL },
	{ "iosched", LKP_FACTOR, "queue.scheduler", NULL, "I/O scheduler, read back", NULL },
	{ "test", LKP_FACTOR, "job.test", NULL, "stressor of stress-ng", NULL },
	{ "testtime", LKP_FACTOR, "job.testtime", "60s", "time of stress-ng", convert_time },
	{ "nr_threads", LKP_FACTOR, "job.nr_threads", "100%", "stressors of stress-ng",
	  convert_tasks },
	{ "disk", LKP_FIXED, NULL, NULL, "1HDD or 1SSD: a loop device here", NULL },
	{ "time_based", LKP_FIXED, NULL, NULL, "as fio's time_based", NULL },
	{ "norandommap", LKP_FIXED, NULL, NULL, "as fio's norandommap", NULL },
	{ "fio", LKP_PROGRAM, NULL, NULL, "holds more keys", NULL },
	{ "fio-basic", LKP_PROGRAM, NULL, NULL, "holds more keys", NULL },
	{ "fio-setup-basic", LKP_PROGRAM, NULL, NULL, "holds more keys", NULL },
	{ "stress-ng", LKP_PROGRAM, NULL, NULL, "holds more keys; runs stress-ng", NULL },
	{ "suite", LKP_LABEL, NULL, NULL, "a name", NULL },
	{ "testcase", LKP_LABEL, NULL, NULL, "a name", NULL },
	{ "category", LKP_LABEL, NULL, NULL, "a name", NULL },
	{ "tbox_group", LKP_LABEL, NULL, NULL, "a name", NULL },
	{ "rootfs", LKP_LABEL, NULL, NULL, "a name: this machine has the one it has", NULL },
	{ "kconfig", LKP_LABEL, NULL, NULL, "a name: this machine has the one it has", NULL },
	{ "compiler", LKP_LABEL, NULL, NULL, "a name", NULL },
	{ "need_kconfig", LKP_LABEL, NULL, NULL, "passed over", NULL },
	{ "cpufreq_governor", LKP_LABEL, NULL, NULL, "passed over: it stands in the environment",
	  NULL },
	{ "commit", LKP_REFUSED, NULL, NULL, "other kernels do not run on this machine", NULL },
	{ "fs2", LKP_REFUSED, NULL, NULL, "network filesystems are not local", NULL },
	{ "<<", LKP_REFUSED, NULL, NULL, "other files are not included", NULL },
};

#define NR_LKP_KEYS (sizeof(lkp_keys) / sizeof(lkp_keys[0]))
/* Values of the factors and more, for a device that holds the files. */
#define LKP_DEVICE_FACTOR 2
#define LKP_MIN_DEVICE_BYTES (1ULL << 30)

bool plan_lkp_key_info(size_t index, const char **ret_name, const char **ret_summary)
{
	if (index >= NR_LKP_KEYS)
		return false;
	*ret_name = lkp_keys[index].name;
	*ret_summary = lkp_keys[index].summary;
	return true;
}

static const struct lkp_key *find_key(const char *name)
{
	for (size_t i = 0; i < NR_LKP_KEYS; i++) {
		if (!strcmp(lkp_keys[i].name, name))
			return &lkp_keys[i];
	}
	return NULL;
}

bool plan_lkp_is_job(const struct yaml_node *document)
{
	static const char *const tell[] = { "suite", "testcase", "fio-setup-basic", "fio-basic",
					    "stress-ng" };

	for (size_t i = 0; i < sizeof(tell) / sizeof(tell[0]); i++) {
		if (yaml_tree_find(document, tell[i]))
			return true;
	}
	return false;
}

/* ---- from documents to values by key ---- */

/* What one document, merged over the first, says of each key; NULL = nothing. */
struct lkp_document {
	const struct yaml_node *values[NR_LKP_KEYS];
};

static int refuse_unknown(const struct plan_reader *reader, const struct yaml_node *key)
{
	struct suggest suggest = suggest_for(key->text);

	for (size_t i = 0; i < NR_LKP_KEYS; i++)
		suggest_offer(&suggest, lkp_keys[i].name);
	if (suggest_best(&suggest))
		return plan_refuse(reader, key->line,
				   "LKP's '%s' has no meaning here, did you mean '%s'", key->text,
				   suggest_best(&suggest));
	return plan_refuse(reader, key->line, "LKP's '%s' has no meaning on this machine alone",
			   key->text);
}

/* A program holds keys, but no programs. */
static int take_keys(const struct plan_reader *reader, const struct yaml_node *map, bool is_inside,
		     struct lkp_document *document)
{
	int ret = 0;

	for (size_t i = 0; i < map->nr && ret == 0; i++) {
		const struct yaml_node *name = &map->keys[i];
		const struct yaml_node *value = &map->items[i];
		const struct lkp_key *key = find_key(name->text);

		if (!key || (key->kind == LKP_PROGRAM && is_inside))
			return refuse_unknown(reader, name);
		if (key->kind == LKP_REFUSED)
			return plan_refuse(reader, name->line, "LKP's '%s': %s", name->text,
					   key->summary);
		document->values[key - lkp_keys] = value;
		if (key->kind == LKP_PROGRAM && value->kind == YAML_MAP)
			ret = take_keys(reader, value, true, document);
	}
	return ret;
}

static const struct yaml_node *value_of(const struct lkp_document *document, const char *name)
{
	return document->values[find_key(name) - lkp_keys];
}

/* ---- from values to factors ---- */

static int check_value(const struct plan_reader *reader, const struct lkp_key *key,
		       const struct yaml_node *node, const char **ret_text)
{
	const char *text = NULL;
	int ret = plan_text(reader, key->name, node, &text);

	if (ret < 0)
		return ret;
	if (strstr(text, "{{") || strstr(text, "<%"))
		return plan_refuse(reader, node->line, "%s: expressions are not evaluated",
				   key->name);
	*ret_text = key->convert ? key->convert(reader->plan, text) : text;
	if (!*ret_text)
		return plan_refuse(reader, node->line, "%s: '%s' is not understood", key->name,
				   text);
	return 0;
}

static int add_pick(const struct plan_reader *reader, const struct lkp_key *key, size_t factor,
		    const char *text, struct plan_combination *into)
{
	struct plan_factor *to = &reader->plan->factors.items[factor];
	struct plan_pick pick = { factor, plan_factor_value(to, text) };

	for (size_t i = 0; i < into->picks.nr; i++) {
		if (into->picks.items[i].factor == factor &&
		    into->picks.items[i].value == pick.value)
			return 0; /* 1 and 100% of one CPU */
	}
	if (to->values.nr > PLAN_MAX_VALUES)
		return plan_refuse(reader, into->line, "%s: too many values", key->name);
	vec_push(&into->picks, pick);
	return 0;
}

/* The values that a document gives one factor, as picks of its combination. */
static int add_picks(const struct plan_reader *reader, const struct lkp_document *document,
		     const struct lkp_key *key, size_t factor, struct plan_combination *into)
{
	const struct yaml_node *node = document->values[key - lkp_keys];
	size_t nr = node && node->kind == YAML_LIST ? node->nr : 1;
	int ret = 0;

	if (!node) {
		const char *text = key->fallback;

		if (!text)
			return plan_refuse(
				reader, into->line,
				"LKP's '%s' stands in another document and has no default",
				key->name);
		text = key->convert ? key->convert(reader->plan, text) : text;
		return add_pick(reader, key, factor, text, into);
	}
	for (size_t i = 0; i < nr && ret == 0; i++) {
		const char *text = NULL;

		ret = check_value(reader, key, node->kind == YAML_LIST ? &node->items[i] : node,
				  &text);
		if (ret == 0)
			ret = add_pick(reader, key, factor, text, into);
	}
	return ret;
}

/* Which factors there are: those that any document names, and LKP's defaults for fio. */
static bool is_factor(const struct lkp_document *documents, size_t nr, const struct lkp_key *key,
		      bool is_stress)
{
	bool is_of_stress = !strncmp(key->name, "test", 4) && strcmp(key->name, "test_size") != 0;

	is_of_stress |= !strcmp(key->name, "nr_threads");
	if (key->kind != LKP_FACTOR)
		return false;
	for (size_t i = 0; i < nr; i++) {
		if (documents[i].values[key - lkp_keys])
			return true;
	}
	return key->fallback && is_of_stress == is_stress;
}

static int add_factors(const struct plan_reader *reader, const struct lkp_document *documents,
		       size_t nr, bool is_stress)
{
	struct matrix_plan *plan = reader->plan;
	int ret = 0;

	for (size_t i = 0; i < NR_LKP_KEYS && ret == 0; i++) {
		const struct lkp_key *key = &lkp_keys[i];
		const char *dot;

		if (!is_factor(documents, nr, key, is_stress))
			continue;
		dot = strchr(key->key, '.');
		vec_push(&plan->factors, (struct plan_factor){ .key = key->key,
							       .name = dot + 1,
							       .label = key->name });
		for (size_t j = 0; j < nr && ret == 0; j++)
			ret = add_picks(reader, &documents[j], key, plan->factors.nr - 1,
					&plan->include.items[j]);
	}
	return ret;
}

/* ---- what follows from the factors ---- */

/* LKP gives each task its share of test_size. */
static int add_sizes(const struct plan_reader *reader)
{
	struct matrix_plan *plan = reader->plan;
	size_t sizes = plan_find_factor(plan, "test_size");
	size_t tasks = plan_find_factor(plan, "nr_task");

	for (size_t i = 0; sizes != SIZE_MAX && i < plan->factors.items[sizes].values.nr; i++) {
		const char *text = plan->factors.items[sizes].values.items[i];
		uint64_t bytes = 0, nr = 1;

		if (units_parse_size(text, 1024, &bytes, NULL) < 0)
			return plan_refuse(reader, plan->include.items[0].line,
					   "test_size: '%s' is no size", text);
		for (size_t j = 0; j < plan->factors.items[tasks].values.nr; j++) {
			struct plan_when rule = { .match = { .line = 0 } };

			(void)units_parse_u64(plan->factors.items[tasks].values.items[j], &nr,
					      NULL);
			vec_push(&rule.match.picks, (struct plan_pick){ sizes, i });
			vec_push(&rule.match.picks, (struct plan_pick){ tasks, j });
			vec_push(&rule.settings,
				 (struct plan_setting){
					 .text = arena_printf(
						 &plan->arena, "job.size=%llu",
						 (unsigned long long)(bytes / (nr ? nr : 1))),
					 .line = plan->factors.items[sizes].line,
				 });
			vec_push(&plan->when, rule);
		}
	}
	return 0;
}

static uint64_t largest_size(const struct matrix_plan *plan)
{
	size_t sizes = plan_find_factor(plan, "test_size");
	uint64_t largest = 0;

	for (size_t i = 0; sizes != SIZE_MAX && i < plan->factors.items[sizes].values.nr; i++) {
		uint64_t bytes = 0;

		(void)units_parse_size(plan->factors.items[sizes].values.items[i], 1024, &bytes,
				       NULL);
		largest = bytes > largest ? bytes : largest;
	}
	return largest;
}

static int add_disk(const struct plan_reader *reader, const struct lkp_document *document)
{
	struct matrix_plan *plan = reader->plan;
	const struct yaml_node *node = value_of(document, "disk");
	const char *text = NULL;
	uint64_t bytes = largest_size(plan) * LKP_DEVICE_FACTOR;
	int ret;

	if (!node)
		return 0;
	ret = plan_text(reader, "disk", node, &text);
	if (ret < 0)
		return ret;
	if (strcmp(text, "1HDD") != 0 && strcmp(text, "1SSD") != 0)
		return plan_refuse(reader, node->line,
				   "disk: '%s' is not 1HDD or 1SSD, for which a loop device stands",
				   text);
	if (bytes < LKP_MIN_DEVICE_BYTES)
		bytes = LKP_MIN_DEVICE_BYTES;
	plan->stack_line = node->line;
	plan->stack = arena_printf(&plan->arena, "loop:%lluM%s", (unsigned long long)(bytes >> 20),
				   plan_find_factor(plan, "fs") != SIZE_MAX ? ",{stack.fs}" : "");
	return 0;
}

static int add_fixed(const struct plan_reader *reader, const struct lkp_document *document,
		     const char *name)
{
	const struct yaml_node *node = value_of(document, name);
	const char *text = NULL;
	int ret;

	if (!node)
		return 0;
	ret = plan_text(reader, name, node, &text);
	if (ret == 0)
		vec_push(&reader->plan->words,
			 arena_printf(&reader->plan->arena, "--%s=%s", name, text));
	return ret;
}

static int add_fio(const struct plan_reader *reader, const struct lkp_document *document)
{
	struct matrix_plan *plan = reader->plan;
	bool has_fs = plan_find_factor(plan, "fs") != SIZE_MAX;
	int ret;

	plan->workload = PLAN_JOB;
	vec_push(&plan->words, "--name=task");
	vec_push(&plan->words, "--group_reporting");
	if (plan->stack)
		vec_push(&plan->words, has_fs ? "--directory=${mount}" : "--filename=${stack}");
	ret = add_fixed(reader, document, "time_based");
	return ret < 0 ? ret : add_fixed(reader, document, "norandommap");
}

static int add_stress(const struct plan_reader *reader, unsigned line)
{
	struct matrix_plan *plan = reader->plan;

	if (plan_find_factor(plan, "test") == SIZE_MAX)
		return plan_refuse(reader, line, "LKP's stress-ng has no test");
	plan->workload = PLAN_COMMAND;
	plan->command = plan->stack && plan_find_factor(plan, "fs") != SIZE_MAX
				? "stress-ng --temp-path \"$mount\" --{test} {nr_threads} "
				  "-t {testtime} --metrics"
				: "stress-ng --{test} {nr_threads} -t {testtime} --metrics";
	return 0;
}

/* The first document, and then each later one merged over it. */
static int read_documents(const struct plan_reader *reader, const struct yaml_node *nodes,
			  size_t nr, struct lkp_document *documents)
{
	int ret = 0;

	for (size_t i = 0; i < nr && ret == 0; i++) {
		if (nodes[i].kind != YAML_MAP)
			return plan_refuse(reader, nodes[i].line, "a document that is no mapping");
		documents[i] = documents[0]; /* i = 0: of nothing */
		ret = take_keys(reader, &nodes[i], false, &documents[i]);
		vec_push(&reader->plan->include,
			 (struct plan_combination){ .line = nodes[i].line });
	}
	return ret;
}

int plan_lkp_read(const struct plan_reader *reader, const struct yaml_node *documents, size_t nr)
{
	struct matrix_plan *plan = reader->plan;
	struct lkp_document *merged =
		arena_alloc_array(&plan->arena, nr, sizeof(*merged)); /* zeroed */
	bool is_stress;
	int ret = read_documents(reader, documents, nr, merged);

	if (ret < 0)
		return ret;
	is_stress = value_of(&merged[0], "stress-ng") || value_of(&merged[0], "test");
	plan->name = is_stress ? "stress-ng" : "fio-basic";
	ret = add_factors(reader, merged, nr, is_stress);
	if (ret == 0 && !is_stress)
		ret = add_sizes(reader);
	if (ret == 0)
		ret = add_disk(reader, &merged[0]);
	if (ret < 0)
		return ret;
	return is_stress ? add_stress(reader, documents[0].line) : add_fio(reader, &merged[0]);
}
