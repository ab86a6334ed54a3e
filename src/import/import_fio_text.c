/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import_fio_text: fio's normal output; which lines belong to one run. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "import/fio_run.h"
#include "import/import_table.h"
#include "import/importer.h"

#define PROBE_CERTAIN 95
#define PROBE_FRAGMENT 80 /* output whose first lines are missing */

static int fio_text_probe(struct import_reader *in)
{
	const struct import_line *line = import_peek(in, 0);

	if (line->is_partial && !fio_skip_progress(line->text))
		return 0;
	switch (fio_line_kind(import_body(line))) {
	case FIO_HEADER:
	case FIO_VERSION:
	case FIO_HOST:
	case FIO_JOB:
		return PROBE_CERTAIN;
	case FIO_DIR:
	case FIO_GROUP:
	case FIO_GROUP_DIR:
	case FIO_SHARED:
		return PROBE_FRAGMENT;
	default:
		return 0;
	}
}

/* ---- one piece ---- */

static void take_version(struct fio_run *run, const struct fio_piece *piece)
{
	const char *version = fio_skip_tool(piece->text);

	if (!run->result.tool && !strncmp(piece->text, "regio", 5))
		run->result.tool = xstrdup("regio");
	free(run->result.tool_version);
	run->result.tool_version = xstrndup(version, strcspn(version, " "));
}

static void take_host(struct fio_run *run, const struct fio_piece *piece)
{
	const char *version = fio_key(piece->text, "fio");

	if (!version || strncmp(version, "fio-", 4) != 0)
		return;
	run->is_client = true;
	free(run->result.tool_version);
	run->result.tool_version = xstrndup(version + 4, strcspn(version + 4, ", "));
}

static void take_shared(struct fio_run *run, const struct fio_piece *piece)
{
	note_add(&run->result.notes, NOTE_SHARED_FILE,
		 "line %u: fio warns that several jobs write the same blocks", piece->line);
}

static void take_noise(struct fio_run *run, const struct fio_piece *piece)
{
	if (!strncmp(piece->text, "...", 3) && run->headers.nr)
		vec_last(&run->headers)->has_clones = true;
	/* Lines of the sync block belong to no direction. */
	if (!strncmp(piece->text, "fsync/", 6))
		run->percentiles[0] = '\0';
}

static void take_disk_head(struct fio_run *run, const struct fio_piece *piece)
{
	(void)piece;
	run->has_disk_head = true;
	run->stage = FIO_STAGE_DISKS;
}

typedef void (*piece_taker)(struct fio_run *run, const struct fio_piece *piece);

static const piece_taker takers[] = {
	[FIO_HEADER] = fio_take_header,
	[FIO_VERSION] = take_version,
	[FIO_MESSAGE] = fio_take_message,
	[FIO_HOST] = take_host,
	[FIO_SHARED] = take_shared,
	[FIO_NOISE] = take_noise,
	[FIO_JOB] = fio_take_job,
	[FIO_DESCRIPTION] = fio_take_description,
	[FIO_DIR] = fio_take_dir,
	[FIO_LATENCY] = fio_take_latency,
	[FIO_PRIO_LATENCY] = fio_take_prio_latency,
	[FIO_PERCENTILES] = fio_take_percentiles,
	[FIO_PERCENTILE_ROW] = fio_take_percentile_row,
	[FIO_BW] = fio_take_bw,
	[FIO_IOPS] = fio_take_iops,
	[FIO_SYNC] = fio_take_sync,
	[FIO_CPU] = fio_take_cpu,
	[FIO_DEPTHS] = fio_take_shares,
	[FIO_SUBMIT] = fio_take_shares,
	[FIO_COMPLETE] = fio_take_shares,
	[FIO_ISSUED] = fio_take_issued,
	[FIO_ERRORS] = fio_take_errors,
	[FIO_TARGET] = fio_take_target,
	[FIO_STEADY] = fio_take_steady,
	[FIO_GROUP] = fio_take_group,
	[FIO_GROUP_DIR] = fio_take_group_dir,
	[FIO_DISK_HEAD] = take_disk_head,
	[FIO_DISK] = fio_take_disk,
	[FIO_SCRIPT] = fio_take_script,
};

/* ---- where a run ends ---- */

/* True if a piece of that kind begins another run. text is the line or piece. */
static bool begins_run(const struct fio_run *run, enum fio_kind kind, const char *text)
{
	bool has_results = run->stage != FIO_STAGE_HEAD;

	switch (kind) {
	case FIO_HEADER:
	case FIO_SHARED:
		/* All headers stand above the version, of a client below. */
		return has_results || (run->result.tool_version && !run->is_client);
	case FIO_HOST:
		return has_results;
	case FIO_VERSION:
		return has_results || run->result.tool_version;
	case FIO_STARTING:
		return has_results;
	case FIO_JOB:
		return run->stage >= FIO_STAGE_GROUPS && !fio_is_same_job(run, text) &&
		       !strstr(text, "All clients: (");
	case FIO_DIR:
		return run->stage >= FIO_STAGE_GROUPS;
	case FIO_GROUP_DIR:
		return run->stage >= FIO_STAGE_DISKS || fio_repeats_bare_dir(run, text);
	default:
		return false;
	}
}

