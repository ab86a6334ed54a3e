/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_UNIT_CANDIDATE_FILES_H
#define REGIO_TESTS_UNIT_CANDIDATE_FILES_H

/* A temporary folder that is the current one while the tests of a source run. */
#include "test.h"

#include "base/child.h"
#include "base/err.h"
#include "base/file.h"
#include "candidate/candidate.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline int files_setup(void **state)
{
	char *folder = strdup("/tmp/regio-candidate.XXXXXX");

	*state = folder;
	return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static inline int files_teardown(void **state)
{
	const char *const argv[] = { "rm", "-rf", "--", *state, NULL };
	const struct child_spec spec = { .argv = argv, .dir = "/" };
	int ret = chdir("/");

	if (ret == 0)
		ret = child_run_checked(&spec, "rm", NULL, NULL);
	free(*state);
	return ret;
}

static inline void files_write(const char *name, const char *text)
{
	assert_int_equal(file_write_atomic(name, text, strlen(text), 0600, NULL), 0);
}

static inline void files_shell(const char *command)
{
	const struct child_spec spec = { .shell = command };
	struct err err = { .code = 0 };

	if (child_run_checked(&spec, "shell", NULL, &err) < 0)
		fail_msg("%s", err.msg);
}

static inline int files_open(const char *kind, const char *where, const char *range,
			     const char *build, struct candidate_source *ret_source,
			     struct err *err)
{
	char *cache = realpath(".", NULL);
	const struct candidate_request request = {
		.where = where,
		.range = range,
		.build = build,
		.cache_dir = cache,
	};
	int ret = candidate_open(candidate_find(kind), &request, ret_source, err);

	free(cache);
	return ret;
}

#endif
