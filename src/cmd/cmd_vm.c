/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vm: the verbs around kernels and guests, and what they share. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "cmd/cmd.h"
#include "cmd/interrupt.h"
#include "cmd/terminal.h"
#include "cmd/vm.h"
#include "output/doc.h"
#include "output/output.h"
#include "vm/machine.h"

static const struct arg_row vm_rows[] = {
	VM_OPTION_ROWS(struct vm_config, vm),
	{ .name = "seed",
	  .type = ARG_U64,
	  .offset = offsetof(struct vm_config, seed),
	  .value_name = "N",
	  .help = "boot, run: what the guest takes for random (default 1)" },
	{ .name = "dir",
	  .type = ARG_STRING,
	  .offset = offsetof(struct vm_config, dir),
	  .value_name = "FOLDER",
	  .help = "fetch: where the package goes, made if need be (default: here)" },
	{ .name = "stack",
	  .type = ARG_STRING,
	  .offset = offsetof(struct vm_config, stack),
	  .value_name = "LAYERS",
	  .help = "shell: devices to build first, as of regio run" },
	{ .name = "unpack",
	  .type = ARG_BOOL,
	  .offset = offsetof(struct vm_config, unpack),
	  .help = "fetch: unpack the kernel, for kernel=RELEASE, and keep no package" },
	{ .name = "max",
	  .type = ARG_SIZE,
	  .offset = offsetof(struct vm_config, max_bytes),
	  .value_name = "SIZE",
	  .help = "cache: remove what was not used for longest until the rest fits" },
	{ .name = "json",
	  .type = ARG_BOOL,
	  .offset = offsetof(struct vm_config, json),
	  .help = "one JSON document on stdout" },
	{ .name = "help",
	  .short_name = 'h',
	  .type = ARG_BOOL,
	  .offset = offsetof(struct vm_config, is_help),
	  .help = "this text" },
};

static const struct args_spec vm_spec = {
	.command = "regio vm",
	.operands = "boot KERNEL | run KERNEL SCRIPT | shell KERNEL | cache | fetch list | "
		    "fetch RELEASE..",
	.summary = "kernels for guests: get them, boot one, do something in it",
	.rows = vm_rows,
	.nr_rows = sizeof(vm_rows) / sizeof(*vm_rows),
};

int vm_print(struct doc *doc, struct err *err)
{
	const struct output_style style = terminal_style();
	int ret = output_find("text")->doc(doc, &style, stdout, err);

	doc_free(doc);
	return ret;
}

int vm_configure(const struct vm_config *config, struct machine_config *ret_machine,
		 struct err *err)
{
	const char *time;
	int ret = vm_time_resolve(config->vm.time, &time, err);

	*ret_machine = (struct machine_config){
		.memory_mib = config->vm.memory_mib,
		.nr_cpus = config->vm.nr_cpus,
		.seed = config->seed,
		.timeout_ns = config->vm.timeout_ns,
		.append = config->vm.append,
		.stop = interrupt_install(),
	};
	return ret < 0 ? ret : vm_time_parse(time, &ret_machine->time, err);
}

static const struct {
	const char *name;
	int (*run)(const struct vm_config *config, const struct arg_list *words, struct err *err);
} verbs[] = {
	{ "boot", vm_boot }, { "cache", vm_cache }, { "fetch", vm_fetch },
	{ "run", vm_run },   { "shell", vm_shell },
};

#define NR_VERBS (sizeof(verbs) / sizeof(verbs[0]))

static int vm_dispatch(const struct vm_config *config, const struct arg_list *words,
		       struct err *err)
{
	CLEANUP(strbuf) struct strbuf names = STRBUF_INIT;

	for (size_t i = 0; i < NR_VERBS; i++) {
		if (words->nr && !strcmp(verbs[i].name, words->items[0]))
			return verbs[i].run(config, words, err);
		strbuf_printf(&names, "%s%s", i ? ", " : "", verbs[i].name);
	}
	if (words->nr == 0)
		return err_set(err, ERR_USAGE, "vm: which of %s?", strbuf_str(&names));
	return err_set(err, ERR_USAGE, "vm: '%s' is none of %s", words->items[0],
		       strbuf_str(&names));
}

static int vm_main(int argc, char *const *argv, struct err *err)
{
	struct vm_config config = { .vm = VM_OPTIONS_INIT, .seed = 1, .max_bytes = VM_KEEP_ALL };
	struct arg_list words = { .nr = 0 };
	int ret = args_parse(&vm_spec, argc, argv, &config, &words, err);

	if (ret == 0 && config.is_help)
		args_print_usage(&vm_spec, stdout);
	else if (ret == 0)
		ret = vm_dispatch(&config, &words, err);
	arg_list_release(&words);
	args_release(&vm_spec, &config);
	return ret;
}

const struct command cmd_vm = {
	.name = "vm",
	.summary = "kernels for guests: fetch, boot, run a script, shell, cache",
	.spec = &vm_spec,
	.run = vm_main,
};
