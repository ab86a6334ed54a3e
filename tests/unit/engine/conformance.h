/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_UNIT_ENGINE_CONFORMANCE_H
#define REGIO_TESTS_UNIT_ENGINE_CONFORMANCE_H

/* What every engine must do. A case is one row of one of the three tables. */

#include "rig.h"

struct conformance_case {
	const char *name;
	void (*run)(const struct rig_variant *variant);
	unsigned not_for; /* enum engine_flags: engines to which it cannot apply */
};

/* Each ends with a row without name. */
extern const struct conformance_case conformance_data[];
extern const struct conformance_case conformance_calls[];
extern const struct conformance_case conformance_failures[];

/* rig_open that must succeed. */
void conformance_open(struct rig *rig, const struct rig_variant *variant, const int *fds,
		      size_t nr_fds, const struct rig_options *options);

#endif
