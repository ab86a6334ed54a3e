/* SPDX-License-Identifier: GPL-2.0-or-later */
/* unwatched: what the other caveats look at is not there, so their silence means nothing. */
#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/strbuf.h"
#include "caveat/caveat.h"
#include "caveat/caveat_table.h"
#include "caveat/evidence.h"
#include "model/result.h"

/* What every machine can show. A temperature or a governor that is not there is no lack. */
static const struct {
	const char *metric;
	const char *what;
} rows[] = {
	{ "mpstat.cpu.all.idle%", "stolen CPU time" },
	{ "vmstat.memory.free", "paging" },
	{ "time.elapsed_time", "other I/O" },
};

static bool was_measured(const struct result *result)
{
	return result->command || evidence_ios(result, IO_READ) || evidence_ios(result, IO_WRITE) ||
	       evidence_ios(result, IO_TRIM);
}

/* In a guest whose clock counts instructions nobody else runs. */
static bool is_alone(const struct result *result)
{
	const char *clock = evidence_fact(result, "vm.time");

	return clock && !strcmp(clock, "virtual");
}

static void check(const struct result *result, struct note_list *notes)
{
	CLEANUP(strbuf) struct strbuf list = STRBUF_INIT;

	if (is_alone(result))
		return;
	/* imported results were not watched by us; what ended within its ramp was not measured */
	if (!result->target || (evidence_has_load(result) && !was_measured(result)))
		return;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		/* of a command we are told by whoever waited for it */
		if (result->command && !strncmp(rows[i].metric, "time.", 5))
			continue;
		if (isnan(evidence_seen(result, rows[i].metric)))
			strbuf_printf(&list, "%s%s", list.len ? ", " : "", rows[i].what);
	}
	if (list.len)
		note_add(notes, NOTE_UNWATCHED, "nothing watched for: %s", strbuf_str(&list));
}

const struct caveat caveat_unwatched = { .id = NOTE_UNWATCHED, .check = check };
