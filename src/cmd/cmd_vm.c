/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vm: kernels for guests: where to get them, what is unpacked, and how one boots. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jansson.h>

#include "base/arena.h"
#include "base/child.h"
#include "base/err.h"
#include "base/units.h"
#include "cmd/cmd.h"
#include "cmd/interrupt.h"
#include "cmd/report_json.h"
#include "cmd/terminal.h"
#include "cmd/vm_options.h"
#include "output/doc.h"
#include "output/output.h"
#include "vm/kernel.h"
#include "vm/machine.h"

struct vm_config {
	struct vm_options vm;
	const char *dir;
	uint64_t seed;
	uint64_t max_bytes;
	bool json;
	bool is_help;
};

#define KEEP_ALL UINT64_MAX

static const struct arg_row vm_rows[] = {
	VM_OPTION_ROWS(struct vm_config, vm),
	{ .name = "seed",
	  .type = ARG_U64,
	  .offset = offsetof(struct vm_config, seed),
	  .value_name = "N",
	  .help = "boot: what the guest takes for random (default 1)" },
	{ .name = "dir",
	  .type = ARG_STRING,
	  .offset = offsetof(struct vm_config, dir),
	  .value_name = "FOLDER",
	  .help = "fetch: where the package goes (default: here)" },
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
	.operands = "boot KERNEL | cache | fetch list | fetch RELEASE..",
	.summary = "kernels for guests: get them, boot one, see what is unpacked",
	.rows = vm_rows,
	.nr_rows = sizeof(vm_rows) / sizeof(*vm_rows),
};

static int print_doc(struct doc *doc, struct err *err)
{
	const struct output_style style = terminal_style();
	int ret = output_find("text")->doc(doc, &style, stdout, err);

	doc_free(doc);
	return ret;
}

/* ---- boot ---- */

static void boot_json(const struct machine_report *report, const struct kernel *kernel)
{
	json_t *root = json_pack("{s:s, s:i, s:s, s:s, s:s, s:I, s:O}", "schema", "regio.vm_boot",
				 "version", 1, "release", kernel->release, "build_id",
				 kernel->build_id, "command", report->qemu.command, "wall_ns",
				 (json_int_t)report->qemu.wall_ns, "events", report->events);
	CLEANUP(free) char *text = report_dump(root);

	printf("%s\n", text);
}

static int boot_text(const struct machine_report *report, const struct kernel *kernel,
		     struct err *err)
{
	static const struct doc_column columns[] = {
		{ "guest time", DOC_RIGHT },
		{ "reached", DOC_LEFT },
	};
	struct doc *doc = doc_create("regio.vm_boot");
	const json_t *event;
	struct doc_table *table;
	size_t i;

	doc_heading(doc, "%s, build id %s", kernel->release, kernel->build_id);
	table = doc_table(doc, "events", columns, 2);
	json_array_foreach(report->events, i, event)
	{
		doc_row(table);
		doc_number(table, (double)json_integer_value(json_object_get(event, "guest_ns")),
			   "ns");
		doc_text(table, "%s", json_string_value(json_object_get(event, "event")));
	}
	doc_paragraph(doc, "%.1f s of our time from start to power off, with:",
		      (double)report->qemu.wall_ns / 1e9);
	doc_verbatim(doc, "%s", report->qemu.command);
	return print_doc(doc, err);
}

static int vm_boot(const struct vm_config *config, const struct arg_list *words, struct err *err)
{
	CLEANUP(kernel) struct kernel kernel = { .vmlinux = NULL };
	CLEANUP(machine_report) struct machine_report report = { .events = NULL };
	struct machine_config machine = {
		.kernel = &kernel,
		.memory_mib = config->vm.memory_mib,
		.nr_cpus = config->vm.nr_cpus,
		.seed = config->seed,
		.timeout_ns = config->vm.timeout_ns,
		.append = config->vm.append,
		.stop = interrupt_install(),
	};
	const char *time;
	json_t *plan;
	int ret;

	if (words->nr != 2)
		return err_set(err, ERR_USAGE, "vm boot: name one kernel");
	ret = vm_time_resolve(config->vm.time, &time, err);
	if (ret == 0)
		ret = vm_time_parse(time, &machine.time, err);
	if (ret == 0)
		ret = kernel_open(words->items[1], NULL, &kernel, err);
	if (ret < 0)
		return ret;
	plan = json_pack("{s:[]}", "settings");
	machine.plan = plan;
	ret = machine_run(&machine, &report, err);
	json_decref(plan);
	if (ret < 0)
		return ret;
	if (!config->json)
		return boot_text(&report, &kernel, err);
	boot_json(&report, &kernel);
	return 0;
}

/* ---- cache ---- */

static void cache_json(const struct kernel_cache *list)
{
	json_t *kernels = json_array();
	json_t *root = json_pack("{s:s, s:i, s:o, s:I}", "schema", "regio.vm_cache", "version", 1,
				 "kernels", kernels, "size_bytes", (json_int_t)list->size_bytes);
	CLEANUP(free) char *text = NULL;

	VEC_FOREACH (&list->items, item)
		(void)json_array_append_new(
			kernels,
			json_pack("{s:s, s:s, s:o, s:I, s:I}", "hash", item->hash, "release",
				  item->release, "source", report_text(item->source), "size_bytes",
				  (json_int_t)item->size_bytes, "used_at_unix_s",
				  (json_int_t)item->used_at_unix_s));
	text = report_dump(root);
	printf("%s\n", text);
}

