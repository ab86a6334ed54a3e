/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TARGET_WATCH_H
#define REGIO_TARGET_WATCH_H

/* The monitors of one local trial: started right before the workers, stopped right after. */

#include <stddef.h>

struct device_list;
struct env_context;
struct monitor_sampler;
struct monitor_set;
struct result;
struct trial;

struct watch {
	const char **disks;	 /* names of the devices under the jobs */
	struct monitor_set *set; /* NULL = none */
	struct monitor_sampler *sampler;
};

/* A trial never fails for what watches it: what is missing becomes a note. devices and the
 * paths of places, the files of the jobs or their folders, must not change until watch_release. */
void watch_start(struct watch *watch, const struct trial *trial, const struct device_list *devices,
		 const struct env_context *places, struct result *result);
void watch_stop(struct watch *watch);
/* After watch_stop, when result has its jobs. */
void watch_report(struct watch *watch, struct result *result);
/* Zero is fine. */
void watch_release(struct watch *watch);

#endif
