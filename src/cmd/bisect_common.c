/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bisect_common: what the reports of all bisections have. */
#include "analysis/verdict.h"
#include "base/log.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "cmd/bisect.h"
#include "output/doc.h"

#define USUAL_MIN_EFFECT 0.05

void bisect_describe(const struct bisect *bisect, size_t position,
		     struct candidate_facts *ret_facts)
{
	struct candidate_source source = bisect->source; /* it is only read */

	if (source.ops)
		(void)candidate_describe(&source, position, ret_facts, NULL);
}

void bisect_add_untestable(const struct bisect *bisect, struct doc *doc)
{
	static const struct doc_column columns[] = {
		{ "nr", DOC_RIGHT },
		{ "candidate", DOC_LEFT },
		{ "why", DOC_LEFT },
	};
	struct doc_table *table = NULL;

	VEC_FOREACH (&bisect->log.events, event) {
		if (event->kind != EVENT_UNTESTABLE)
			continue;
		if (!table) {
			doc_paragraph(doc, "Left out, because they cannot be measured:");
			table = doc_table(doc, "untestable", columns,
					  sizeof(columns) / sizeof(*columns));
		}
		doc_row(table);
		doc_number(table, (double)event->position, "");
		doc_text(table, "%s", bisect_candidate(bisect, event->position)->name);
		doc_text(table, "%s", event->text ? event->text : "");
	}
}

size_t bisect_nr_runs(const struct bisect *whole)
{
	size_t nr = 0;

	for (size_t i = 0; i < bisect_nr_lines(whole); i++) {
		VEC_FOREACH (&bisect_line(whole, i)->moments, moment)
			nr += moment->is_counted;
	}
	return nr;
}

uint64_t bisect_elapsed_ms(const struct bisect *whole)
{
	uint64_t sum_ms = 0;

	for (size_t i = 0; i < bisect_nr_lines(whole); i++) {
		VEC_FOREACH (&bisect_line(whole, i)->log.events, event)
			sum_ms += event->elapsed_ms;
	}
	return sum_ms;
}

void bisect_add_times(const struct bisect *bisect, struct strbuf *text)
{
	const uint64_t ns_per_ms = 1000000;
	char buf[UNITS_TEXT_LEN];
	uint64_t sum_ms = bisect_elapsed_ms(bisect);
	uint64_t run_ns = 0;

	for (size_t i = 0; i < bisect_nr_lines(bisect); i++)
		run_ns += bisect_line(bisect, i)->run_ns;
	if (sum_ms)
		strbuf_printf(text, "; they took %s",
			      units_print_duration_ns(sum_ms * ns_per_ms, buf, sizeof(buf)));
	if (run_ns)
		strbuf_printf(text, ", this call%s %s",
			      !bisect->config->build ? ""
			      : bisect->config->git  ? " with all builds"
						     : " with all boots",
			      units_print_duration_ns(run_ns, buf, sizeof(buf)));
}

void bisect_add_commands(const struct bisect *bisect, const char *goes_on, struct doc *doc)
{
	long long id = (long long)bisect->experiment;

	if (bisect->notes.nr)
		doc_notes(doc, &bisect->notes);
	if (bisect->command && *bisect->command) {
		doc_paragraph(doc, "To repeat it:");
		doc_verbatim(doc, "%s", bisect->command);
	}
	if (!id)
		return;
	if (goes_on)
		doc_verbatim(doc, "regio bisect --resume %lld%s", id, goes_on);
	doc_verbatim(doc, "regio bisect --log %lld", id);
}

enum verdict bisect_ends_verdict(const struct decision *ends)
{
	/* as is usual where no smallest effect was given; of points there is no usual one */
	double smallest = ends->scale == SCALE_RATIO ? USUAL_MIN_EFFECT : 0;
	bool is_excluded = ends->decidable_effect <= smallest;

	return ends->finding == FINDING_NO_DIFFERENCE || is_excluded ? VERDICT_NO_DIFFERENCE
								     : VERDICT_UNDECIDED;
}

void bisect_warn_noise(double spread)
{
	log_warning("the noise of one run (%.1f %%) is larger than the effect: the search will be "
		    "long; longer runs or a quieter machine are cheaper",
		    100 * spread);
}
