/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_IMPORT_VALUE_LINES_H
#define REGIO_IMPORT_VALUE_LINES_H

#include <stddef.h>

struct given_list;

/*
 * Numbers that a script prints for regio: each line that is NAME VALUE or NAME VALUE UNIT, all
 * others are passed over. A name begins with a letter and goes on with letters, digits and any of
 * _ . : / % -; a colon at its end is not part of it. With one of the known units the name gets the
 * ending that tells it, unless it has it, and the value is converted: "latency 3 ms" is
 * latency_ns = 3000000. A later line of one name replaces an earlier one. A unit that is not known
 * is as none.
 *
 * Returns how many lines were taken.
 */
size_t value_lines_read(const char *text, struct given_list *into);

#endif
