/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vm_run: the steps of a script in a guest, and what each of them said. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "cmd/import_summary.h"
#include "cmd/report_json.h"
#include "cmd/stack_use.h"
#include "cmd/trial_options.h"
#include "cmd/vm.h"
#include "cmd/workload.h"
#include "job/job_text.h"
#include "model/result.h"
#include "model/result_json.h"
#include "model/setting.h"
#include "output/output.h"
#include "stack/stack.h"
#include "target/guest_job.h"
#include "vm/machine.h"
#include "vm/script.h"

#define VM_RUN_JSON_VERSION 1

/* A script on its way into a guest and back. */
struct scripted {
	struct script script;
	struct stack *stack; /* of its one step stack; NULL = none */
	struct strbuf module_names, programs;
	struct guest_modules modules;
	json_t *steps; /* of the plan */
	json_t *plan;
	struct kernel kernel;
	struct machine_report report;
};

static void scripted_release(struct scripted *run)
{
	machine_report_release(&run->report);
	kernel_release(&run->kernel);
	json_decref(run->plan);
	vec_release(&run->modules.items);
	strbuf_release(&run->module_names);
	strbuf_release(&run->programs);
	stack_free(run->stack);
	script_release(&run->script);
}

CLEANUP_DEFINE(scripted, struct scripted, scripted_release)

/* ---- from script to plan ---- */

static void add_name(struct strbuf *names, const char *name)
{
	strbuf_printf(names, "%s%s", names->len ? " " : "", name);
}

static int prepare_stack(struct scripted *run, const struct script_step *step, struct err *err)
{
	const struct stack_request request = { .text = step->words[0], .place = GUEST_PLACE };
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf modules = STRBUF_INIT;
	int ret;

	if (run->stack)
		return err_set(err, ERR_INPUT, "a script has one stack");
	ret = stack_parse(&request, &run->stack, err);
	if (ret < 0)
		return ret;
	stack_needs(run->stack, &modules, &run->programs);
	if (modules.len)
		add_name(&run->module_names, modules.buf);
	stack_describe(run->stack, &text);
	(void)json_object_set_new(run->plan, "stack", json_string(strbuf_str(&text)));
	(void)json_object_set_new(run->plan, "place", json_string(GUEST_PLACE));
	return 0;
}

/* Parses the words as regio run does; the guest gets the jobs as text. */
static int prepare_job(const struct scripted *run, const struct script_step *step, json_t *json,
		       struct err *err)
{
	CLEANUP(workload) struct workload work = { .own = NULL };
	const struct setting_list settings = { .nr = 0 };
	const struct trial_options options = TRIAL_OPTIONS_INIT;
	struct arg_list words = { .nr = 0 };
	CLEANUP(free) char *text = NULL;
	int ret;

	for (size_t i = 0; i < step->nr_words; i++)
		arg_list_push(&words, stack_use_expand(run->stack, step->words[i]));
	stack_use_export(run->stack);
	ret = workload_parse(&words, &settings, &options, &work, err);
	for (size_t i = 0; i < words.nr; i++)
		free((char *)(uintptr_t)words.items[i]);
	arg_list_release(&words);
	if (ret == 0 && work.own)
		ret = err_set(err, ERR_UNSUPPORTED,
			      "a guest runs jobs, and no workload of another kind");
	if (ret < 0)
		return ret;
	text = job_text(&work.jobs);
	(void)json_object_set_new(json, "jobs", json_string(text));
	return 0;
}

static int prepare_step(struct scripted *run, const struct script_step *step, json_t *json,
			struct err *err)
{
	switch (step->kind->id) {
	case GUEST_STEP_MODPROBE:
		add_name(&run->module_names, step->words[0]);
		return 0;
	case GUEST_STEP_RUN:
		add_name(&run->programs, step->words[0]);
		return 0;
	case GUEST_STEP_STACK:
		return prepare_stack(run, step, err);
	case GUEST_STEP_JOB:
		return prepare_job(run, step, json, err);
	default:
		return 0;
	}
}

static int prepare(struct scripted *run, const char *path, struct err *err)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	int ret = file_read(path, SCRIPT_MAX_BYTES, &text, err);

	if (ret == 0)
		ret = script_parse(path, strbuf_str(&text), text.len, &run->script, err);
	if (ret < 0)
		return ret;
	run->steps = script_plan(&run->script);
	run->plan = json_pack("{s:[], s:o, s:o, s:i}", "settings", "steps", run->steps, "script",
			      report_text(path), "seed", 1);
	for (size_t i = 0; i < run->script.steps.nr; i++) {
		const struct script_step *step = &run->script.steps.items[i];

		ret = prepare_step(run, step, json_array_get(run->steps, i), err);
		if (ret < 0)
			return script_refuse(&run->script, step, err);
	}
	guest_modules_add(&run->modules, &run->module_names);
	return 0;
}

