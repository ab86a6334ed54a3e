/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare_shift: percentiles of latency, from the histograms of the runs. */
#include "cmd/compare.h"

#include "analysis/shift.h"
#include "output/doc.h"

static void add_shift_row(struct doc_table *table, const struct shift_row *row)
{
	const struct comparison *comparison = &row->comparison;
	char effect[VERDICT_TEXT_LEN];

	doc_row(table);
	doc_text(table, "p%.9g", 100 * row->quantile);
	if (!row->is_present) {
		doc_empty(table);
		doc_empty(table);
		doc_empty(table);
		doc_empty(table);
		doc_text(table, "too few I/Os");
		return;
	}
	verdict_format_effect(&comparison->decision, effect);
	doc_number(table, comparison->a.median, "ns");
	doc_number(table, comparison->b.median, "ns");
	doc_text(table, "%s", effect);
	compare_add_p(table, comparison, comparison->adjusted_p);
	doc_text(table, "%s", comparison->decision.is_tested ? verdict_text(row->verdict) : "");
}

static void add_shift(const struct compare *compare, const struct cohort_latency *base,
		      const struct cohort_latency *new, struct doc *doc)
{
	static const struct doc_column columns[] = {
		{ "quantile", DOC_LEFT },    { "base", DOC_RIGHT },
		{ "new", DOC_RIGHT },	     { "effect [interval]", DOC_RIGHT },
		{ "adjusted p", DOC_RIGHT }, { "verdict", DOC_LEFT },
	};
	struct shift_sample samples[2] = { { base->runs.items, base->runs.nr },
					   { new->runs.items, new->runs.nr } };
	const char *finding;
	struct shift shift;
	struct doc_table *table;

	shift_compare(&compare->table.rule, &samples[0], &samples[1], &shift);
	finding = shift_finding_text(shift.finding);
	doc_paragraph(doc,
		      "%s %s latency, percentiles of %zu and %zu runs%s%s:", io_dir_name(base->dir),
		      latency_kind_name(base->kind), base->runs.nr, new->runs.nr,
		      *finding ? ": " : "", finding);
	table = doc_table(doc, "percentiles", columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < SHIFT_NR_QUANTILES; i++)
		add_shift_row(table, &shift.rows[i]);
}

bool compare_shows_shift(const struct compare *compare, const struct cohort_latency *latency)
{
	return compare->config->all_metrics || latency->kind == LATENCY_CLAT ||
	       latency->dir == IO_SYNC;
}

void compare_add_shifts(const struct compare *compare, size_t pair, struct doc *doc)
{
	const struct cohort *base = compare->pairs.items[pair].base;
	const struct cohort *new = compare->pairs.items[pair].new;

	VEC_FOREACH (&base->latencies, latency) {
		const struct cohort_latency *other =
			cohort_find_latency(new, latency->dir, latency->kind);

		if (other && compare_shows_shift(compare, latency))
			add_shift(compare, latency, other, doc);
	}
}
