/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vm_shell: a guest whose console is this terminal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/child.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "cmd/vm.h"
#include "stack/stack.h"
#include "target/guest_job.h"
#include "vm/elf_file.h"
#include "vm/kvm.h"
#include "vm/machine.h"

#define MAX_SHELL_BYTES (64U << 20)
#define SCHEDULER_MODULES " bfq kyber_iosched mq_deadline"

/* A dynamic one would need its libraries, which the guest does not have. */
static int find_busybox(char **ret_path, struct err *err)
{
	CLEANUP(free) char *path = child_find_program("busybox");
	CLEANUP(strbuf) struct strbuf content = STRBUF_INIT;
	const void *section;
	size_t len;
	int ret;

	if (!path)
		return err_set(err, ERR_UNSUPPORTED,
			       "vm shell: busybox is not installed (package busybox-static)");
	ret = file_read(path, MAX_SHELL_BYTES, &content, err);
	if (ret < 0)
		return ret;
	if (!elf_is_x86_64(strbuf_str(&content), content.len) ||
	    elf_find_section(content.buf, content.len, ".interp", &section, &len))
		return err_set(err, ERR_UNSUPPORTED,
			       "vm shell: %s is no static program (package busybox-static)", path);
	*ret_path = ptr_take(path);
	return 0;
}

static json_t *shell_plan(const struct stack *stack)
{
	json_t *plan = json_pack("{s:[], s:b}", "settings", "shell", 1);
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;

	if (stack) {
		stack_describe(stack, &text);
		(void)json_object_set_new(plan, "stack", json_string(strbuf_str(&text)));
		(void)json_object_set_new(plan, "place", json_string(GUEST_PLACE));
	}
	return plan;
}

/* With everything that a stack may need, so that modprobe finds it. */
static int run_shell(const struct vm_config *config, const struct kernel *kernel,
		     const char *busybox, const struct stack *stack, struct err *err)
{
	CLEANUP(machine_report) struct machine_report report = { .events = NULL };
	CLEANUP(strbuf) struct strbuf names = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf unused = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf programs = STRBUF_INIT;
	struct guest_modules modules = { .items = VEC_INIT };
	struct machine_config machine;
	json_t *plan = shell_plan(stack);
	int ret = vm_configure(config, &machine, err);

	stack_all_modules(&names);
	strbuf_add_str(&names, SCHEDULER_MODULES);
	guest_modules_add(&modules, &names);
	if (stack)
		stack_needs(stack, &unused, &programs);
	machine.kernel = kernel;
	machine.plan = plan;
	machine.shell = busybox;
	machine.programs = strbuf_str(&programs);
	machine.spare_modules = modules.items.items;
	machine.nr_spare_modules = modules.items.nr;
	if (machine.time == VM_TIME_VIRTUAL) /* it would race ahead while somebody types */
		machine.time = VM_TIME_LOOSE;
	if (ret == 0)
		ret = machine_run(&machine, &report, err);
	json_decref(plan);
	vec_release(&modules.items);
	return ret;
}

int vm_shell(const struct vm_config *config, const struct arg_list *words, struct err *err)
{
	const struct stack_request request = { .text = config->stack, .place = GUEST_PLACE };
	CLEANUP(kernel) struct kernel kernel = { .vmlinux = NULL };
	CLEANUP(stack) struct stack *stack = NULL;
	CLEANUP(free) char *busybox = NULL;
	int ret;

	if (words->nr != 2)
		return err_set(err, ERR_USAGE, "vm shell: name one kernel");
	ret = config->stack ? stack_parse(&request, &stack, err) : 0;
	if (ret == 0)
		ret = find_busybox(&busybox, err);
	if (ret == 0)
		ret = kernel_open(words->items[1], NULL, &kernel, err);
	if (ret == 0 && !isatty(STDIN_FILENO))
		ret = err_set(err, ERR_USAGE,
			      "vm shell: standard input is no terminal; 'regio vm run' does the "
			      "steps of a file");
	if (ret < 0)
		return ret;
	fprintf(stderr, "%s: 'exit' ends the guest\n", kernel.release);
	return run_shell(config, &kernel, busybox, stack, err);
}
