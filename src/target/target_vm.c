/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vm: runs a trial in a guest of its own, with any kernel. Nothing of this machine changes. */
#include "target/target.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "model/result.h"
#include "model/result_json.h"
#include "stack/stack.h"
#include "target/guest_job.h"
#include "vm/kernel.h"
#include "vm/machine.h"

/* What one trial holds while it runs. */
struct guest {
	const struct trial *trial;
	enum vm_time time;
	struct kernel kernel;
	struct guest_modules modules;
	struct strbuf module_names, programs; /* of the stack */
	json_t *plan;
	char *qemu_version;
	struct machine_report report;
};

static void guest_release(struct guest *guest)
{
	machine_report_release(&guest->report);
	json_decref(guest->plan);
	vec_release(&guest->modules.items);
	strbuf_release(&guest->module_names);
	strbuf_release(&guest->programs);
	kernel_release(&guest->kernel);
	free(guest->qemu_version);
}

CLEANUP_DEFINE(guest, struct guest, guest_release)

static int open_kernel(const struct setting_list *settings, struct kernel *ret_kernel,
		       struct err *err)
{
	const char *path = guest_job_kernel(settings);

	if (!path)
		return err_set(
			err, ERR_USAGE,
			"a guest needs a kernel: kernel=PATH of a linux-image package, tree, "
			"bzImage or vmlinux among the settings");
	return kernel_open(path, NULL, ret_kernel, err);
}

static int vm_check(const struct setting_list *settings, struct err *err)
{
	CLEANUP(kernel) struct kernel kernel = { .vmlinux = NULL };

	return open_kernel(settings, &kernel, err);
}

static int guest_prepare(struct guest *guest, struct err *err)
{
	const struct trial *trial = guest->trial;
	int ret;

	if (trial->exec)
		return err_set(err, ERR_UNSUPPORTED,
			       "a command cannot run in a guest, where only regio is; give a job");
	ret = vm_time_parse(trial->vm->time, &guest->time, err);
	if (ret == 0)
		ret = qemu_version(&guest->qemu_version, err);
	if (ret == 0)
		ret = open_kernel(trial->settings, &guest->kernel, err);
	if (ret < 0)
		return ret;
	guest->plan = guest_job_plan(trial);
	if (trial->stack)
		stack_needs(trial->stack, &guest->module_names, &guest->programs);
	guest_job_modules(trial, &guest->modules, &guest->module_names);
	return 0;
}

static void add_fact(struct result *result, const char *key, unsigned long long value)
{
	CLEANUP(free) char *text = xasprintf("%llu", value);

	result_add_env(result, key, text);
}

/* As it was asked for here; the guest read it from a file of its own. */
static void name_stack(const struct stack *stack, struct result *result)
{
	for (size_t i = 0; stack && i < result->nr_env; i++) {
		if (!strcmp(result->env[i].key, "stack")) {
			free(result->env[i].value);
			result->env[i].value = xstrdup(stack_text(stack));
		}
	}
}

/* What a maintainer would need to boot the same guest again. */
static void guest_describe(const struct guest *guest, const struct machine_config *config,
			   struct result *result)
{
	free(result->target);
	result->target = xstrdup("vm");
	name_stack(guest->trial->stack, result);
	result_add_env(result, "vm.time", vm_time_name(guest->time));
	result_add_env(result, "vm.qemu", guest->qemu_version);
	/* with the seed, so other for each trial: no fact of the environment */
	result_add_attachment(result, "vm.command", guest->report.qemu.command);
	result_add_setting(result, "kernel", guest_job_kernel(guest->trial->settings));
	result_add_env(result, "vm.cpu_model",
		       guest->time == VM_TIME_VIRTUAL ? "max,erms=off" : "host");
	add_fact(result, "vm.memory_mib", config->memory_mib);
	result_add_env(result, "vm.kernel_build_id", guest->kernel.build_id);
	if (guest->time == VM_TIME_VIRTUAL)
		note_add(&result->notes, NOTE_VIRTUAL_TIME,
			 "time is executed instructions and waits; not caches, lock contention or "
			 "several CPUs");
}

static int guest_take_result(const struct guest *guest, struct result *ret_result, struct err *err)
{
	const json_t *event = machine_event(&guest->report, "result");
	const json_t *document = json_object_get(event, "result");
	CLEANUP(free) char *text = document ? json_dumps(document, JSON_COMPACT) : NULL;
	int ret;

	if (!text)
		return err_set(err, ERR_SYSTEM, "the guest ended without a result");
	ret = result_from_json(text, strlen(text), ret_result, err);
	return ret < 0 ? err_prefix(err, "result of the guest") : 0;
}

static int vm_run(const struct trial *trial, struct result *ret_result, struct err *err)
{
	CLEANUP(guest) struct guest guest = { .trial = trial };
	int64_t started_at_unix_ms = (int64_t)(clock_wall_ns() / 1000000);
	struct machine_config config = {
		.kernel = &guest.kernel,
		.memory_mib = trial->vm->memory_mib,
		.nr_cpus = trial->vm->nr_cpus,
		.seed = trial->vm->seed,
		.timeout_ns = trial->vm->timeout_ns,
		.append = trial->vm->append,
		.stop = trial->stop,
	};
	int ret = guest_prepare(&guest, err);

	if (ret < 0)
		return ret;
	config.time = guest.time;
	config.spare_modules = guest.modules.items.items;
	config.nr_spare_modules = guest.modules.items.nr;
	config.programs = strbuf_str(&guest.programs);
	config.plan = guest.plan;
	ret = machine_run(&config, &guest.report, err);
	if (ret == 0)
		ret = guest_take_result(&guest, ret_result, err);
	if (ret < 0)
		return ret;
	ret_result->started_at_unix_ms = started_at_unix_ms;
	guest_describe(&guest, &config, ret_result);
	return 0;
}

const struct target_ops target_vm = {
	.name = "vm",
	.summary = "a guest with the kernel of the setting kernel=PATH",
	.is_guest = true,
	.check = vm_check,
	.run = vm_run,
};
