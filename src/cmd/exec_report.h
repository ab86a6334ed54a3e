/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_EXEC_REPORT_H
#define REGIO_CMD_EXEC_REPORT_H

#include <stdio.h>

struct err;
struct result;

/* For people: what the command printed, then the numbers that were read out of it or measured. */
int exec_report(const struct result *result, FILE *to, struct err *err);

#endif
