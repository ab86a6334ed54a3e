/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_UNIT_GOLDEN_H
#define REGIO_TESTS_UNIT_GOLDEN_H

/*
 * Compares output with a file of tests/golden/. With REGIO_UPDATE_GOLDEN=1 in the environment the
 * file is written instead; read the difference before you commit it.
 *
 *	golden_assert("output/normal-rw.txt", text);
 */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "test.h"

#define GOLDEN_MAX_BYTES (4U << 20)

static inline void golden_update(const char *path, const char *text)
{
	CLEANUP(free) char *dir = strdup(path);
	char *slash = dir ? strrchr(dir, '/') : NULL;
	struct err err = { .code = (enum err_code)0 };
	int ret = 0;

	if (slash) {
		*slash = '\0';
		ret = file_make_dirs(dir, 0755, &err);
	}
	if (ret == 0)
		ret = file_write_atomic(path, text, strlen(text), 0644, &err);
	if (ret < 0)
		fail_msg("%s", err.msg);
	(void)printf("# wrote %s\n", path);
}

/* Fails with the first line that differs. */
static inline void golden_fail(const char *name, const char *want, const char *got)
{
	size_t line = 1;

	while (*want && *got) {
		size_t want_len = strcspn(want, "\n");
		size_t got_len = strcspn(got, "\n");

		if (want_len != got_len || strncmp(want, got, want_len) != 0)
			break;
		want += want_len + (want[want_len] == '\n');
		got += got_len + (got[got_len] == '\n');
		line++;
	}
	fail_msg("tests/golden/%s:%zu: expected '%.*s', got '%.*s' (REGIO_UPDATE_GOLDEN=1 accepts)",
		 name, line, (int)strcspn(want, "\n"), want, (int)strcspn(got, "\n"), got);
}

static inline void golden_assert(const char *name, const char *text)
{
	const char *root = getenv("REGIO_SOURCE_ROOT");
	const char *update = getenv("REGIO_UPDATE_GOLDEN");
	CLEANUP(strbuf) struct strbuf path = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf want = STRBUF_INIT;
	struct err err = { .code = (enum err_code)0 };

	strbuf_printf(&path, "%s/tests/golden/%s", root ? root : ".", name);
	if (update && strcmp(update, "1") == 0) {
		golden_update(strbuf_str(&path), text);
		return;
	}
	if (file_read(strbuf_str(&path), GOLDEN_MAX_BYTES, &want, &err) < 0)
		fail_msg("%s (REGIO_UPDATE_GOLDEN=1 creates it)", err.msg);
	if (strcmp(strbuf_str(&want), text) != 0)
		golden_fail(name, strbuf_str(&want), text);
}

#endif
