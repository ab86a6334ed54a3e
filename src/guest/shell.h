/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_GUEST_SHELL_H
#define REGIO_GUEST_SHELL_H

struct err;
struct guest_plan;

/* Builds the stack of the plan, if any, and runs a shell on the console until it ends. */
int shell_run(const struct guest_plan *plan, struct err *err);

#endif
