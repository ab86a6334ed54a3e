/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stack: from text to a stack that can be built. Reading and sorting are draft's and graph's. */
#include "stack/stack.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "base/words.h"
#include "stack/draft.h"

#define STACK_FILE_MAX_BYTES (1U << 20)

/* "stack.yaml", "dir/stack"; not "loop:2G" or "zram". */
static bool is_file_name(const char *text)
{
	CLEANUP(free) char *word = xstrndup(text, strcspn(text, ":,"));
	size_t len = strlen(text);

	if (len > 5 && (!strcmp(text + len - 5, ".yaml") || !strcmp(text + len - 4, ".yml")))
		return true;
	return !layer_ops_find(word) && file_exists(text);
}

static int stack_read(struct stack_draft *draft, const char *text, struct err *err)
{
	CLEANUP(strbuf) struct strbuf content = STRBUF_INIT;
	int ret;

	if (!draft->stack->is_file)
		return stack_draft_read_line(draft, text, err);
	ret = file_read(text, STACK_FILE_MAX_BYTES, &content, err);
	return ret < 0 ? ret : stack_draft_read_yaml(draft, strbuf_str(&content), content.len, err);
}

char *stack_choose_place(void)
{
	const char *tmp = getenv("TMPDIR");
	uint64_t salt = rng_mix64(clock_wall_ns() ^ (uint64_t)(uintptr_t)&tmp);

	return xasprintf("%s/regio-stack-%ld-%06llx", tmp && tmp[0] == '/' ? tmp : "/var/tmp",
			 (long)getpid(), (unsigned long long)(salt & 0xffffff));
}

int stack_parse(const struct stack_request *request, struct stack **ret_stack, struct err *err)
{
	const char *text = request->text;
	const char *place = request->place;
	CLEANUP(free) char *chosen = NULL;
	CLEANUP(stack) struct stack *stack = xcalloc(1, sizeof(*stack));
	struct stack_draft draft = { .stack = stack };
	int ret;

	stack->arena = ARENA_INIT;
	stack->is_file = is_file_name(text);
	stack->text = arena_strdup(&stack->arena, text);
	stack->source = stack->is_file	  ? stack->text
			: request->source ? arena_strdup(&stack->arena, request->source)
					  : "--stack";
	ret = stack_read(&draft, text, err);
	for (size_t i = 0; ret == 0 && i < request->nr_changes; i++)
		ret = stack_draft_change(&draft, &request->changes[i], err);
	if (ret == 0)
		ret = stack_draft_finish(&draft, err);
	stack_draft_release(&draft);
	if (ret < 0)
		return ret;
	if (!place)
		place = chosen = stack_choose_place();
	stack->folder = arena_strdup(&stack->arena, place);
	stack->device_path = arena_printf(&stack->arena, "%s/device", stack->folder);
	if (stack->layers[stack->nr - 1].ops->is_filesystem)
		stack->mount_path = arena_printf(&stack->arena, "%s/mount", stack->folder);
	*ret_stack = ptr_take(stack);
	return 0;
}

void stack_free(struct stack *stack)
{
	if (!stack)
		return;
	arena_release(&stack->arena);
	free(stack);
}

const char *stack_text(const struct stack *stack)
{
	return stack->text;
}

const char *stack_device_path(const struct stack *stack)
{
	return stack->device_path;
}

const char *stack_mount_path(const struct stack *stack)
{
	return stack->mount_path;
}

/* As YAML wants a text in double quotes. */
static void add_quoted(struct strbuf *out, const char *text)
{
	strbuf_add_char(out, '"');
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			strbuf_printf(out, "\\%c", c);
		else if (c < ' ')
			strbuf_printf(out, "\\x%02x", c);
		else
			strbuf_add_char(out, *text);
	}
	strbuf_add_char(out, '"');
}

void stack_describe(const struct stack *stack, struct strbuf *out)
{
	for (size_t i = 0; i < stack->nr; i++) {
		const struct layer *layer = &stack->layers[i];

		strbuf_printf(out, "- {type: %s, name: %s", layer->ops->name, layer->name);
		if (layer->count > 1)
			strbuf_printf(out, ", count: %u", layer->count);
		for (size_t k = 0; k < layer->nr_options; k++) {
			strbuf_printf(out, ", %s: ", layer->options[k].key->name);
			add_quoted(out, layer->options[k].value);
		}
		for (size_t k = 0; k < layer->nr_inputs; k++)
			strbuf_printf(out, "%s%s", k ? ", " : ", on: [",
				      stack->layers[layer->inputs[k]].name);
		strbuf_add_str(out, layer->nr_inputs ? "]}\n" : "}\n");
	}
}

static void add_words(struct strbuf *to, const char *words)
{
	while (words && *words) {
		size_t len = strcspn(words, " ");

		if (!words_have(strbuf_str(to), words, len)) {
			strbuf_add_str(to, to->len ? " " : "");
			strbuf_add(to, words, len);
		}
		words += len + (words[len] == ' ');
	}
}

void stack_needs(const struct stack *stack, struct strbuf *modules, struct strbuf *programs)
{
	for (size_t i = 0; i < stack->nr; i++) {
		add_words(modules, stack->layers[i].ops->modules);
		add_words(programs, stack->layers[i].ops->programs);
	}
}

void stack_all_modules(struct strbuf *modules)
{
	for (const struct layer_ops *const *ops = layer_table(); *ops; ops++)
		add_words(modules, (*ops)->modules);
}
