/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_GUEST_STEPS_H
#define REGIO_GUEST_STEPS_H

#include "guest/report.h"

struct err;
struct guest_plan;

/* The steps of a script, one after the other: an event "step" for each, and "result" of a job.
 * Ends with the first that fails and may not. */
int steps_run(const struct guest_plan *plan, const struct report *report, struct err *err);

#endif
