/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_JOB_JOB_TEXT_H
#define REGIO_JOB_JOB_TEXT_H

struct job_set;

/*
 * A job file that means what the set means, whatever command line, includes, variables and
 * [global] sections it came from: one section for each job with all its options. Parsing it gives
 * the same jobs. Caller frees.
 */
char *job_text(const struct job_set *jobs);

#endif
