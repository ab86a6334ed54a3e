/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trap: the table of what fio does to the surprise of who wrote the job. */
#include "model/trap.h"

#include <assert.h>

static const struct trap traps[TRAP_NR_IDS] = {
	[TRAP_BLANK_VALUE] = {
		"blank-value",
		"keeps blanks after '=': bs = 8k is 8 bytes, rw = read an error",
		"drops them",
		.is_strict = true,
	},
	[TRAP_BINARY_UNIT] = {
		"binary-unit",
		"takes KiB, MiB, GiB .. for powers of 1000 while K, M, G are powers of 1024",
		"takes KiB, MiB, GiB .. for powers of 1024",
		.is_strict = true,
	},
	[TRAP_FRACTION] = {
		"fraction",
		"cuts a number at the point: 1.5k is 1, runtime=0.5 nothing",
		"refuses numbers that are not whole",
		.is_strict = true,
	},
	[TRAP_UNKNOWN_UNIT] = {
		"unknown-unit",
		"drops what it does not know behind a number: 1e3 is 1, 4kx 4k",
		"refuses it",
		.is_strict = true,
	},
	[TRAP_TIME_WORD] = {
		"time-word",
		"counts microseconds where the unit is none of its own: runtime=1min is 1 us",
		"knows sec, min, minutes, hour, day and the like, and refuses other words",
		.is_strict = true,
	},
	[TRAP_LIST_FOR_ONE] = {
		"list-for-one",
		"takes the first of several numbers, and of sizes and times the last, which is also "
		"what follows a minus sign: iodepth=4,8 is 4, size=4k,8k is 8k, size=-8k too",
		"refuses more than one value, and signs",
		.is_strict = true,
	},
	[TRAP_PERCENT_SUM] = {
		"percent-sum",
		"drops what is beyond 100 % in sum: bssplit=4k/60:8k/60 is 60 and 40",
		"refuses percentages of more than 100 in sum",
		.is_strict = true,
	},
	[TRAP_EXPRESSION] = {
		"expression",
		"refuses (1.5k) in most builds; in others it is 1024, for suffixes cut fractions",
		"computes it exactly: 1536",
		.is_strict = false,
	},
	[TRAP_REVERSED_RANGE] = {
		"reversed-range",
		"exchanges the ends of 8k-4k without a word",
		"exchanges them and says so",
		.is_strict = false,
	},
	[TRAP_IGNORED_OPTION] = {
		"ignored-option",
		"takes threads, dir, block and other options of its profiles in any job and does "
		"nothing with them",
		"does the same, says so and names the option that may have been meant",
		.is_strict = false,
	},
	[TRAP_BYTE_ORDER_MARK] = {
		"byte-order-mark",
		"takes the mark of a UTF-8 file for an option before the first section",
		"skips it",
		.is_strict = true,
	},
	[TRAP_SECTION_BRACKET] = {
		"section-bracket",
		"drops the last character of a header, bracket or not: [job is the section jo",
		"ends the name at the bracket, or at the end of the line",
		.is_strict = true,
	},
	[TRAP_SAME_SECTION] = {
		"same-section",
		"lets two sections of one name use one file, as it is named after the section",
		"does the same and says so",
		.is_strict = false,
	},
	[TRAP_FAILED_INCLUDE] = {
		"failed-include",
		"runs the jobs without the options of a file that cannot be included",
		"refuses the job file",
		.is_strict = true,
	},
	[TRAP_FILE_WINS] = {
		"file-wins",
		"lets options of a job file win over those typed behind it",
		"lets those typed win",
		.is_strict = true,
	},
	[TRAP_SWALLOWED_WORD] = {
		"swallowed-word",
		"takes the next word for the value: of --write_bw_log --rw=read the log is named "
		"'--rw=read_bw.1.log'",
		"takes no option for the value of another one",
		.is_strict = true,
	},
	[TRAP_ETA_WORD] = {
		"eta-word",
		"takes every other word of --eta for auto",
		"refuses it",
		.is_strict = true,
	},
	[TRAP_SHORT_FILE] = {
		"short-file",
		"empties a file that is shorter than the job needs, even if it only reads, and "
		"writes it anew: what was in it is lost",
		"keeps what is there and appends what is missing",
		.is_strict = true,
	},
	[TRAP_FAR_OFFSET] = {
		"far-offset",
		"does nothing and reports success where the offset is beyond the device and a "
		"size is given",
		"refuses the job",
		.is_strict = true,
	},
	[TRAP_USED_DEVICE] = {
		"used-device",
		"writes to devices that are held or carry data; with allow_mounted_write=0 it does "
		"nothing to a mounted one and reports success",
		"refuses to write to a device in use unless --allow-destructive names it; status 5",
		.is_strict = false,
	},
	[TRAP_SCHEDULER_LEFT] = {
		"scheduler-left",
		"leaves the scheduler of ioscheduler= set",
		"puts the old one back after the run",
		.is_strict = true,
	},
	[TRAP_STATE_LEFT] = {
		"state-left",
		"leaves a file *-verify.state in the current folder after each verifying write job",
		"does so only with verify_state_save=1",
		.is_strict = true,
	},
	[TRAP_LOST_LOG] = {
		"lost-log",
		"runs without a log that it cannot create, and reports success",
		"refuses the run",
		.is_strict = false,
	},
	[TRAP_EXIT_STATUS] = {
		"exit-status",
		"exits with the number of failed jobs modulo 256: 256 failures are a success",
		"exits with 4 if any job failed",
		.is_strict = true,
	},
	[TRAP_KILLED_WORKER] = {
		"killed-worker",
		"reports no error and exits with 0 when one of its processes was killed",
		"has threads: what kills one ends the run, and the status tells",
		.is_strict = false,
	},
	[TRAP_LATE_START] = {
		"late-start",
		"starts the clock of an I/O after the wait for its rate: a stalled device looks "
		"fast",
		"reports the latency since the intended start beside it",
		.is_strict = false,
	},
	[TRAP_SHORT_DISK_STATS] = {
		"short-disk-stats",
		"reports zeros for the disks of a run shorter than its sampling period",
		"reads the counters at start and end",
		.is_strict = false,
	},
};

const struct trap *trap_row(enum trap_id id)
{
	assert(id < TRAP_NR_IDS);
	return &traps[id];
}
