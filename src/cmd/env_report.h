/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_ENV_REPORT_H
#define REGIO_CMD_ENV_REPORT_H

/* What differs between the environments of two sides, as every comparison shows it. */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct doc;
struct env_diff;
struct note_list;
struct side;

/* Release it. */
void env_report_diff(const struct side *base, const struct side *new, struct env_diff *ret_diff);

/* The same as a table with a heading; nothing where nothing differs. Number of rows. */
size_t env_report_add(struct doc *doc, const struct side *base, const struct side *new);

/* The differences of all new sides from the base, one object each. The caller owns the array. */
json_t *env_report_json(const struct side *base, const struct side *new, size_t nr_new);

/*
 * Warns of what differs beside what settings changed, and of what changed meanwhile. Samples that
 * no setting tells apart differ in what they are compared for, so there is nothing to warn of,
 * unless in an experiment of regio itself.
 */
void env_report_notes(struct note_list *notes, const struct side *base, const struct side *new,
		      bool is_experiment);

#endif
