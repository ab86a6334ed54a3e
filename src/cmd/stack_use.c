/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stack_use: from --stack and settings to a stack, and to jobs that run on it. */
#include "cmd/stack_use.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "cmd/trial_options.h"
#include "load/own_workload.h"
#include "model/job.h"
#include "model/setting.h"
#include "stack/stack.h"

static bool is_of_stack(const struct setting *setting)
{
	return !strcmp(setting->namespace, "stack");
}

/* The last stack.KEY counts. */
static const char *value_of(const struct setting_list *settings, const char *key, size_t len)
{
	for (size_t i = settings->nr; i-- > 0;) {
		const struct setting *setting = &settings->items[i];

		if (is_of_stack(setting) && len && strlen(setting->key) == len &&
		    !memcmp(setting->key, key, len))
			return setting->value;
	}
	return NULL;
}

/* "{fs}" and "{stack.fs}": key and length of the key. */
static const char *placeholder(const char *brace, size_t *ret_len)
{
	const char *key = brace + 1;

	if (!strncmp(key, "stack.", 6))
		key += 6;
	*ret_len = strcspn(key, "}");
	return key[*ret_len] == '}' ? key : NULL;
}

/* The text with the values of its placeholders; what has no value stays for the parser to name. */
static char *fill_in(const char *text, const struct setting_list *settings)
{
	struct strbuf out = STRBUF_INIT;

	while (*text) {
		size_t plain = strcspn(text, "{");
		size_t len = 0;
		const char *key = text[plain] ? placeholder(text + plain, &len) : NULL;
		const char *value = key ? value_of(settings, key, len) : NULL;

		strbuf_add(&out, text, plain);
		text += plain;
		if (value) {
			strbuf_add_str(&out, value);
			text = key + len + 1;
		} else if (*text) {
			strbuf_add_char(&out, *text++);
		}
	}
	return strbuf_take(&out);
}

static bool is_placeholder(const char *text, const char *wanted)
{
	for (const char *brace = strchr(text, '{'); brace; brace = strchr(brace + 1, '{')) {
		size_t len = 0;
		const char *key = placeholder(brace, &len);

		if (key && strlen(wanted) == len && !memcmp(key, wanted, len))
			return true;
	}
	return false;
}

int stack_use_parse(const struct trial_options *options, const struct setting_list *settings,
		    struct stack **ret_stack, struct err *err)
{
	const char *text = options->stack;
	VEC(struct stack_change) changes = VEC_INIT;
	CLEANUP(free) char *filled = NULL;
	struct stack_request request = { .source = options->stack_source,
					 .place = options->stack_place };
	int ret = 0;

	for (size_t i = 0; i < settings->nr; i++) {
		const struct setting *setting = &settings->items[i];

		if (!is_of_stack(setting) || setting->key[0])
			continue;
		text = setting->value;
		request.source = setting->origin;
	}
	for (size_t i = 0; i < settings->nr; i++) {
		const struct setting *setting = &settings->items[i];

		if (is_of_stack(setting) && setting->key[0] &&
		    !(text && is_placeholder(text, setting->key)))
			vec_push(&changes, (struct stack_change){ .key = setting->key,
								  .value = setting->value,
								  .origin = setting->origin });
	}
	request.changes = changes.items;
	request.nr_changes = changes.nr;
	*ret_stack = NULL;
	if (text) {
		request.text = filled = fill_in(text, settings);
		ret = stack_parse(&request, ret_stack, err);
	} else if (changes.nr) {
		const struct stack_change *first = &changes.items[0];

		ret = err_set(err, ERR_USAGE,
			      "%s%ssetting 'stack.%s=%s': there is no stack; give one by --stack",
			      first->origin ? first->origin : "", first->origin ? ": " : "",
			      first->key, first->value);
	}
	vec_release(&changes);
	return ret;
}

char *stack_use_expand(const struct stack *stack, const char *text)
{
	struct strbuf out = STRBUF_INIT;
	const char *mount = stack ? stack_mount_path(stack) : NULL;

	while (*text) {
		if (stack && !strncmp(text, "${stack}", 8)) {
			strbuf_add_str(&out, stack_device_path(stack));
			text += 8;
		} else if (mount && !strncmp(text, "${mount}", 8)) {
			strbuf_add_str(&out, mount);
			text += 8;
		} else {
			strbuf_add_char(&out, *text++);
		}
	}
	return strbuf_take(&out);
}

void stack_use_export(const struct stack *stack)
{
	const char *mount;

	if (!stack)
		return;
	mount = stack_mount_path(stack);
	(void)setenv("stack", stack_device_path(stack), 1); /* fails without memory only */
	if (mount)
		(void)setenv("mount", mount, 1);
	else
		(void)unsetenv("mount");
}

/* True for "data" and "a:b", not for "/dev/sdb" nor "a:/b". */
static bool is_relative(const char *names)
{
	return names[0] != '/' && !strstr(names, ":/");
}

static void give_default(const struct stack *stack, struct job *job)
{
	const char *mount = stack_mount_path(stack);

	if (job->directory || (job->filename && !is_relative(job->filename)))
		return;
	if (mount)
		job->directory = mount; /* the stack lives longer than the jobs */
	else if (!job->filename)
		job->filename = stack_device_path(stack);
}

static bool is_inside(const char *names, const char *device_path)
{
	size_t len = (size_t)(strrchr(device_path, '/') - device_path);
	CLEANUP(free) char *place = xstrndup(device_path, len);

	return names && strstr(names, place);
}

int stack_use_apply(const struct stack *stack, struct job_set *jobs, struct err *err)
{
	bool is_used = !stack || jobs->nr == 0;

	for (size_t i = 0; stack && i < jobs->nr; i++) {
		struct job *job = &jobs->jobs[i];

		give_default(stack, job);
		is_used = is_used || is_inside(job->directory, stack_device_path(stack)) ||
			  is_inside(job->filename, stack_device_path(stack));
	}
	if (is_used)
		return 0;
	return err_set(
		err, ERR_USAGE,
		"no job runs on the stack: name it ${stack} (device) or ${mount} (folder) in "
		"filename= or directory=, or leave both out");
}

int stack_use_apply_own(const struct stack *stack, struct own_workload *own, struct err *err)
{
	const char *directory = own_workload_directory(own);
	const char *mount = stack ? stack_mount_path(stack) : NULL;

	if (!stack || (directory && is_inside(directory, stack_device_path(stack))))
		return 0;
	if (directory)
		return err_set(err, ERR_USAGE, "'%s' is not on the stack; leave --directory out",
			       directory);
	if (!mount)
		return err_set(err, ERR_USAGE,
			       "%s needs a filesystem at the top of the stack: ext4, xfs or btrfs",
			       own_workload_ops_of(own)->name);
	own_workload_set_directory(own, mount);
	return 0;
}
