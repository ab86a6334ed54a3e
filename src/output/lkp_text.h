/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_OUTPUT_LKP_TEXT_H
#define REGIO_OUTPUT_LKP_TEXT_H

/*
 * A comparison table in LKP's layout, byte for byte as the robot mails it: without the blanks
 * that its program leaves at the ends of the head's lines. What a column does not have is "-",
 * where LKP prints 0.
 */

struct lkp_row;
struct lkp_table;
struct strbuf;

/* Rule, common axes, list of columns, titles. */
void lkp_text_head(const struct lkp_table *table, struct strbuf *out);
/* The two lines above the rows of metrics, and those above the rows of failures. */
void lkp_text_metrics_head(const struct lkp_table *table, struct strbuf *out);
void lkp_text_failures_head(const struct lkp_table *table, struct strbuf *out);
void lkp_text_row(const struct lkp_table *table, const struct lkp_row *row, struct strbuf *out);

/* Everything: head, failures, metrics, in the order of the rows. */
void lkp_text_table(const struct lkp_table *table, struct strbuf *out);

#endif
