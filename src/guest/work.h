/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_GUEST_WORK_H
#define REGIO_GUEST_WORK_H

#include "guest/report.h"

struct err;
struct guest_plan;

/* Loads the modules, waits for a quiet machine, runs warm-ups and the trial and reports it. */
int work_run(const struct guest_plan *plan, const struct report *report, struct err *err);

#endif
