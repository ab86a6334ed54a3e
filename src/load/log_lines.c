/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log_lines: from completed I/Os to lines of fio's logs. */
#include "load/log_lines.h"

#include <assert.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/units.h"
#include "load/log_file.h"
#include "load/log_ring.h"
#include "model/job.h"
#include "stats/hist.h"

const char *log_kind_name(enum log_kind kind)
{
	static const char *const names[LOG_NR_KINDS] = {
		[LOG_BW] = "bw",     [LOG_IOPS] = "iops", [LOG_SLAT] = "slat",
		[LOG_CLAT] = "clat", [LOG_LAT] = "lat",	  [LOG_HIST] = "clat_hist",
	};

	assert((unsigned)kind < LOG_NR_KINDS);
	return names[kind];
}

const char *log_kind_prefix(const struct job_log *log, enum log_kind kind)
{
	const char *const prefixes[LOG_NR_KINDS] = {
		[LOG_BW] = log->bw_prefix,    [LOG_IOPS] = log->iops_prefix,
		[LOG_SLAT] = log->lat_prefix, [LOG_CLAT] = log->lat_prefix,
		[LOG_LAT] = log->lat_prefix,  [LOG_HIST] = log->hist_prefix,
	};

	return prefixes[kind];
}

void log_lines_init(struct log_lines *lines, const struct job_log *log, const struct clock *clock,
		    bool has_slat)
{
	*lines = (struct log_lines){ .log = log, .clock = clock, .has_slat = has_slat };
	for (size_t dir = 0; log->hist_prefix && dir < IO_NR_DATA_DIRS; dir++)
		lines->hists[dir] = xcalloc(1, sizeof(*lines->hists[dir]));
}

void log_lines_release(struct log_lines *lines)
{
	for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++)
		free(lines->hists[dir]);
	*lines = (struct log_lines){ .log = NULL };
}

static uint64_t since_ns(const struct log_lines *lines, uint64_t from_ticks, uint64_t to_ticks)
{
	return to_ticks > from_ticks ? clock_ticks_to_ns(lines->clock, to_ticks - from_ticks) : 0;
}

/* ---- lines ---- */

struct line {
	uint64_t time_ms, value, max;
	size_t dir;
	uint64_t len_bytes, offset_bytes, issue_ns;
};

static void print(const struct log_lines *lines, struct log_file *file, const struct line *line)
{
	const struct job_log *log = lines->log;
	const uint64_t head[] = { lines->base_ms + line->time_ms,
				  log->value == LOG_VALUE_MAX ? line->max : line->value };

	log_file_begin(file);
	log_file_number(file, head[0]);
	log_file_text(file, ", ");
	log_file_number(file, head[1]);
	if (log->value == LOG_VALUE_BOTH) {
		log_file_text(file, ", ");
		log_file_number(file, line->max);
	}
	log_file_text(file, ", ");
	log_file_number(file, line->dir);
	log_file_text(file, ", ");
	log_file_number(file, line->len_bytes);
	if (log->offset) {
		log_file_text(file, ", ");
		log_file_number(file, line->offset_bytes);
	}
	log_file_text(file, log->prio ? ", 0x0000" : ", 0");
	if (log->issue_time) {
		log_file_text(file, ", ");
		log_file_number(file, line->issue_ns);
	}
	log_file_text(file, "\n");
}

/* kB/s of one I/O, as fio: thousands of bytes over its completion latency. */
static uint64_t bw_of(const struct log_entry *entry)
{
	return (uint64_t)entry->len_bytes * 1000000 / (entry->clat_ns ? entry->clat_ns : 1);
}

static uint64_t value_of(enum log_kind kind, const struct log_entry *entry)
{
	switch (kind) {
	case LOG_BW:
		return bw_of(entry);
	case LOG_IOPS:
		return 1;
	case LOG_SLAT:
		return entry->slat_ns;
	case LOG_CLAT:
		return entry->clat_ns;
	default:
		return entry->slat_ns + entry->clat_ns;
	}
}

static bool has_kind(const struct log_lines *lines, enum log_kind kind)
{
	return lines->files[kind] && (kind != LOG_SLAT || lines->has_slat);
}

static void print_each(const struct log_lines *lines, const struct log_entry *entry,
		       uint64_t since_epoch_ns)
{
	struct line line = {
		.time_ms = since_epoch_ns / NS_PER_MS,
		.dir = entry->dir,
		.len_bytes = entry->len_bytes,
		.offset_bytes = entry->offset_bytes,
		.issue_ns = since_epoch_ns > entry->clat_ns ? since_epoch_ns - entry->clat_ns : 0,
	};

	for (enum log_kind kind = LOG_BW; kind < LOG_HIST; kind++) {
		if (!has_kind(lines, kind))
			continue;
		line.value = line.max = value_of(kind, entry);
		print(lines, lines->files[kind], &line);
	}
}

/* ---- windows ---- */

/* What stands for a window: a rate of what was moved in it, or the mean of the latencies. */
static struct line line_of(enum log_kind kind, const struct log_window *window, uint64_t len_ns)
{
	struct line line = { .max = window->max };

