/* SPDX-License-Identifier: GPL-2.0-or-later */
/* percpu_counts: sums over the CPUs of tables with a line for each event. */
#include "monitor/percpu_counts.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "monitor/monitor.h"
#include "monitor/report.h"
#include "monitor/probe.h"

#define MAX_CPUS 16384

static size_t count_columns(struct scan head)
{
	struct scan_word word;
	size_t nr = 0;

	while (nr < MAX_CPUS && scan_word(&head, &word) && scan_word_begins(&word, "CPU"))
		nr++;
	return nr;
}

/* The line after its label. */
static void line_put(struct percpu_counts *counts, const struct scan_word *label, struct scan line)
{
	CLEANUP(strbuf) struct strbuf name = STRBUF_INIT;
	struct scan_word word;
	uint64_t value;
	uint32_t sum = 0;

	for (size_t cpu = 0; cpu < counts->nr_cpus && scan_u64(&line, &value); cpu++) {
		sum += (uint32_t)value;
		counts->cpu_last[cpu] += (uint32_t)value;
	}
	if (counts->name)
		counts->name(label, line, &name);
	else
		strbuf_add(&name, label->text, label->len);
	word = (struct scan_word){ .text = strbuf_str(&name), .len = name.len };
	series_note(&counts->series, &word, SERIES_COUNTER32, sum);
}

/* The head names the CPUs; false if they are not those of the first round. */
static bool head_check(struct percpu_counts *counts, struct scan *text)
{
	struct scan line;

	if (!scan_line(text, &line))
		return false;
	if (counts->series.round_nr == 1) {
		counts->head = xstrndup(line.pos, (size_t)(line.end - line.pos));
		counts->nr_cpus = count_columns(line);
		counts->cpu_first = xcalloc(counts->nr_cpus + 1, sizeof(*counts->cpu_first));
		counts->cpu_last = xcalloc(counts->nr_cpus + 1, sizeof(*counts->cpu_last));
	}
	return counts->nr_cpus > 0 && strlen(counts->head) == (size_t)(line.end - line.pos) &&
	       memcmp(counts->head, line.pos, (size_t)(line.end - line.pos)) == 0;
}

void percpu_counts_sample(struct percpu_counts *counts, const struct monitor_tick *tick,
			  struct probe *probe)
{
	struct scan text;
	struct scan line;

	if (!series_begin(&counts->series, tick, probe)) {
		counts->is_broken = true;
		return;
	}
	text = probe_scan(probe);
	if (counts->is_broken || !head_check(counts, &text)) {
		counts->is_broken = true;
		return;
	}
	for (size_t cpu = 0; cpu < counts->nr_cpus; cpu++)
		counts->cpu_last[cpu] = 0;
	while (scan_line(&text, &line)) {
		struct scan_word label;

		scan_blanks(&line);
		if (scan_until(&line, ':', &label))
			line_put(counts, &label, line);
	}
	for (size_t cpu = 0; counts->series.round_nr == 1 && cpu < counts->nr_cpus; cpu++)
		counts->cpu_first[cpu] = counts->cpu_last[cpu];
}

/* Share of all events that the CPU with most of them had. */
static void report_busiest(const struct percpu_counts *counts, const char *prefix,
			   struct result *result)
{
	uint64_t sum = 0;
	uint64_t most = 0;

	for (size_t cpu = 0; cpu < counts->nr_cpus; cpu++) {
		uint32_t delta = counts->cpu_last[cpu] - counts->cpu_first[cpu];

		sum += delta;
		if (delta > most)
			most = delta;
	}
	if (sum)
		monitor_report(result, 100.0 * (double)most / (double)sum, "%s.busiest_cpu%%",
			       prefix);
}

/* Machines have hundreds of numbered interrupts that never came. */
static bool is_unused(const struct series_item *item)
{
	return item->first == 0 && item->last == 0 && item->name[0] >= '0' && item->name[0] <= '9';
}

void percpu_counts_report(const struct percpu_counts *counts, const char *prefix,
			  struct result *result)
{
	if (counts->is_broken || counts->series.round_nr < 2)
		return;
	for (size_t i = 0; i < counts->series.nr; i++) {
		const struct series_item *item = &counts->series.items[i];
		uint64_t delta;

		if (is_unused(item))
			continue;
		if (series_delta(&counts->series, item, &delta))
			monitor_report_count(result, delta, item->last_ns - item->first_ns, "%s.%s",
					     prefix, item->name);
	}
	report_busiest(counts, prefix, result);
}

void percpu_counts_release(struct percpu_counts *counts)
{
	series_release(&counts->series);
	free(counts->head);
	free(counts->cpu_first);
	free(counts->cpu_last);
}
