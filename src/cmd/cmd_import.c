/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import: results that other programs printed, into the store. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/args.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "cmd/cmd.h"
#include "cmd/import_summary.h"
#include "cmd/run_output.h"
#include "cmd/terminal.h"
#include "cmd/workload.h"
#include "import/import.h"
#include "model/result.h"
#include "output/doc.h"
#include "output/output.h"
#include "store/store.h"

struct import_config {
	const char *label;
	const char *from;
	const char *store_path;
	struct run_output_options output;
	bool again;
	bool dry_run;
	bool json;
	bool is_help;
};

static const struct arg_row import_rows[] = {
	{ .name = "label",
	  .type = ARG_STRING,
	  .offset = offsetof(struct import_config, label),
	  .value_name = "NAME",
	  .help = "name of the sample; default: the heading above each output, or the file" },
	{ .name = "from",
	  .type = ARG_STRING,
	  .offset = offsetof(struct import_config, from),
	  .value_name = "FORMAT",
	  .help = "look only for this format; --from=help lists them" },
	{ .name = "dry-run",
	  .short_name = 'n',
	  .type = ARG_BOOL,
	  .offset = offsetof(struct import_config, dry_run),
	  .help = "only show what is there; store nothing" },
	{ .name = "again",
	  .type = ARG_BOOL,
	  .offset = offsetof(struct import_config, again),
	  .help = "store results that are in the store already once more" },
	{ .name = "json",
	  .type = ARG_BOOL,
	  .offset = offsetof(struct import_config, json),
	  .help = "one JSON document on stdout" },
	RUN_OUTPUT_ROWS(struct import_config, output),
	{ .name = "store",
	  .type = ARG_STRING,
	  .offset = offsetof(struct import_config, store_path),
	  .value_name = "PATH",
	  .help = "database of results" },
	{ .name = "help",
	  .short_name = 'h',
	  .type = ARG_BOOL,
	  .offset = offsetof(struct import_config, is_help),
	  .help = "this text" },
};

static const struct args_spec import_spec = {
	.command = "regio import",
	.operands = "FILE..",
	.summary = "keep what fio, LKP, stress-ng or regio printed: files, mails, - for stdin",
	.rows = import_rows,
	.nr_rows = sizeof(import_rows) / sizeof(*import_rows),
};

struct import {
	const struct import_config *config;
	struct store *store; /* NULL with --dry-run */
	int64_t experiment;
	unsigned nr_stored;
	unsigned nr_known;	  /* in the store already */
	int64_t known_run;	  /* the first of them */
	FILE *json;		  /* results, collected on disk; NULL without --json */
	struct run_output output; /* nr 0: a summary is printed, not the results */
	struct import_summary summary;
};

static int add_json(struct import *import, const struct result *result, struct err *err)
{
	CLEANUP(free) char *text = NULL;

	if (!import->json)
		return 0;
	text = import_result_json(result);
	if (fprintf(import->json, "%s%s", import->summary.nr_results ? ",\n" : "", text) < 0)
		return err_set_errno(err, "write a temporary file");
	return 0;
}

static int store_result(struct import *import, const struct result *result, struct err *err)
{
	struct store_place place = { .experiment = import->experiment,
				     .sequence = import->nr_stored,
				     .used = 1 };
	int64_t run = 0;
	int ret = 0;

	if (!import->store)
		return 0;
	if (!import->config->again)
		ret = store_find_same(import->store, &place, result, &run, err);
	if (ret < 0)
		return ret;
	if (run) {
		import->known_run = import->nr_known++ ? import->known_run : run;
		return 0;
	}
	ret = store_put_result(import->store, &place, result, &run, err);
	import->nr_stored += ret == 0;
	return ret;
}

static int deliver(void *context, struct result *result, struct err *err)
{
	struct import *import = context;
	int ret = store_result(import, result, err);

	if (ret == 0)
		ret = add_json(import, result, err);
	if (ret == 0 && import->output.nr)
		ret = run_output_result(&import->output, result, err);
	if (ret == 0)
		import_summary_add(&import->summary, result);
	return ret;
}

static int import_files(struct import *import, const struct arg_list *files, struct err *err)
{
	const struct import_options options = { .format = import->config->from,
						.label = import->config->label };
	const struct import_sink sink = { .deliver = deliver, .context = import };

	for (size_t i = 0; i < files->nr; i++) {
		int ret = import_file(files->items[i], &options, &sink, err);

		if (ret < 0)
			return ret;
	}
	return 0;
}

/* ---- what is printed ---- */

