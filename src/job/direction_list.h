/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_JOB_DIRECTION_LIST_H
#define REGIO_JOB_DIRECTION_LIST_H

/*
 * One list "read,write,trim": an empty part leaves its direction alone, and the last part also
 * serves the directions after it unless it is empty ("1m," limits reads only).
 */

#include "model/io.h"

struct arena;
struct err;

struct direction_list {
	const char *parts[IO_NR_DATA_DIRS]; /* "" = leave alone */
};

/* ERR_INPUT for more than three parts, or none. Parts live as long as text and arena. */
int direction_list_split(const char *text, struct arena *arena, struct direction_list *ret_list,
			 struct err *err);

#endif
