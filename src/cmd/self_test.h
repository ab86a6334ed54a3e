/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_SELF_TEST_H
#define REGIO_CMD_SELF_TEST_H

/* Virtual time proves itself before it is believed: one seed twice must give the same bytes. */

struct err;
struct result;

/* What the guest said; when it ran is ours and differs. Caller frees. */
char *self_test_words(struct result *result);

/* -ERR_SYSTEM when both differ. */
int self_test_compare(const char *first, const char *again, struct err *err);

#endif
