/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import_fio_terse: fio's terse (minimal) output; which lines belong to one run. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "import/fio_terse.h"
#include "import/import_table.h"
#include "import/importer.h"

#define PROBE_CERTAIN 90
#define MAX_LINE_LEN (64U << 10) /* with thousands of disks */
#define MAX_CONTINUATIONS 8	 /* of a line that a mailer wrapped */
#define MAX_ENTRIES 65536
#define MIN_FIELDS 100	 /* of a line that nothing else marks as one */
#define MAX_NAME_LINES 3 /* over which the name of a job may be wrapped */

/* Version of the line that begins here, which a mailer may have wrapped; 0 = none. */
static unsigned version_here(struct import_reader *in)
{
	const struct import_line *line = import_peek(in, 0);
	unsigned version = line ? fio_terse_version(import_body(line)) : 0;
	unsigned nr_fields = 0;

	if (version != 2)
		return version;
	for (size_t i = 0; i < MAX_NAME_LINES && (line = import_peek(in, i)); i++)
		nr_fields += fio_terse_count_fields(import_body(line));
	return nr_fields >= MIN_FIELDS ? version : 0;
}

static int fio_terse_probe(struct import_reader *in)
{
	return version_here(in) ? PROBE_CERTAIN : 0;
}

struct run {
	struct import_reader *in;
	VEC(struct fio_terse_entry) entries;
	VEC(unsigned) nr_reports; /* of each */
	bool is_ambiguous;	  /* several lines of one name, and no sign what they are */
};

static void clear(struct run *run)
{
	VEC_FOREACH (&run->entries, entry)
		fio_terse_entry_release(entry);
	vec_clear(&run->entries);
	vec_clear(&run->nr_reports);
}

/* ---- lines ---- */

/* A line that is too short goes on in the next ones, if these look like it. */
static bool goes_on(const struct strbuf *text, unsigned version, const struct import_line *line)
{
	return line && !line->is_partial && *import_body(line) &&
	       fio_terse_count_fields(strbuf_str(text)) < fio_terse_min_fields(version) &&
	       strchr(import_body(line), ';') && !fio_terse_version(import_body(line));
}

/* The current line as fio printed it; consumed. False if the text is cut in it. */
static bool take_line(struct import_reader *in, struct strbuf *text, unsigned *ret_line)
{
	const struct import_line *line = import_peek(in, 0);
	unsigned version = fio_terse_version(import_body(line));
	bool is_whole = !line->is_cut;

	*ret_line = line->nr;
	strbuf_reset(text);
	strbuf_add_str(text, import_body(line));
	import_next(in);
	for (unsigned i = 0; i < MAX_CONTINUATIONS; i++) {
		line = import_peek(in, 0);
		if (!goes_on(text, version, line))
			break;
		strbuf_add_char(text, ' ');
		strbuf_add_str(text, import_body(line));
		is_whole = !line->is_cut;
		import_next(in);
	}
	return is_whole;
}

/* Version 2 prints the description on a line of its own. */
static void take_description(struct import_reader *in, struct fio_terse_entry *entry)
{
	const struct import_line *line = import_peek(in, 0);

	if (!line || line->is_partial || *import_body(line) != ';')
		return;
	free(entry->job.description);
	entry->job.description = xstrdup(import_body(line) + 1);
	import_next(in);
}

/* ---- runs ---- */

static void note_reports(struct run *run, struct result *result)
{
	unsigned most = 0;

	VEC_FOREACH (&run->nr_reports, nr)
		most = *nr > most ? *nr : most;
	if (most > 1)
		note_add(&result->notes, NOTE_INPUT_AMBIGUOUS,
			 "%u status reports of a run that went on: the last one counts", most);
	if (run->is_ambiguous)
		note_add(&result->notes, NOTE_INPUT_AMBIGUOUS,
			 "line %u: lines of one name may be runs or clones of one run "
			 "(numjobs without group_reporting): read as runs",
			 run->entries.items[0].line);
}

