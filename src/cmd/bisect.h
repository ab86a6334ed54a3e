/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_BISECT_H
#define REGIO_CMD_BISECT_H

/*
 * A bisection as cmd_bisect starts it, bisect_run measures it, bisect_state keeps it and
 * bisect_report tells it. All that its search has been told stands in its log, one event for each
 * trial, and each event is a trial of the store: going on after a kill is telling a new search the
 * same events.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "analysis/search.h"
#include "analysis/verdict.h"
#include "base/args.h"
#include "base/vec.h"
#include "candidate/candidate.h"
#include "candidate/trial_log.h"
#include "cmd/trial_options.h"
#include "model/metric.h"
#include "model/note.h"

struct doc;
struct result;
struct strbuf;
struct tuning;
struct store_experiment;

/* Of all numbers of runs that are told. */
#define BISECT_UNCOUNTED "warm-ups and failed ones not counted"

/* Trials of one candidate that fail before it counts as untestable. */
#define BISECT_MAX_FAILURES 3

struct bisect_config {
	struct trial_options trial;
	/* where candidates come from: one of them */
	const char *git, *kernels, *list, *settings_base;
	const char *build; /* --build, --boot */
	uint64_t build_timeout_ns;
	const char *cache_dir; /* NULL = the default */
	struct arg_list settings;
	const char *metric;
	const char *direction; /* "lower", "higher", "any"; NULL = what is bad for the metric */
	double alpha, level, min_effect;
	unsigned nr_repeats, max_runs, max_end_pairs, max_confirm_pairs, nr_anchor_runs;
	unsigned max_restarts;
	const char *format;
	const char *replay; /* file of a log */
	bool is_virtual;    /* guests whose clock counts instructions */
	bool no_enter;	    /* leave it at a merge */
	bool json, resume, log, visualise, is_help;
};

/* What is due. */
struct bisect_step {
	bool is_done;
	unsigned phase;	 /* of the quest */
	bool is_single;	 /* no half of a pair */
	size_t position; /* candidate to run */
	size_t nr_pairs; /* that are complete */
	uint64_t seed_nr;
};

struct bisect;

/*
 * What is looked for, and by which search: the first bad one of an order (bisect_order), or the
 * settings that make a difference (bisect_settings). The rest of a bisection is the same for both.
 */
struct bisect_quest {
	/* Once the metric is known; before, to refuse bad options. Replaces an earlier search. */
	int (*begin)(struct bisect *bisect, struct err *err);
	void (*next)(struct bisect *bisect, struct bisect_step *ret_step);
	int (*add)(struct bisect *bisect, size_t position, double value, struct err *err);
	void (*untestable)(struct bisect *bisect, size_t position);
	int (*prepare)(struct bisect *bisect, size_t position, struct candidate_setup *ret_setup,
		       struct err *err);
	size_t (*bad_end)(const struct bisect *bisect); /* the good one is 0 */
	const char *(*phase_name)(unsigned phase);
	/* What the live line says after the number of the run. */
	void (*say)(struct bisect *bisect, const struct bisect_step *step, struct strbuf *line);
	void (*left_ends)(const struct bisect *bisect); /* warnings after the first comparison */
	enum verdict (*verdict)(const struct bisect *bisect);
	struct doc *(*report)(struct bisect *bisect);
	struct doc *(*visualise)(struct bisect *bisect);
	char *(*json)(struct bisect *bisect);
};

extern const struct bisect_quest bisect_order;
extern const struct bisect_quest bisect_settings;

/* One event of the log, in the eyes of the search. */
struct bisect_moment {
	unsigned phase;	 /* it was asked for in */
	bool is_counted; /* a run that the search was told */
};

/*
 * A merge that was found is entered: what came in with it is a bisection of its own within the
 * whole one, with the same config, session and experiment, and borrows words and metric.
 */
struct bisect {
	struct bisect *whole;	      /* NULL: this is the whole */
	VEC(struct bisect *) entered; /* of the whole, in this order; see log.entry of each */
	size_t first_event;	      /* trials of the whole before its own */
	uint64_t first_seed;	      /* so that it has coins and seeds of its own */
	enum finding direction;	      /* UNDECIDED: as the config has it */
	struct bisect_config *config;
	struct arg_list words;		/* the job */
	struct candidate_source source; /* closed when a log is only looked at */
	const struct candidate_ops *ops;
	struct candidate_list planned;	   /* that an older call has begun with */
	struct trial_log log;		   /* its candidates are those of the source */
	VEC(struct bisect_moment) moments; /* of each event */
	VEC(unsigned) nr_failures;	   /* by position */
	const struct bisect_quest *quest;
	bool has_begun;		 /* the quest has its search: the metric is known */
	struct search *search;	 /* of bisect_order */
	struct tuning *tuning;	 /* of bisect_settings */
	struct session *session; /* of the whole bisection */
	int64_t experiment;	 /* 0 = not in a store */
	char *metric;		 /* full name, known after the first result */
	struct note_list notes;
	size_t nr_of_note[NOTE_NR_IDS];
	char *command;	   /* to repeat it, seed included */
	char *why_stopped; /* NULL = it has an answer */
	char *store_path;  /* of the experiment that is taken up */

