/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CANDIDATE_TRIAL_LOG_H
#define REGIO_CANDIDATE_TRIAL_LOG_H

/*
 * What a bisection did, in order: all that its search has to be told again to be where it was. As
 * text it can be read and mailed:
 *
 *	regio bisect log, version 1
 *	# comments, also behind a run
 *	set KEY VALUE				options of the search, the metric, the command
 *	candidate POSITION ID NAME TEXT		the good one first; "words" in quotes if need be
 *	warmup POSITION VALUE			not counted
 *	run POSITION VALUE
 *	failed POSITION REASON			repeated, until it is ..
 *	untestable POSITION REASON
 *	enter LINE POSITION PARENT		what follows is the log of what came in with a merge
 *	enter LINE POSITION PARENT REASON	.. into which it did not go
 *
 * LINE says of which candidates the merge is one: 0 of those that the log begins with, 1 of those
 * behind the first "enter", and so on. Positions behind an "enter" begin at 0 again.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/vec.h"
#include "candidate/candidate.h"

struct err;
struct strbuf;

enum trial_event_kind { EVENT_WARMUP, EVENT_RUN, EVENT_FAILED, EVENT_UNTESTABLE };

struct trial_event {
	enum trial_event_kind kind;
	size_t position;
	double value;	     /* of a run or a warm-up */
	char *text;	     /* reason, or a comment on the run; NULL = none */
	uint64_t elapsed_ms; /* 0 = not known */
};

/* More merges than a bisection goes into. */
#define TRIAL_LOG_MAX_ENTERED 32
#define TRIAL_LOG_MAX_PARENT 65535

/* Where it went into a merge. */
struct trial_entry {
	size_t line;
	size_t position;
	unsigned parent; /* 2 ..; 0: this is the whole log */
	char *why;	 /* it did not go in; NULL = it did */
};

struct trial_log {
	struct candidate_facts options; /* of the whole */
	struct candidate_list candidates;
	VEC(struct trial_event) events;
	struct trial_entry entry;
	VEC(struct trial_log *) entered; /* of the whole, in this order */
};

/* "warmup", "run", "failed", "untestable". */
const char *trial_event_name(enum trial_event_kind kind);
/* -1 if there is none of that name. */
int trial_event_kind_by_name(const char *name);

/* text is copied; NULL is fine. */
void trial_log_add(struct trial_log *log, const struct trial_event *event);
/* Takes the entered one, which was allocated. */
void trial_log_enter(struct trial_log *log, struct trial_log *entered);
/* NULL if there is no such option. */
const char *trial_log_option(const struct trial_log *log, const char *key);
void trial_log_release(struct trial_log *log);
CLEANUP_DEFINE(trial_log, struct trial_log, trial_log_release)
void trial_log_free(struct trial_log *log);

void trial_log_print(const struct trial_log *log, struct strbuf *out);
/* name: of the file, for messages "FILE:LINE: ..". */
int trial_log_parse(const char *name, const char *text, size_t len, struct trial_log *ret_log,
		    struct err *err);

#endif