static void add_outcome(const struct import *import, struct doc *doc)
{
	if (!import->store) {
		doc_paragraph(doc, "Nothing was stored (--dry-run).");
		return;
	}
	if (import->nr_known)
		doc_paragraph(doc,
			      "%u result%s in the store already, the first one as run %lld: not "
			      "stored again (--again does).",
			      import->nr_known, import->nr_known == 1 ? " is" : "s are",
			      (long long)import->known_run);
	doc_paragraph(doc, "%u result%s stored in %s; `regio compare LABEL LABEL` compares them.",
		      import->nr_stored, import->nr_stored == 1 ? "" : "s",
		      store_path(import->store));
}

static int write_text(const struct import *import, struct err *err)
{
	const struct output_style style = terminal_style();
	CLEANUP(doc) struct doc *doc = doc_create("regio.import");

	import_summary_report(&import->summary, doc);
	add_outcome(import, doc);
	return output_find("text")->doc(doc, &style, stdout, err);
}

static int write_json(const struct import *import, struct err *err)
{
	int ret;

	printf("{\n\"schema\": \"regio.import\",\n\"version\": %d,\n\"stored\": %u,\n\"results\": "
	       "[\n",
	       IMPORT_JSON_VERSION, import->nr_stored);
	ret = file_copy_stream(import->json, stdout, err);
	if (ret < 0)
		return ret;
	printf("\n]\n}\n");
	return output_finish(stdout, err);
}

static void print_formats(void)
{
	for (size_t i = 0; import_format_name(i); i++)
		printf("%-12s %s\n", import_format_name(i), import_format_summary(i));
}

/* ---- the command ---- */

/* All results of all files are stored, or none. */
static int import_stored(struct import *import, const struct arg_list *files, const char *command,
			 struct err *err)
{
	int ret = store_open(import->config->store_path, &import->store, err);

	if (ret < 0)
		return ret;
	ret = store_begin_batch(import->store, err);
	if (ret < 0)
		return ret;
	ret = store_begin_experiment(import->store, "import", command, NULL, &import->experiment,
				     err);
	if (ret == 0)
		ret = import_files(import, files, err);
	if (ret == 0 && import->nr_stored)
		ret = store_end_experiment(import->store, import->experiment, NULL, NULL, err);
	if (ret == 0 && !import->nr_stored) {
		/* nothing new: forget the experiment, which would have no runs */
		(void)store_end_batch(import->store, -ERR_INPUT, NULL);
		return 0;
	}
	return store_end_batch(import->store, ret, err);
}

/* Formats that were asked for are printed in place of the summary, each document on a line. */
static int import_open_output(struct import *import, struct err *err)
{
	const struct run_output_options *options = &import->config->output;
	int ret;

	if (!options->formats && !options->minimal && !options->append_terse)
		return options->path ? err_set(err, ERR_USAGE,
					       "--output: say in which form with "
					       "--output-format")
				     : 0;
	if (import->config->json)
		return err_set(err, ERR_USAGE, "--json and --output-format: one of them");
	ret = run_output_choose(&import->output, options, err);
	import->output.is_stream = true;
	if (ret == 0)
		ret = run_output_open(&import->output, err);
	/* a mistake in the last file must not leave half of a document behind */
	return ret < 0 ? ret : run_output_hold(&import->output, err);
}

static int import_start(struct import *import, const struct arg_list *files, int argc,
			char *const *argv, struct err *err)
{
	CLEANUP(free) char *command = workload_command("import", argc, argv);
	int ret;

	if (files->nr == 0)
		return err_set(err, ERR_USAGE, "no file given; - reads standard input");
	if (import->config->json) {
		import->json = tmpfile();
		if (!import->json)
			return err_set_errno(err, "make a temporary file");
	}
	ret = import_open_output(import, err);
	if (ret == 0)
		ret = import->config->dry_run ? import_files(import, files, err)
					      : import_stored(import, files, command, err);
	ret = run_output_close(&import->output, ret, err);
	if (ret < 0 || import->output.nr)
		return ret;
	return import->json ? write_json(import, err) : write_text(import, err);
}

static int import_run(int argc, char *const *argv, struct err *err)
{
	struct import_config config = { .output = RUN_OUTPUT_OPTIONS_INIT };
	struct import import = { .config = &config };
	struct arg_list files = { .nr = 0 };
	int ret = args_parse(&import_spec, argc, argv, &config, &files, err);

	if (ret == 0 && config.is_help)
		args_print_usage(&import_spec, stdout);
	else if (ret == 0 && config.from && !strcmp(config.from, "help"))
		print_formats();
	else if (ret == 0)
		ret = import_start(&import, &files, argc, argv, err);
	if (import.json)
		(void)fclose(import.json); /* a temporary file: nothing is lost */
	import_summary_release(&import.summary);
	store_close(import.store);
	arg_list_release(&files);
	return ret;
}

const struct command cmd_import = {
	.name = "import",
	.summary = "keep what other programs printed: fio, LKP, stress-ng, mails",
	.spec = &import_spec,
	.run = import_run,
};
