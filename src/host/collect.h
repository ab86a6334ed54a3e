/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_HOST_COLLECT_H
#define REGIO_HOST_COLLECT_H

struct device_list;
struct result;

/*
 * Fills result->env: kernel.release, kernel.version, cpu.model, cpu.nr, memory.total_bytes,
 * clocksource, and per device disk.NAME.queue.* as read back now. What cannot be read is absent.
 */
void collect_env(struct result *result, const struct device_list *devices, const char *sys_root);

#endif
