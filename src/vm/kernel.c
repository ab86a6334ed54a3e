/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel: the cache of unpacked kernels. */
#include "vm/kernel.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "vm/kernel_image.h"
#include "vm/kernel_source.h"
#include "vm/module_index.h"
#include "vm/tree.h"

#define MAX_IMAGE_BYTES (1UL << 30)
#define UNFINISHED ".part" /* a folder that is being filled under the lock */
#define HASH_LEN 32

void kernel_release(struct kernel *kernel)
{
	free(kernel->vmlinux);
	free(kernel->modules);
	free(kernel->release);
	free(kernel->build_id);
	free(kernel->hash);
	*kernel = (struct kernel){ .vmlinux = NULL };
}

int kernel_cache_folder(char **ret_folder, struct err *err)
{
	*ret_folder = file_cache_folder("kernels");
	if (!*ret_folder)
		return err_set(err, ERR_USAGE,
			       "no folder for unpacked kernels: set XDG_CACHE_HOME or HOME");
	return 0;
}

/* One lock for the whole cache: unpacking is rare, and shrinking must not meet it. */
static int lock_cache(const char *cache, int *ret_fd, struct err *err)
{
	CLEANUP(free) char *path = xasprintf("%s/lock", cache);
	CLEANUP(fd) int fd = -1;
	int ret = file_make_dirs(cache, 0755, err);

	if (ret < 0)
		return ret;
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0)
		return err_set_errno(err, "%s", path);
	while (flock(fd, LOCK_EX) != 0) {
		if (errno != EINTR)
			return err_set_errno(err, "lock %s", path);
	}
	*ret_fd = fd_take(&fd);
	return 0;
}

static int write_vmlinux(const struct kernel_source *source, const char *folder, struct err *err)
{
	CLEANUP(strbuf) struct strbuf content = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf kernel = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf info = STRBUF_INIT;
	CLEANUP(free) char *vmlinux = xasprintf("%s/vmlinux", folder);
	CLEANUP(free) char *info_path = xasprintf("%s/info", folder);
	int ret = file_read(source->image, MAX_IMAGE_BYTES, &content, err);

	if (ret == 0)
		ret = kernel_image_unpack(strbuf_str(&content), content.len, source->image, &kernel,
					  err);
	if (ret == 0)
		ret = file_write_atomic(vmlinux, kernel.buf, kernel.len, 0644, err);
	if (ret < 0)
		return ret;
	(void)kernel_image_release(kernel.buf, kernel.len, &info);
	strbuf_add_char(&info, '\n');
	(void)kernel_image_build_id(kernel.buf, kernel.len, &info);
	strbuf_printf(&info, "\n%s\n",
		      source->origin	? source->origin
		      : source->package ? source->package
					: source->image);
	return file_write_atomic(info_path, info.buf, info.len, 0644, err);
}

static int fill(struct kernel_source *source, const char *folder, struct err *err)
{
	CLEANUP(free) char *tree = xasprintf("%s/tree", folder);
	CLEANUP(free) char *modules = xasprintf("%s/modules", folder);
	CLEANUP(free) char *none = xasprintf("%s/no-modules", folder);
	int ret = file_make_dirs(tree, 0755, err);

	if (ret == 0)
		ret = file_make_dirs(none, 0755, err);
	if (ret == 0)
		ret = kernel_source_unpack(source, tree, err);
	if (ret == 0)
		ret = write_vmlinux(source, folder, err);
	if (ret == 0)
		ret = module_index_build(source->modules ? source->modules : none, modules, err);
	tree_remove(tree);
	tree_remove(none);
	return ret;
}

static void dir_release(DIR **dir)
{
	if (*dir)
		(void)closedir(*dir);
}

CLEANUP_DEFINE(dir, DIR *, dir_release)

/* Under the lock: what killed processes left. */
static void remove_unfinished(const char *cache)
{
	CLEANUP(dir) DIR *dir = opendir(cache);
	const struct dirent *entry;

	while (dir && (entry = readdir(dir)) != NULL) {
		CLEANUP(free) char *folder = xasprintf("%s/%s", cache, entry->d_name);
		const char *end = strstr(entry->d_name, UNFINISHED);

		if (end && strlen(end) == strlen(UNFINISHED))
			tree_remove(folder);
	}
}

/* Under the lock. */
static int fill_cache(struct kernel_source *source, const char *cache, const char *folder,
		      struct err *err)
{
	CLEANUP(free) char *unfinished = xasprintf("%s" UNFINISHED, folder);
	int ret;

