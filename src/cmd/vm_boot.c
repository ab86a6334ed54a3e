/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vm_boot: starts a kernel with nothing to do and says when it reached what. */
#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>

#include "base/arena.h"
#include "base/err.h"
#include "cmd/report_json.h"
#include "cmd/vm.h"
#include "output/doc.h"
#include "vm/kernel.h"
#include "vm/machine.h"

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
	return vm_print(doc, err);
}

int vm_boot(const struct vm_config *config, const struct arg_list *words, struct err *err)
{
	CLEANUP(kernel) struct kernel kernel = { .vmlinux = NULL };
	CLEANUP(machine_report) struct machine_report report = { .events = NULL };
	struct machine_config machine;
	json_t *plan;
	int ret;

	if (words->nr != 2)
		return err_set(err, ERR_USAGE, "vm boot: name one kernel");
	ret = vm_configure(config, &machine, err);
	if (ret == 0)
		ret = kernel_open(words->items[1], NULL, &kernel, err);
	if (ret < 0)
		return ret;
	machine.kernel = &kernel;
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
