/* SPDX-License-Identifier: GPL-2.0-or-later */
/* programs: dynamic programs with all that they load, found with ldd(1). */
#include "vm/programs.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/child.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "vm/cpio.h"

#define MAX_PROGRAM_BYTES (256UL << 20)

struct path_set VEC_BODY(char *);

static void path_set_release(struct path_set *set)
{
	VEC_FOREACH (set, path)
		free(*path);
	vec_release(set);
}

CLEANUP_DEFINE(path_set, struct path_set, path_set_release)

/* False if it was there. Takes a copy. */
static bool path_set_add(struct path_set *set, const char *path, size_t len)
{
	for (size_t i = 0; i < set->nr; i++) {
		if (strlen(set->items[i]) == len && !memcmp(set->items[i], path, len))
			return false;
	}
	vec_push(set, xstrndup(path, len));
	return true;
}

static int find_program(const char *name, struct path_set *files, struct err *err)
{
	CLEANUP(free)
	char *path = name[0] == '/' && access(name, X_OK) == 0 ? xstrdup(name)
							       : child_find_program(name);

	if (!path)
		return err_set(err, ERR_UNSUPPORTED,
			       "%s: not installed here, and the guest needs it", name);
	(void)path_set_add(files, path, strlen(path));
	return 0;
}

/* ldd prints "libc.so.6 => /lib/.../libc.so.6 (0x..)" and "/lib64/ld-linux-x86-64.so.2 (0x..)". */
static int add_libraries(const char *program, struct path_set *files, struct err *err)
{
	const char *const argv[] = { "ldd", program, NULL };
	const struct child_spec spec = { .argv = argv };
	CLEANUP(child_result) struct child_result result = CHILD_RESULT_INIT;
	int ret = child_run(&spec, &result, err);
	const char *text = strbuf_str(&result.out);

	if (ret < 0 || result.exit_status != 0) /* a static program has none */
		return ret;
	while (*text) {
		size_t line = strcspn(text, "\n");
		const char *slash = memchr(text, '/', line);

		if (slash)
			(void)path_set_add(files, slash, strcspn(slash, " \n"));
		text += line + (text[line] == '\n');
	}
	return 0;
}

/* "usr", "usr/sbin" before "usr/sbin/mkfs.ext4". */
static void add_parents(struct cpio *cpio, const char *name, struct path_set *made)
{
	for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
		size_t len = (size_t)(slash - name);

		if (path_set_add(made, name, len))
			cpio_add_folder(cpio, vec_last(made)[0]);
	}
}

static int add_file(struct cpio *cpio, const char *path, struct path_set *made, struct err *err)
{
	CLEANUP(strbuf) struct strbuf content = STRBUF_INIT;
	int ret = file_read(path, MAX_PROGRAM_BYTES, &content, err);

	if (ret < 0)
		return ret;
	add_parents(cpio, path + 1, made);
	cpio_add_file(cpio, path + 1, 0755, strbuf_str(&content), content.len);
	return 0;
}

int programs_add(struct cpio *cpio, const char *names, struct err *err)
{
	CLEANUP(path_set) struct path_set files = VEC_INIT;
	CLEANUP(path_set) struct path_set made = VEC_INIT;
	CLEANUP(free) char *copy = xstrdup(names ? names : "");
	char *rest = copy;
	char *name;
	int ret = 0;

	while (ret == 0 && (name = strsep(&rest, " ")) != NULL) {
		size_t first = files.nr;

		if (!*name)
			continue;
		ret = find_program(name, &files, err);
		if (ret == 0 && files.nr > first)
			ret = add_libraries(files.items[first], &files, err);
	}
	for (size_t i = 0; ret == 0 && i < files.nr; i++)
		ret = add_file(cpio, files.items[i], &made, err);
	return ret;
}
