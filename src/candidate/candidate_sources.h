/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CANDIDATE_CANDIDATE_SOURCES_H
#define REGIO_CANDIDATE_CANDIDATE_SOURCES_H

/* Private to src/candidate: the rows of the table. */

#include "candidate/candidate.h"

extern const struct candidate_ops candidate_git;
extern const struct candidate_ops candidate_kernels;
extern const struct candidate_ops candidate_list;

#endif
