/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trap: the table of what fio does to the surprise of who wrote the job. */
#include "model/trap.h"

#include <assert.h>

static const struct trap traps[TRAP_NR_IDS] = {
	[TRAP_BLANK_VALUE] = {
		.name = "blank-value",
		.fio = "keeps blanks after '=': bs = 8k is 8 bytes, rw = read an error",
		.regio = "drops them",
		.is_strict = true,
	},
	[TRAP_BINARY_UNIT] = {
		.name = "binary-unit",
		.fio = "takes KiB, MiB, GiB .. for powers of 1000 while K, M, G are powers of 1024",
		.regio = "takes KiB, MiB, GiB .. for powers of 1024",
		.is_strict = true,
	},
	[TRAP_FRACTION] = {
		.name = "fraction",
		.fio = "cuts a number at the point: 1.5k is 1, runtime=0.5 nothing",
		.regio = "refuses numbers that are not whole",
		.is_strict = true,
	},
	[TRAP_UNKNOWN_UNIT] = {
		.name = "unknown-unit",
		.fio = "drops what it does not know behind a number: 1e3 is 1, 4kx 4k",
		.regio = "refuses it",
		.is_strict = true,
	},
	[TRAP_TIME_WORD] = {
		.name = "time-word",
		.fio = "counts microseconds where the unit is none of its own: runtime=1min is 1 us",
		.regio = "knows sec, min, minutes, hour, day and the like, and refuses other words",
		.is_strict = true,
	},
	[TRAP_LIST_FOR_ONE] = {
		.name = "list-for-one",
		.fio = "takes the first of several numbers, and of sizes and times the last, which is also "
		"what follows a minus sign: iodepth=4,8 is 4, size=4k,8k is 8k, size=-8k too",
		.regio = "refuses more than one value, and signs",
		.is_strict = true,
	},
	[TRAP_PERCENT_SUM] = {
		.name = "percent-sum",
		.fio = "drops what is beyond 100 % in sum: bssplit=4k/60:8k/60 is 60 and 40",
		.regio = "refuses percentages of more than 100 in sum",
		.is_strict = true,
	},
	[TRAP_EXPRESSION] = {
		.name = "expression",
		.fio = "refuses (1.5k) in most builds; in others it is 1024, for suffixes cut fractions",
		.regio = "computes it exactly: 1536",
		.is_strict = false,
	},
	[TRAP_REVERSED_RANGE] = {
		.name = "reversed-range",
		.fio = "exchanges the ends of 8k-4k without a word",
		.regio = "exchanges them and says so",
		.is_strict = false,
	},
	[TRAP_IGNORED_OPTION] = {
		.name = "ignored-option",
		.fio = "takes threads, dir, block and other options of its profiles in any job and does "
		"nothing with them",
		.regio = "does the same, says so and names the option that may have been meant",
		.is_strict = false,
	},
	[TRAP_BYTE_ORDER_MARK] = {
		.name = "byte-order-mark",
		.fio = "takes the mark of a UTF-8 file for an option before the first section",
		.regio = "skips it",
		.is_strict = true,
	},
	[TRAP_SECTION_BRACKET] = {
		.name = "section-bracket",
		.fio = "drops the last character of a header, bracket or not: [job is the section jo",
		.regio = "ends the name at the bracket, or at the end of the line",
		.is_strict = true,
	},
	[TRAP_SAME_SECTION] = {
		.name = "same-section",
		.fio = "lets two sections of one name use one file, as it is named after the section",
		.regio = "does the same and says so",
		.is_strict = false,
	},
	[TRAP_FAILED_INCLUDE] = {
		.name = "failed-include",
		.fio = "runs the jobs without the options of a file that cannot be included",
		.regio = "refuses the job file",
		.is_strict = true,
	},
	[TRAP_FILE_WINS] = {
		.name = "file-wins",
		.fio = "lets options of a job file win over those typed behind it",
		.regio = "lets those typed win",
		.is_strict = true,
	},
	[TRAP_SWALLOWED_WORD] = {
		.name = "swallowed-word",
		.fio = "takes the next word for the value: of --write_bw_log --rw=read the log is named "
		"'--rw=read_bw.1.log'",
		.regio = "takes no option for the value of another one",
		.is_strict = true,
	},
	[TRAP_ETA_WORD] = {
		.name = "eta-word",
		.fio = "takes every other word of --eta for auto",
		.regio = "refuses it",
		.is_strict = true,
	},
	[TRAP_SHORT_FILE] = {
		.name = "short-file",
		.fio = "empties a file that is shorter than the job needs, even if it only reads, and "
		"writes it anew: what was in it is lost",
		.regio = "keeps what is there and appends what is missing",
		.is_strict = true,
	},
	[TRAP_FAR_OFFSET] = {
		.name = "far-offset",
		.fio = "does nothing and reports success where the offset is beyond the device and a "
		"size is given",
		.regio = "refuses the job",
		.is_strict = true,
	},
	[TRAP_USED_DEVICE] = {
		.name = "used-device",
		.fio = "writes to devices that are held or carry data; with allow_mounted_write=0 it does "
		"nothing to a mounted one and reports success",
		.regio = "refuses to write to a device in use unless --allow-destructive names it; status 5",
		.is_strict = false,
	},
	[TRAP_SCHEDULER_LEFT] = {
		.name = "scheduler-left",
		.fio = "leaves the scheduler of ioscheduler= set",
		.regio = "puts the old one back after the run",
		.is_strict = true,
	},
	[TRAP_STATE_LEFT] = {
		.name = "state-left",
		.fio = "leaves a file *-verify.state in the current folder after each verifying write job",
		.regio = "does so only with verify_state_save=1",
		.is_strict = true,
	},
	[TRAP_LOST_LOG] = {
		.name = "lost-log",
		.fio = "runs without a log that it cannot create, and reports success",
		.regio = "refuses the run",
		.is_strict = false,
	},
	[TRAP_EXIT_STATUS] = {
		.name = "exit-status",
		.fio = "exits with the number of failed jobs modulo 256: 256 failures are a success",
		.regio = "exits with 4 if any job failed",
		.is_strict = true,
	},
	[TRAP_KILLED_WORKER] = {
		.name = "killed-worker",
		.fio = "reports no error and exits with 0 when one of its processes was killed",
		.regio = "has threads: what kills one ends the run, and the status tells",
		.is_strict = false,
	},
	[TRAP_LATE_START] = {
		.name = "late-start",
		.fio = "starts the clock of an I/O after the wait for its rate: a stalled device looks "
		"fast",
		.regio = "reports the latency since the intended start beside it",
		.is_strict = false,
	},
	[TRAP_SHORT_DISK_STATS] = {
		.name = "short-disk-stats",
		.fio = "reports zeros for the disks of a run shorter than its sampling period",
		.regio = "reads the counters at start and end",
		.is_strict = false,
	},
};

const struct trap *trap_row(enum trap_id id)
{
	assert(id < TRAP_NR_IDS);
	return &traps[id];
}
