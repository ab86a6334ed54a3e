/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_LOG_LINES_H
#define REGIO_LOAD_LOG_LINES_H

/*
 * The logs of one clone: takes its I/Os in the order of their completion and makes lines of them,
 * in fio's forms. With log_avg_msec it adds up windows that begin with the measurement; all I/Os
 * are in exactly one of them, the last one ends with the measurement.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/io.h"

struct clock;
struct hist;
struct job_log;
struct log_entry;
struct log_file;

enum log_kind { LOG_BW, LOG_IOPS, LOG_SLAT, LOG_CLAT, LOG_LAT, LOG_HIST, LOG_NR_KINDS };

/* "bw", "iops", "slat", "clat", "lat", "clat_hist": part of the file's name. */
const char *log_kind_name(enum log_kind kind);
/* The prefix that the job gives for that kind; NULL: it is not logged. */
const char *log_kind_prefix(const struct job_log *log, enum log_kind kind);

struct log_window {
	uint64_t nr, max;
	unsigned __int128 sum;
};

struct log_lines {
	const struct job_log *log;
	const struct clock *clock;
	struct log_file *files[LOG_NR_KINDS]; /* NULL: not logged */
	uint64_t base_ms;		      /* added to all times */
	uint64_t number;		      /* of the current window */
	struct log_window windows[LOG_NR_KINDS][IO_NR_DATA_DIRS];
	uint64_t hist_number;
	uint32_t hist_len_bytes[IO_NR_DATA_DIRS];
	struct hist *hists[IO_NR_DATA_DIRS]; /* owned; NULL without a histogram log */
	bool has_slat;			     /* the engine submits and reaps */
};

void log_lines_init(struct log_lines *lines, const struct job_log *log, const struct clock *clock,
		    bool has_slat);
void log_lines_release(struct log_lines *lines);

void log_lines_add(struct log_lines *lines, const struct log_entry *entry, uint64_t epoch_ticks);
/* The measurement has ended. */
void log_lines_finish(struct log_lines *lines, uint64_t epoch_ticks, uint64_t end_ticks);

#endif
