/* SPDX-License-Identifier: GPL-2.0-or-later */
/* machine: the initramfs of a guest, its run, and the lines that it sent. */
#include "vm/machine.h"

#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "model/guest_link.h"
#include "vm/cpio.h"
#include "vm/guest_memory.h"
#include "vm/guest_program.h"
#include "vm/module_index.h"
#include "vm/programs.h"

#define MAX_MODULE_BYTES (256UL << 20)
#define NR_CONSOLE_LINES 4 /* in a message */
#define PANIC "Kernel panic"

void machine_report_release(struct machine_report *report)
{
	json_decref(report->events);
	report->events = NULL;
	qemu_output_release(&report->qemu);
}

/* ---- initramfs ---- */

struct build {
	const struct machine_config *config;
	struct module_index index;
	struct module_order order; /* in the archive already */
	struct cpio cpio;
};

static void build_release(struct build *build)
{
	vec_release(&build->order);
	module_index_release(&build->index);
	strbuf_release(&build->cpio.data);
}

CLEANUP_DEFINE(build, struct build, build_release)

/* The module that a request means, which stands last in an order made for it alone. */
static bool is_meant(const struct module_entry *entry, const struct machine_module *module)
{
	for (size_t i = 0; entry->name[i] || module->name[i]; i++) {
		char c = module->name[i] == '-' ? '_' : module->name[i];

		if (entry->name[i] != c)
			return false;
	}
	return true;
}

static int add_module_file(struct build *build, const struct module_entry *entry, struct err *err)
{
	CLEANUP(strbuf) struct strbuf content = STRBUF_INIT;
	CLEANUP(free) char *name = xasprintf(GUEST_MODULE_FOLDER "/%s.ko", entry->name);
	int ret = file_read(entry->path, MAX_MODULE_BYTES, &content, err);

	if (ret == 0)
		cpio_add_file(&build->cpio, name, 0644, strbuf_str(&content), content.len);
	return ret;
}

/* Adds the files of one module and of what it needs; list gets what the guest is to load. */
static int add_module(struct build *build, const struct machine_module *module, json_t *list,
		      struct err *err)
{
	size_t first = build->order.nr;
	struct err reason = { .code = 0 };
	int ret = module_order_add(&build->index, module->name, &build->order, &reason);

	if (ret < 0 && !module->is_optional) {
		if (err)
			*err = reason;
		return ret;
	}
	for (size_t i = first; i < build->order.nr; i++) {
		const struct module_entry *entry = build->order.items[i];

		ret = add_module_file(build, entry, err);
		if (ret < 0)
			return ret;
		if (list)
			(void)json_array_append_new(
				list,
				json_pack(
					"{s:o, s:s}", "file",
					json_sprintf("/" GUEST_MODULE_FOLDER "/%s.ko", entry->name),
					"params", is_meant(entry, module) ? module->params : ""));
	}
	return 0;
}

static int add_modules(struct build *build, json_t *plan, struct err *err)
{
	/* Debian's kernels have it as a module, and a stack looks for what is mounted. */
	static const struct machine_module configfs = { .name = "configfs",
							.params = "",
							.is_optional = true };
	const struct machine_config *config = build->config;
	json_t *list = json_array();
	int ret = 0;

	(void)json_object_set_new(plan, "modules", list);
	ret = add_module(build, &configfs, list, err);
	for (size_t i = 0; ret == 0 && i < config->nr_spare_modules; i++)
		ret = add_module(build, &config->spare_modules[i], NULL, err);
	return ret;
}

/* What modprobe in the guest knows. */
static void add_module_table(struct build *build)
{
	CLEANUP(strbuf) struct strbuf table = STRBUF_INIT;

	VEC_FOREACH (&build->order, module) {
		struct module_order order = VEC_INIT;

		(void)module_order_add(&build->index, (*module)->name, &order, NULL);
		strbuf_printf(&table, "%s\t", (*module)->name);
		for (size_t i = 0; i < order.nr; i++)
			strbuf_printf(&table, "%s%s", i ? " " : "", order.items[i]->name);
		strbuf_printf(&table, "\t%s\n", (*module)->aliases);
		vec_release(&order);
	}
	cpio_add_file(&build->cpio, GUEST_MODULE_TABLE, 0644, strbuf_str(&table), table.len);
}