	remove_unfinished(cache);
	ret = fill(source, unfinished, err);
	if (ret == 0 && rename(unfinished, folder) != 0)
		ret = err_set_errno(err, "rename %s", unfinished);
	if (ret < 0)
		tree_remove(unfinished);
	return ret;
}

/* The three lines of the info file. */
static int read_info(const char *folder, char *ret_lines[3], struct err *err)
{
	CLEANUP(free) char *path = xasprintf("%s/info", folder);
	CLEANUP(strbuf) struct strbuf content = STRBUF_INIT;
	int ret = file_read(path, 1U << 20, &content, err);
	char *rest = content.buf;

	if (ret < 0)
		return ret;
	for (int i = 0; i < 3; i++) {
		const char *line = rest ? strsep(&rest, "\n") : "";

		ret_lines[i] = xstrdup(line ? line : "");
	}
	return 0;
}

static int describe(const char *folder, const char *hash, struct kernel *kernel, struct err *err)
{
	char *lines[3];
	int ret = read_info(folder, lines, err);

	if (ret < 0)
		return ret;
	free(lines[2]);
	*kernel = (struct kernel){
		.vmlinux = xasprintf("%s/vmlinux", folder),
		.modules = xasprintf("%s/modules", folder),
		.release = lines[0],
		.build_id = lines[1],
		.hash = xstrdup(hash),
	};
	(void)utimensat(AT_FDCWD, folder, NULL, 0); /* the time of the last use */
	return 0;
}

/* ---- the whole cache ---- */

static bool is_hash(const char *name)
{
	return strlen(name) == HASH_LEN && strspn(name, "0123456789abcdef") == HASH_LEN;
}

static int compare_use(const void *a, const void *b)
{
	const struct kernel_cached *left = a;
	const struct kernel_cached *right = b;

	return (left->used_at_unix_s < right->used_at_unix_s) -
	       (left->used_at_unix_s > right->used_at_unix_s);
}

static void list_one(const char *cache, const char *hash, struct kernel_cache *list)
{
	CLEANUP(free) char *folder = xasprintf("%s/%s", cache, hash);
	char *lines[3] = { NULL };
	struct stat info;

	if (stat(folder, &info) != 0 || read_info(folder, lines, NULL) < 0)
		return;
	free(lines[1]);
	vec_push(&list->items, (struct kernel_cached){
				       .hash = xstrdup(hash),
				       .release = lines[0],
				       .source = lines[2],
				       .size_bytes = tree_size_bytes(folder),
				       .used_at_unix_s = info.st_mtim.tv_sec,
			       });
	list->size_bytes += vec_last(&list->items)->size_bytes;
}

int kernel_cache_list(const char *cache, struct kernel_cache *ret_list, struct err *err)
{
	CLEANUP(free) char *usual = NULL;
	CLEANUP(dir) DIR *dir = NULL;
	const struct dirent *entry;

	*ret_list = (struct kernel_cache){ .size_bytes = 0 };
	if (!cache) {
		int ret = kernel_cache_folder(&usual, err);

		if (ret < 0)
			return ret;
		cache = usual;
	}
	dir = opendir(cache);
	if (!dir)
		return errno == ENOENT ? 0 : err_set_errno(err, "%s", cache);
	while ((entry = readdir(dir)) != NULL) {
		if (is_hash(entry->d_name))
			list_one(cache, entry->d_name, ret_list);
	}
	if (ret_list->items.nr)
		qsort(ret_list->items.items, ret_list->items.nr, sizeof(*ret_list->items.items),
		      compare_use);
	return 0;
}

void kernel_cache_release(struct kernel_cache *list)
{
	VEC_FOREACH (&list->items, item) {
		free(item->hash);
		free(item->release);
		free(item->source);
	}
	vec_release(&list->items);
	list->size_bytes = 0;
}

/* Under the lock. Number removed, or -code. nr_kept: so many of the latest stay in any case. */
static int shrink_locked(const char *cache, uint64_t max_bytes, size_t nr_kept, struct err *err)
{
	CLEANUP(kernel_cache) struct kernel_cache list = { .size_bytes = 0 };
	int ret = kernel_cache_list(cache, &list, err);
	int nr_removed = 0;

	while (ret == 0 && list.items.nr > nr_kept && list.size_bytes > max_bytes) {
		struct kernel_cached oldest = vec_pop(&list.items);
		CLEANUP(free) char *folder = xasprintf("%s/%s", cache, oldest.hash);

		tree_remove(folder);
		list.size_bytes -= oldest.size_bytes;
		nr_removed++;
		free(oldest.hash);
		free(oldest.release);
		free(oldest.source);
	}
	return ret < 0 ? ret : nr_removed;
}

