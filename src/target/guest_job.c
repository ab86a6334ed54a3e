/* SPDX-License-Identifier: GPL-2.0-or-later */
/* guest_job: what of a trial goes into the guest, and what stays with the machine around it. */
#include "target/guest_job.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/strbuf.h"
#include "load/own_workload.h"
#include "model/job.h"
#include "model/setting.h"
#include "stack/stack.h"
#include "target/target.h"

/* Scheduler names and the modules of those that are modules in some kernels. */
static const struct {
	const char *scheduler, *module;
} schedulers[] = {
	{ "bfq", "bfq" },
	{ "kyber", "kyber_iosched" },
	{ "mq-deadline", "mq_deadline" },
};

static bool is_kernel(const struct setting *setting)
{
	return !strcmp(setting->namespace, "kernel");
}

const char *guest_job_kernel(const struct setting_list *settings)
{
	const char *path = NULL;

	for (size_t i = 0; i < settings->nr; i++) {
		if (is_kernel(&settings->items[i]))
			path = settings->items[i].value;
	}
	return path;
}

static json_t *guest_settings(const struct setting_list *settings)
{
	json_t *list = json_array();

	for (size_t i = 0; i < settings->nr; i++) {
		CLEANUP(free) char *text = setting_text(&settings->items[i]);

		if (!is_kernel(&settings->items[i]))
			(void)json_array_append_new(list, json_string(text));
	}
	return list;
}

/* The text with the folder of the stack here replaced by the one in the guest. New string. */
static char *move_place(const char *text, const char *here)
{
	struct strbuf moved = STRBUF_INIT;
	size_t len = strlen(here);
	const char *found;

	while (len && (found = strstr(text, here)) != NULL) {
		strbuf_add(&moved, text, (size_t)(found - text));
		strbuf_add_str(&moved, GUEST_PLACE);
		text = found + len;
	}
	strbuf_add_str(&moved, text);
	return strbuf_take(&moved);
}

/* place: the folder of the stack here, or NULL. */
static void add_own_plan(json_t *plan, const struct own_workload *own, const char *place)
{
	const char *directory = own_workload_directory(own);
	size_t nr = 0;
	const char *const *words = own_workload_words(own, &nr);
	json_t *list = json_array();

	for (size_t i = 0; i < nr; i++)
		(void)json_array_append_new(list, json_string(words[i]));
	(void)json_object_set_new(plan, "own", json_string(own_workload_ops_of(own)->name));
	(void)json_object_set_new(plan, "own_words", list);
	if (directory) {
		CLEANUP(free) char *moved = move_place(directory, place ? place : "");

		(void)json_object_set_new(plan, "own_directory", json_string(moved));
	}
}

static void add_stack_plan(json_t *plan, const struct trial *trial)
{
	const char *device = stack_device_path(trial->stack);
	CLEANUP(free) char *here = xstrndup(device, (size_t)(strrchr(device, '/') - device));
	CLEANUP(free) char *jobs = move_place(trial->job_text, here);
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;

	stack_describe(trial->stack, &text);
	(void)json_object_set_new(plan, "stack", json_string(strbuf_str(&text)));
	(void)json_object_set_new(plan, "place", json_string(GUEST_PLACE));
	(void)json_object_set_new(plan, "jobs", json_string(jobs));
	if (trial->own)
		add_own_plan(plan, trial->own, here);
}

json_t *guest_job_plan(const struct trial *trial)
{
	json_t *plan = json_object();

	(void)json_object_set_new(plan, "settings", guest_settings(trial->settings));
	(void)json_object_set_new(plan, "jobs", json_string(trial->job_text));
	(void)json_object_set_new(plan, "seed", json_integer((json_int_t)trial->seed));
	(void)json_object_set_new(plan, "nr_warmups", json_integer(trial->vm->nr_warmups));
	if (trial->stack)
		add_stack_plan(plan, trial);
	else if (trial->own)
		add_own_plan(plan, trial->own, NULL);
	if (trial->label)
		(void)json_object_set_new(plan, "label", json_string(trial->label));
	if (trial->monitors)
		(void)json_object_set_new(plan, "monitors", json_string(trial->monitors));
	return plan;
}

static void add_scheduler(struct guest_modules *modules, const char *name)
{
	for (size_t i = 0; name && i < sizeof(schedulers) / sizeof(schedulers[0]); i++) {
		if (!strcmp(schedulers[i].scheduler, name))
			vec_push(&modules->items,
				 (struct machine_module){ .name = schedulers[i].module,
							  .params = "",
							  .is_optional = true });
	}
}

void guest_modules_add(struct guest_modules *modules, struct strbuf *words)
{
	char *rest = words->buf;
	char *name;

	while (rest && (name = strsep(&rest, " ")) != NULL)
		vec_push(
			&modules->items,
			(struct machine_module){ .name = name, .params = "", .is_optional = true });
}

void guest_job_modules(const struct trial *trial, struct guest_modules *modules,
		       struct strbuf *words)
{
	guest_modules_add(modules, words);
	for (size_t i = 0; i < trial->settings->nr; i++) {
		const struct setting *setting = &trial->settings->items[i];

		if (!strcmp(setting->namespace, "queue") && strstr(setting->key, "scheduler"))
			add_scheduler(modules, setting->value);
	}
	for (size_t i = 0; i < trial->jobs->nr; i++)
		add_scheduler(modules, trial->jobs->jobs[i].ioscheduler);
}
