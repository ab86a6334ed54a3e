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

int modprobe_load(const char *name, const char *params, struct err *err)
{
	CLEANUP(strbuf) struct strbuf table = STRBUF_INIT;
	CLEANUP(free) char *wanted = xstrdup(name);
	char *list;
	int ret;

	for (char *c = wanted; *c; c++)
		*c = *c == '-' ? '_' : *c;
	ret = file_read("/" GUEST_MODULE_TABLE, MAX_TABLE_BYTES, &table, err);
	if (ret < 0)
		return ret;
	list = table.buf ? find_list(table.buf, wanted) : NULL;
	if (!list)
		return err_set(err, ERR_UNSUPPORTED, "module %s not found", name);
	return load_list(list, params, err);
}

int modprobe_main(int argc, char **argv)
{
	CLEANUP(strbuf) struct strbuf params = STRBUF_INIT;
	struct err err = { .code = 0 };
	const char *name = NULL;

	for (int i = 1; i < argc; i++) {
		if (!name && argv[i][0] != '-')
			name = argv[i];
		else if (name)
			strbuf_printf(&params, "%s%s", params.len ? " " : "", argv[i]);
	}
	if (!name || modprobe_load(name, strbuf_str(&params), &err) == 0)
		return name ? 0 : 1;
	fprintf(stderr, "%s\n", err.msg);
	return 1;
}
