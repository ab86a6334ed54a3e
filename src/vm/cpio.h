/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_VM_CPIO_H
#define REGIO_VM_CPIO_H

/*
 * An initramfs in the kernel's "newc" form (Documentation/driver-api/early-userspace/
 * buffer-format.rst). Inode numbers count up and times are zero: equal input, equal bytes.
 */

#include <stddef.h>
#include <sys/types.h>

#include "base/strbuf.h"

struct cpio {
	struct strbuf data;
	unsigned nr_entries;
};

#define CPIO_INIT ((struct cpio){ .data = STRBUF_INIT })

/* Names without leading slash. A folder must be added before what is in it: the kernel drops an
 * entry whose folder is missing without a word. */
void cpio_add_folder(struct cpio *cpio, const char *name);
void cpio_add_file(struct cpio *cpio, const char *name, mode_t permissions, const void *data,
		   size_t len);
void cpio_add_char_device(struct cpio *cpio, const char *name, mode_t permissions, unsigned major,
			  unsigned minor);
void cpio_add_link(struct cpio *cpio, const char *name, const char *target);
/* Once, at the end. */
void cpio_finish(struct cpio *cpio);

#endif
