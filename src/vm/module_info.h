/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_VM_MODULE_INFO_H
#define REGIO_VM_MODULE_INFO_H

/* What a kernel module says about itself in its .modinfo section. */

#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"
#include "base/strbuf.h"

struct module_info {
	struct strbuf depends;	/* names of modules, blanks between, '-' written as '_' */
	struct strbuf softdeps; /* "softdep=pre:", names or aliases, likewise */
	struct strbuf aliases;
};

/* Release it also after false: the file is no module. */
bool module_info_read(const void *data, size_t len, struct module_info *info);
void module_info_release(struct module_info *info);
CLEANUP_DEFINE(module_info, struct module_info, module_info_release)

/* The module name of a file ("dm_mod" of ".../dm-mod.ko.xz"), appended; false if it is none. */
bool module_name_of(const char *path, struct strbuf *out);

#endif
