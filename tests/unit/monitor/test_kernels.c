/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What /proc and sysfs look like on five kernels, and all that becomes of it. The files of
 * tests/data/monitor hold "@begin PATH" and "@end PATH": before and after the first round. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "golden.h"
#include "kernel_cases.h"
#include "machine.h"
#include "monitor/monitor.h"
#include "test.h"

#define SECONDS 20

static void load(const char *kernel, struct strbuf *text)
{
	const char *root = getenv("REGIO_SOURCE_ROOT");
	CLEANUP(free)
	char *path = xasprintf("%s/tests/data/monitor/%s.txt", root ? root : ".", kernel);

	assert_int_equal(file_read(path, 1 << 20, text, NULL), 0);
}

/* The disk of sys/block/DISK/stat is one of the job. */
static void add_disk(struct machine *machine, struct strbuf *disk, const char *path)
{
	if (strncmp(path, "sys/block/", 10) != 0)
		return;
	strbuf_add(disk, path + 10, strcspn(path + 10, "/"));
	machine->disks[machine->nr_disks++] = strbuf_str(disk);
}

/* Writes the sections of one kind; the content of a section ends at the next '@' line. */
static void plant_sections(struct machine *machine, const char *text, const char *kind,
			   struct strbuf *disk)
{
	size_t kind_len = strlen(kind);

	for (const char *at = strchr(text, '@'); at; at = strstr(at + 1, "\n@")) {
		CLEANUP(free) char *path = NULL;
		CLEANUP(free) char *content = NULL;
		const char *line = *at == '\n' ? at + 1 : at;
		const char *end = strstr(line, "\n@");
		const char *body = strchr(line, '\n') + 1;

		if (strncmp(line + 1, kind, kind_len) != 0)
			continue;
		path = xstrndup(line + kind_len + 2, (size_t)(body - line) - kind_len - 3);
		content = end ? xstrndup(body, (size_t)(end + 1 - body)) : xstrdup(body);
		machine_file(machine, path, content);
		if (disk)
			add_disk(machine, disk, path);
	}
}

static bool is_of_this_process(const char *name)
{
	return strncmp(name, "time.", 5) == 0 || strncmp(name, "monitor.", 8) == 0;
}

static void assert_kernel(struct machine *machine, const char *kernel)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf disk = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;
	CLEANUP(free) char *golden = xasprintf("monitor/%s.txt", kernel);

	load(kernel, &text);
	plant_sections(machine, strbuf_str(&text), "begin", &disk);
	machine_watch(machine, "default,slabinfo,sched-debug");
	machine_round(machine, 0, MONITOR_FIRST);
	plant_sections(machine, strbuf_str(&text), "end", NULL);
	for (unsigned i = 1; i < SECONDS; i++)
		machine_round(machine, i, MONITOR_BETWEEN);
	machine_round(machine, SECONDS, MONITOR_LAST);
	machine_report(machine);
	for (size_t i = 0; i < machine->result.monitored.nr; i++) {
		const struct given_metric *metric = &machine->result.monitored.items[i];

		if (!is_of_this_process(metric->name))
			strbuf_printf(&out, "%s %.10g\n", metric->name, metric->value);
	}
	golden_assert(golden, strbuf_str(&out));
}

int main(void)
{
	return kernel_cases_run();
}
