/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_PLAN_PLAN_READ_H
#define REGIO_PLAN_PLAN_READ_H

/* Private to src/plan: what both languages of plans share. */

#include <stdbool.h>
#include <stdint.h>

#include "plan/plan.h"

struct err;
struct yaml_node;

struct plan_reader {
	struct matrix_plan *plan;
	const char *folder; /* of the file, with its slash; "" for the current one */
	struct err *err;
};

/* "file:line: " and the message. Returns -ERR_INPUT. */
int plan_refuse(const struct plan_reader *reader, unsigned line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The same before a message that another folder wrote. */
int plan_blame(const struct plan_reader *reader, unsigned line);

/* The text of a value; anything else is refused under the name of its key. */
int plan_text(const struct plan_reader *reader, const char *key, const struct yaml_node *node,
	      const char **ret_text);
int plan_unsigned(const struct plan_reader *reader, const char *key, const struct yaml_node *node,
		  unsigned *ret_value);
int plan_duration(const struct plan_reader *reader, const char *key, const struct yaml_node *node,
		  uint64_t *ret_ns);

/*
 * The whole key of a setting: as it is with a namespace in front, by the names that people use
 * (fs, scheduler), else of the job. In the arena.
 */
const char *plan_setting_key(struct matrix_plan *plan, const char *key);

/* Appends a factor with one value or a list of them. */
int plan_add_factor(const struct plan_reader *reader, const char *key, unsigned line,
		    const struct yaml_node *values);
/* Adds a text to the factor's values unless it is there; its index. */
size_t plan_factor_value(struct plan_factor *factor, const char *text);
/* By the name as written, the whole key or the short name; SIZE_MAX if there is none. */
size_t plan_find_factor(const struct matrix_plan *plan, const char *name);

/* Settings "K=V" out of a mapping or a list of texts. */
int plan_read_settings(const struct plan_reader *reader, const char *key,
		       const struct yaml_node *node, struct plan_settings *into);

/* The path of a file that the plan names. In the arena. */
const char *plan_path(const struct plan_reader *reader, const char *path);

/* Whether the documents are a job file of LKP, and what it means here. */
bool plan_lkp_is_job(const struct yaml_node *document);
int plan_lkp_read(const struct plan_reader *reader, const struct yaml_node *documents, size_t nr);

#endif
