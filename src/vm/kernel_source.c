/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel_source: packages, trees and images: where the kernel and its modules are. */
#include "vm/kernel_source.h"

#include <errno.h>
#include <glob.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "vm/kernel_image.h"
#include "vm/tree.h"
#include "vm/unpack.h"

#define READ_BYTES (1UL << 20)
#define MAX_IMAGE_BYTES (1UL << 30)
#define UNPACKED_FORM "2" /* changes with what is unpacked, so that older ones are not found */
#define PACKAGE_MAGIC "!<arch>\n"

void kernel_source_release(struct kernel_source *source)
{
	free(source->package);
	free(source->image);
	free(source->modules);
	free(source->hash);
	*source = (struct kernel_source){ .package = NULL };
}

/* ---- hash ---- */

static void hash_state_release(XXH3_state_t **state)
{
	(void)XXH3_freeState(*state);
}

CLEANUP_DEFINE(hash_state, XXH3_state_t *, hash_state_release)

static int hash_file(XXH3_state_t *state, const char *path, struct err *err)
{
	CLEANUP(file) FILE *file = fopen(path, "re");
	CLEANUP(free) char *block = xmalloc(READ_BYTES);
	size_t got;

	if (!file)
		return err_set_errno(err, "%s", path);
	while ((got = fread(block, 1, READ_BYTES, file)) > 0)
		(void)XXH3_128bits_update(state, block, got);
	return ferror(file) ? err_set_errno(err, "read %s", path) : 0;
}

/* Names, sizes and times: reading hundreds of MB of modules each time would take seconds. */
static void hash_folder(XXH3_state_t *state, const char *path)
{
	FTS *tree = tree_open(path);
	const FTSENT *entry;

	while (tree && (entry = fts_read(tree)) != NULL) {
		if (entry->fts_info != FTS_F)
			continue;
		(void)XXH3_128bits_update(state, entry->fts_path, entry->fts_pathlen);
		(void)XXH3_128bits_update(state, &entry->fts_statp->st_size, sizeof(off_t));
		(void)XXH3_128bits_update(state, &entry->fts_statp->st_mtim,
					  sizeof(struct timespec));
	}
	if (tree)
		(void)fts_close(tree);
}

static int set_hash(struct kernel_source *source, struct err *err)
{
	CLEANUP(hash_state) XXH3_state_t *state = XXH3_createState();
	XXH128_hash_t hash;
	int ret;

	if (!state)
		out_of_memory(0);
	(void)XXH3_128bits_reset(state);
	(void)XXH3_128bits_update(state, UNPACKED_FORM, sizeof(UNPACKED_FORM));
	ret = hash_file(state, source->package ? source->package : source->image, err);
	if (ret < 0)
		return ret;
	if (source->modules)
		hash_folder(state, source->modules);
	hash = XXH3_128bits_digest(state);
	source->hash = xasprintf("%016llx%016llx", (unsigned long long)hash.high64,
				 (unsigned long long)hash.low64);
	return 0;
}

/* ---- finding ---- */

/* The one file of that pattern; NULL if there is none, an error if there are several. */
static int find_one(const char *folder, const char *pattern, char **ret_path, struct err *err)
{
	CLEANUP(free) char *full = xasprintf("%s/%s", folder, pattern);
	glob_t found;
	int ret = 0;

	*ret_path = NULL;
	if (glob(full, 0, NULL, &found) != 0)
		return 0;
	if (found.gl_pathc == 1)
		*ret_path = xstrdup(found.gl_pathv[0]);
	else
		ret = err_set(err, ERR_USAGE, "%s: several kernels in it: %s and %s", folder,
			      found.gl_pathv[0], found.gl_pathv[1]);
	globfree(&found);
	return ret;
}

static const struct {
	const char *image, *modules; /* patterns */
} tree_rows[] = {
	{ "boot/vmlinuz*", "lib/modules/*" },	  /* an unpacked package */
	{ "boot/vmlinuz*", "usr/lib/modules/*" }, /* with merged /usr */
	{ "arch/x86/boot/bzImage", "." },	  /* where the kernel was built */
	{ "bzImage", "lib/modules/*" },
	{ "vmlinux", "lib/modules/*" },
	{ "vmlinuz*", "." },
	{ "vmlinux", "." },
};

static int find_in_tree(const char *path, struct kernel_source *source, struct err *err)
{
	for (size_t i = 0; i < sizeof(tree_rows) / sizeof(tree_rows[0]); i++) {
		CLEANUP(free) char *image = NULL;
		CLEANUP(free) char *modules = NULL;
		int ret = find_one(path, tree_rows[i].image, &image, err);

		if (ret < 0)
			return ret;
		if (!image)
			continue;
		ret = find_one(path, tree_rows[i].modules, &modules, err);
		if (ret < 0)
			return ret;
		if (!modules)
			continue;
		source->image = ptr_take(image);
		source->modules = ptr_take(modules);
		return 0;
	}
	return err_set(
		err, ERR_INPUT,
		"%s: no kernel in this folder: neither boot/vmlinuz* nor bzImage nor vmlinux",
		path);
}

