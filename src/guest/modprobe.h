/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_GUEST_MODPROBE_H
#define REGIO_GUEST_MODPROBE_H

/*
 * /sbin/modprobe of a guest: the kernel and stacks load modules by name or alias, as everywhere.
 * The host has written what each needs into MODPROBE_TABLE, one module a line:
 * NAME, a tab, the modules to load in order, blanks between (itself the last), a tab, its aliases.
 */
#define MODPROBE_TABLE "/regio/modules"

/* Words as given to modprobe(8): options are ignored. Exit status. */
int modprobe_main(int argc, char **argv);

#endif
