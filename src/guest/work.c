/* SPDX-License-Identifier: GPL-2.0-or-later */
/* work: what a guest does between boot and power off. */
#include "guest/work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/err.h"
#include "base/file.h"
#include "base/vec.h"
#include "guest/init.h"
#include "guest/module.h"
#include "guest/plan.h"
#include "guest/shell.h"
#include "guest/steps.h"
#include "job/job_parse.h"
#include "load/own_workload.h"
#include "model/job.h"
#include "model/result.h"
#include "model/result_json.h"
#include "model/setting.h"
#include "stack/stack.h"
#include "target/target.h"

#define STACK_PATH "/tmp/stack.yaml"

static int load_modules(const struct guest_plan *plan, struct err *err)
{
	const json_t *module;
	size_t i;

	json_array_foreach(plan->modules, i, module)
	{
		const char *file = json_string_value(json_object_get(module, "file"));
		const char *params = json_string_value(json_object_get(module, "params"));
		int ret;

		if (!file)
			return err_set(err, ERR_INPUT, "guest plan: a module without file");
		ret = module_load(file, params ? params : "", err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

int work_parse_jobs(const char *jobs, struct job_set *ret_jobs, struct err *err)
{
	const struct job_parse_text text = {
		.name = "job in the guest",
		.data = jobs,
		.len = strlen(jobs),
	};
	const struct job_parse_config config = { .texts = &text, .nr_texts = 1 };

	return job_parse(&config, ret_jobs, err);
}

static int parse_settings(const struct guest_plan *plan, struct setting_list *list, struct err *err)
{
	const json_t *item;
	size_t i;

	json_array_foreach(plan->settings, i, item)
	{
		int ret = setting_list_parse(list, json_string_value(item), err);

		if (ret < 0)
			return ret;
	}
	return 0;
}

int work_report_result(const struct report *report, const struct result *result, unsigned line,
		       struct err *err)
{
	char *text = result_to_json(result, 0);
	json_t *document = json_loads(text, 0, NULL);
	json_t *object = json_object();

	free(text);
	if (!document) {
		json_decref(object);
		return err_set(err, ERR_SYSTEM, "guest: the result is no JSON");
	}
	(void)json_object_set_new(object, "result", document);
	if (line)
		(void)json_object_set_new(object, "line", json_integer(line));
	report_event(report, "result", object);
	return 0;
}

/* The warm-ups take the first touch of code and data; their results are dropped. */
static int run_trials(const struct guest_plan *plan, const struct trial *trial,
		      const struct report *report, struct err *err)
{
	for (unsigned i = 0; i <= plan->nr_warmups; i++) {
		CLEANUP(result) struct result result = { .nr_jobs = 0 };
		int ret = init_settle(err);

		if (ret == 0)
			ret = target_local.run(trial, &result, err);
		if (ret == 0 && i == plan->nr_warmups)
			ret = work_report_result(report, &result, 0, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static void report_boot(const struct report *report)
{
	json_t *object = json_object();
	struct utsname name;

	if (uname(&name) == 0) {
		(void)json_object_set_new(object, "release", json_string(name.release));
		(void)json_object_set_new(object, "version", json_string(name.version));
		(void)json_object_set_new(object, "machine", json_string(name.machine));
	}
	report_event(report, "boot", object);
}

/* The stack is parsed from a file, as everywhere. */
int work_parse_stack(const struct guest_plan *plan, struct stack **ret_stack, struct err *err)
{
	const struct stack_request request = { .text = STACK_PATH, .place = plan->place };
	int ret;

	if (!plan->stack)
		return 0;
	ret = file_write_atomic(STACK_PATH, plan->stack, strlen(plan->stack), 0644, err);
	return ret < 0 ? ret : stack_parse(&request, ret_stack, err);
}

static int parse_own(const struct guest_plan *plan, struct own_workload **ret_own, struct err *err)
{
	VEC(const char *) words = VEC_INIT;
	const json_t *word;
	size_t i;
	int ret;

	if (!plan->own)
		return 0;
	json_array_foreach(plan->own_words, i, word)
		vec_push(&words, json_string_value(word) ? json_string_value(word) : "");
	ret = own_workload_parse(plan->own, words.items, words.nr, ret_own, err);
	vec_release(&words);
	if (ret == 0 && plan->own_directory)
		own_workload_set_directory(*ret_own, plan->own_directory);
	return ret;
}

static int run_jobs(const struct guest_plan *plan, const struct report *report, struct err *err)
{
	struct job_set jobs = { .nr = 0 };
	struct setting_list settings = { .nr = 0 };
	CLEANUP(stack) struct stack *stack = NULL;
	CLEANUP(own_workload) struct own_workload *own = NULL;
	struct trial trial = {
		.jobs = &jobs,
		.settings = &settings,
		.label = plan->label,
		.seed = plan->seed,
		.monitors = plan->monitors,
		.state_dir = "/tmp/regio",
		.is_guest = true,
	};
	int ret = plan->own ? 0 : work_parse_jobs(plan->jobs, &jobs, err);

	if (ret < 0)
		return ret;
	ret = parse_own(plan, &own, err);
	if (ret < 0)
		return ret;
	trial.own = own;
	ret = parse_settings(plan, &settings, err);
	if (ret == 0)
		ret = work_parse_stack(plan, &stack, err);
	trial.stack = stack;
	if (ret == 0)
		ret = run_trials(plan, &trial, report, err);
	setting_list_release(&settings);
	job_set_release(&jobs);
	return ret;
}

int work_run(const struct guest_plan *plan, const struct report *report, struct err *err)
{
	int ret;

	report_boot(report);
	ret = load_modules(plan, err);
	init_mount_optional();
	if (ret < 0)
		return ret;
	report_event(report, "modules", json_object());
	if (plan->is_shell)
		return shell_run(plan, err);
	if (plan->steps)
		return steps_run(plan, report, err);
	return plan->jobs ? run_jobs(plan, report, err) : 0;
}
