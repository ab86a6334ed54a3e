/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MODEL_METRIC_ALIAS_H
#define REGIO_MODEL_METRIC_ALIAS_H

#include <stdbool.h>

#include "base/cleanup.h"

/*
 * Names by which LKP reports what regio measures too: fio.read_iops is read.iops,
 * stress-ng.aiol.ops is aiol.ops. Other names stay as they are.
 */
struct metric_alias {
	char *name;    /* owned */
	double factor; /* value under that name = factor * value under the other one */
	bool is_renamed;
	/* The name says microseconds, the number is nanoseconds, as fio 3 has it. */
	bool is_unit_wrong;
};

void metric_alias_release(struct metric_alias *alias);
CLEANUP_DEFINE(metric_alias, struct metric_alias, metric_alias_release)

/* From LKP's name to regio's. */
void metric_alias_from_lkp(const char *lkp_name, struct metric_alias *ret_alias);

/* From regio's name to the one that LKP uses now. */
void metric_alias_to_lkp(const char *name, struct metric_alias *ret_alias);

#endif
