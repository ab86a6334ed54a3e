/* SPDX-License-Identifier: GPL-2.0-or-later */
/* order: in which order requests are issued to the disks under the job, from the tracepoint
 * block_rq_issue: how many go on where the one before ended, how many go back, how far they step.
 * A device that works on bios itself, such as a stripe, issues none; those below it do. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "model/note.h"
#include "model/result.h"
#include "monitor/dispatch_order.h"
#include "monitor/monitor.h"
#include "monitor/monitor_table.h"
#include "monitor/report.h"
#include "monitor/scan.h"
#include "monitor/tracepoint.h"
#include "monitor/tracepoint_format.h"

#define TRACEPOINT "block/block_rq_issue"
#define MINOR_BITS 20 /* of a device number inside the kernel */

struct issue {
	uint64_t time_ns;
	uint64_t dev, sector, nr_sectors;
};

struct ordered_disk {
	char *name;
	uint64_t dev;
	struct dispatch_order order;
};

struct order_monitor {
	struct tracepoint tracepoint;
	struct tracepoint_field dev, sector, nr_sectors, kind;
	struct ordered_disk *disks;
	size_t nr;
	struct VEC_BODY(struct issue) issues; /* not counted yet */
};

static void order_close(void *state)
{
	struct order_monitor *monitor = state;

	tracepoint_close(&monitor->tracepoint);
	for (size_t i = 0; i < monitor->nr; i++)
		free(monitor->disks[i].name);
	free(monitor->disks);
	vec_release(&monitor->issues);
	free(monitor);
}

/* "259:3" as the kernel has it inside. */
static bool read_dev(const struct monitor_context *context, const char *disk, uint64_t *ret_dev)
{
	CLEANUP(free) char *path = xasprintf("%s/block/%s/dev", context->sys_root, disk);
	CLEANUP(strbuf) struct strbuf line = STRBUF_INIT;
	struct scan scan;
	struct scan_word major_word;
	uint64_t major;
	uint64_t minor;

	if (file_read_line(path, &line, NULL) < 0)
		return false;
	scan = scan_text(strbuf_str(&line), line.len);
	if (!scan_until(&scan, ':', &major_word) || !scan_word_u64(&major_word, &major) ||
	    !scan_u64(&scan, &minor))
		return false;
	*ret_dev = major << MINOR_BITS | minor;
	return true;
}

/* Appends to filter, "dev == 1 || dev == 2": other disks shall not pay for being watched. */
static void add_disks(struct order_monitor *monitor, const struct monitor_context *context,
		      struct strbuf *filter)
{
	monitor->disks = xcalloc(context->nr_disks + 1, sizeof(*monitor->disks));
	for (size_t i = 0; i < context->nr_disks; i++) {
		struct ordered_disk *disk = &monitor->disks[monitor->nr];

		if (!read_dev(context, context->disks[i], &disk->dev))
			continue;
		disk->name = xstrdup(context->disks[i]);
		strbuf_printf(filter, "%sdev == %llu", filter->len ? " || " : "",
			      (unsigned long long)disk->dev);
		monitor->nr++;
	}
}

static int find_fields(struct order_monitor *monitor, struct err *err)
{
	const struct {
		const char *name;
		struct tracepoint_field *field;
	} fields[] = {
		{ "dev", &monitor->dev },
		{ "sector", &monitor->sector },
		{ "nr_sector", &monitor->nr_sectors },
		{ "rwbs", &monitor->kind },
	};
	const struct strbuf *format = &monitor->tracepoint.format;

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		if (!tracepoint_find_field(strbuf_str(format), format->len, fields[i].name,
					   fields[i].field))
			return err_set(err, ERR_UNSUPPORTED,
				       "the tracepoint " TRACEPOINT " has no field %s",
				       fields[i].name);
	}
	return 0;
}

static int order_open(const struct monitor_context *context, void **ret_state, struct err *err)
{
	struct order_monitor *monitor = xcalloc(1, sizeof(*monitor));
	CLEANUP(free) char *tracefs = xasprintf("%s/kernel/tracing", context->sys_root);
	CLEANUP(strbuf) struct strbuf filter = STRBUF_INIT;
	int ret;

	add_disks(monitor, context, &filter);
	ret = monitor->nr ? tracepoint_open(tracefs, TRACEPOINT, strbuf_str(&filter),
					    &monitor->tracepoint, err)
			  : err_set(err, ERR_UNSUPPORTED, "no block device under the job");
	if (ret == 0)
		ret = find_fields(monitor, err);
	if (ret < 0) {
		order_close(monitor);
		return ret;
	}
	*ret_state = monitor;
	return 0;
}

