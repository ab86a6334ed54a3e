/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_SEARCH_STATE_H
#define REGIO_ANALYSIS_SEARCH_STATE_H

/* What search.c (phases) and search_answer.c share. */

#include "analysis/pairing.h"
#include "analysis/posterior.h"
#include "analysis/search.h"

struct search {
	struct search_options options;
	enum search_phase phase;
	enum search_state state;
	struct pairing ends;
	struct pairing anchor;	/* the ends again */
	struct pairing confirm; /* of the present answer; zero before */
	size_t nr_restarts;
	size_t nr_runs_at_anchor; /* of the second phase, when the ends were looked at last */
	size_t nr_anchor_runs;
	size_t nr_confirm_runs; /* those of former answers too */
	size_t nr_comparisons;
	struct classes classes;
	struct posterior posterior;
	struct position {
		uint32_t nr_runs;
		bool is_untestable;
	} * positions;
	size_t nr_untestable;
	size_t untestable_end;
	size_t nr_search_runs;
	size_t query;
	size_t nr_due;			/* runs of the query */
	struct search_hypothesis found; /* what is being confirmed, or the answer */
};

#endif