static int deliver(struct run *run, struct err *err)
{
	struct result result = { .label = NULL };
	struct fio_terse_entry *first = run->entries.items;

	if (!run->entries.nr)
		return 0;
	result.tool = xstrdup("fio");
	result.tool_version = first->tool_version ? xstrdup(first->tool_version) : NULL;
	result.source_line = first->line;
	note_reports(run, &result);
	VEC_FOREACH (&run->entries, entry) {
		struct job_result *job = result_add_job(&result);

		*job = entry->job; /* moved */
		entry->job = (struct job_result){ .name = NULL };
		note_list_append(&result.notes, &entry->notes);
		if (job->error)
			note_add(&result.notes, NOTE_JOB_ERROR, "job '%s' ended with error %d",
				 job->name, job->error);
	}
	/* The disks are printed with each job and are those of the whole run. */
	result.given = vec_last(&run->entries)->disks;
	vec_last(&run->entries)->disks = (struct given_list){ .items = NULL };
	clear(run);
	return import_deliver(run->in, &result, err);
}

static struct fio_terse_entry *find_entry(struct run *run, const struct fio_terse_entry *like)
{
	for (size_t i = run->entries.nr; i > 0; i--) {
		struct fio_terse_entry *entry = &run->entries.items[i - 1];

		if (entry->job.group_id == like->job.group_id &&
		    !strcmp(entry->job.name, like->job.name))
			return entry;
	}
	return NULL;
}

static bool is_same_tool(const struct run *run, const struct fio_terse_entry *entry)
{
	const char *version = run->entries.items[0].tool_version;

	return version && entry->tool_version ? !strcmp(version, entry->tool_version)
					      : !version == !entry->tool_version;
}

/* The same disks with the same counters: both lines were printed at the end of one run. */
static bool is_clone(const struct fio_terse_entry *a, const struct fio_terse_entry *b)
{
	return *a->disk_text && !strcmp(a->disk_text, b->disk_text);
}

static void add_entry(struct run *run, const struct fio_terse_entry *entry)
{
	vec_push(&run->entries, *entry);
	vec_push(&run->nr_reports, 1);
}

/* Takes *entry over. */
static int take_entry(struct run *run, struct fio_terse_entry *entry, struct err *err)
{
	struct fio_terse_entry *known = find_entry(run, entry);
	bool is_other = run->entries.nr && !is_same_tool(run, entry);
	int ret = 0;

	if (known && !is_other && !is_clone(known, entry)) {
		size_t index = (size_t)(known - run->entries.items);
		unsigned *nr_reports = &run->nr_reports.items[index];

		if (fio_terse_goes_on(known, entry, *nr_reports > 1)) {
			fio_terse_entry_release(known);
			*known = *entry;
			++*nr_reports;
			return 0;
		}
		is_other = true;
		run->is_ambiguous = !*entry->disk_text;
	}
	if (is_other || run->entries.nr == MAX_ENTRIES) {
		ret = deliver(run, err);
		if (!known)
			run->is_ambiguous = false;
	}
	add_entry(run, entry);
	return ret;
}

static int read_lines(struct run *run, struct err *err)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	const struct import_line *line;
	int ret = 0;

	while (ret == 0 && (line = import_peek(run->in, 0))) {
		struct fio_terse_entry entry = { .line = 0 };
		unsigned nr;

		if (!*import_body(line)) {
			import_next(run->in);
			continue;
		}
		if (!version_here(run->in))
			break;
		entry.is_cut = !take_line(run->in, &text, &nr);
		if (text.len > MAX_LINE_LEN)
			continue;
		fio_terse_read(strbuf_str(&text), nr, &entry);
		if (!entry.tool_version)
			take_description(run->in, &entry);
		ret = take_entry(run, &entry, err);
	}
	return ret;
}

static int fio_terse_import(struct import_reader *in, struct err *err)
{
	struct run run = { .in = in };
	int ret = read_lines(&run, err);

	if (ret == 0)
		ret = deliver(&run, err);
	clear(&run);
	vec_release(&run.entries);
	vec_release(&run.nr_reports);
	return ret;
}

const struct importer_ops importer_fio_terse = {
	.name = "fio-terse",
	.summary = "fio's terse (minimal) output, versions 2 to 5",
	.probe = fio_terse_probe,
	.read = fio_terse_import,
};