/* The status of a group that is there already, with nothing between: a fragment of another run,
 * unless a later report of the same jobs came before it. */
static bool repeats_group(const struct fio_run *run, enum fio_kind kind, const char *text)
{
	const char *digits = text + strcspn(text, "0123456789");

	if (kind != FIO_GROUP || run->stage < FIO_STAGE_GROUPS)
		return false;
	for (size_t i = 0; i < run->groups.nr; i++) {
		if (run->groups.items[i] == (unsigned)strtoul(digits, NULL, 10))
			return true;
	}
	return false;
}

/* Prose within a run: an error message, a shell's echo. False: the run has ended above it. */
static bool is_within(const struct fio_run *run, struct import_reader *in)
{
	const struct import_line *line;

	if (run->stage >= FIO_STAGE_GROUPS)
		return false;
	for (size_t ahead = 1; (line = import_peek(in, ahead)); ahead++) {
		enum fio_kind kind = fio_line_kind(import_body(line));

		if (kind == FIO_PROSE || kind == FIO_NOISE || kind == FIO_MESSAGE)
			continue;
		if (kind == FIO_JOB)
			return run->stage == FIO_STAGE_HEAD;
		return !begins_run(run, kind, line->text) && kind != FIO_DIR;
	}
	return false;
}

/* Past empty lines to what is quoted more or less often than the run: the frame is to see that. */
static const struct import_line *next_line(const struct fio_run *run, struct import_reader *in)
{
	const struct import_line *line;
	size_t nr = 0;

	while ((line = import_peek(in, nr)) && !line->is_partial && !*import_body(line))
		nr++;
	if (!line || import_quote_depth(line) == run->quote_depth)
		return import_peek(in, 0);
	for (; nr; nr--)
		import_next(in);
	return import_peek(in, 0);
}

static bool ends_before(const struct fio_run *run, const struct fio_pieces *pieces)
{
	CLEANUP(strbuf) struct strbuf words = STRBUF_INIT;
	const struct import_line *line;
	enum fio_kind kind;

	if (fio_pieces_is_begun(pieces))
		return false;
	line = next_line(run, pieces->in);
	if (!line || !*import_body(line) || line->is_partial)
		return false;
	fio_add_words(&words, import_body(line));
	kind = fio_line_kind(strbuf_str(&words));
	return begins_run(run, kind, strbuf_str(&words)) ||
	       repeats_group(run, kind, strbuf_str(&words));
}

/* ---- a block ---- */

static int deliver(struct fio_run *run, struct import_reader *in, struct err *err)
{
	struct result result;

	if (!fio_run_has_content(run))
		return 0;
	fio_run_finish(run);
	result = run->result;
	run->result = (struct result){ .label = NULL };
	if (!result.tool)
		result.tool = xstrdup("fio");
	result.source_line = run->first_line;
	return import_deliver(in, &result, err);
}

/* A run that begins in the middle of a line, where a paragraph was filled anew. */
static int begin_anew(struct fio_run *run, struct import_reader *in, unsigned line, struct err *err)
{
	unsigned quote_depth = run->quote_depth;
	int ret = deliver(run, in, err);

	fio_run_release(run);
	*run = (struct fio_run){ .first_line = line, .quote_depth = quote_depth };
	return ret;
}

static int take_piece(struct fio_run *run, struct import_reader *in, const struct fio_piece *piece,
		      struct err *err)
{
	int ret = 0;

	if (begins_run(run, piece->kind, piece->text) ||
	    repeats_group(run, piece->kind, piece->text))
		ret = begin_anew(run, in, piece->line, err);
	if (ret == 0 && takers[piece->kind])
		takers[piece->kind](run, piece);
	return ret;
}

static int fio_text_read(struct import_reader *in, struct err *err)
{
	const struct import_line *first = import_peek(in, 0);
	CLEANUP(fio_run)
	struct fio_run run = { .first_line = first->nr, .quote_depth = import_quote_depth(first) };
	struct fio_pieces pieces = { .in = in };
	int ret = 0;

	while (ret == 0 && !ends_before(&run, &pieces)) {
		struct fio_piece piece = fio_pieces_next(&pieces);

		if (piece.kind == FIO_END || (piece.kind == FIO_PROSE && !is_within(&run, in)))
			break;
		if (piece.kind == FIO_PROSE)
			import_next(in);
		else
			ret = take_piece(&run, in, &piece, err);
	}
	fio_pieces_release(&pieces);
	if (ret == 0)
		ret = deliver(&run, in, err);
	return ret;
}

const struct importer_ops importer_fio_text = {
	.name = "fio-text",
	.summary = "fio's normal output, versions 2.0 and later",
	.probe = fio_text_probe,
	.read = fio_text_read,
};
