/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hang: decides whether workers are only slow. Leaving them behind is phase.c's. */
#include "load/hang.h"

#include <string.h>

bool hang_give_up(struct hang *hang, const struct sample_counts *counts, bool is_due,
		  bool is_urgent, uint64_t now_ns)
{
	if (hang->progress_ns == 0 || !is_due ||
	    memcmp(&hang->counts, counts, sizeof(*counts)) != 0) {
		hang->counts = *counts;
		hang->progress_ns = now_ns;
	}
	if (is_urgent && hang->urgent_ns == 0)
		hang->urgent_ns = now_ns;
	if (hang->urgent_ns && now_ns - hang->urgent_ns >= HANG_URGENT_NS)
		return true;
	return is_due && now_ns - hang->progress_ns >= HANG_NS;
}
