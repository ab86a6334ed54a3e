/* SPDX-License-Identifier: GPL-2.0-or-later */
/* interrupts: of each line of /proc/interrupts, summed over the CPUs. */
#include <stdlib.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "monitor/monitor.h"
#include "monitor/monitor_table.h"
#include "monitor/percpu_counts.h"
#include "monitor/probe.h"

struct interrupts_monitor {
	struct probe *probe;
	struct percpu_counts counts;
};

/* "36:PCI-MSI.1-edge.nvme0q1", "LOC:Local_timer_interrupts": numbered lines are chip, line and
 * device, named ones have a sentence. */
static void interrupt_name(const struct scan_word *label, struct scan rest, struct strbuf *out)
{
	bool is_numbered = label->len && label->text[0] >= '0' && label->text[0] <= '9';
	const char *glue = is_numbered ? "." : "_";
	struct scan_word word;
	bool is_first = true;

	strbuf_add(out, label->text, label->len);
	while (scan_word(&rest, &word)) {
		strbuf_add_str(out, is_first ? ":" : glue);
		strbuf_add(out, word.text, word.len);
		is_first = false;
	}
}

static int interrupts_open(const struct monitor_context *context, void **ret_state, struct err *err)
{
	struct interrupts_monitor *monitor = xcalloc(1, sizeof(*monitor));
	int ret =
		probe_open(context->probes, context->proc_root, "interrupts", &monitor->probe, err);

	if (ret < 0) {
		free(monitor);
		return ret;
	}
	monitor->counts.name = interrupt_name;
	*ret_state = monitor;
	return 0;
}

static void interrupts_close(void *state)
{
	struct interrupts_monitor *monitor = state;

	percpu_counts_release(&monitor->counts);
	free(monitor);
}

static void interrupts_sample(void *state, const struct monitor_tick *tick)
{
	struct interrupts_monitor *monitor = state;

	percpu_counts_sample(&monitor->counts, tick, monitor->probe);
}

static void interrupts_report(void *state, struct result *result)
{
	const struct interrupts_monitor *monitor = state;

	percpu_counts_report(&monitor->counts, "interrupts", result);
}

const struct monitor_ops monitor_interrupts = {
	.name = "interrupts",
	.summary = "interrupts.*: each interrupt, summed over the CPUs",
	.flags = MONITOR_DEFAULT,
	.every = 0,
	.open = interrupts_open,
	.sample = interrupts_sample,
	.report = interrupts_report,
	.close = interrupts_close,
};
