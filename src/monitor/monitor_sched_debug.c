/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sched-debug: the scheduler's own counts, as mean, minimum, maximum and deviation over the CPUs.
 * Of control groups only the root: others come and go. The file lists every task. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "monitor/monitor.h"
#include "monitor/monitor_table.h"
#include "monitor/report.h"
#include "monitor/probe.h"

/* One key of one section: over the CPUs of this snapshot, and summed up over the snapshots. */
struct entry {
	char *name; /* "cpu.nr_running" */
	bool is_scalar;
	double sum, sum_sq, min, max; /* this snapshot */
	size_t nr;
	double avg_sum, min_sum, max_sum, stddev_sum;
	size_t nr_snapshots;
};

struct sched_debug_monitor {
	struct probe *probe;
	struct entry *entries;
	size_t nr;
	size_t cursor;
};

static int sched_debug_open(const struct monitor_context *context, void **ret_state,
			    struct err *err)
{
	struct sched_debug_monitor *monitor = xcalloc(1, sizeof(*monitor));
	/* Since 5.13 in debugfs, where that is mounted. */
	int ret = probe_open(context->probes, context->proc_root, "sched_debug", &monitor->probe,
			     NULL);

	if (ret < 0)
		ret = probe_open(context->probes, context->sys_root, "kernel/debug/sched/debug",
				 &monitor->probe, err);
	if (ret < 0) {
		free(monitor);
		return ret;
	}
	*ret_state = monitor;
	return 0;
}

static void sched_debug_close(void *state)
{
	struct sched_debug_monitor *monitor = state;

	for (size_t i = 0; i < monitor->nr; i++)
		free(monitor->entries[i].name);
	free(monitor->entries);
	free(monitor);
}

static struct entry *entry_get(struct sched_debug_monitor *monitor, const char *name)
{
	for (size_t i = 0; i < monitor->nr; i++) {
		size_t place = (monitor->cursor + i) % monitor->nr;

		if (strcmp(monitor->entries[place].name, name) != 0)
			continue;
		monitor->cursor = place + 1;
		return &monitor->entries[place];
	}
	if (!(monitor->nr & (monitor->nr - 1)))
		monitor->entries =
			xreallocarray(monitor->entries, monitor->nr ? 2 * monitor->nr : 1,
				      sizeof(*monitor->entries));
	monitor->entries[monitor->nr] = (struct entry){ .name = xstrdup(name) };
	monitor->cursor = monitor->nr + 1;
	return &monitor->entries[monitor->nr++];
}

static bool parse_number(struct scan rest, double *ret_value)
{
	struct scan_word word;
	char text[64];
	char *end;

	if (!scan_word(&rest, &word) || word.len >= sizeof(text))
		return false;
	memcpy(text, word.text, word.len);
	text[word.len] = '\0';
	*ret_value = strtod(text, &end);
	return *end == '\0' && isfinite(*ret_value);
}

static void entry_put(struct entry *entry, double value)
{
	entry->min = entry->nr ? fmin(entry->min, value) : value;
	entry->max = entry->nr ? fmax(entry->max, value) : value;
	entry->sum += value;
	entry->sum_sq += value * value;
	entry->nr++;
}

/* What a heading begins: keys of one CPU, of a group of one CPU, or of nothing that is wanted. */
struct section {
	struct strbuf prefix;
	bool is_wanted;
	bool is_scalar;
};

/* "cpu#0, 2400 MHz", "cfs_rq[0]:/", "rt_rq[0]:/", "dl_rq[0]:", "sysctl_sched". */
static void section_begin(struct section *section, struct scan line)
{
	struct scan_word name;
	struct scan_word number;

	strbuf_reset(&section->prefix);
	section->is_scalar = false;
	section->is_wanted = true;
	if (scan_skip(&line, "cpu#")) {
		strbuf_add_str(&section->prefix, "cpu.");
	} else if (scan_until(&line, '[', &name) && scan_until(&line, ']', &number)) {
		strbuf_printf(&section->prefix, "%.*s%.*s.", (int)name.len, name.text,
			      (int)(line.end - line.pos), line.pos);
		section->is_wanted = line.end - line.pos <= 2; /* ":", ":/" */
	} else if (scan_word(&line, &name) && scan_word_is(&name, "sysctl_sched")) {
		strbuf_add_str(&section->prefix, "sysctl_sched.");
		section->is_scalar = true;
	} else {
		section->is_wanted = false;
	}
}

