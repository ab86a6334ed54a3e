/* SPDX-License-Identifier: GPL-2.0-or-later */
/* modprobe: finds a module in the table of the host and loads it after what it needs. */
#include "guest/modprobe.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/words.h"
#include "guest/module.h"
#include "model/guest_link.h"

#define MAX_TABLE_BYTES (64U << 20)

/* The list of the module of that name, or of the first that has it for an alias. */
static char *find_list(char *table, const char *name)
{
	char *by_alias = NULL;
	char *line;

	while ((line = strsep(&table, "\n")) != NULL) {
		const char *module = strsep(&line, "\t");
		char *list = line ? strsep(&line, "\t") : NULL;

		if (!list)
			continue;
		if (!strcmp(module, name))
			return list;
		if (!by_alias && line && words_have(line, name, strlen(name)))
			by_alias = list;
	}
	return by_alias;
}

static int load_list(char *list, const char *params, struct err *err)
{
	char *name;

	while ((name = strsep(&list, " ")) != NULL) {
		CLEANUP(free) char *path = xasprintf("/" GUEST_MODULE_FOLDER "/%s.ko", name);
		int ret = module_load(path, list ? "" : params, err);

		if (ret < 0)
			return ret;
	}
	return 0;
}

int modprobe_main(int argc, char **argv)
{
	CLEANUP(strbuf) struct strbuf table = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf params = STRBUF_INIT;
	struct err err = { .code = 0 };
	char *name = NULL;
	char *list;

	for (int i = 1; i < argc; i++) {
		if (!name && argv[i][0] != '-')
			name = argv[i];
		else if (name)
			strbuf_printf(&params, "%s%s", params.len ? " " : "", argv[i]);
	}
	for (char *c = name; c && *c; c++)
		*c = *c == '-' ? '_' : *c;
	if (!name || file_read("/" GUEST_MODULE_TABLE, MAX_TABLE_BYTES, &table, &err) < 0 ||
	    !table.buf)
		return 1;
	list = find_list(table.buf, name);
	if (!list)
		fprintf(stderr, "module %s not found\n", name);
	else if (load_list(list, strbuf_str(&params), &err) < 0)
		fprintf(stderr, "%s\n", err.msg);
	return list && err.code == 0 ? 0 : 1;
}