int kernel_cache_shrink(const char *cache, uint64_t max_bytes, struct err *err)
{
	CLEANUP(free) char *usual = NULL;
	CLEANUP(fd) int lock = -1;
	int ret = cache ? 0 : kernel_cache_folder(&usual, err);

	if (ret < 0)
		return ret;
	cache = cache ? cache : usual;
	if (!file_exists(cache))
		return 0;
	ret = lock_cache(cache, &lock, err);
	if (ret < 0)
		return ret;
	remove_unfinished(cache);
	return shrink_locked(cache, max_bytes, 0, err);
}

/* ---- opening ---- */

/* Under the lock, after a kernel came in, which stays. */
static int keep_limit(const char *cache, struct err *err)
{
	const char *text = getenv(KERNEL_CACHE_MAX_VARIABLE);
	uint64_t max_bytes = KERNEL_CACHE_MAX_BYTES;
	int ret;

	if (text && *text && units_parse_size(text, 1024, &max_bytes, NULL) < 0)
		return err_set(err, ERR_USAGE,
			       KERNEL_CACHE_MAX_VARIABLE ": '%s' is no size such as 8G", text);
	ret = shrink_locked(cache, max_bytes, 1, err);
	return ret < 0 ? ret : 0;
}

/* Unpacks what was found unless the cache holds it. */
static int open_source(struct kernel_source *source, const char *cache, struct kernel *ret_kernel,
		       struct err *err)
{
	CLEANUP(free) char *folder = xasprintf("%s/%s", cache, source->hash);
	CLEANUP(fd) int lock = -1;
	int ret = 0;

	if (!file_exists(folder)) {
		ret = lock_cache(cache, &lock, err);
		if (ret == 0 && !file_exists(folder))
			ret = fill_cache(source, cache, folder, err);
		if (ret == 0)
			ret = keep_limit(cache, err);
		if (ret < 0)
			return ret;
	}
	return describe(folder, source->hash, ret_kernel, err);
}

/* "6.1" and "6.1.0-47-amd64", not "6.12". */
static bool is_release(const char *release, const char *wanted)
{
	size_t len = strlen(wanted);

	return !strncmp(release, wanted, len) && (!release[len] || strchr(".-+~", release[len]));
}

/* The newest of the cache with that release. */
static int open_release(const char *wanted, const char *cache, struct kernel *ret_kernel,
			struct err *err)
{
	CLEANUP(kernel_cache) struct kernel_cache list = { .size_bytes = 0 };
	CLEANUP(free) char *folder = NULL;
	const struct kernel_cached *best = NULL;
	int ret = kernel_cache_list(cache, &list, err);

	if (ret < 0)
		return ret;
	VEC_FOREACH (&list.items, item) {
		if (is_release(item->release, wanted) &&
		    (!best || strverscmp(item->release, best->release) > 0))
			best = item;
	}
	if (!best)
		return err_set(err, ERR_SYSTEM,
			       "kernel %s: there is no such file, and no kernel of that release is "
			       "unpacked ('regio vm fetch --unpack' gets one)",
			       wanted);
	folder = xasprintf("%s/%s", cache, best->hash);
	return describe(folder, best->hash, ret_kernel, err);
}

bool kernel_is_release(const char *path)
{
	return *path >= '0' && *path <= '9' && !strchr(path, '/') && !file_exists(path);
}

int kernel_open(const char *path, const char *cache, struct kernel *ret_kernel, struct err *err)
{
	CLEANUP(kernel_source) struct kernel_source source = { .package = NULL };
	CLEANUP(free) char *usual = NULL;
	int ret = cache ? 0 : kernel_cache_folder(&usual, err);

	if (ret < 0)
		return ret;
	cache = cache ? cache : usual;
	if (kernel_is_release(path))
		return open_release(path, cache, ret_kernel, err);
	ret = kernel_source_find(path, &source, err);
	return ret < 0 ? ret : open_source(&source, cache, ret_kernel, err);
}

int kernel_open_from(const char *path, const char *origin, struct kernel *ret_kernel,
		     struct err *err)
{
	CLEANUP(kernel_source) struct kernel_source source = { .package = NULL };
	CLEANUP(free) char *cache = NULL;
	int ret = kernel_cache_folder(&cache, err);

	if (ret == 0)
		ret = kernel_source_find(path, &source, err);
	if (ret < 0)
		return ret;
	source.origin = origin;
	return open_source(&source, cache, ret_kernel, err);
}
