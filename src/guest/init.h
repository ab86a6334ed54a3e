/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_GUEST_INIT_H
#define REGIO_GUEST_INIT_H

/* What a guest needs before and after its work when it is process 1 of a machine of its own. */

struct err;

/* Mounts /proc, /sys, /dev and a tmpfs on /tmp. */
int init_mount_needed(struct err *err);
/* Mounts debugfs, tracefs and configfs as far as the kernel has them, after modules were loaded. */
void init_mount_optional(void);

/* The port for results; the kernel creates it a moment after /init starts. Descriptor or -code. */
int init_open_port(const char *path, struct err *err);

/*
 * Waits, in guest time, until measuring makes sense: the final clock source is in use (before
 * that timers have the resolution of a tick) and the CPU was idle for nine tenths of 100 ms.
 */
int init_settle(struct err *err);

/* Ends the machine. Does not return. */
void init_power_off(void) __attribute__((noreturn));

#endif
