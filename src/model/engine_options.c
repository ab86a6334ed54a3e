/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine_options: the other names of engines, which job files use as well. */
#include "model/engine_options.h"

#include <stddef.h>
#include <string.h>

struct engine_alias {
	const char *alias, *name;
};

static const struct engine_alias aliases[] = {
	{ "aio", "libaio" },
	{ "linuxaio", "libaio" },
	{ "uring", "io_uring" },
};

const char *engine_name(const char *name)
{
	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
		if (strcmp(aliases[i].alias, name) == 0)
			return aliases[i].name;
	}
	return name;
}
