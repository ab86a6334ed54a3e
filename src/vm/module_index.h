/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_VM_MODULE_INDEX_H
#define REGIO_VM_MODULE_INDEX_H

/*
 * The modules of one kernel and the order in which some of them load. A Debian kernel package has
 * no modules.dep (depmod makes it at installation), so the modules themselves are asked.
 */

#include <stddef.h>

#include "base/cleanup.h"
#include "base/vec.h"

struct err;

struct module_entry {
	const char *name;     /* "dm_mod" */
	const char *path;     /* of the unpacked file */
	const char *depends;  /* names, blanks between */
	const char *softdeps; /* names or aliases */
	const char *aliases;
};

struct module_index {
	struct arena arena;
	struct VEC_BODY(struct module_entry) entries; /* by name */
	struct VEC_BODY(const char *) builtin;	      /* names of modules inside the kernel */
};

/*
 * Unpacks every module below `from` to `to` as NAME.ko and writes to/index and to/builtin (from
 * the modules.builtin of the kernel). A kernel without modules gives an empty index.
 */
int module_index_build(const char *from, const char *to, struct err *err);

int module_index_load(const char *folder, struct module_index *ret_index, struct err *err);
void module_index_release(struct module_index *index);
CLEANUP_DEFINE(module_index, struct module_index, module_index_release)

struct module_order VEC_BODY(const struct module_entry *);

/*
 * Appends the module and before it what it needs, each once; nothing where it is built in.
 * -ERR_UNSUPPORTED when this kernel has no such module, or none that it depends on.
 */
int module_order_add(const struct module_index *index, const char *name, struct module_order *order,
		     struct err *err);

#endif
