/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_VM_KERNEL_H
#define REGIO_VM_KERNEL_H

/*
 * A kernel that a guest can boot, from what the user has: a Debian linux-image package (never
 * installed), its unpacked tree, a build tree, or a bzImage or vmlinux, whose modules are those of
 * /lib/modules/RELEASE where there are such. Unpacked once and kept by the hash of its content.
 */

#include "base/cleanup.h"
#include "base/vec.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct err;

struct kernel {
	char *vmlinux;	/* path of the ELF file */
	char *modules;	/* folder of module_index_load() */
	char *release;	/* "6.1.0-47-amd64", "" if it does not say */
	char *build_id; /* GNU build id in hex, "" if it has none */
	char *hash;	/* name in the cache */
};

void kernel_release(struct kernel *kernel);
CLEANUP_DEFINE(kernel, struct kernel, kernel_release)

/*
 * path may also be a release that the cache holds, whole or its beginning: "6.1" is the newest of
 * 6.1.0-47-amd64 and its like. Unpacks it unless the cache holds it. cache is the folder of the
 * cache, NULL = default. Several processes may ask for one kernel at once; one of them works, the
 * others wait. Unpacking removes what was not used for longest beyond KERNEL_CACHE_MAX_BYTES.
 */
#define KERNEL_CACHE_MAX_VARIABLE "REGIO_KERNEL_CACHE_MAX" /* of the environment: another limit */
#define KERNEL_CACHE_MAX_BYTES (UINT64_C(8) << 30)	   /* about 50 kernels */
int kernel_open(const char *path, const char *cache, struct kernel *ret_kernel, struct err *err);

/* A file that does not stay: the cache says that the kernel is from `origin`. */
int kernel_open_from(const char *path, const char *origin, struct kernel *ret_kernel,
		     struct err *err);

/* Whether kernel_open takes it for a release: it begins with a digit, and is no file. */
bool kernel_is_release(const char *path);

/* $XDG_CACHE_HOME/regio/kernels, else ~/.cache/regio/kernels. Caller frees. */
int kernel_cache_folder(char **ret_folder, struct err *err);

struct kernel_cached {
	char *hash, *release, *source;
	uint64_t size_bytes;
	int64_t used_at_unix_s;
};

struct kernel_cache {
	struct VEC_BODY(struct kernel_cached) items; /* latest use first */
	uint64_t size_bytes;
};

int kernel_cache_list(const char *cache, struct kernel_cache *ret_list, struct err *err);
void kernel_cache_release(struct kernel_cache *list);
CLEANUP_DEFINE(kernel_cache, struct kernel_cache, kernel_cache_release)

/* Removes what was not used for longest until the rest fits. Number removed, or -code. */
int kernel_cache_shrink(const char *cache, uint64_t max_bytes, struct err *err);

#endif
