/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_VM_TREE_H
#define REGIO_VM_TREE_H

#include <stdint.h>

/* Removes a folder and everything in it, as far as possible; a missing one is fine. */
void tree_remove(const char *path);

/* Bytes on disk of everything below. */
uint64_t tree_size_bytes(const char *path);

#endif
