/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MONITOR_MONITOR_TABLE_H
#define REGIO_MONITOR_MONITOR_TABLE_H

/* Private to src/monitor: the records that the table in monitor.c lists. */

struct monitor_ops;

extern const struct monitor_ops monitor_cpu;
extern const struct monitor_ops monitor_disk;
extern const struct monitor_ops monitor_filesystem;
extern const struct monitor_ops monitor_frequency;
extern const struct monitor_ops monitor_idle;
extern const struct monitor_ops monitor_interrupts;
extern const struct monitor_ops monitor_meminfo;
extern const struct monitor_ops monitor_numa;
extern const struct monitor_ops monitor_order;
extern const struct monitor_ops monitor_perf_record;
extern const struct monitor_ops monitor_perf_stat;
extern const struct monitor_ops monitor_pressure;
extern const struct monitor_ops monitor_proc_vmstat;
extern const struct monitor_ops monitor_process;
extern const struct monitor_ops monitor_sched_debug;
extern const struct monitor_ops monitor_schedstat;
extern const struct monitor_ops monitor_slabinfo;
extern const struct monitor_ops monitor_softirqs;
extern const struct monitor_ops monitor_thermal;
extern const struct monitor_ops monitor_vmstat;

#endif
