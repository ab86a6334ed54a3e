/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_output: the forms in which run prints a result, and the stream they go to. */
#include "cmd/run_output.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "cmd/exec_report.h"
#include "model/result.h"
#include "output/fio_form_terse.h"
#include "output/output.h"

/* ---- which ---- */

static int refuse_format(const char *name, struct err *err)
{
	CLEANUP(strbuf) struct strbuf names = STRBUF_INIT;

	for (const struct output_ops *const *row = output_table(); *row; row++) {
		if ((*row)->result)
			strbuf_printf(&names, "%s%s", names.len ? ", " : "", (*row)->name);
	}
	return err_set(err, ERR_USAGE,
		       "--output-format: '%s' is not a format that results can be written in: %s",
		       name, strbuf_str(&names));
}

/* fio writes terse first, then JSON, then the text; ours come behind them. */
static unsigned rank_of(const struct output_ops *format)
{
	static const char *const first[] = { "terse", "json", "normal" };
	unsigned rank = 0;

	while (rank < 3 && strncmp(format->name, first[rank], strlen(first[rank])) != 0)
		rank++;
	return rank;
}

static int add_format(struct run_output *output, const struct output_ops *format, struct err *err)
{
	size_t place = output->nr;

	for (size_t i = 0; i < output->nr; i++) {
		if (output->formats[i] == format)
			return 0;
	}
	if (output->nr == RUN_OUTPUT_MAX_FORMATS)
		return err_set(err, ERR_USAGE, "--output-format: more than %d formats",
			       RUN_OUTPUT_MAX_FORMATS);
	while (place > 0 && rank_of(output->formats[place - 1]) > rank_of(format)) {
		output->formats[place] = output->formats[place - 1];
		place--;
	}
	output->formats[place] = format;
	output->nr++;
	return 0;
}

static int add_named(struct run_output *output, const char *name, struct err *err)
{
	const unsigned terse_version = output->options->terse_version;
	CLEANUP(free) char *versioned = NULL;
	const struct output_ops *format;

	if (!strcmp(name, "minimal") || !strcmp(name, "csv")) /* fio's other names */
		name = "terse";
	if (!strcmp(name, "terse") && terse_version != FIO_FORM_TERSE_VERSION)
		versioned = xasprintf("terse%u", terse_version);
	format = output_find(versioned ? versioned : name);
	if (!format || !format->result)
		return refuse_format(name, err);
	return add_format(output, format, err);
}

/* json+ is json and more: one document. */
static void drop_json_beside_plus(struct run_output *output)
{
	const struct output_ops *plus = output_find("json+");
	bool has_plus = false;
	size_t kept = 0;

	for (size_t i = 0; i < output->nr; i++)
		has_plus |= output->formats[i] == plus;
	for (size_t i = 0; i < output->nr; i++) {
		if (!has_plus || strcmp(output->formats[i]->name, "json") != 0)
			output->formats[kept++] = output->formats[i];
	}
	output->nr = kept;
}

int run_output_choose(struct run_output *output, const struct run_output_options *options,
		      struct err *err)
{
	CLEANUP(free) char *names = xstrdup(options->formats ? options->formats : "normal");
	char *rest = names;
	char *name;
	int ret = 0;

	*output = (struct run_output){ .options = options };
	if (options->terse_version < FIO_FORM_TERSE_VERSION_MIN ||
	    options->terse_version > FIO_FORM_TERSE_VERSION_MAX)
		return err_set(err, ERR_USAGE, "--terse-version: %u is not one of %d to %d",
			       options->terse_version, FIO_FORM_TERSE_VERSION_MIN,
			       FIO_FORM_TERSE_VERSION_MAX);
	if (options->minimal || options->append_terse)
		ret = add_named(output, "terse", err);
	if (options->minimal)
		return ret;
	while (ret == 0 && (name = strsep(&rest, ",")) != NULL)
		ret = add_named(output, name, err);
	drop_json_beside_plus(output);
	return ret;
}

/* ---- where ---- */

