/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stack from a line of layers, then from a YAML file. What is told of one is one again. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "fuzz.h"
#include "stack/draft.h"
#include "stack/stack.h"

/* Reads as a file would be read, without one. */
static void read_yaml(const char *text, size_t len)
{
	struct stack stack = { .arena = ARENA_INIT, .source = "fuzz.yaml", .is_file = true };
	struct stack_draft draft = { .stack = &stack };
	CLEANUP(strbuf) struct strbuf again = STRBUF_INIT;
	struct err err = { .code = 0 };

	if (stack_draft_read_yaml(&draft, text, len, &err) == 0 &&
	    stack_draft_finish(&draft, &err) == 0) {
		struct stack second = { .arena = ARENA_INIT, .source = "again", .is_file = true };
		struct stack_draft reading = { .stack = &second };

		stack_describe(&stack, &again);
		if (stack_draft_read_yaml(&reading, strbuf_str(&again), again.len, &err) < 0 ||
		    stack_draft_finish(&reading, &err) < 0)
			abort();
		stack_draft_release(&reading);
		arena_release(&second.arena);
	}
	stack_draft_release(&draft);
	arena_release(&stack.arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(free) char *text = xstrndup((const char *)data, size);
	struct stack stack = { .arena = ARENA_INIT, .source = "--stack" };
	struct stack_draft draft = { .stack = &stack };
	struct err err = { .code = 0 };

	if (stack_draft_read_line(&draft, text, &err) == 0)
		(void)stack_draft_finish(&draft, &err);
	stack_draft_release(&draft);
	arena_release(&stack.arena);
	read_yaml((const char *)data, size);
	return 0;
}
