/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MONITOR_VMSTAT_NAMES_H
#define REGIO_MONITOR_VMSTAT_NAMES_H

/* Private to src/monitor: /proc/vmstat mixes levels and counters without saying which is which. */

#include "monitor/scan.h"
#include "monitor/series.h"

enum series_kind vmstat_kind(const struct scan_word *name);

/* All lines "name value" of a text. */
void vmstat_note(struct series *series, struct scan text);

#endif