	/* The candidate that is ready to be measured. */
	bool is_ready;
	size_t ready_position;
	struct candidate_setup setup;

	uint64_t start_ns;
	size_t nr_run; /* by this call */
	uint64_t run_ns;
	size_t nr_search_run; /* by this call, between the ends */
	double first_entropy; /* of the posterior before these */
};

static inline size_t bisect_nr(const struct bisect *bisect)
{
	return bisect->log.candidates.nr;
}

static inline const struct candidate *bisect_candidate(const struct bisect *bisect, size_t position)
{
	return &bisect->log.candidates.items[position];
}

/* ---- bisect_enter ---- */

/* Goes into a merge that was found, and into merges in there, until there is an answer. */
int bisect_enter(struct bisect *whole, struct err *err);
/* Into that one, as an earlier call did; entry and candidates of the log are taken. ERR_INPUT if
 * it would not go there. */
int bisect_enter_again(struct bisect *whole, struct trial_log *log, struct err *err);
/* Into those which the plan has before the next event. */
int bisect_enter_planned(struct bisect *whole, const json_t *plan, struct err *err);
void bisect_leave(struct bisect *whole);

/* The whole by 0, those that were entered by 1 .. */
const struct bisect *bisect_line(const struct bisect *whole, size_t nr);
static inline size_t bisect_nr_lines(const struct bisect *whole)
{
	return 1 + whole->entered.nr;
}
/* A merge that nothing could be searched in has a number, too, and no search. */
static inline bool bisect_has_search(const struct bisect *line)
{
	return !line->log.entry.why;
}
/* Where the search is, or ended. */
const struct bisect *bisect_last(const struct bisect *whole);
struct bisect *bisect_working(struct bisect *whole); /* the same, to go on */
/* The one that has the answer: the innermost that found something. */
const struct bisect *bisect_final(const struct bisect *whole);
/* Whether it went in there, or tried to. */
bool bisect_is_entered(const struct bisect *whole, const struct bisect *line, size_t position);
/* Of a search that is over: nothing changed for the worse between its ends. */
bool bisect_has_no_effect(const struct bisect *line);
/* Found and confirmed, or not to be confirmed. */
bool bisect_is_sure(const struct bisect *line);
size_t bisect_nr_events(const struct bisect *whole);
/* Those of them that a search was told: what is called a run. */
size_t bisect_nr_runs(const struct bisect *whole);

/* ---- cmd_bisect ---- */

const struct args_spec *bisect_args(void);
int bisect_check_config(struct bisect_config *config, struct err *err);

/* ---- bisect_start; they return an exit status ---- */

/* words: operands. */
int bisect_start(struct bisect *bisect, const struct arg_list *words, int argc, char *const *argv,
		 struct err *err);
/* With an experiment of the store, for --resume, --log and --visualise. */
int bisect_take_up(struct bisect *bisect, const struct arg_list *operands, int argc,
		   char *const *argv, struct err *err);
int bisect_replay_file(struct bisect *bisect, const struct arg_list *words, struct err *err);

/* ---- bisect_run ---- */

/* Measures until there is an answer, a signal or an error. */
int bisect_measure(struct bisect *bisect, struct err *err);
/* Tells search and log what happened. ERR_INPUT if the search has asked for something else. */
int bisect_feed(struct bisect *bisect, const struct trial_event *event, struct err *err);
/* The metric that decides, out of the first result. */
int bisect_take_metric(struct bisect *bisect, const struct result *result, struct err *err);
/* Keeps the first note of each kind. */
void bisect_take_notes(struct bisect *bisect, const struct note_list *notes);

/* ---- bisect_state ---- */

/* The folder of trees and locks. Caller frees. */
char *bisect_cache_dir(const struct bisect_config *config, struct err *err);
/* Begins an experiment that can be gone on with; argv: of the command. */
int bisect_begin(struct bisect *bisect, int argc, char *const *argv, struct err *err);
/* ERR_INPUT with the first difference. */
int bisect_compare_candidates(const struct bisect *bisect, const struct candidate_list *now,
			      const struct candidate_list *then, struct err *err);
