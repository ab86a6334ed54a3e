/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_IMPORT_FORMS_H
#define REGIO_IMPORT_FORMS_H

/*
 * A program may print one run in several forms, as fio does with --output-format=normal,json or
 * as a client does before its JSON: such a run must count once.
 */

#include <stdbool.h>

struct result;

/*
 * True if two results that stand side by side in a text, and were read by different importers,
 * are one run: the same jobs with the same numbers, within the digits printed.
 */
bool forms_is_same_run(const struct result *a, const struct result *b);

/* True if what announces a run, without numbers, announces this one. */
bool forms_announces(const struct result *announced, const struct result *result);

/* True if a says more than b. */
bool forms_is_richer(const struct result *a, const struct result *b);

#endif
