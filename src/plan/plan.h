/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_PLAN_PLAN_H
#define REGIO_PLAN_PLAN_H

/*
 * A plan: one workload, the factors that are varied, and how the cells of the matrix are judged.
 * Read from YAML by plan_parse(), or from a job file of LKP by the same; read-only afterwards.
 * Every string lives in its arena. Texts of settings are K=V as on a command line.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "model/metric.h"

/* Keeps a matrix under years, and its expansion under a second. */
#define PLAN_MAX_POINTS 100000
#define PLAN_MAX_FACTORS 32
#define PLAN_MAX_VALUES 10000 /* of one factor */

enum plan_workload {
	PLAN_NOTHING,
	PLAN_JOB,     /* job files and options: words as of `regio run` */
	PLAN_COMMAND, /* an external command */
};

struct plan_texts VEC_BODY(const char *);

/* "queue.scheduler=bfq" */
struct plan_setting {
	const char *text;
	unsigned line;
};

struct plan_settings VEC_BODY(struct plan_setting);

/* "queue.scheduler: [none, bfq]". */
struct plan_factor {
	const char *key;   /* of the setting: "queue.scheduler", "job.bs", "stack.fs" */
	const char *name;  /* short form for people: "scheduler", "bs"; as written if ambiguous */
	const char *label; /* as written */
	unsigned line;
	struct plan_texts values;
	size_t nr_listed; /* of these stand under the factor; the others came by include */
};

struct plan_pick {
	size_t factor, value;
};

/* An entry of include or exclude, or the condition of when: values of some factors. */
struct plan_combination {
	struct plan_picks VEC_BODY(struct plan_pick) picks;
	unsigned line;
};

/* Settings that only some points have. */
struct plan_when {
	struct plan_combination match;
	struct plan_settings settings;
};

struct matrix_plan {
	struct arena arena;
	const char *source; /* file name */
	const char *name;   /* "" where it has none */
	enum plan_workload workload;
	struct plan_texts words; /* PLAN_JOB */
	const char *command;	 /* PLAN_COMMAND */
	uint64_t timeout_ns;	 /* of a command; 0 = none */
	const char *stack;	 /* text of --stack with {KEY}, or NULL */
	const char *target;	 /* of --on, or NULL */
	const char *time;	 /* of --time, or NULL */
	unsigned stack_line;
	struct plan_settings settings;
	struct plan_factors VEC_BODY(struct plan_factor) factors;
	struct plan_list VEC_BODY(struct plan_combination) include, exclude;
	struct plan_rules VEC_BODY(struct plan_when) when;

	/* How cells are judged. */
	size_t compared; /* factor whose values are the sides; SIZE_MAX = none */
	size_t baseline; /* its value that the others are compared with */
	unsigned repeats;
	bool has_repeats; /* said by the plan, as is .. */
	bool has_min_effect;
	bool is_sequential; /* repeats is then the most pairs of a cell */
	unsigned nr_warmups;
	const char *metric;   /* NULL = by the first result */
	enum polarity better; /* POLARITY_NONE = by the metric */
	double min_effect;
	double alpha;
	uint64_t budget_ns;	/* 0 = none */
	unsigned budget_trials; /* 0 = none */
	uint64_t trial_ns;	/* estimate of one trial; 0 = by the job */
	uint64_t seed;		/* 0 = drawn */
};

#define PLAN_DEFAULTS                                                                              \
	{                                                                                          \
		.name = "", .compared = SIZE_MAX, .repeats = 8, .nr_warmups = 1,                   \
		.min_effect = 0.05, .alpha = 0.05                                                  \
	}

void matrix_plan_release(struct matrix_plan *plan);

static inline bool plan_is_compared(const struct matrix_plan *plan)
{
	return plan->compared != SIZE_MAX;
}

#endif
