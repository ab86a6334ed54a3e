/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernels: packages and images of a folder in the order of their versions, or of a list. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "candidate/candidate_sources.h"
#include "candidate/deb_version.h"
#include "candidate/lines.h"
#include "candidate/make.h"
#include "vm/kernel.h"

#define PACKAGE_PREFIX "linux-image-"

struct kernels {
	char *folder; /* of the list, with its slash; "" for the current one */
	char *boot;   /* command that installs and boots one; NULL = guests boot them */
	uint64_t boot_timeout_ns;
	const atomic_bool *stop;
};

static bool starts_with(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

static bool ends_with(const char *text, const char *suffix)
{
	size_t len = strlen(text);

	return len > strlen(suffix) && !strcmp(text + len - strlen(suffix), suffix);
}

/* What a kernel is called; packages with debug symbols have no kernel to boot. */
static bool is_kernel(const char *name)
{
	if (ends_with(name, ".deb"))
		return starts_with(name, PACKAGE_PREFIX) && !strstr(name, "-dbg_") &&
		       !strstr(name, "-dbgsym_");
	return starts_with(name, "bzImage-") || starts_with(name, "vmlinuz-") ||
	       starts_with(name, "vmlinux-");
}

/*
 * NAME_VERSION_ARCH.deb, where a colon is written as %3a; else what is left of linux-image-*.deb,
 * or follows the first dash, of which a release candidate comes before the release. Caller frees.
 */
static char *version_of(const char *name)
{
	bool is_package = ends_with(name, ".deb");
	const char *start = is_package ? strchr(name, '_') : NULL;
	struct strbuf version = STRBUF_INIT;
	size_t len;

	if (start) {
		start++;
		len = strcspn(start, "_");
	} else {
		start = is_package ? name + strlen(PACKAGE_PREFIX) : strchr(name, '-') + 1;
		len = strlen(start) - (is_package ? strlen(".deb") : 0);
	}
	for (const char *c = start; c < start + len; c++) {
		if (starts_with(c, "%3a") || starts_with(c, "%3A")) {
			strbuf_add_char(&version, ':');
			c += 2;
		} else if (starts_with(c, "-rc")) {
			strbuf_add_char(&version, '~');
		} else {
			strbuf_add_char(&version, *c);
		}
	}
	return strbuf_take(&version);
}

static void add_kernel(struct candidate_list *list, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	CLEANUP(free) char *version = is_kernel(name) ? version_of(name) : xstrdup(name);

	candidate_list_add(list, path, version, "");
}

static int by_version(const void *left, const void *right)
{
	const struct candidate *a = left;
	const struct candidate *b = right;
	int order = deb_version_compare(a->name, b->name);

	return order ? order : strcmp(a->id, b->id);
}

/* Packages of one version (real-time, cloud) are told apart by the rest of their names. */
static void name_apart(const struct candidate_list *list)
{
	bool is_same_before = false;

	for (size_t i = 0; i < list->nr; i++) {
		struct candidate *at = &list->items[i];
		bool is_same = i + 1 < list->nr && !strcmp(at[0].name, at[1].name);

		if (is_same || is_same_before) {
			free(at->name);
			at->name = xstrdup(strrchr(at->id, '/') + 1);
		}
		is_same_before = is_same;
	}
}

static int read_folder(struct candidate_source *source, const char *path, struct err *err)
{
	DIR *dir = opendir(path);
	struct dirent *entry;

	if (!dir)
		return err_set_errno(err, "--kernels: '%s'", path);
	while ((entry = readdir(dir)) != NULL) {
		CLEANUP(free) char *file = xasprintf("%s/%s", path, entry->d_name);

		if (is_kernel(entry->d_name))
			add_kernel(&source->list, file);
	}
	(void)closedir(dir);
	if (source->list.nr)
		qsort(source->list.items, source->list.nr, sizeof(*source->list.items), by_version);
	name_apart(&source->list);
	return 0;
}

/* One that is unpacked already. All of its release stays what it is when a newer one comes. */
static int add_release(struct candidate_list *list, const char *release, struct err *err)
{
	CLEANUP(kernel) struct kernel kernel = { .vmlinux = NULL };
	int ret = kernel_open(release, NULL, &kernel, err);

	if (ret == 0)
		candidate_list_add(list, kernel.release, kernel.release, "");
	return ret;
}

static int take_line(void *arg, const char *line, struct err *err)
{
	struct candidate_source *source = arg;
	const struct kernels *kernels = source->state;
	CLEANUP(free)
	char *path = xasprintf("%s%s", line[0] == '/' ? "" : kernels->folder, line);

	/* what a boot command is told may be anything */
	if (kernels->boot || file_exists(path))
		add_kernel(&source->list, kernels->boot ? line : path);
	else if (kernel_is_release(line))
		return add_release(&source->list, line, err);
	else
		return err_set(err, ERR_INPUT, "there is no kernel '%s'", path);
	return 0;
}

static void kernels_close(struct candidate_source *source)
{
	struct kernels *kernels = source->state;

	if (!kernels)
		return;
	free(kernels->folder);
	free(kernels->boot);
	free(kernels);
	source->state = NULL;
}

static int kernels_open(struct candidate_source *source, const struct candidate_request *request,
			struct err *err)
{
	struct kernels *kernels = xcalloc(1, sizeof(*kernels));
	const char *slash = strrchr(request->where, '/');
	struct stat st;

	source->state = kernels; /* kernels_close frees it */
	kernels->folder = slash ? xstrndup(request->where, (size_t)(slash + 1 - request->where))
				: xstrdup("");
	kernels->boot = request->build ? xstrdup(request->build) : NULL;
	kernels->boot_timeout_ns = request->build_timeout_ns;
	kernels->stop = request->stop;
	if (stat(request->where, &st) < 0)
		return err_set_errno(err, "--kernels: '%s'", request->where);
	if (S_ISDIR(st.st_mode))
		return read_folder(source, request->where, err);
	return lines_read(request->where, take_line, source, err);
}

static int boot(const struct kernels *kernels, const struct candidate *candidate, char **ret_why,
		struct err *err)
{
	const struct make make = {
		.what = "boot",
		.command = kernels->boot,
		.candidate = candidate->id,
		.timeout_ns = kernels->boot_timeout_ns,
		.stop = kernels->stop,
	};

	return make_run(&make, ret_why, NULL, err);
}

static int kernels_prepare(struct candidate_source *source, size_t position,
			   struct candidate_setup *ret_setup, struct err *err)
{
	const struct kernels *kernels = source->state;
	const struct candidate *candidate = &source->list.items[position];

	if (kernels->boot)
		return boot(kernels, candidate, &ret_setup->why_untestable, err);
	setting_list_add(&ret_setup->settings, &(struct setting){ .namespace = (char[]){ "kernel" },
								  .key = (char[]){ "" },
								  .value = candidate->id });
	return 0;
}

static int kernels_describe(struct candidate_source *source, size_t position,
			    struct candidate_facts *ret_facts, struct err *err)
{
	const struct candidate *candidate = &source->list.items[position];

	(void)err;
	candidate_facts_add(ret_facts, "version", candidate->name);
	candidate_facts_add(ret_facts, "kernel", candidate->id);
	return 0;
}

const struct candidate_ops candidate_kernels = {
	.name = "kernels",
	.noun = "kernel",
	.nouns = "kernels",
	.summary = "packages and images of a folder by version, or the lines of a list",
	.needs_guest = true,
	.open = kernels_open,
	.prepare = kernels_prepare,
	.describe = kernels_describe,
	.close = kernels_close,
};
