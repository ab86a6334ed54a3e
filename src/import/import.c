/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import: the table of importers, and which of them reads which block of a text. */
#include "import/import.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/suggest.h"
#include "import/deliver.h"
#include "import/import_table.h"
#include "import/importer.h"
#include "import/reader.h"

/* On a tie the first counts. */
static const struct importer_ops *const importers[] = {
	&importer_archive,   &importer_fio_json,   &importer_fio_terse, &importer_fio_text,
	&importer_lkp_table, &importer_lkp_matrix, &importer_stress_ng, &importer_iostat,
	&importer_btt,	     &importer_pipes,	   &importer_csv,
};

#define NR_IMPORTERS (sizeof(importers) / sizeof(importers[0]))

const char *import_format_name(size_t index)
{
	return index < NR_IMPORTERS ? importers[index]->name : NULL;
}

const char *import_format_summary(size_t index)
{
	return index < NR_IMPORTERS ? importers[index]->summary : NULL;
}

/* ---- blocks ---- */

static const struct importer_ops *find_importer(struct import_reader *in)
{
	const struct importer_ops *best = NULL;
	int best_confidence = 0;

	for (size_t i = 0; i < NR_IMPORTERS; i++) {
		int confidence;

		if (in->options && in->options->format &&
		    strcmp(in->options->format, importers[i]->name) != 0)
			continue;
		confidence = importers[i]->probe(in);
		if (confidence > best_confidence) {
			best = importers[i];
			best_confidence = confidence;
		}
	}
	return best;
}

static int read_block(struct import_reader *in, const struct importer_ops *importer,
		      struct err *err)
{
	const struct import_line *line = import_peek(in, 0);
	unsigned before = in->nr_consumed;
	int ret;

	heading_close(&in->heading, import_quote_depth(line));
	in->block_line = line->nr;
	in->error_line = 0;
	in->importer = importer;
	ret = importer->read(in, err);
	if (ret < 0 && !in->sink_failed)
		(void)err_prefix(err, "%s:%u", in->name,
				 in->error_line ? in->error_line : in->block_line);
	if (ret == 0 && in->nr_consumed == before)
		import_next(in); /* it was not its own after all */
	return ret;
}

static int read_blocks(struct import_reader *in, struct err *err)
{
	const struct import_line *line;

	while ((line = import_peek(in, 0))) {
		const struct importer_ops *importer = *import_body(line) ? find_importer(in) : NULL;
		int ret;

		if (!importer) {
			/* A client puts "<host>" before lines of its servers, also empty ones. */
			in->has_prose |= *import_body(line) && *import_body(line) != '<';
			heading_add(&in->heading, line);
			import_next(in);
			continue;
		}
		ret = read_block(in, importer, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static int check_end(struct import_reader *in, struct err *err)
{
	if (in->is_binary)
		return err_set(err, ERR_INPUT, "%s:%u: binary data where text is expected",
			       in->name, in->binary_line);
	if (in->read_errno == EISDIR)
		return err_set(err, ERR_INPUT, "%s: is a directory", in->name);
	if (in->read_errno) {
		errno = in->read_errno;
		return err_set_errno(err, "%s:%u", in->name, in->line_nr);
	}
	if (in->nr_delivered || in->has_held)
		return deliver_finish(in, err);
	if (in->withheld.nr)
		return deliver_refuse_withheld(in, err);
	if (!in->last_line)
		return err_set(err, ERR_INPUT, "%s:1: nothing in it", in->name);
	return err_set(err, ERR_INPUT,
		       "%s:1: no result of a known program in %u line%s; plain numbers are read as "
		       "columns 'base,new' with a line for each run (regio import --from=help)",
		       in->name, in->last_line, in->last_line == 1 ? "" : "s");
}

static int check_options(const struct import_options *options, struct err *err)
{
	struct suggest suggest;

	if (!options || !options->format)
		return 0;
	suggest = suggest_for(options->format);
	for (size_t i = 0; i < NR_IMPORTERS; i++) {
		if (!strcmp(options->format, importers[i]->name))
			return 0;
		suggest_offer(&suggest, importers[i]->name);
	}
	if (suggest_best(&suggest))
		return err_set(err, ERR_USAGE, "unknown format '%s', did you mean '%s'?",
			       options->format, suggest_best(&suggest));
	return err_set(err, ERR_USAGE, "unknown format '%s'", options->format);
}

static int import_all(struct import_reader *in, const struct import_options *options,
		      const struct import_sink *sink, struct err *err)
{
	int ret = check_options(options, err);

	in->options = options;
	in->sink = sink;
	if (ret == 0)
		ret = read_blocks(in, err);
	if (ret == 0)
		ret = check_end(in, err);
	return ret;
}

int import_file(const char *path, const struct import_options *options,
		const struct import_sink *sink, struct err *err)
{
	bool is_stdin = !strcmp(path, "-");
	CLEANUP(fd) int fd = is_stdin ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	CLEANUP(free) struct import_reader *in = NULL;
	int ret;

	if (fd < 0)
		return err_set_errno(err, "open %s", path);
	in = xcalloc(1, sizeof(*in));
	reader_init_fd(in, is_stdin ? "stdin" : path, fd_take(&fd));
	ret = import_all(in, options, sink, err);
	reader_release(in);
	return ret;
}

int import_text(const char *name, const char *text, size_t len,
		const struct import_options *options, const struct import_sink *sink,
		struct err *err)
{
	CLEANUP(free) struct import_reader *in = xcalloc(1, sizeof(*in));
	int ret;

	reader_init_memory(in, name, text, len);
	ret = import_all(in, options, sink, err);
	reader_release(in);
	return ret;
}
