/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_trial_log: logs of bisections; what is accepted is printed and comes back the same. */
#include "fuzz.h"

#include "base/err.h"
#include "base/strbuf.h"
#include "candidate/trial_log.h"

#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	CLEANUP(trial_log) struct trial_log log = { .options = VEC_INIT };
	CLEANUP(trial_log) struct trial_log again = { .options = VEC_INIT };
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf text_again = STRBUF_INIT;
	struct err err = { .code = 0 };

	if (trial_log_parse("log", (const char *)data, len, &log, &err) < 0) {
		assert(!strncmp(err.msg, "log", 3) && !strchr(err.msg, '\n'));
		return 0;
	}
	trial_log_print(&log, &text);
	assert(trial_log_parse("log", strbuf_str(&text), text.len, &again, &err) == 0);
	assert(again.candidates.nr == log.candidates.nr && again.events.nr == log.events.nr);
	assert(again.entered.nr == log.entered.nr);
	trial_log_print(&again, &text_again);
	assert(!strcmp(strbuf_str(&text), strbuf_str(&text_again)));
	return 0;
}