/* ---- what it said ---- */

static const char *text_of_line(struct scripted *run, json_int_t line)
{
	VEC_FOREACH (&run->script.steps, step) {
		if (step->line == line)
			return script_step_text(&run->script, step);
	}
	return "";
}

static int read_result(const json_t *event, struct result *ret_result, struct err *err)
{
	CLEANUP(free)
	char *text = json_dumps(json_object_get(event, "result"), JSON_COMPACT);
	int ret = text ? result_from_json(text, strlen(text), ret_result, err)
		       : err_set(err, ERR_SYSTEM, "the guest sent no result");

	return ret < 0 ? err_prefix(err, "result of the guest") : 0;
}

static int print_event(struct scripted *run, const json_t *event, json_int_t *line, struct err *err)
{
	json_int_t at = json_integer_value(json_object_get(event, "line"));
	const char *output = json_string_value(json_object_get(event, "output"));
	const char *fault = json_string_value(json_object_get(event, "error"));
	CLEANUP(result) struct result result = { .nr_jobs = 0 };
	int ret = 0;

	if (!at)
		return 0;
	if (at != *line)
		printf("> %s\n", text_of_line(run, at));
	*line = at;
	if (json_object_get(event, "result")) {
		ret = read_result(event, &result, err);
		if (ret == 0)
			ret = output_find("normal")->result(&result, stdout, err);
	}
	if (output && *output)
		printf("%s%s", output, output[strlen(output) - 1] == '\n' ? "" : "\n");
	if (fault)
		printf("! %s\n", fault);
	return ret;
}

static int print_text(struct scripted *run, struct err *err)
{
	const json_t *event;
	json_int_t line = 0;
	size_t i;
	int ret = 0;

	json_array_foreach(run->report.events, i, event)
	{
		if (ret == 0)
			ret = print_event(run, event, &line, err);
	}
	return ret;
}

static json_t *step_json(struct scripted *run, const json_t *event, struct err *err)
{
	json_int_t line = json_integer_value(json_object_get(event, "line"));
	json_t *object = json_pack("{s:I, s:o, s:O}", "line", line, "step",
				   report_text(text_of_line(run, line)), "guest_ns",
				   json_object_get(event, "guest_ns"));
	CLEANUP(result) struct result result = { .nr_jobs = 0 };

	for (const char *const *key = (const char *const[]){ "output", "error", NULL }; *key; key++)
		(void)json_object_set(object, *key, json_object_get(event, *key));
	if (json_object_get(event, "result") && read_result(event, &result, err) == 0) {
		CLEANUP(free) char *text = import_result_json(&result);

		(void)json_object_set_new(object, "result", json_loads(text, 0, NULL));
	}
	return object;
}

static int print_json(struct scripted *run, struct err *err)
{
	json_t *steps = json_array();
	json_t *root = json_pack("{s:s, s:i, s:s, s:s, s:s, s:I, s:o}", "schema", "regio.vm_run",
				 "version", VM_RUN_JSON_VERSION, "release", run->kernel.release,
				 "build_id", run->kernel.build_id, "command",
				 run->report.qemu.command ? run->report.qemu.command : "",
				 "wall_ns", (json_int_t)run->report.qemu.wall_ns, "steps", steps);
	CLEANUP(free) char *text = NULL;
	struct err fault = { .code = 0 };
	const json_t *event;
	size_t i;

	json_array_foreach(run->report.events, i, event)
	{
		if (json_object_get(event, "line"))
			(void)json_array_append_new(steps, step_json(run, event, &fault));
	}
	text = report_dump(root);
	printf("%s\n", text);
	if (!fault.code)
		return 0;
	*err = fault;
	return -(int)fault.code;
}

int vm_run(const struct vm_config *config, const struct arg_list *words, struct err *err)
{
	CLEANUP(scripted) struct scripted run = { .report = { .events = NULL } };
	struct err fault = { .code = 0 };
	struct machine_config machine;
	int ret, ended;

	if (words->nr != 3)
		return err_set(err, ERR_USAGE, "vm run: name one kernel and one script");
	ret = prepare(&run, words->items[2], err);
	if (ret == 0)
		ret = vm_configure(config, &machine, err);
	if (ret == 0)
		ret = kernel_open(words->items[1], NULL, &run.kernel, err);
	if (ret < 0)
		return ret;
	machine.kernel = &run.kernel;
	machine.plan = run.plan;
	machine.programs = strbuf_str(&run.programs);
	machine.spare_modules = run.modules.items.items;
	machine.nr_spare_modules = run.modules.items.nr;
	ended = machine_run(&machine, &run.report, &fault);
	/* what it did before it failed is told, too */
	ret = config->json ? print_json(&run, err) : print_text(&run, err);
	if (ended < 0)
		*err = fault;
	return ended < 0 ? ended : ret;
}
