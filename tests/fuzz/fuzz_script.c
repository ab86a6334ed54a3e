/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_script: scripts for guests; what is accepted can be written again and means the same. */
#include "fuzz.h"

#include <assert.h>
#include <string.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "vm/script.h"

static void check_again(struct script *script)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	CLEANUP(script) struct script again = { .source = NULL };
	struct err err = { .code = 0 };

	VEC_FOREACH (&script->steps, step)
		strbuf_printf(&text, "%s\n", script_step_text(script, step));
	if (text.len > SCRIPT_MAX_BYTES) /* quotes are longer than what was written */
		return;
	assert(script_parse("again", text.buf, text.len, &again, &err) == 0);
	assert(again.steps.nr == script->steps.nr);
	for (size_t i = 0; i < again.steps.nr; i++) {
		const struct script_step *a = &script->steps.items[i];
		const struct script_step *b = &again.steps.items[i];

		assert(a->kind == b->kind && a->nr_words == b->nr_words);
		for (size_t k = 0; k < a->nr_words; k++)
			assert(!strcmp(a->words[k], b->words[k]));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(script) struct script script = { .source = NULL };
	struct err err = { .code = 0 };
	json_t *plan;

	if (script_parse("steps", (const char *)data, size, &script, &err) < 0) {
		assert(!strncmp(err.msg, "steps:", 6) && !strchr(err.msg, '\n'));
		return 0;
	}
	plan = script_plan(&script);
	assert(json_array_size(plan) == script.steps.nr);
	json_decref(plan);
	check_again(&script);
	return 0;
}
