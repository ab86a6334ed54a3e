/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MONITOR_REPORT_H
#define REGIO_MONITOR_REPORT_H

/* Private to src/monitor: how metrics get into a result. */

#include <stdint.h>

struct result;

/* Nothing is added for a value that is not finite. Odd characters of a name become '_'. */
__attribute__((format(printf, 3, 4))) void monitor_report(struct result *result, double value,
							  const char *format, ...);

/* NAME = delta and NAME_per_sec = delta over the time; none of both for no time. */
__attribute__((format(printf, 4, 5))) void monitor_report_count(struct result *result,
								uint64_t delta, uint64_t elapsed_ns,
								const char *format, ...);

#endif
