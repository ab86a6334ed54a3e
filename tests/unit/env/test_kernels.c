/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What machines look like on five kernels, and all facts that become of it. A file of
 * tests/data/env holds "@path PATH" of the job, "@disk NAME M:m", "@partition DISK NAME M:m",
 * "@slave MASTER LOWER", "@link PATH TARGET", "@folder PATH", and "@file PATH" with its content.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "golden.h"
#include "kernel_cases.h"
#include "machine_env.h"
#include "test.h"

#define MAX_WORDS 4

/* One line that begins with '@', split into words. */
struct step {
	char *line;
	char *words[MAX_WORDS];
};

static void step_split(struct step *step, const char *text)
{
	char *rest;

	step->line = xstrndup(text, strcspn(text, "\n"));
	rest = step->line;
	for (size_t i = 0; i < MAX_WORDS; i++)
		step->words[i] = strsep(&rest, " ");
}

static void plant_a_link(const struct machine *machine, const char *path, const char *target)
{
	const char *slash = strrchr(path, '/');
	CLEANUP(free) char *folder = xstrndup(path, (size_t)(slash - path));

	plant_folder(&machine->root, target);
	plant_link(&machine->root, folder, slash + 1, target);
}

/* body: what follows the line, up to the next '@'. */
static void step_take(struct machine *machine, const struct step *step, const char *body)
{
	char *const *words = step->words;

	if (!strcmp(words[0], "@disk"))
		plant_disk(&machine->sys, words[1], words[2]);
	else if (!strcmp(words[0], "@partition"))
		plant_partition(&machine->sys, words[1], words[2], words[3]);
	else if (!strcmp(words[0], "@slave"))
		plant_slave(&machine->sys, words[1], words[2]);
	else if (!strcmp(words[0], "@link"))
		plant_a_link(machine, words[1], words[2]);
	else if (!strcmp(words[0], "@folder"))
		plant_folder(&machine->root, words[1]);
	else if (!strcmp(words[0], "@file"))
		plant_file(&machine->root, words[1], body);
	else
		fail_msg("'%s' is no step", words[0]);
}

/* Returns the path of the job. Caller frees. */
static char *plant_kernel(struct machine *machine, const char *text)
{
	char *path = NULL;

	for (const char *at = strstr(text, "\n@"); at; at = strstr(at + 1, "\n@")) {
		const char *end = strstr(at + 1, "\n@");
		const char *line_end = strchr(at + 1, '\n');
		CLEANUP(free) char *body = NULL;
		struct step step;

		body = end ? xstrndup(line_end + 1, (size_t)(end - line_end))
			   : xstrdup(line_end + 1);
		step_split(&step, at + 1);
		if (!strcmp(step.words[0], "@path"))
			path = xstrdup(step.words[1]);
		else
			step_take(machine, &step, body);
		free(step.line);
	}
	return path;
}

static void assert_kernel(struct machine *machine, const char *kernel)
{
	const char *root = getenv("REGIO_SOURCE_ROOT");
	CLEANUP(free)
	char *source = xasprintf("%s/tests/data/env/%s.txt", root ? root : ".", kernel);
	CLEANUP(free) char *golden = xasprintf("env/%s.txt", kernel);
	CLEANUP(free) char *path = NULL;
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;

	assert_int_equal(file_read(source, 1 << 20, &text, NULL), 0);
	path = plant_kernel(machine, strbuf_str(&text));
	machine_collect(machine, path);
	for (size_t i = 0; i < machine->result.nr_env; i++) {
		const struct result_pair *pair = &machine->result.env[i];

		/* of the program, not of the machine */
		if (strncmp(pair->key, "regio.", 6) != 0 && strncmp(pair->key, "library.", 8) != 0)
			strbuf_printf(&out, "%s=%s\n", pair->key, pair->value);
	}
	golden_assert(golden, strbuf_str(&out));
}

int main(void)
{
	return kernel_cases_run();
}
