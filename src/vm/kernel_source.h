/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_VM_KERNEL_SOURCE_H
#define REGIO_VM_KERNEL_SOURCE_H

/* What a path that is called a kernel holds: kernel_open()'s first step. */

#include <stdbool.h>

#include "base/cleanup.h"

struct err;

struct kernel_source {
	char *package;	    /* a .deb, and nothing else; or .. */
	char *image;	    /* .. bzImage or vmlinux */
	char *modules;	    /* folder below which its modules are; NULL = none */
	char *hash;	    /* of all that */
	const char *origin; /* what to call it in the cache; borrowed, NULL = by its path */
};

int kernel_source_find(const char *path, struct kernel_source *ret_source, struct err *err);
void kernel_source_release(struct kernel_source *source);
CLEANUP_DEFINE(kernel_source, struct kernel_source, kernel_source_release)

/* Unpacks a package below folder; then image and modules of the source are there. */
int kernel_source_unpack(struct kernel_source *source, const char *folder, struct err *err);

#endif