/* The modules that are installed for it, if any. */
static int find_for_image(const char *path, const struct strbuf *content,
			  struct kernel_source *source, struct err *err)
{
	CLEANUP(strbuf) struct strbuf release = STRBUF_INIT;
	CLEANUP(free) char *folder = NULL;
	int ret = kernel_image_check(content->buf, content->len, path, err);

	if (ret < 0)
		return ret;
	if (!kernel_image_release(content->buf, content->len, &release))
		return err_set(err, ERR_INPUT,
			       "%s: not a kernel: it does not say which Linux it is", path);
	folder = xasprintf("/lib/modules/%s", strbuf_str(&release));
	if (file_exists(folder))
		source->modules = ptr_take(folder);
	source->image = xstrdup(path);
	return 0;
}

/* A package is known by its first bytes; it is read once, for its hash. */
static int is_package(const char *path, struct err *err)
{
	CLEANUP(file) FILE *file = fopen(path, "re");
	char magic[sizeof(PACKAGE_MAGIC) - 1];

	if (!file)
		return err_set_errno(err, "kernel %s", path);
	return fread(magic, 1, sizeof(magic), file) == sizeof(magic) &&
	       !memcmp(magic, PACKAGE_MAGIC, sizeof(magic));
}

static int find_in_file(const char *path, struct kernel_source *source, struct err *err)
{
	CLEANUP(strbuf) struct strbuf content = STRBUF_INIT;
	int ret = is_package(path, err);

	if (ret > 0)
		source->package = xstrdup(path);
	if (ret != 0)
		return ret < 0 ? ret : 0;
	ret = file_read(path, MAX_IMAGE_BYTES, &content, err);
	if (ret < 0)
		return ret;
	if (content.len == 0)
		return err_set(err, ERR_INPUT, "%s: not a kernel: empty", path);
	return find_for_image(path, &content, source, err);
}

int kernel_source_find(const char *path, struct kernel_source *ret_source, struct err *err)
{
	struct kernel_source source = { .package = NULL };
	struct stat info;
	int ret;

	if (stat(path, &info) != 0)
		return err_set_errno(err, "kernel %s", path);
	ret = S_ISDIR(info.st_mode) ? find_in_tree(path, &source, err)
				    : find_in_file(path, &source, err);
	if (ret == 0)
		ret = set_hash(&source, err);
	if (ret < 0)
		kernel_source_release(&source);
	else
		*ret_source = source;
	return ret;
}

/* ---- packages ---- */

/* Folders of modules that a block stack may need; the rest is ten times as much. */
static const char *const wanted_folders[] = {
	"arch/",	  "block/",
	"crypto/",	  "fs/",
	"lib/",		  "mm/", /* zsmalloc, below zram */
	"drivers/ata/",	  "drivers/base/",
	"drivers/block/", "drivers/dax/",
	"drivers/md/",	  "drivers/nvme/",
	"drivers/scsi/",  "drivers/virtio/",
	"drivers/cdrom/", "drivers/nvdimm/",
};

static bool is_wanted_module(const char *below_kernel)
{
	for (size_t i = 0; i < sizeof(wanted_folders) / sizeof(wanted_folders[0]); i++) {
		if (!strncmp(below_kernel, wanted_folders[i], strlen(wanted_folders[i])))
			return true;
	}
	return false;
}

static const char *wanted_member(void *arg, const char *member)
{
	const char *modules;
	const char *below;

	(void)arg;
	if (!strncmp(member, "boot/vmlinuz", strlen("boot/vmlinuz")))
		return member;
	if (!strncmp(member, "usr/", 4))
		member += 4;
	if (strncmp(member, "lib/modules/", strlen("lib/modules/")) != 0)
		return NULL;
	modules = strchr(member + strlen("lib/modules/"), '/');
	if (!modules)
		return NULL;
	below = modules + 1;
	if (!strcmp(below, "modules.builtin"))
		return member;
	if (strncmp(below, "kernel/", strlen("kernel/")) != 0)
		return NULL;
	return is_wanted_module(below + strlen("kernel/")) ? member : NULL;
}

int kernel_source_unpack(struct kernel_source *source, const char *folder, struct err *err)
{
	int ret;

	if (!source->package)
		return 0;
	ret = unpack_debian_package(source->package, folder, wanted_member, NULL, err);
	if (ret < 0)
		return ret;
	ret = find_in_tree(folder, source, err);
	if (ret == -ERR_INPUT)
		return err_set(err, ERR_INPUT, "%s: a package without a kernel in it%s",
			       source->package,
			       " (of a kernel's packages it is linux-image-RELEASE)");
	return ret;
}
