/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_VM_PROGRAMS_H
#define REGIO_VM_PROGRAMS_H

struct cpio;
struct err;

/*
 * Puts programs of this machine (mkfs.ext4 ..) and the shared libraries that they use into an
 * initramfs, each under its own path. names: blanks between, looked up in PATH and the sbin
 * folders, or whole paths; NULL = none.
 */
int programs_add(struct cpio *cpio, const char *names, struct err *err);

#endif
