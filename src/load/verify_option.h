/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_VERIFY_OPTION_H
#define REGIO_LOAD_VERIFY_OPTION_H

/* Options of verification that do not go together, by themselves and among the clones. */

struct err;
struct job;
struct note_list;
struct plan;

/* ERR_INPUT. */
int verify_option_check(const struct job *job, struct err *err);
/* What a verifying job should know of the others; sets is_shared. */
void verify_option_plan(struct plan *plan, struct note_list *notes);

#endif
