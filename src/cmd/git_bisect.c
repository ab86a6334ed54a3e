/* SPDX-License-Identifier: GPL-2.0-or-later */
/* git_bisect: verdicts and errors as git bisect run takes them. */
#include "cmd/git_bisect.h"

#include <signal.h>
#include <string.h>

#include "base/err.h"

#define GIT_BISECT_SKIP 125
#define GIT_BISECT_ABORT 128

bool git_bisect_is_asked(int argc, char *const *argv)
{
	for (int i = 0; i < argc; i++) {
		if (!strcmp(argv[i], "--git-bisect"))
			return true;
	}
	return false;
}

int git_bisect_status(int ret, bool is_of_commit)
{
	if (ret == -ERR_INTERRUPTED)
		return GIT_BISECT_ABORT + SIGINT;
	if (ret < 0 && !is_of_commit)
		return GIT_BISECT_ABORT;
	return ret == 0 || ret == 1 || ret > GIT_BISECT_SKIP ? ret : GIT_BISECT_SKIP;
}