/* Reads and writes. Of the others only discards have sectors. */
static void take_issue(void *arg, uint64_t time_ns, const void *raw, size_t len)
{
	struct order_monitor *monitor = arg;
	struct issue issue = { .time_ns = time_ns };

	if (tracepoint_read_number(raw, len, &monitor->dev, &issue.dev) &&
	    tracepoint_read_number(raw, len, &monitor->sector, &issue.sector) &&
	    tracepoint_read_number(raw, len, &monitor->nr_sectors, &issue.nr_sectors) &&
	    issue.nr_sectors && !tracepoint_has_char(raw, len, &monitor->kind, 'D'))
		vec_push(&monitor->issues, issue);
}

static int compare_times(const void *a, const void *b)
{
	const struct issue *left = a;
	const struct issue *right = b;

	return (left->time_ns > right->time_ns) - (left->time_ns < right->time_ns);
}

static void count_issue(struct order_monitor *monitor, const struct issue *issue)
{
	for (size_t i = 0; i < monitor->nr; i++) {
		if (monitor->disks[i].dev == issue->dev)
			dispatch_order_add(&monitor->disks[i].order, issue->sector,
					   issue->nr_sectors);
	}
}

/* Counts what was issued until then; a CPU may still add what is younger. */
static void count_issues(struct order_monitor *monitor, uint64_t until_ns)
{
	size_t nr = monitor->issues.nr;
	size_t counted = 0;

	if (nr)
		qsort(monitor->issues.items, nr, sizeof(*monitor->issues.items), compare_times);
	while (counted < nr && monitor->issues.items[counted].time_ns <= until_ns)
		count_issue(monitor, &monitor->issues.items[counted++]);
	if (counted)
		memmove(monitor->issues.items, monitor->issues.items + counted,
			(nr - counted) * sizeof(*monitor->issues.items));
	monitor->issues.nr -= counted;
}

static void order_sample(void *state, const struct monitor_tick *tick)
{
	struct order_monitor *monitor = state;
	uint64_t before_ns = tick->clock();

	tracepoint_drain(&monitor->tracepoint, take_issue, monitor);
	if (tick->nr == 1) { /* not of the job */
		vec_clear(&monitor->issues);
		monitor->tracepoint.nr_lost = 0;
		return;
	}
	count_issues(monitor, tick->is_end ? UINT64_MAX : before_ns);
}

static bool report_disk(struct result *result, const struct ordered_disk *disk)
{
	struct dispatch_numbers numbers;

	if (!dispatch_order_numbers(&disk->order, &numbers))
		return false;
	monitor_report(result, (double)disk->order.nr_requests, "order.%s.requests", disk->name);
	monitor_report(result, numbers.sequential_percent, "order.%s.sequential%%", disk->name);
	monitor_report(result, numbers.backwards_percent, "order.%s.backwards%%", disk->name);
	monitor_report(result, numbers.mean_bytes, "order.%s.seek_bytes.mean", disk->name);
	monitor_report(result, numbers.median_bytes, "order.%s.seek_bytes.median", disk->name);
	return true;
}

static void order_report(void *state, struct result *result)
{
	const struct order_monitor *monitor = state;
	bool has_any = false;

	for (size_t i = 0; i < monitor->nr; i++)
		has_any |= report_disk(result, &monitor->disks[i]);
	if (!has_any)
		note_add(&result->notes, NOTE_MONITOR_ABSENT,
			 "order: no two requests were issued to the disks under the job");
	if (monitor->tracepoint.nr_lost == 0)
		return;
	monitor_report(result, (double)monitor->tracepoint.nr_lost, "order.lost");
	note_add(&result->notes, NOTE_MONITOR_ABSENT,
		 "order: %llu requests came faster than they could be looked at",
		 (unsigned long long)monitor->tracepoint.nr_lost);
}

const struct monitor_ops monitor_order = {
	.name = "order",
	.summary = "order.DEV.*: in which order requests are issued to the disks under the job",
	.flags = MONITOR_BY_NAME,
	.every = 1,
	.open = order_open,
	.sample = order_sample,
	.report = order_report,
	.close = order_close,
};
