/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_UNIT_JOB_JOB_TEST_H
#define REGIO_TESTS_UNIT_JOB_JOB_TEST_H

/* What the tests of src/job share: parsing a job file that is a string of the test. */

#include "base/err.h"
#include "job/job_parse.h"
#include "model/job.h"

/* The text as a file named "t.fio". */
int parse_text(const char *text, struct job_set *ret_set, struct err *err);

/* As parse_text, and fails the test with the message unless it is accepted. Release the set. */
struct job_set parse_good(const char *text);

/* "[j]" with these option lines, as the only job of the set. */
struct job_set parse_options(const char *options);

/* Fails the test unless the text is refused with exactly that code and message. */
void assert_refused(const char *text, enum err_code code, const char *message);

/* Fails the test unless the set has exactly one warning, with that text, at that line. */
void assert_one_warning(const struct job_set *set, unsigned line, const char *text);

#endif