static int cache_text(const struct kernel_cache *list, struct err *err)
{
	static const struct doc_column columns[] = {
		{ "kernel", DOC_LEFT },
		{ "size", DOC_RIGHT },
		{ "last used", DOC_LEFT },
		{ "from", DOC_LEFT },
	};
	struct doc *doc = doc_create("regio.vm_cache");
	struct doc_table *table;

	if (list->items.nr == 0) {
		doc_paragraph(doc, "No kernel is unpacked yet.");
		return print_doc(doc, err);
	}
	table = doc_table(doc, "kernels", columns, 4);
	VEC_FOREACH (&list->items, item) {
		time_t used = (time_t)item->used_at_unix_s;
		struct tm at;
		char text[32];

		(void)strftime(text, sizeof(text), "%Y-%m-%d %H:%M", localtime_r(&used, &at));
		doc_row(table);
		doc_text(table, "%s", item->release);
		doc_number(table, (double)item->size_bytes, "B");
		doc_text(table, "%s", text);
		doc_text(table, "%s", item->source);
	}
	return print_doc(doc, err);
}

static int vm_cache(const struct vm_config *config, const struct arg_list *words, struct err *err)
{
	CLEANUP(kernel_cache) struct kernel_cache list = { .size_bytes = 0 };
	int ret = 0;

	if (words->nr != 1)
		return err_set(err, ERR_USAGE, "vm cache: '%s' is one word too many",
			       words->items[1]);
	if (config->max_bytes != KEEP_ALL)
		ret = kernel_cache_shrink(NULL, config->max_bytes, err);
	if (ret >= 0)
		ret = kernel_cache_list(NULL, &list, err);
	if (ret < 0)
		return ret;
	if (!config->json)
		return cache_text(&list, err);
	cache_json(&list);
	return 0;
}

/* ---- fetch ---- */

#define PACKAGE_PREFIX "linux-image-"

/* apt prints "NAME - summary"; of the packages only those with a kernel in them. */
static int fetch_list(struct err *err)
{
	static const char *const argv[] = { "apt-cache", "search", "--names-only",
					    "^" PACKAGE_PREFIX "[0-9].*[0-9]", NULL };
	const struct child_spec spec = { .argv = argv };
	CLEANUP(child_result) struct child_result result = CHILD_RESULT_INIT;
	int ret = child_run_checked(&spec, "apt-cache", &result, err);
	char *rest = result.out.buf;
	char *line;

	if (ret < 0)
		return ret;
	while ((line = strsep(&rest, "\n")) != NULL) {
		char *end = strstr(line, " - ");

		if (!end || strstr(line, "-dbg") || strstr(line, "-unsigned"))
			continue;
		*end = '\0';
		printf("%s\n", line + strlen(PACKAGE_PREFIX));
	}
	return 0;
}

static int fetch_one(const char *release, const char *dir, struct err *err)
{
	CLEANUP(free)
	char *package = xasprintf(
		"%s%s",
		strncmp(release, PACKAGE_PREFIX, strlen(PACKAGE_PREFIX)) != 0 ? PACKAGE_PREFIX : "",
		release);
	const char *const argv[] = { "apt-get", "-q", "download", package, NULL };
	const struct child_spec spec = { .argv = argv, .dir = dir, .stop = interrupt_install() };

	return child_run_checked(&spec, package, NULL, err);
}

static int vm_fetch(const struct vm_config *config, const struct arg_list *words, struct err *err)
{
	int ret = 0;

	if (words->nr < 2)
		return err_set(err, ERR_USAGE, "vm fetch: name a release, or list");
	if (words->nr == 2 && !strcmp(words->items[1], "list"))
		return fetch_list(err);
	for (size_t i = 1; ret == 0 && i < words->nr; i++)
		ret = fetch_one(words->items[i], config->dir, err);
	return ret;
}

/* ---- the command ---- */

static const struct {
	const char *name;
	int (*run)(const struct vm_config *config, const struct arg_list *words, struct err *err);
} verbs[] = {
	{ "boot", vm_boot },
	{ "cache", vm_cache },
	{ "fetch", vm_fetch },
};

static int vm_dispatch(const struct vm_config *config, const struct arg_list *words,
		       struct err *err)
{
	if (words->nr == 0)
		return err_set(err, ERR_USAGE, "vm: boot, cache or fetch what?");
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (!strcmp(verbs[i].name, words->items[0]))
			return verbs[i].run(config, words, err);
	}
	return err_set(err, ERR_USAGE, "vm: '%s' is none of boot, cache, fetch", words->items[0]);
}

static int vm_run(int argc, char *const *argv, struct err *err)
{
	struct vm_config config = { .vm = VM_OPTIONS_INIT, .seed = 1, .max_bytes = KEEP_ALL };
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
	.summary = "kernels for guests: fetch, boot, cache",
	.spec = &vm_spec,
	.run = vm_run,
};