	if (len_ns == 0)
		len_ns = 1;
	if (kind == LOG_BW)
		line.value = line.max = (uint64_t)(window->sum * 1000000000 / len_ns / 1024);
	else if (kind == LOG_IOPS)
		line.value = line.max =
			(uint64_t)((unsigned __int128)window->nr * 1000000000 / len_ns);
	else
		line.value = (uint64_t)((window->sum + window->nr / 2) / window->nr);
	return line;
}

static void end_window(struct log_lines *lines, uint64_t end_ns)
{
	uint64_t window_ns = lines->log->window_ms * NS_PER_MS;
	uint64_t len_ns = end_ns - lines->number * window_ns;

	for (enum log_kind kind = LOG_BW; kind < LOG_HIST; kind++) {
		for (size_t dir = 0; has_kind(lines, kind) && dir < IO_NR_DATA_DIRS; dir++) {
			struct log_window *window = &lines->windows[kind][dir];
			struct line line;

			if (window->nr == 0)
				continue;
			line = line_of(kind, window, len_ns);
			line.time_ms = (end_ns + NS_PER_MS - 1) / NS_PER_MS;
			line.dir = dir;
			print(lines, lines->files[kind], &line);
			*window = (struct log_window){ .nr = 0 };
		}
	}
}

static void add_to_window(struct log_lines *lines, const struct log_entry *entry,
			  uint64_t since_epoch_ns)
{
	uint64_t window_ns = lines->log->window_ms * NS_PER_MS;
	uint64_t number = since_epoch_ns / window_ns;

	if (number != lines->number)
		end_window(lines, (lines->number + 1) * window_ns);
	lines->number = number;
	for (enum log_kind kind = LOG_BW; kind < LOG_HIST; kind++) {
		struct log_window *window = &lines->windows[kind][entry->dir];
		uint64_t value = kind == LOG_BW ? entry->len_bytes : value_of(kind, entry);

		if (!lines->files[kind])
			continue;
		window->nr++;
		window->sum += value;
		window->max = value > window->max ? value : window->max;
	}
}

/* ---- histograms ---- */

static void print_hist(struct log_lines *lines, size_t dir, uint64_t time_ms)
{
	struct log_file *file = lines->files[LOG_HIST];
	struct hist *hist = lines->hists[dir];
	size_t step = (size_t)1 << lines->log->hist_coarseness;
	const uint64_t head[] = { lines->base_ms + time_ms, dir, lines->hist_len_bytes[dir] };

	log_file_begin(file);
	for (size_t i = 0; i < 3; i++) {
		log_file_number(file, head[i]);
		log_file_text(file, ", ");
	}
	for (size_t first = 0; first < HIST_NR_BUCKETS; first += step) {
		uint64_t sum = 0;

		for (size_t i = first; i < first + step; i++)
			sum += hist->counts[i];
		log_file_number(file, sum);
		log_file_text(file, first + step < HIST_NR_BUCKETS ? ", " : "\n");
	}
	*hist = (struct hist){ .counts = { 0 } };
	lines->hist_len_bytes[dir] = 0;
}

/* Directions without I/O have no line. */
static void end_hists(struct log_lines *lines, uint64_t time_ms)
{
	for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
		if (lines->hist_len_bytes[dir])
			print_hist(lines, dir, time_ms);
	}
}

static void add_to_hist(struct log_lines *lines, const struct log_entry *entry,
			uint64_t since_epoch_ns)
{
	uint64_t window_ms = lines->log->hist_window_ms;
	uint64_t number = window_ms ? since_epoch_ns / NS_PER_MS / window_ms : 0;

	if (number != lines->hist_number)
		end_hists(lines, (lines->hist_number + 1) * window_ms);
	lines->hist_number = number;
	lines->hist_len_bytes[entry->dir] = entry->len_bytes;
	hist_record(lines->hists[entry->dir], entry->clat_ns);
}

/* ---- entries ---- */

void log_lines_add(struct log_lines *lines, const struct log_entry *entry, uint64_t epoch_ticks)
{
	uint64_t since_epoch_ns = since_ns(lines, epoch_ticks, entry->done_ticks);

	if (lines->log->window_ms)
		add_to_window(lines, entry, since_epoch_ns);
	else
		print_each(lines, entry, since_epoch_ns);
	if (lines->files[LOG_HIST])
		add_to_hist(lines, entry, since_epoch_ns);
}

void log_lines_finish(struct log_lines *lines, uint64_t epoch_ticks, uint64_t end_ticks)
{
	uint64_t end_ns = since_ns(lines, epoch_ticks, end_ticks);
	uint64_t window_ns = lines->log->window_ms * NS_PER_MS;

	if (window_ns) {
		uint64_t full_ns = (lines->number + 1) * window_ns;

		end_window(lines, end_ns > lines->number * window_ns && end_ns < full_ns ? end_ns
											 : full_ns);
	}
	if (lines->files[LOG_HIST])
		end_hists(lines, (end_ns + NS_PER_MS - 1) / NS_PER_MS);
}