/* Finds the experiment to go on with or to look at: words has its number, or nothing. */
int bisect_find(struct bisect *bisect, const struct arg_list *words, bool is_unfinished,
		struct store_experiment *ret_experiment, struct err *err);
/* Into planned: the candidates, or settings, that it was begun with. */
int bisect_read_plan(struct bisect *bisect, const json_t *plan, struct err *err);
/* What belongs into the plan of this call. */
const struct candidate_list *bisect_planned(const struct bisect *bisect);
json_t *bisect_candidates_json(const struct candidate_list *list);
/* What of it is damaged is left out. */
void bisect_read_candidates(const json_t *array, struct candidate_list *list);
/* These take the place of what a source would have found. */
void bisect_use_plan(struct bisect *bisect);
/* NULL if there is none of that name. */
const struct candidate_ops *bisect_find_source(const char *name);
/* Tells the search all trials that the store has of it. */
int bisect_load(struct bisect *bisect, const json_t *plan, struct err *err);
/* One trial into the store. result: NULL where there is none, for event->text tells why. */
int bisect_store(struct bisect *bisect, const struct trial_event *event, struct result *result,
		 struct err *err);

/* ---- bisect_log ---- */

/* A log that was read from a file takes the place of config and store. */
int bisect_replay(struct bisect *bisect, struct trial_log *log, struct err *err);
/* One of three constants, or NULL for NULL. */
int bisect_check_direction(const char *text, const char **ret_direction, struct err *err);
/* The log with its options, for printing. */
void bisect_fill_log(struct bisect *bisect);

/* Facts of a candidate; none where there is only a log. */
void bisect_describe(const struct bisect *bisect, size_t position,
		     struct candidate_facts *ret_facts);
/* Of an answer that is a range so many are described, from the first one on. */
static inline size_t bisect_nr_described(const struct search_answer *answer)
{
	const size_t max = 5;
	size_t nr = answer->first_bad - answer->last_good;

	return nr < max ? nr : max;
}

/* What is bad for the metric, or asked for. */
enum finding bisect_direction(const struct bisect *bisect);
struct effect_rule bisect_rule(const struct bisect *bisect);

/* ---- bisect_report, bisect_json and bisect_view: of bisect_order ---- */

struct doc *bisect_report(struct bisect *bisect);
struct doc *bisect_visualise(struct bisect *bisect);
/* Schema regio.bisect. Caller frees. */
char *bisect_report_json(struct bisect *bisect);
enum verdict bisect_verdict(const struct bisect *whole);

/* Of ends between which no difference was seen: there is none as large as asked for, or as 5 %
 * where nothing was asked for; or that much cannot be excluded. */
enum verdict bisect_ends_verdict(const struct decision *ends);

/* ---- bisect_entered: what is said of merges that were entered; nothing where none was ---- */

void bisect_add_entered(const struct bisect *whole, struct doc *doc);
/* " inside 1a2b3c4d5e6f", "" for the whole. Caller frees. */
char *bisect_place(const struct bisect *line);

/* ---- what all quests have ---- */

/* Once the ends are compared; spread: of one run, as a share. */
void bisect_warn_noise(double spread);

void bisect_add_untestable(const struct bisect *bisect, struct doc *doc);
/* "; they took 12s, this call with all builds 20s" */
void bisect_add_times(const struct bisect *bisect, struct strbuf *text);
/* Of all trials. */
uint64_t bisect_elapsed_ms(const struct bisect *whole);
/* goes_on: options for going on, "" for none; NULL: it does not. */
void bisect_add_commands(const struct bisect *bisect, const char *goes_on, struct doc *doc);
/* Schema and version. */
json_t *bisect_begin_json(void);
/* What the runs of one side gave. */
json_t *bisect_side_json(const char *label, const double *values, size_t nr);
/* The members that every JSON form of a bisection ends with; takes the reference. */
char *bisect_finish_json(const struct bisect *bisect, json_t *root);

/* Of the answer, found or likely. */
struct bisect_effect {
	const struct decision *decision; /* confirmation, else of the ends */
	size_t good, bad;		 /* positions that were compared */
	double *values[2];		 /* of the pairs, good and bad */
	size_t nr_values[2];
};
void bisect_effect_init(struct bisect_effect *effect, const struct bisect *bisect,
			const struct search_answer *answer);
void bisect_effect_release(struct bisect_effect *effect);
CLEANUP_DEFINE(bisect_effect, struct bisect_effect, bisect_effect_release)

/* The probability that a position is the first bad one: of a range that is not told apart, its
 * share. */
void bisect_probabilities(const struct bisect *bisect, double *ret_of_position);
/* Runs of a position that count; the median is written if there are some. */
size_t bisect_median(const struct bisect *bisect, size_t position, double *ret_median);
double bisect_entropy(const struct search *search);

#endif