int run_output_open(struct run_output *output, struct err *err)
{
	const char *path = output->options->path;
	int fd;

	output->to = stdout;
	if (!path)
		return 0;
	fd = file_open_report(path, 0666, &output->is_new, err);
	if (fd < 0)
		return fd;
	output->to = fdopen(fd, "w");
	return output->to ? 0 : err_set_errno(err, "open '%s'", path);
}

int run_output_hold(struct run_output *output, struct err *err)
{
	FILE *held = tmpfile();

	if (!held)
		return err_set_errno(err, "make a temporary file");
	output->held_from = output->to;
	output->to = held;
	return 0;
}

/* Everything or nothing of what was held back. */
static int let_go(struct run_output *output, int ret, struct err *err)
{
	FILE *held = output->to;

	if (!output->held_from)
		return ret;
	output->to = output->held_from;
	output->held_from = NULL;
	output->has_begun = false;
	if (ret >= 0)
		ret = run_output_begin(output, err);
	if (ret >= 0 && file_copy_stream(held, output->to, err) < 0)
		ret = err_prefix(err, "%s",
				 output->options->path ? output->options->path : "stdout");
	(void)fclose(held); /* a temporary file: nothing is lost */
	return ret;
}

int run_output_close(struct run_output *output, int ret, struct err *err)
{
	FILE *to;

	ret = let_go(output, ret, err);
	to = output->to;
	if (!to || to == stdout)
		return ret;
	output->to = NULL;
	if (!output->has_begun && output->is_new)
		(void)unlink(output->options->path); /* empty: a refused run leaves no report */
	/* a full disk shows only here */
	if ((ferror(to) | fclose(to)) != 0 && ret >= 0)
		return err_set_errno(err, "write '%s'", output->options->path);
	return ret;
}

/* Ends one piece of writing: what did not reach the file or stdout is an error that names it. */
static int end_writing(const struct run_output *output, int ret, struct err *err)
{
	const char *path = output->options->path;

	if (ret == 0 && fflush(output->to) != 0)
		ret = err_set_errno(err, "write");
	if (ret < 0)
		(void)err_prefix(err, "%s", path ? path : "stdout");
	return ret;
}

int run_output_begin(struct run_output *output, struct err *err)
{
	if (output->has_begun)
		return 0;
	output->has_begun = true;
	return output->to == stdout
		       ? 0
		       : file_empty_report(fileno(output->to), output->options->path, err);
}

int run_output_header(struct run_output *output, const struct job_set *jobs, struct err *err)
{
	int ret;

	if (output->has_begun)
		return 0;
	ret = run_output_begin(output, err);
	for (size_t i = 0; i < output->nr && ret == 0; i++) {
		if (output->formats[i]->run_header)
			ret = output->formats[i]->run_header(jobs, output->to, err);
	}
	return end_writing(output, ret, err);
}

/* fio's own forms have no place for a command and its numbers. */
static int write_as(const struct run_output *output, const struct output_ops *format,
		    const struct result *result, struct err *err)
{
	if ((result->command || result->workload) && !strcmp(format->name, "normal"))
		return exec_report(result, output->to, err);
	if (output->is_stream && format->status)
		return format->status(result, output->to, err);
	return format->result(result, output->to, err);
}

int run_output_result(struct run_output *output, const struct result *result, struct err *err)
{
	int ret = run_output_begin(output, err);

	for (size_t i = 0; i < output->nr && ret == 0; i++)
		ret = write_as(output, output->formats[i], result, err);
	return end_writing(output, ret, err);
}

/* A terminal, or what both were sent to with 2>&1. */
static bool is_one_stream(void)
{
	struct stat out, err;

	if (isatty(STDOUT_FILENO) == 1 && isatty(STDERR_FILENO) == 1)
		return true;
	return fstat(STDOUT_FILENO, &out) == 0 && fstat(STDERR_FILENO, &err) == 0 &&
	       out.st_dev == err.st_dev && out.st_ino == err.st_ino;
}

bool run_output_has_told(const struct run_output *output)
{
	bool tells_notes = false;

	for (size_t i = 0; i < output->nr; i++)
		tells_notes |= output->formats[i]->tells_notes;
	return tells_notes && output->to == stdout && is_one_stream();
}
