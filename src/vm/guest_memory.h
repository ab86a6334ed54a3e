/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_VM_GUEST_MEMORY_H
#define REGIO_VM_GUEST_MEMORY_H

/* Whether a guest has memory enough: before it starts, and by what its console said. */

#include <stdbool.h>
#include <stddef.h>

struct err;

/*
 * Refuses less than kernel and initramfs fill, with which a guest hangs, writes over itself or
 * takes QEMU along, and more than this machine has.
 */
int guest_memory_check(const char *vmlinux, size_t initramfs_len, unsigned memory_mib,
		       struct err *err);

/* Where the kernel says that memory is out. NULL: it does not. */
const char *guest_memory_find_end(const char *console);

/* Whether what failed in a guest, with this errno, is a file of its stack for which its memory has
 * no room. */
bool guest_memory_is_full(const char *message, int error);

#endif
