/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_HOST_COLLECT_H
#define REGIO_HOST_COLLECT_H

struct device_list;
struct result;

/*
 * Fills result->env: kernel.release, kernel.version, kernel.machine, cpu.model, cpu.nr (online),
 * memory.total_bytes, clocksource, and for each device disk.NAME.size_bytes, .model, .queue.* and
 * .iosched.* as read back now. What cannot be read is absent.
 */
void collect_env(struct result *result, const struct device_list *devices, const char *sys_root);

#endif