static void add_skeleton(struct cpio *cpio)
{
	static const char *const folders[] = { "dev", "sbin",	GUEST_MODULE_FOLDER,
					       "mnt", "proc",	"regio",
					       "bin", "sys",	"tmp",
					       "var", "var/tmp" };

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		cpio_add_folder(cpio, folders[i]);
	cpio_add_char_device(cpio, "dev/console", 0600, 5, 1);
	cpio_add_link(cpio, "sbin/modprobe", "/init");
}

static int add_shell(struct build *build, struct err *err)
{
	CLEANUP(strbuf) struct strbuf program = STRBUF_INIT;
	int ret = file_read(build->config->shell, MAX_MODULE_BYTES, &program, err);

	if (ret == 0)
		cpio_add_file(&build->cpio, GUEST_SHELL, 0755, strbuf_str(&program), program.len);
	return ret;
}

static int build_initramfs(struct build *build, struct err *err)
{
	const struct machine_config *config = build->config;
	CLEANUP(strbuf) struct strbuf program = STRBUF_INIT;
	json_t *plan = json_deep_copy(config->plan);
	char *text;
	int ret = guest_program_read(&program, err);

	if (ret == 0)
		ret = module_index_load(config->kernel->modules, &build->index, err);
	add_skeleton(&build->cpio);
	cpio_add_file(&build->cpio, "init", 0755, strbuf_str(&program), program.len);
	if (ret == 0)
		ret = add_modules(build, plan, err);
	(void)json_object_set_new(plan, "schema", json_string(GUEST_PLAN_SCHEMA));
	(void)json_object_set_new(plan, "version", json_integer(GUEST_PLAN_VERSION));
	text = json_dumps(plan, JSON_INDENT(1) | JSON_SORT_KEYS);
	cpio_add_file(&build->cpio, GUEST_PLAN_FILE, 0644, text, strlen(text));
	add_module_table(build);
	if (ret == 0)
		ret = programs_add(&build->cpio, config->programs, err);
	if (ret == 0 && config->shell)
		ret = add_shell(build, err);
	cpio_finish(&build->cpio);
	free(text);
	json_decref(plan);
	return ret;
}

/* ---- reading ---- */

static void read_events(struct machine_report *report)
{
	const char *line = strbuf_str(&report->qemu.results);

	report->events = json_array();
	while (*line) {
		size_t len = strcspn(line, "\n");
		json_t *event = line[len] ? json_loadb(line, len, 0, NULL) : NULL;

		/* what is no whole line was cut off; the missing end says so */
		if (json_is_object(event))
			(void)json_array_append(report->events, event);
		json_decref(event);
		line += line[len] ? len + 1 : len;
	}
}

const json_t *machine_event(const struct machine_report *report, const char *name)
{
	const json_t *event;
	size_t i;

	json_array_foreach(report->events, i, event)
	{
		const char *is = json_string_value(json_object_get(event, "event"));

		if (is && !strcmp(is, name))
			return event;
	}
	return NULL;
}

/* Lines of the console, joined by " | ": from fault on, or the last ones. */
static void add_words(const struct strbuf *console, const char *fault, struct strbuf *out)
{
	const char *text = strbuf_str(console);
	const char *at = fault ? fault : text + console->len;
	unsigned nr_lines = 0;

	while (!fault && at > text) {
		if (at[-1] == '\n' && at[0] && ++nr_lines == NR_CONSOLE_LINES)
			break;
		at--;
	}
	for (nr_lines = 0; *at && nr_lines < NR_CONSOLE_LINES; nr_lines++) {
		size_t len = strcspn(at, "\n");

		if (len)
			strbuf_printf(out, "%s%.*s", out->len ? " | " : "", (int)len, at);
		at += at[len] ? len + 1 : len;
	}
}

