/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pattern: lists of patterns for names. What their order means is left to callers with tables. */
#include "base/pattern.h"

#include <fnmatch.h>

bool pattern_any(const char *text, const char *const *patterns, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		if (fnmatch(patterns[i], text, 0) == 0)
			return true;
	}
	return false;
}
