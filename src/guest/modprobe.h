/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_GUEST_MODPROBE_H
#define REGIO_GUEST_MODPROBE_H

/* /sbin/modprobe of a guest: the kernel and stacks load modules by name or alias, as everywhere.
 * What each needs stands in GUEST_MODULE_TABLE (model/guest_link.h). */

struct err;

/* Loads it after what it needs; one that is loaded already is success. */
int modprobe_load(const char *name, const char *params, struct err *err);

/* Words as given to modprobe(8): options are ignored. Exit status. */
int modprobe_main(int argc, char **argv);

#endif
