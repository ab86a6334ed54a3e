/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MODEL_TRAP_H
#define REGIO_MODEL_TRAP_H

/*
 * The traps: what fio does with a job or a command line that nobody who wrote it can have meant,
 * and what regio does in its place. Whoever reads such a value looks at fio_strict of the job,
 * does one or the other, and tells it by the name of the row. One trap is one row in trap.c.
 */

#include <stdbool.h>

enum trap_id {
	TRAP_BLANK_VALUE,    /* key = value */
	TRAP_BINARY_UNIT,    /* 1MiB */
	TRAP_FRACTION,	     /* 1.5k */
	TRAP_UNKNOWN_UNIT,   /* 1e3, 10mx */
	TRAP_TIME_WORD,	     /* runtime=1min */
	TRAP_LIST_FOR_ONE,   /* iodepth=4,8 */
	TRAP_PERCENT_SUM,    /* bssplit=4k/60:8k/60 */
	TRAP_EXPRESSION,     /* size=(4*8k) */
	TRAP_REVERSED_RANGE, /* bsrange=8k-4k */
	TRAP_IGNORED_OPTION, /* threads=4 */
	TRAP_BYTE_ORDER_MARK,
	TRAP_SECTION_BRACKET, /* [job */
	TRAP_SAME_SECTION,
	TRAP_FAILED_INCLUDE,
	TRAP_FILE_WINS,
	TRAP_SWALLOWED_WORD, /* --write_bw_log --rw=read */
	TRAP_ETA_WORD,
	TRAP_SHORT_FILE,
	TRAP_FAR_OFFSET,
	TRAP_USED_DEVICE,
	TRAP_SCHEDULER_LEFT,
	TRAP_STATE_LEFT,
	TRAP_LOST_LOG,
	TRAP_EXIT_STATUS,
	TRAP_KILLED_WORKER,
	TRAP_LATE_START,
	TRAP_SHORT_DISK_STATS,
	TRAP_NR_IDS,
};

struct trap {
	const char *name;  /* stable: "blank-value" */
	const char *fio;   /* what fio does */
	const char *regio; /* what regio does */
	bool is_strict;	   /* --fio-strict does as fio; else regio stays at what it does */
};

const struct trap *trap_row(enum trap_id id);

#endif
