/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_PROGRESS_H
#define REGIO_CMD_PROGRESS_H

/*
 * The live line on stderr. On a terminal it is one line that is overwritten; with
 * --progress=always and no terminal each update is a line of its own; otherwise silence.
 */

#include <stdbool.h>
#include <stdint.h>

struct err;
struct load_progress;

struct progress {
	bool is_live;	  /* overwrite one line */
	bool is_plain;	  /* print lines */
	char prefix[160]; /* "pair 7, B: ", set by the command; "" for a plain run */
	uint64_t last_ns;
};

/* mode: "auto", "always", "never". ERR_USAGE for anything else. */
int progress_init(struct progress *progress, const char *mode, struct err *err);
/* One line about the state of a long plan: kept until the next update overwrites it. */
__attribute__((format(printf, 2, 3))) void progress_say(struct progress *progress,
							const char *format, ...);
/* For struct trial.progress: arg is the struct progress. */
void progress_load(void *arg, const struct load_progress *load);
/* Clears the live line before something else is printed. */
void progress_clear(struct progress *progress);

#endif
