/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The types of keys that say where a job runs and with which memory: CPUs, nodes, priorities. */
#include "job/key.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/units.h"
#include "job/number.h"
#include "model/job.h"

static void cpu_add(struct cpu_list *list, uint64_t cpu)
{
	uint64_t *word = &list->bits[cpu / 64];
	const uint64_t bit = UINT64_C(1) << (cpu % 64);

	list->nr += !(*word & bit);
	*word |= bit;
}

/* Adds "3" or "2-4". */
static int cpu_range_parse(struct cpu_list *list, const char *text, struct arena *arena,
			   struct err *err)
{
	const char *dash = strchr(text, '-');
	const char *first_text = dash ? arena_strndup(arena, text, (size_t)(dash - text)) : text;
	struct short_text quoted;
	uint64_t first;
	uint64_t last;

	if (units_parse_u64(first_text, &first, NULL) < 0 ||
	    units_parse_u64(dash ? dash + 1 : text, &last, NULL) < 0 || first > last)
		return err_set(err, ERR_INPUT, "'%s' is not a CPU or a range of CPUs",
			       short_text(text, &quoted));
	if (last >= JOB_MAX_CPUS)
		return err_set(err, ERR_INPUT, "'%s' is not in 0..%d", short_text(text, &quoted),
			       JOB_MAX_CPUS - 1);
	for (uint64_t cpu = first; cpu <= last; cpu++)
		cpu_add(list, cpu);
	return 0;
}

/* "0,2-4" */
static int cpu_list_parse(const char *text, struct arena *arena, struct cpu_list *ret_list,
			  struct err *err)
{
	struct cpu_list list = { .nr = 0 };
	const char *end;

	do {
		int ret;

		end = strchrnul(text, ',');
		ret = cpu_range_parse(&list, arena_strndup(arena, text, (size_t)(end - text)),
				      arena, err);
		if (ret < 0)
			return ret;
		text = end + 1;
	} while (*end);
	*ret_list = list;
	return 0;
}

static int cpus_parse(const struct key_row *row, const char *text, struct number_reader *reader,
		      struct job *job, struct err *err)
{
	return cpu_list_parse(text, reader->arena, key_field(row, job), err);
}

const struct key_type key_cpus = { .parse = cpus_parse };

static int nodes_parse(const struct key_row *row, const char *text, struct number_reader *reader,
		       struct job *job, struct err *err)
{
	struct cpu_list *nodes = key_field(row, job);

	*nodes = (struct cpu_list){ .nr = 0 };
	if (!strcmp(text, "all"))
		return 0;
	return cpu_list_parse(text, reader->arena, nodes, err);
}

const struct key_type key_nodes = { .parse = nodes_parse };

static int cpumask_parse(const struct key_row *row, const char *text, struct number_reader *reader,
			 struct job *job, struct err *err)
{
	struct cpu_list list = { .nr = 0 };
	uint64_t mask;
	int ret = number_parse_count(reader, text, &mask, err);

	if (ret < 0)
		return ret;
	if (mask == 0)
		return err_set(err, ERR_INPUT, "a mask of 0 has no CPU");
	list.bits[0] = mask;
	list.nr = (size_t)__builtin_popcountll(mask);
	*(struct cpu_list *)key_field(row, job) = list;
	return 0;
}

const struct key_type key_cpumask = { .parse = cpumask_parse };

/* Number of the name in the list that text is up to its colon; false if it is none. */
static bool name_find(const char *const *names, size_t nr, const char *text, unsigned *ret_number)
{
	const size_t len = strcspn(text, ":");

	for (unsigned i = 0; i < nr; i++) {
		if (strlen(names[i]) != len || memcmp(names[i], text, len) != 0)
			continue;
		*ret_number = i;
		return true;
	}
	return false;
}

static int name_refuse(const struct key_row *row, const char *text, struct err *err)
{
	struct short_text quoted;

	return err_set(err, ERR_INPUT, "'%s' is not one of: %s", short_text(text, &quoted),
		       row->info.values);
}

