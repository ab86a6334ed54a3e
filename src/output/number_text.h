/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_OUTPUT_NUMBER_TEXT_H
#define REGIO_OUTPUT_NUMBER_TEXT_H

#include <stddef.h>

/*
 * A number and its unit for a table cell, four significant digits: 1234567 "1/s" -> "1.235M",
 * 1500000 "ns" -> "1.500ms", 1610612736 "B/s" -> "1.500GiB/s", 12.345 "%" -> "12.35%". Units: "1/s"
 * "B/s" "B" "ns" "us" "ms" "s" "%" ""; any other follows the number after a blank. Whole numbers
 * too small for a prefix and plain counts ("") are printed whole; NaN is "-".
 */
#define NUMBER_TEXT_LEN 64
char *number_text(double value, const char *unit, char buf[NUMBER_TEXT_LEN]);

#endif
