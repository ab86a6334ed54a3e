/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_UNIT_CAVEAT_PLANTED_H
#define REGIO_TESTS_UNIT_CAVEAT_PLANTED_H

/*
 * A result about which there is nothing to say: ten seconds of random reads by one job on sda of a
 * quiet machine, watched by the default monitors. Tests change one thing and ask all caveats.
 */

#include <stdbool.h>
#include <stddef.h>

#include "model/result.h"

void planted_result(struct result *ret_result);
/* The same machine watched for two seconds without a job. */
void planted_idle(struct result *ret_result);

/* What a monitor saw, in place of what it saw before. NAN: it saw nothing. */
void plant_seen(struct result *result, const char *metric, double value);
void plant_fact(struct result *result, const char *key, const char *value);

/* Asks all caveats; the only note is of that kind and its text has that part. */
void assert_only_note(struct result *result, enum note_id id, const char *part);
void assert_silent(struct result *result);

#endif