static int numa_policy_parse(const struct key_row *row, const char *text,
			     struct number_reader *reader, struct job *job, struct err *err)
{
	static const char *const names[] = {
		[NUMA_DEFAULT] = "default",	  [NUMA_PREFER] = "prefer", [NUMA_BIND] = "bind",
		[NUMA_INTERLEAVE] = "interleave", [NUMA_LOCAL] = "local",
	};
	struct numa_policy policy = { .is_set = true };
	const char *nodes = strchr(text, ':');
	unsigned mode;
	int ret = 0;

	if (!name_find(names, sizeof(names) / sizeof(names[0]), text, &mode))
		return name_refuse(row, text, err);
	policy.mode = mode;
	if (!nodes != (mode == NUMA_DEFAULT || mode == NUMA_LOCAL))
		return err_set(err, ERR_INPUT, nodes ? "%s has no nodes" : "%s needs nodes",
			       names[mode]);
	if (nodes)
		ret = cpu_list_parse(nodes + 1, reader->arena, &policy.nodes, err);
	if (ret == 0)
		*(struct numa_policy *)key_field(row, job) = policy;
	return ret;
}

const struct key_type key_numa_policy = { .parse = numa_policy_parse };

static int nice_parse(const struct key_row *row, const char *text, struct number_reader *reader,
		      struct job *job, struct err *err)
{
	const bool is_negative = text[0] == '-';
	struct short_text quoted;
	uint64_t value;
	int ret = number_parse_count(reader, text + is_negative, &value, err);

	if (ret == 0 && value > (is_negative ? 20 : 19))
		return err_set(err, ERR_INPUT, "'%s' is not in -20..19", short_text(text, &quoted));
	if (ret == 0)
		*(int *)key_field(row, job) = is_negative ? -(int)value : (int)value;
	return ret;
}

const struct key_type key_nice = { .parse = nice_parse };

static int limited_parse(const struct key_row *row, const char *text, struct number_reader *reader,
			 unsigned *ret_value, struct err *err)
{
	uint64_t value;
	int ret = number_parse_count(reader, text, &value, err);

	if (ret == 0 && value > row->max)
		return err_set(err, ERR_INPUT, "%" PRIu64 " is not in 0..%" PRIu64, value,
			       row->max);
	if (ret == 0)
		*ret_value = (unsigned)value;
	return ret;
}

static int prio_parse(const struct key_row *row, const char *text, struct number_reader *reader,
		      struct job *job, struct err *err)
{
	int ret = limited_parse(row, text, reader, key_field(row, job), err);

	job->has_prio |= ret == 0;
	return ret;
}

const struct key_type key_prio = { .parse = prio_parse };

static int plus_one_parse(const struct key_row *row, const char *text, struct number_reader *reader,
			  struct job *job, struct err *err)
{
	unsigned value = 0;
	int ret = limited_parse(row, text, reader, &value, err);

	if (ret == 0)
		*(unsigned *)key_field(row, job) = value + 1;
	return ret;
}

const struct key_type key_plus_one = { .parse = plus_one_parse };

static int mem_parse(const struct key_row *row, const char *text, struct number_reader *reader,
		     struct job *job, struct err *err)
{
	static const char *const names[] = {
		[MEM_MALLOC] = "malloc",     [MEM_SHM] = "shm",
		[MEM_SHMHUGE] = "shmhuge",   [MEM_MMAP] = "mmap",
		[MEM_MMAPHUGE] = "mmaphuge", [MEM_MMAPSHARED] = "mmapshared",
	};
	const char *path = strchr(text, ':');
	struct mem_source mem = { .path = path ? path + 1 : NULL };
	unsigned kind;

	(void)reader;
	if (!name_find(names, sizeof(names) / sizeof(names[0]), text, &kind))
		return name_refuse(row, text, err);
	mem.kind = kind;
	if (path && (kind < MEM_MMAP || !path[1]))
		return err_set(err, ERR_INPUT,
			       path[1] ? "%s has no file" : "%s: the name of the file is empty",
			       names[kind]);
	*(struct mem_source *)key_field(row, job) = mem;
	return 0;
}

const struct key_type key_mem = { .parse = mem_parse };
