/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_TERMINAL_H
#define REGIO_CMD_TERMINAL_H

#include "output/output.h"

/* Columns of the terminal that fd is, or `otherwise` where it is none or does not say. */
unsigned terminal_width(int fd, unsigned otherwise);

/* How to print on stdout: colours and folded lines on a terminal only; NO_COLOR is obeyed. */
struct output_style terminal_style(void);

#endif
