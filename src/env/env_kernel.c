/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel: which one runs, how it was started and how it was built. */
#include <stdlib.h>
#include <string.h>
#include <sha256.h>
#include <sys/utsname.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/strbuf.h"
#include "env/env_table.h"
#include "env/facts.h"
#include "env/kernel_config.h"
#include "model/result.h"

static const struct fact_row rows[] = {
	{ "release", "/proc/sys/kernel/osrelease", FACT_LINE },
	{ "version", "/proc/sys/kernel/version", FACT_LINE },
	{ "tainted", "/proc/sys/kernel/tainted", FACT_LINE },
	{ "preempt", "/sys/kernel/debug/sched/preempt", FACT_LINE },
};

static void add_machine(struct facts *facts)
{
	CLEANUP(free) char *path = facts_path(facts, "/proc/sys/kernel/arch");
	CLEANUP(free) char *machine = fact_read(path, FACT_LINE);
	struct utsname name;

	/* the file is there since 6.1 */
	if (machine)
		facts_add(facts, machine, "kernel.machine");
	else if (!facts->context->root && uname(&name) == 0)
		facts_add(facts, name.machine, "kernel.machine");
}

/* Longer than other facts may be. */
static void add_cmdline(struct facts *facts)
{
	CLEANUP(free) char *path = facts_path(facts, "/proc/cmdline");
	CLEANUP(free) char *line = fact_read(path, FACT_LINE);

	facts_add(facts, line, "kernel.cmdline");
}

static void add_config(struct facts *facts)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	CLEANUP(free) char *source = NULL;
	char digest[SHA256_DIGEST_STRING_LENGTH];

	source = kernel_config_read(facts, &text);
	if (!source)
		return;
	(void)SHA256Data((const uint8_t *)strbuf_str(&text), text.len, digest);
	facts_add(facts, source, "kernel.config_source");
	facts_add(facts, digest, RESULT_KERNEL_CONFIG "_sha256");
	if (!facts->context->is_brief)
		result_add_attachment(facts->result, RESULT_KERNEL_CONFIG, strbuf_str(&text));
}

static void collect(struct facts *facts)
{
	facts_add_rows(facts, rows, sizeof(rows) / sizeof(rows[0]), "kernel.", NULL);
	add_machine(facts);
	add_cmdline(facts);
	add_config(facts);
}

const struct env_area env_kernel = { .name = "kernel", .collect = collect };
