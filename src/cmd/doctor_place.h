/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_DOCTOR_PLACE_H
#define REGIO_CMD_DOCTOR_PLACE_H

/*
 * What `regio doctor` measures with: random reads of a device, the same of a file of its own in a
 * folder, or the user's job. The file is in the undo journal, so that nothing is left behind even
 * by a killed doctor (`regio restore`).
 */

#include "base/args.h"

struct err;
struct journal;

struct doctor_place {
	char *subject;	       /* for people: the path, or the words */
	struct arg_list words; /* of the job, as on the command line of run */
	char **owned;	       /* texts of words made here */
	size_t nr_owned;
	struct journal *journal; /* NULL: no file was made */
};

/* operands: at most one folder or device, or job files and job options; none: this folder. */
int doctor_place_init(struct doctor_place *place, const struct arg_list *operands, struct err *err);
/* Removes the file. Zero is fine. */
int doctor_place_remove(struct doctor_place *place, struct err *err);
void doctor_place_release(struct doctor_place *place);

#endif
