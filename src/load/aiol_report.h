/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_AIOL_REPORT_H
#define REGIO_LOAD_AIOL_REPORT_H

struct aiol_config;
struct aiol_counts;
struct result;
struct rusage;

struct aiol_report {
	const struct aiol_config *config;
	const struct aiol_counts *counts; /* one for each instance */
	const struct rusage *usage;	  /* of all of them */
};

/*
 * A job for each phase, with all I/Os and latencies of all instances, and among the monitored
 * numbers "aiol.*": those of stress-ng under the names that its imported outputs have, then
 * batches, loops and how unequal the instances were.
 */
void aiol_report(const struct aiol_report *report, struct result *result);

#endif