/* "  .nr_running     : 3". */
static void key_put(struct sched_debug_monitor *monitor, const struct section *section,
		    const struct scan_word *key, struct scan rest)
{
	CLEANUP(strbuf) struct strbuf name = STRBUF_INIT;
	struct scan text = scan_text(key->text, key->len);
	struct scan_word word;
	struct entry *entry;
	double value;

	(void)scan_skip(&text, ".");
	if (!scan_word(&text, &word) || !parse_number(rest, &value))
		return;
	strbuf_printf(&name, "%s%.*s", strbuf_str(&section->prefix), (int)word.len, word.text);
	entry = entry_get(monitor, strbuf_str(&name));
	entry->is_scalar = section->is_scalar;
	entry_put(entry, value);
}

static bool is_global(const struct scan_word *key)
{
	struct scan text = scan_text(key->text, key->len);
	struct scan_word word;

	return scan_word(&text, &word) &&
	       (scan_word_is(&word, "ktime") || scan_word_is(&word, "sched_clk") ||
		scan_word_is(&word, "cpu_clk"));
}

static void line_put(struct sched_debug_monitor *monitor, struct section *section, struct scan line)
{
	const struct section global = { .is_scalar = true };
	struct scan rest = line;
	bool is_indented = line.pos < line.end && *line.pos == ' ';
	struct scan_word key;

	if (line.pos == line.end)
		return;
	scan_blanks(&rest);
	if (!is_indented) {
		if (scan_until(&rest, ':', &key) && is_global(&key))
			key_put(monitor, &global, &key, rest);
		else
			section_begin(section, line);
		return;
	}
	if (section->is_wanted && *rest.pos == '.' && scan_until(&rest, ':', &key))
		key_put(monitor, section, &key, rest);
}

static void entry_fold(struct entry *entry)
{
	double nr = (double)entry->nr;
	double avg;

	if (entry->nr == 0)
		return;
	avg = entry->sum / nr;
	entry->avg_sum += avg;
	entry->min_sum += entry->min;
	entry->max_sum += entry->max;
	entry->stddev_sum += sqrt(fmax(0.0, entry->sum_sq / nr - avg * avg));
	entry->nr_snapshots++;
	entry->sum = entry->sum_sq = 0;
	entry->nr = 0;
}

static void sched_debug_sample(void *state, const struct monitor_tick *tick)
{
	struct sched_debug_monitor *monitor = state;
	struct section section = { .prefix = STRBUF_INIT };
	struct scan text;
	struct scan line;

	if (tick->is_end || !probe_read(monitor->probe, tick))
		return;
	monitor->cursor = 0;
	text = probe_scan(monitor->probe);
	while (scan_line(&text, &line))
		line_put(monitor, &section, line);
	for (size_t i = 0; i < monitor->nr; i++)
		entry_fold(&monitor->entries[i]);
	strbuf_release(&section.prefix);
}

static void sched_debug_report(void *state, struct result *result)
{
	const struct sched_debug_monitor *monitor = state;

	for (size_t i = 0; i < monitor->nr; i++) {
		const struct entry *entry = &monitor->entries[i];
		double nr = (double)entry->nr_snapshots;

		monitor_report(result, entry->avg_sum / nr,
			       entry->is_scalar ? "sched_debug.%s" : "sched_debug.%s.avg",
			       entry->name);
		if (entry->is_scalar)
			continue;
		monitor_report(result, entry->min_sum / nr, "sched_debug.%s.min", entry->name);
		monitor_report(result, entry->max_sum / nr, "sched_debug.%s.max", entry->name);
		monitor_report(result, entry->stddev_sum / nr, "sched_debug.%s.stddev",
			       entry->name);
	}
}

const struct monitor_ops monitor_sched_debug = {
	.name = "sched-debug",
	.summary = "sched_debug.*: the scheduler's counts over the CPUs (debugfs)",
	.flags = 0,
	.every = 10,
	.open = sched_debug_open,
	.sample = sched_debug_sample,
	.report = sched_debug_report,
	.close = sched_debug_close,
};
