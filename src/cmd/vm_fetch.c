/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vm_fetch: kernel packages by the package manager of this machine. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/child.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "cmd/interrupt.h"
#include "cmd/vm.h"
#include "vm/kernel.h"
#include "vm/tree.h"

#define PACKAGE_PREFIX "linux-image-"

/* "6.1.0-9" before "6.1.0-47". */
static int compare_releases(const void *a, const void *b)
{
	return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

/* Kernels have three numbers; packages with two bring the newest one of a series. */
static bool is_kernel(const char *release)
{
	static const char *const others[] = { "-dbg", "-unsigned", "-signed-template" };
	const char *end = release;

	for (int nr = 0; nr < 3; nr++) {
		size_t len = strspn(end, "0123456789");

		if (len == 0 || (nr < 2 && end[len] != '.'))
			return false;
		end += len + 1;
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (strstr(release, others[i]))
			return false;
	}
	return true;
}

/* apt prints "NAME - summary"; of the packages only those with a kernel in them, oldest first. */
static int fetch_list(struct err *err)
{
	static const char *const argv[] = { "apt-cache", "search", "--names-only",
					    "^" PACKAGE_PREFIX "[0-9].*[0-9]", NULL };
	const struct child_spec spec = { .argv = argv };
	CLEANUP(child_result) struct child_result result = CHILD_RESULT_INIT;
	VEC(const char *) releases = VEC_INIT;
	int ret = child_run_checked(&spec, "apt-cache", &result, err);
	char *rest = result.out.buf;
	char *line;

	if (ret < 0)
		return ret;
	while ((line = strsep(&rest, "\n")) != NULL) {
		char *end = strstr(line, " - ");

		if (!end || strncmp(line, PACKAGE_PREFIX, strlen(PACKAGE_PREFIX)) != 0)
			continue;
		*end = '\0';
		if (is_kernel(line + strlen(PACKAGE_PREFIX)))
			vec_push(&releases, line + strlen(PACKAGE_PREFIX));
	}
	if (releases.nr)
		qsort(releases.items, releases.nr, sizeof(*releases.items), compare_releases);
	VEC_FOREACH (&releases, release)
		printf("%s\n", *release);
	vec_release(&releases);
	return 0;
}

/* Caller frees. */
static char *package_of(const char *release)
{
	bool has_prefix = !strncmp(release, PACKAGE_PREFIX, strlen(PACKAGE_PREFIX));

	return xasprintf("%s%s", has_prefix ? "" : PACKAGE_PREFIX, release);
}

/* apt prints "'URI' FILE SIZE HASH" of what it would download. */
static int fetched_name(const char *package, char **ret_name, struct err *err)
{
	const char *const argv[] = { "apt-get", "-q", "--print-uris", "download", package, NULL };
	const struct child_spec spec = { .argv = argv, .stop = interrupt_install() };
	CLEANUP(child_result) struct child_result result = CHILD_RESULT_INIT;
	int ret = child_run_checked(&spec, package, &result, err);
	const char *line = strbuf_str(&result.out);
	const char *name;

	if (ret < 0)
		return ret;
	name = *line == '\'' ? strstr(line, "' ") : NULL;
	if (!name)
		return err_set(err, ERR_SYSTEM, "%s: apt-get says no file that it would download",
			       package);
	name += strlen("' ");
	*ret_name = xstrndup(name, strcspn(name, " \n"));
	return 0;
}

static int fetch_one(const char *release, const char *dir, char **ret_file, struct err *err)
{
	CLEANUP(free) char *package = package_of(release);
	CLEANUP(free) char *name = NULL;
	const char *const argv[] = { "apt-get", "-q", "download", package, NULL };
	const struct child_spec spec = { .argv = argv, .dir = dir, .stop = interrupt_install() };
	int ret = fetched_name(package, &name, err);

	if (ret == 0 && dir)
		ret = file_make_dirs(dir, 0777, err);
	if (ret == 0)
		ret = child_run_checked(&spec, package, NULL, err);
	if (ret < 0)
		return ret;
	*ret_file = dir ? xasprintf("%s/%s", dir, name) : ptr_take(name);
	return 0;
}

/* Tells the file that is there now. */
static int fetch_file(const char *release, const char *dir, struct err *err)
{
	CLEANUP(free) char *file = NULL;
	int ret = fetch_one(release, dir, &file, err);

	if (ret < 0)
		return ret;
	if (!file_exists(file))
		return err_set(err, ERR_SYSTEM, "%s: apt-get downloaded no '%s'", release, file);
	printf("%s\n", file);
	return fflush(stdout) == 0 ? 0 : err_set_errno(err, "write to stdout");
}

/* The package stands in a folder of its own for a moment. */
static int fetch_unpack(const char *release, struct err *err)
{
	CLEANUP(kernel) struct kernel kernel = { .vmlinux = NULL };
	const char *tmp = getenv("TMPDIR");
	CLEANUP(free)
	char *folder = xasprintf("%s/regio-fetch-XXXXXX", tmp && *tmp == '/' ? tmp : "/var/tmp");
	CLEANUP(free) char *file = NULL;
	int ret;

	if (!mkdtemp(folder))
		return err_set_errno(err, "create %s", folder);
	ret = fetch_one(release, folder, &file, err);
	if (ret == 0)
		ret = kernel_open_from(file, strrchr(file, '/') + 1, &kernel, err);
	tree_remove(folder);
	if (ret == 0)
		printf("%s\n", kernel.release);
	return ret;
}

int vm_fetch(const struct vm_config *config, const struct arg_list *words, struct err *err)
{
	int ret = 0;

	if (config->unpack && config->dir)
		return err_set(err, ERR_USAGE,
			       "vm fetch: --unpack keeps no package, so --dir has nothing to hold");
	if (words->nr < 2)
		return err_set(err, ERR_USAGE, "vm fetch: name a release, or list");
	if (words->nr == 2 && !strcmp(words->items[1], "list"))
		return fetch_list(err);
	for (size_t i = 1; ret == 0 && i < words->nr; i++)
		ret = config->unpack ? fetch_unpack(words->items[i], err)
				     : fetch_file(words->items[i], config->dir, err);
	return ret;
}
