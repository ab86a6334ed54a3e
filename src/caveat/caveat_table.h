/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CAVEAT_CAVEAT_TABLE_H
#define REGIO_CAVEAT_CAVEAT_TABLE_H

/* The rows of caveat.c, each in its own file. */

struct caveat;

extern const struct caveat caveat_cpu_steal;
extern const struct caveat caveat_discard;
extern const struct caveat caveat_few_ios;
extern const struct caveat caveat_filesystem_full;
extern const struct caveat caveat_governor;
extern const struct caveat caveat_monitor_cost;
extern const struct caveat caveat_odd_device;
extern const struct caveat caveat_other_io;
extern const struct caveat caveat_page_cache;
extern const struct caveat caveat_shared_device;
extern const struct caveat caveat_small_region;
extern const struct caveat caveat_swap;
extern const struct caveat caveat_throttled;
extern const struct caveat caveat_unsteady;
extern const struct caveat caveat_unwatched;
extern const struct caveat caveat_writes_in_memory;

#endif
