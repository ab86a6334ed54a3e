/* SPDX-License-Identifier: GPL-2.0-or-later */
/* make: runs the user's command that makes a candidate ready, and says how it failed. */
#include "candidate/make.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/child.h"
#include "base/strbuf.h"
#include "base/units.h"

#define QUOTE_LEN 200 /* of the last line */

/* Without control characters. Caller frees. */
static char *last_words(const struct strbuf *text)
{
	size_t len;
	const char *line = child_last_line(text, &len);
	char *words = xstrndup(line, len < QUOTE_LEN ? len : QUOTE_LEN);

	for (char *c = words; *c; c++) {
		if ((unsigned char)*c < ' ')
			*c = ' ';
	}
	return words;
}

static char *failure_of(const struct make *make, const struct child_result *result)
{
	CLEANUP(free) char *words = last_words(&result->out);
	const char *colon = *words ? ": " : "";
	char limit[UNITS_TEXT_LEN];

	if (result->is_timeout)
		return xasprintf("%s not finished after %s%s%s", make->what,
				 units_print_duration_ns(make->timeout_ns, limit, sizeof(limit)),
				 colon, words);
	if (result->term_signal)
		return xasprintf("%s ended by signal %d%s%s", make->what, result->term_signal,
				 colon, words);
	if (result->exit_status)
		return xasprintf("%s failed with status %d%s%s", make->what, result->exit_status,
				 colon, words);
	return NULL;
}

int make_run(const struct make *make, char **ret_why, struct strbuf *ret_output, struct err *err)
{
	/* one stream, so that the last line is the last one */
	CLEANUP(free) char *command = xasprintf("exec 2>&1\n%s", make->command);
	CLEANUP(free) char *candidate = xasprintf("REGIO_CANDIDATE=%s", make->candidate);
	CLEANUP(free) char *tree = xasprintf("REGIO_TREE=%s", make->tree ? make->tree : "");
	const char *const env[] = { candidate, tree, NULL };
	const struct child_spec spec = {
		.shell = command,
		.dir = make->tree,
		.env = env,
		.timeout_ns = make->timeout_ns,
		.stop = make->stop,
	};
	CLEANUP(child_result) struct child_result result = CHILD_RESULT_INIT;
	int ret = child_run(&spec, &result, err);

	if (ret < 0)
		return ret;
	*ret_why = failure_of(make, &result);
	if (ret_output) {
		*ret_output = result.out;
		result.out = STRBUF_INIT; /* moved */
	}
	return 0;
}
