/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu: what computes, at which clock, and what was switched off in it for safety. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/strbuf.h"
#include "env/env_table.h"
#include "env/facts.h"
#include "env/tally.h"
#include "host/name_list.h"

#define CPU "/sys/devices/system/cpu/"

/* Of neighbours with one key the first that is there counts. */
static const struct fact_row rows[] = {
	{ "online", CPU "online", FACT_LINE },
	{ "isolated", CPU "isolated", FACT_LINE },
	{ "smt", CPU "smt/control", FACT_LINE },
	{ "turbo", CPU "intel_pstate/no_turbo", FACT_OFF_ON },
	{ "turbo", CPU "cpufreq/boost", FACT_ON_OFF },
	{ "pstate_status", CPU "intel_pstate/status", FACT_LINE },
	{ "pstate_status", CPU "amd_pstate/status", FACT_LINE },
	{ "max_perf_percent", CPU "intel_pstate/max_perf_pct", FACT_LINE },
	{ "min_perf_percent", CPU "intel_pstate/min_perf_pct", FACT_LINE },
	{ "idle_driver", CPU "cpuidle/current_driver", FACT_LINE },
	{ "idle_governor", CPU "cpuidle/current_governor_ro", FACT_LINE },
	{ "idle_governor", CPU "cpuidle/current_governor", FACT_LINE },
};

/* What each frequency domain says: "performance", or "performance (4), powersave (4)". */
static const struct fact_row domain_rows[] = {
	{ "governor", "scaling_governor", FACT_LINE },
	{ "frequency_driver", "scaling_driver", FACT_LINE },
	{ "energy_preference", "energy_performance_preference", FACT_LINE },
	{ "min_frequency_khz", "scaling_min_freq", FACT_LINE },
	{ "max_frequency_khz", "scaling_max_freq", FACT_LINE },
	{ "hardware_max_frequency_khz", "cpuinfo_max_freq", FACT_LINE },
};

static bool is_numbered(const char *name, const char *prefix)
{
	size_t len = strlen(prefix);

	return !strncmp(name, prefix, len) && name[len] &&
	       strspn(name + len, "0123456789") == strlen(name + len);
}

/* Adds base/NAME for each numbered folder: cpu0, cpu1 .. */
static void add_numbered(const char *base, const char *prefix, struct name_list *folders)
{
	CLEANUP(name_list) struct name_list names = NAME_LIST_INIT;

	name_list_add_folder(&names, base);
	for (size_t i = 0; i < names.nr; i++) {
		CLEANUP(free) char *folder = xasprintf("%s%s", base, names.items[i]);

		if (is_numbered(names.items[i], prefix))
			name_list_add(folders, folder);
	}
}

static void add_model(struct facts *facts)
{
	static const char *const keys[] = { "model name", "Model", "cpu model", "cpu" };
	CLEANUP(free) char *path = facts_path(facts, "/proc/cpuinfo");
	CLEANUP(free) char *text = fact_read_head(path);
	CLEANUP(free) char *microcode = text ? fact_value_of(text, "microcode") : NULL;

	for (size_t i = 0; text && i < sizeof(keys) / sizeof(keys[0]); i++) {
		CLEANUP(free) char *model = fact_value_of(text, keys[i]);

		if (!model)
			continue;
		facts_add(facts, model, "cpu.model");
		break;
	}
	facts_add(facts, microcode, "cpu.microcode");
}

/* Different values of a file over the CPUs: of the package number, the sockets. */
static size_t nr_different(const struct name_list *cpus, const char *file, const char *other_file)
{
	CLEANUP(tally) struct tally tally = { .nr = 0 };

	for (size_t i = 0; i < cpus->nr; i++) {
		CLEANUP(free) char *path = xasprintf("%s/topology/%s", cpus->items[i], file);
		CLEANUP(free) char *value = fact_read(path, FACT_LINE);

		if (!value && other_file) {
			CLEANUP(free)
			char *other = xasprintf("%s/topology/%s", cpus->items[i], other_file);

			value = fact_read(other, FACT_LINE);
		}
		if (value)
			tally_add(&tally, value);
	}
	return tally.nr;
}

static void add_topology(struct facts *facts)
{
	CLEANUP(free) char *base = facts_path(facts, CPU);
	CLEANUP(name_list) struct name_list cpus = NAME_LIST_INIT;
	size_t nr_sockets;
	size_t nr_cores;
	size_t nr_online = 0;

	add_numbered(base, "cpu", &cpus);
	nr_sockets = nr_different(&cpus, "physical_package_id", NULL);
	/* named so since 5.3 */
	nr_cores = nr_different(&cpus, "core_cpus_list", "thread_siblings_list");
	for (size_t i = 0; i < cpus.nr; i++) {
		CLEANUP(free) char *path = xasprintf("%s/online", cpus.items[i]);
		CLEANUP(free) char *online = fact_read(path, FACT_LINE);

		nr_online += !online || strcmp(online, "0") != 0; /* the first has no such file */
	}
	if (nr_online)
		facts_add_u64(facts, "cpu.nr", nr_online);
	if (nr_sockets)
		facts_add_u64(facts, "cpu.sockets", nr_sockets);
	if (nr_cores)
		facts_add_u64(facts, "cpu.cores", nr_cores);
}

static void add_domains(struct facts *facts)
{
	CLEANUP(free) char *base = facts_path(facts, CPU "cpufreq/");
	CLEANUP(name_list) struct name_list domains = NAME_LIST_INIT;

	add_numbered(base, "policy", &domains);
	for (size_t row = 0; row < sizeof(domain_rows) / sizeof(domain_rows[0]); row++) {
		CLEANUP(tally) struct tally tally = { .nr = 0 };
		CLEANUP(free) char *text = NULL;

		for (size_t i = 0; i < domains.nr; i++) {
			CLEANUP(free)
			char *path = xasprintf("%s/%s", domains.items[i], domain_rows[row].path);
			CLEANUP(free) char *value = fact_read(path, domain_rows[row].form);

			if (value)
				tally_add(&tally, value);
		}
		text = tally_text(&tally);
		facts_add(facts, text, "cpu.%s", domain_rows[row].key);
	}
}

static void collect(struct facts *facts)
{
	CLEANUP(free) char *holes = facts_path(facts, CPU "vulnerabilities");

	add_model(facts);
	add_topology(facts);
	facts_add_rows(facts, rows, sizeof(rows) / sizeof(rows[0]), "cpu.", NULL);
	add_domains(facts);
	facts_add_folder(facts, "cpu.mitigation.", holes);
}

const struct env_area env_cpu = { .name = "cpu", .collect = collect, .is_rechecked = true };
