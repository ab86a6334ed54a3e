/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the terminal can show. */
#include "cmd/terminal.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

unsigned terminal_width(int fd, unsigned otherwise)
{
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		return otherwise;
	return size.ws_col;
}

struct output_style terminal_style(void)
{
	return (struct output_style){
		.color = isatty(STDOUT_FILENO) == 1 && !getenv("NO_COLOR"),
		.width = isatty(STDOUT_FILENO) == 1 ? terminal_width(STDOUT_FILENO, 80) : 0,
	};
}
