/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_IMPORT_LKP_ROWS_H
#define REGIO_IMPORT_LKP_ROWS_H

struct import_reader;
struct lkp_table;
struct note_list;

/*
 * Reads the rows of a table whose columns are known: those in text (words that stood behind the
 * head, of line nr), then those of the lines that follow. Leaves the first line that is none.
 * What is damaged or cut is left out and noted.
 */
void lkp_rows_read(struct import_reader *in, const char *text, unsigned nr, struct lkp_table *table,
		   struct note_list *notes);

#endif
