/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory: how much there is, and on which NUMA nodes. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/units.h"
#include "env/env_table.h"
#include "env/facts.h"
#include "host/name_list.h"

#define NODES "/sys/devices/system/node"

static const struct fact_row rows[] = {
	{ "transparent_hugepages", "/sys/kernel/mm/transparent_hugepage/enabled", FACT_CHOICE },
	{ "zswap", "/sys/module/zswap/parameters/enabled", FACT_LINE },
	{ "ksm", "/sys/kernel/mm/ksm/run", FACT_LINE },
};

static const struct {
	const char *name, *key;
} sizes[] = {
	{ "MemTotal", "memory.total_bytes" },
	{ "SwapTotal", "memory.swap_total_bytes" },
	{ "HugePages_Total", "memory.huge_pages" },
};

/* "16384 kB", or a plain number. */
static bool parse_amount(const char *text, uint64_t *ret_amount)
{
	size_t len = strspn(text, "0123456789");
	CLEANUP(free) char *digits = xstrndup(text, len);

	if ((text[len] && strcmp(text + len, " kB") != 0) ||
	    units_parse_u64(digits, ret_amount, NULL) < 0)
		return false;
	return !text[len] || !__builtin_mul_overflow(*ret_amount, 1024, ret_amount);
}

static void add_sizes(struct facts *facts)
{
	CLEANUP(free) char *path = facts_path(facts, "/proc/meminfo");
	CLEANUP(free) char *text = fact_read_head(path);

	for (size_t i = 0; text && i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		CLEANUP(free) char *value = fact_value_of(text, sizes[i].name);
		uint64_t amount;

		if (value && parse_amount(value, &amount))
			facts_add_u64(facts, sizes[i].key, amount);
	}
}

/* "Node 0 MemTotal:  16384 kB" */
static void add_node_size(struct facts *facts, const char *folder, const char *name)
{
	CLEANUP(free) char *path = xasprintf("%s/meminfo", folder);
	CLEANUP(free) char *text = fact_read_head(path);
	CLEANUP(free) char *label = xasprintf("Node %s MemTotal", name + strlen("node"));
	CLEANUP(free) char *value = text ? fact_value_of(text, label) : NULL;
	CLEANUP(free) char *key = xasprintf("numa.%s.memory_bytes", name);
	uint64_t amount;

	if (value && parse_amount(value, &amount))
		facts_add_u64(facts, key, amount);
}

static void add_nodes(struct facts *facts)
{
	CLEANUP(free) char *base = facts_path(facts, NODES);
	CLEANUP(name_list) struct name_list names = NAME_LIST_INIT;
	size_t nr = 0;

	name_list_add_folder(&names, base);
	for (size_t i = 0; i < names.nr; i++)
		nr += !strncmp(names.items[i], "node", 4) && names.items[i][4];
	if (nr)
		facts_add_u64(facts, "numa.nodes", nr);
	/* of one node everything is said already */
	for (size_t i = 0; nr > 1 && i < names.nr; i++) {
		CLEANUP(free) char *folder = xasprintf("%s/%s", base, names.items[i]);
		CLEANUP(free) char *cpus = xasprintf("%s/cpulist", folder);
		CLEANUP(free) char *list = NULL;

		if (strncmp(names.items[i], "node", 4) != 0)
			continue;
		list = fact_read(cpus, FACT_LINE);
		facts_add(facts, list, "numa.%s.cpus", names.items[i]);
		add_node_size(facts, folder, names.items[i]);
	}
}

static void collect(struct facts *facts)
{
	add_sizes(facts);
	facts_add_rows(facts, rows, sizeof(rows) / sizeof(rows[0]), "memory.", NULL);
	add_nodes(facts);
}

const struct env_area env_memory = { .name = "memory", .collect = collect, .is_rechecked = true };
