/* SPDX-License-Identifier: GPL-2.0-or-later */
/* config_diff: reads the text that `make oldconfig` writes. */
#include "analysis/config_diff.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/fact_index.h"
#include "base/arena.h"
#include "base/cleanup.h"

#define PREFIX "CONFIG_"
#define NOT_SET " is not set"
#define MAX_LINE_BYTES 4096

static void add_line(const char *line, size_t len, struct fact_index *index)
{
	CLEANUP(free) char *copy = xstrndup(line, len);
	CLEANUP(free) char *key = NULL;
	const char *name = copy;
	const char *value = "n";
	size_t name_len;

	if (!strncmp(name, "# ", 2))
		name += 2;
	name_len = strcspn(name, "= ");
	if (strncmp(name, PREFIX, strlen(PREFIX)) != 0)
		return;
	if (name == copy && name[name_len] == '=')
		value = name + name_len + 1;
	else if (name == copy || strcmp(name + name_len, NOT_SET) != 0)
		return;
	key = xasprintf("kernel.config.%.*s", (int)name_len, name);
	fact_index_add(index, key, value);
}

void config_add_facts(const char *text, struct fact_index *index)
{
	while (*text) {
		size_t len = strcspn(text, "\n");

		if (len <= MAX_LINE_BYTES)
			add_line(text, len, index);
		text += len + (text[len] == '\n');
	}
}
