/* SPDX-License-Identifier: GPL-2.0-or-later */
/* levels: the nominal levels of the stopping rule, from 10^6 simulated sequences a row. */
#include "stats/levels.h"

/* Every digit counts: some levels separate two neighbouring values that p can take. */
static const struct levels level_rows[] = {
	{ 10, 0.05, 0.02195, 0.04657, 0.0293, 0.0518 },
	{ 12, 0.05, 0.01738, 0.03832, 0.0222, 0.0422 },
	{ 15, 0.05, 0.01496, 0.03161, 0.01758, 0.03530 },
	{ 20, 0.05, 0.01160, 0.02617, 0.01519, 0.0309 },
	{ 25, 0.05, 0.01010, 0.02338, 0.01225, 0.02663 },
	{ 30, 0.05, 0.008654, 0.02048, 0.010509, 0.02327 },
	{ 40, 0.05, 0.007931, 0.01709, 0.00866, 0.01924 },
	{ 60, 0.05, 0.006706, 0.01464, 0.007293, 0.01562 },
	{ 10, 0.01, 0.00420, 0.00786, 0.0068, 0.0127 },
	{ 12, 0.01, 0.00376, 0.00738, 0.0054, 0.0095 },
	{ 15, 0.01, 0.00281, 0.00573, 0.0037, 0.0073 },
	{ 20, 0.01, 0.00213, 0.00430, 0.0030, 0.0057 },
	{ 25, 0.01, 0.001864, 0.00398, 0.00232, 0.00462 },
	{ 30, 0.01, 0.001694, 0.00341, 0.00194, 0.003903 },
	{ 40, 0.01, 0.001347, 0.00284, 0.001675, 0.00340 },
	{ 60, 0.01, 0.001087, 0.002263, 0.001218, 0.00262 },
};

const struct levels *levels_find(size_t max_pairs, double alpha)
{
	/* Ordered by falling alpha, then by rising budget: the first row that fits is the one. */
	for (size_t i = 0; i < sizeof(level_rows) / sizeof(level_rows[0]); i++) {
		if (level_rows[i].alpha <= alpha && level_rows[i].max_pairs >= max_pairs)
			return &level_rows[i];
	}
	return NULL;
}
