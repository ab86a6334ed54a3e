/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_OUTPUT_NOTES_TEXT_H
#define REGIO_OUTPUT_NOTES_TEXT_H

#include <stdio.h>

struct note_list;
struct output_style;

/* "note: what was seen" and below it what to do about it. style NULL: plain, not wrapped. */
void notes_text(const struct note_list *notes, const struct output_style *style, FILE *to);

#endif
