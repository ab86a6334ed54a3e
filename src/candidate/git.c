/* SPDX-License-Identifier: GPL-2.0-or-later */
/* git: calls the program of that name. */
#include "candidate/git.h"

#include <assert.h>
#include <string.h>

#include "base/child.h"
#include "base/err.h"

#define GIT_MAX_OUTPUT_BYTES (256u << 20)
#define MAX_QUOTE 200 /* of a line of git's */

/* A hook of git that calls us has these, and they would lead git to the user's checkout. */
static const char *const prefix[] = {
	"env",
	"-u",
	"GIT_DIR",
	"-u",
	"GIT_WORK_TREE",
	"-u",
	"GIT_INDEX_FILE",
	"-u",
	"GIT_OBJECT_DIRECTORY",
	"-u",
	"GIT_COMMON_DIR",
	"-u",
	"GIT_NAMESPACE",
	"git",
	"-c",
	"core.hooksPath=/dev/null",
	"-c",
	"gc.auto=0",
	"-c",
	"advice.detachedHead=false",
	"-c",
	"log.showSignature=false", /* it would be lines of git log */
	"-C",
};

#define NR_PREFIX (sizeof(prefix) / sizeof(*prefix))

static const char *const git_env[] = { "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C",
				       "GIT_PAGER=cat", NULL };

struct git_words {
	const char *words[NR_PREFIX + 1 + GIT_MAX_WORDS + 1];
};

static struct child_spec make_spec(const struct git_call *call, struct git_words *all)
{
	size_t nr = 0;

	for (size_t i = 0; i < NR_PREFIX; i++)
		all->words[nr++] = prefix[i];
	all->words[nr++] = call->dir;
	for (size_t i = 0; i < GIT_MAX_WORDS && call->words[i]; i++)
		all->words[nr++] = call->words[i];
	all->words[nr] = NULL;
	return (struct child_spec){
		.argv = all->words,
		.env = git_env,
		.stop = call->stop,
		.max_output_bytes = GIT_MAX_OUTPUT_BYTES,
	};
}

/* Advice follows what is wrong, so the last line is not always the one to quote. */
static int fail(const char *what, const struct child_result *result, struct err *err)
{
	const char *line = strstr(strbuf_str(&result->err), "fatal: ");
	size_t len;

	if (result->term_signal)
		return err_set(err, ERR_SYSTEM, "%s: ended by signal %d (%s)", what,
			       result->term_signal, strsignal(result->term_signal));
	if (line)
		len = strcspn(line, "\n");
	else
		line = child_last_line(&result->err, &len);
	return err_set(err, ERR_SYSTEM, "%s: exit status %d%s%.*s", what, result->exit_status,
		       len > 0 ? ": " : "", (int)(len < MAX_QUOTE ? len : MAX_QUOTE), line);
}

int git_run(const struct git_call *call, const char *what, struct strbuf *ret_out, struct err *err)
{
	CLEANUP(child_result) struct child_result result = CHILD_RESULT_INIT;
	struct git_words words;
	const struct child_spec spec = make_spec(call, &words);
	int ret = child_run(&spec, &result, err);

	if (ret < 0) {
		(void)err_prefix(err, "%s", what); /* ret is known also without err */
		return ret;
	}
	if (result.exit_status != 0)
		return fail(what, &result, err);
	if (result.is_cut)
		return err_set(err, ERR_INPUT, "%s: more than %u MiB of output", what,
			       GIT_MAX_OUTPUT_BYTES >> 20);
	if (ret_out) {
		*ret_out = result.out;
		result.out = STRBUF_INIT; /* moved */
	}
	return 0;
}

int git_ask(const struct git_call *call, const char *what, bool *ret_yes, struct err *err)
{
	CLEANUP(child_result) struct child_result result = CHILD_RESULT_INIT;
	struct git_words words;
	const struct child_spec spec = make_spec(call, &words);
	int ret = child_run(&spec, &result, err);

	if (ret < 0)
		return ret;
	if (result.exit_status != 0 && result.exit_status != 1)
		return git_run(call, what, NULL, err); /* fails again, and says why */
	*ret_yes = result.exit_status == 0;
	return 0;
}
