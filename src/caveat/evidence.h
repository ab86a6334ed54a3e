/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CAVEAT_EVIDENCE_H
#define REGIO_CAVEAT_EVIDENCE_H

/* Private to src/caveat: what several caveats ask of a result. Absent is NAN, NULL or false. */

#include <stdbool.h>
#include <stdint.h>

#include "model/io.h"

struct job_result;
struct result;

/* What a monitor saw. */
double evidence_seen(const struct result *result, const char *metric);
/* How long the monitors watched; NAN: not at all. */
double evidence_seconds(const struct result *result);
/* Sum over the disks directly under the files of iostat.DEV.COLUMN. */
double evidence_disks_seen(const struct result *result, const char *column);

/* A fact of the environment. */
const char *evidence_fact(const struct result *result, const char *key);
/* The name between "disk." and SUFFIX (".queue.zoned") of a fact with that key; NULL: another key.
 * Caller frees. */
char *evidence_disk_of(const char *key, const char *suffix);

/* An option of the job, or else of the [global] sections; NULL: default. */
const char *evidence_option(const struct result *result, const struct job_result *job,
			    const char *name);

/* Whether anything was measured at all: else the machine was watched, nothing more. */
bool evidence_has_load(const struct result *result);
uint64_t evidence_ios(const struct result *result, enum io_dir dir);
/* Without those of the null engine. */
uint64_t evidence_bytes(const struct result *result, enum io_dir dir);

/*
 * Bytes read or written at the disks under the files, from before the workers started until after
 * they ended. Of a disk and of those below it whichever is more, as some heads of multipath count
 * nothing. False: no disks, or their counters are off.
 */
bool evidence_device_bytes(const struct result *result, enum io_dir dir, uint64_t *ret_bytes);

/* "1.50 GiB". */
#define EVIDENCE_TEXT_LEN 32
const char *evidence_size(double bytes, char ret_text[EVIDENCE_TEXT_LEN]);

#endif
