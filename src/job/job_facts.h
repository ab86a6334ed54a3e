/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_JOB_JOB_FACTS_H
#define REGIO_JOB_JOB_FACTS_H

struct job_set;
struct result;

/*
 * Adds all options in force to the environment of a result, those that nobody gave with their
 * defaults: "job.iodepth"="1" where all jobs have the same, else "job[NAME].iodepth" for each job
 * that has the option. Options that are off by default and stay so are left out.
 */
void job_facts_add(const struct job_set *jobs, struct result *result);

#endif
