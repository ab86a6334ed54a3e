/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_VM_TREE_H
#define REGIO_VM_TREE_H

#include <fts.h>
#include <stdint.h>

/* Whole folders. Entries come in the order of their names; links are not followed. NULL with errno
 * where it cannot be opened; close it with fts_close(). */
FTS *tree_open(const char *path);

/* Removes a folder and everything in it, as far as possible; a missing one is fine. */
void tree_remove(const char *path);

/* Bytes on disk of everything below. */
uint64_t tree_size_bytes(const char *path);

#endif