static int refuse_unfinished(const struct machine_report *report, struct err *err)
{
	CLEANUP(strbuf) struct strbuf words = STRBUF_INIT;
	const char *what = "the guest stopped before its end";

	add_words(&report->qemu.console, strstr(strbuf_str(&report->qemu.console), PANIC), &words);
	if (report->qemu.is_timeout)
		what = "the guest did not end in time";
	else if (json_array_size(report->events) == 0)
		what = "the guest did not start";
	return err_set(err, ERR_SYSTEM, "%s; its console: %s", what,
		       words.len ? strbuf_str(&words) : "(empty)");
}

static int refuse_out_of_memory(const struct machine_report *report, unsigned memory_mib,
				struct err *err)
{
	const struct strbuf *console = &report->qemu.console;
	CLEANUP(strbuf) struct strbuf words = STRBUF_INIT;

	add_words(console, guest_memory_find_end(strbuf_str(console)), &words);
	return err_set(
		err, ERR_SYSTEM,
		"the guest ran out of memory: %u MiB, give more by --vm-memory; its console: "
		"%s",
		memory_mib, strbuf_str(&words));
}

static int check_report(const struct machine_report *report, unsigned memory_mib, struct err *err)
{
	const json_t *fault = machine_event(report, "error");
	const char *message = json_string_value(json_object_get(fault, "message"));
	json_int_t code = json_integer_value(json_object_get(fault, "code"));
	json_int_t error = json_integer_value(json_object_get(fault, "errno"));

	if (!fault)
		return machine_event(report, "end") ? 0 : refuse_unfinished(report, err);
	if (message && guest_memory_is_full(message, (int)error))
		return err_set(
			err, ERR_SYSTEM,
			"in the guest: %s: files of a guest fill at most half of its memory of %u "
			"MiB, give more by --vm-memory",
			message, memory_mib);
	return err_set(err,
		       code >= ERR_USAGE && code <= ERR_INTERRUPTED ? (enum err_code)code
								    : ERR_SYSTEM,
		       "in the guest: %s", message ? message : "an unknown failure");
}

/* What the kernel says explains more than how QEMU ends then. */
static bool is_told(const struct machine_report *report)
{
	const char *console = strbuf_str(&report->qemu.console);

	return strstr(console, PANIC) || guest_memory_find_end(console);
}

int machine_run(const struct machine_config *config, struct machine_report *ret_report,
		struct err *err)
{
	CLEANUP(build) struct build build = { .config = config, .cpio = CPIO_INIT };
	struct qemu_config qemu = {
		.time = config->time,
		.vmlinux = config->kernel->vmlinux,
		.memory_mib = config->memory_mib,
		.nr_cpus = config->nr_cpus,
		.seed = config->seed,
		.append = config->append,
		.timeout_ns = config->timeout_ns ? config->timeout_ns : MACHINE_DEFAULT_TIMEOUT_NS,
		.stop = config->stop,
		.is_shell = config->shell != NULL,
	};
	int ret = build_initramfs(&build, err);

	*ret_report = (struct machine_report){ .events = NULL };
	if (ret == 0)
		ret = guest_memory_check(qemu.vmlinux, build.cpio.data.len, qemu.memory_mib, err);
	if (ret < 0)
		return ret;
	qemu.initramfs = build.cpio.data.buf;
	qemu.initramfs_len = build.cpio.data.len;
	ret = qemu_run(&qemu, &ret_report->qemu, err);
	if (ret < 0 && !is_told(ret_report)) {
		if (ret == -ERR_SYSTEM && ret_report->qemu.results.len == 0)
			(void)err_prefix(err, "the guest did not start");
		return ret;
	}
	read_events(ret_report);
	if (guest_memory_find_end(strbuf_str(&ret_report->qemu.console)))
		return refuse_out_of_memory(ret_report, config->memory_mib, err);
	return check_report(ret_report, config->memory_mib, err);
}
