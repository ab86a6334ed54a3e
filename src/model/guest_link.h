/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MODEL_GUEST_LINK_H
#define REGIO_MODEL_GUEST_LINK_H

/*
 * What the host (vm) and the program inside a guest (guest) both know: names of files in the
 * initramfs and the form of the plan. Both are of one build.
 */

/* The plan: guest/plan.h says what is in it. */
#define GUEST_PLAN_FILE "regio/plan.json"
#define GUEST_PLAN_SCHEMA "regio.guest"
#define GUEST_PLAN_VERSION 1

/*
 * For modprobe of the guest, one module a line: NAME, a tab, the modules to load in order, blanks
 * between (itself the last), a tab, its aliases.
 */
#define GUEST_MODULE_TABLE "regio/modules"
/* A static busybox, where there is to be a shell. */
#define GUEST_SHELL "bin/busybox"
#define GUEST_MODULE_FOLDER "m" /* NAME.ko */

/* On the kernel's command line, so in the environment of /init: where results go. */
#define GUEST_PORT_VARIABLE "REGIO_PORT"
#define GUEST_PORT "/dev/ttyS1"

#endif
