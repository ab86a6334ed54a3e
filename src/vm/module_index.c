/* SPDX-License-Identifier: GPL-2.0-or-later */
/* module_index: collects the modules of a kernel and answers in which order they load. */
#include "vm/module_index.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/words.h"
#include "vm/module_info.h"
#include "vm/tree.h"
#include "vm/unpack.h"

#define MAX_MODULE_BYTES (256UL << 20)
#define MAX_INDEX_BYTES (64UL << 20)
#define MAX_DEPTH 64 /* of dependencies; the kernel's are 10 deep */

/* ---- building ---- */

static int add_module(const char *path, const char *to, struct strbuf *index, struct err *err)
{
	CLEANUP(strbuf) struct strbuf name = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf content = STRBUF_INIT;
	CLEANUP(module_info) struct module_info info = { .depends = STRBUF_INIT };
	CLEANUP(free) char *copy = NULL;
	int ret;

	if (!module_name_of(path, &name))
		return 0;
	ret = unpack_file(path, MAX_MODULE_BYTES, &content, err);
	if (ret < 0)
		return ret;
	if (!module_info_read(content.buf, content.len, &info))
		return err_set(err, ERR_INPUT, "%s: not a kernel module for x86-64", path);
	copy = xasprintf("%s/%s.ko", to, strbuf_str(&name));
	strbuf_printf(index, "%s\t%s\t%s\t%s\n", strbuf_str(&name), strbuf_str(&info.depends),
		      strbuf_str(&info.softdeps), strbuf_str(&info.aliases));
	return file_write_atomic(copy, content.buf, content.len, 0644, err);
}

static void add_builtin(const char *path, struct strbuf *builtin)
{
	CLEANUP(strbuf) struct strbuf content = STRBUF_INIT;
	char *rest;
	char *line;

	if (file_read(path, MAX_INDEX_BYTES, &content, NULL) < 0 || !content.buf)
		return;
	rest = content.buf;
	while ((line = strsep(&rest, "\n")) != NULL) {
		if (module_name_of(line, builtin))
			strbuf_add_char(builtin, '\n');
	}
}

static int walk(FTS *tree, const char *to, struct strbuf *index, struct strbuf *builtin,
		struct err *err)
{
	const FTSENT *entry;

	while ((entry = fts_read(tree)) != NULL) {
		int ret = 0;

		if (entry->fts_info != FTS_F)
			continue;
		if (!strcmp(entry->fts_name, "modules.builtin"))
			add_builtin(entry->fts_path, builtin);
		else
			ret = add_module(entry->fts_path, to, index, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static int write_text(const char *folder, const char *name, const struct strbuf *text,
		      struct err *err)
{
	CLEANUP(free) char *path = xasprintf("%s/%s", folder, name);

	return file_write_atomic(path, strbuf_str(text), text->len, 0644, err);
}

int module_index_build(const char *from, const char *to, struct err *err)
{
	CLEANUP(strbuf) struct strbuf index = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf builtin = STRBUF_INIT;
	FTS *tree;
	int ret = file_make_dirs(to, 0755, err);

	if (ret < 0)
		return ret;
	tree = tree_open(from);
	if (!tree)
		return err_set_errno(err, "%s", from);
	ret = walk(tree, to, &index, &builtin, err);
	(void)fts_close(tree);
	if (ret == 0)
		ret = write_text(to, "index", &index, err);
	return ret < 0 ? ret : write_text(to, "builtin", &builtin, err);
}

/* ---- loading ---- */

static int load_text(struct module_index *index, const char *folder, const char *name,
		     char **ret_text, struct err *err)
{
	CLEANUP(free) char *path = xasprintf("%s/%s", folder, name);
	CLEANUP(strbuf) struct strbuf content = STRBUF_INIT;
	int ret = file_read(path, MAX_INDEX_BYTES, &content, err);

	*ret_text = arena_strndup(&index->arena, strbuf_str(&content), content.len);
	return ret;
}

static const char *field(char **line)
{
	const char *text = strsep(line, "\t");

	return text ? text : "";
}

static int compare_names(const void *a, const void *b)
{
	const struct module_entry *left = a;
	const struct module_entry *right = b;

	return strcmp(left->name, right->name);
}

static void load_entries(struct module_index *index, const char *folder, char *text)
{
	char *line;

	while ((line = strsep(&text, "\n")) != NULL) {
		struct module_entry entry = { .name = field(&line) };

		if (!*entry.name)
			continue;
		entry.path = arena_printf(&index->arena, "%s/%s.ko", folder, entry.name);
		entry.depends = field(&line);
		entry.softdeps = field(&line);
		entry.aliases = field(&line);
		vec_push(&index->entries, entry);
	}
	if (index->entries.nr)
		qsort(index->entries.items, index->entries.nr, sizeof(*index->entries.items),
		      compare_names);
}

int module_index_load(const char *folder, struct module_index *ret_index, struct err *err)
{
	char *text;
	char *line;
	int ret;

	*ret_index = (struct module_index){ .arena = ARENA_INIT };
	ret = load_text(ret_index, folder, "index", &text, err);
	if (ret < 0)
		return ret;
	load_entries(ret_index, folder, text);
	ret = load_text(ret_index, folder, "builtin", &text, err);
	while (ret == 0 && (line = strsep(&text, "\n")) != NULL) {
		if (*line)
			vec_push(&ret_index->builtin, (const char *)line);
	}
	return ret;
}

void module_index_release(struct module_index *index)
{
	vec_release(&index->entries);
	vec_release(&index->builtin);
	arena_release(&index->arena);
}

/* ---- order ---- */

static const struct module_entry *find_entry(const struct module_index *index, const char *name)
{
	const struct module_entry wanted = { .name = name };

	if (!index->entries.nr)
		return NULL;
	return bsearch(&wanted, index->entries.items, index->entries.nr,
		       sizeof(*index->entries.items), compare_names);
}

static bool is_builtin(const struct module_index *index, const char *name)
{
	for (size_t i = 0; i < index->builtin.nr; i++) {
		if (!strcmp(index->builtin.items[i], name))
			return true;
	}
	return false;
}

/* The portable one of those that offer an alias: "crc32c" is crc32c_generic, not crc32c_intel. */
static const struct module_entry *find_alias(const struct module_index *index, const char *name)
{
	const struct module_entry *first = NULL;

	for (size_t i = 0; i < index->entries.nr; i++) {
		const struct module_entry *entry = &index->entries.items[i];

		if (!words_have(entry->aliases, name, strlen(name)))
			continue;
		if (strstr(entry->name, "generic"))
			return entry;
		if (!first)
			first = entry;
	}
	return first;
}

struct order_walk {
	const struct module_index *index;
	struct module_order *order;
	unsigned depth;
};

static int add_named(struct order_walk *walk, const char *name, bool is_soft, struct err *err);

static int add_list(struct order_walk *walk, const char *words, bool is_soft, struct err *err)
{
	CLEANUP(free) char *copy = xstrdup(words);
	char *rest = copy;
	char *word;

	while ((word = strsep(&rest, " ")) != NULL) {
		int ret = *word ? add_named(walk, word, is_soft, err) : 0;

		if (ret < 0)
			return ret;
	}
	return 0;
}

static bool is_in_order(const struct module_order *order, const struct module_entry *entry)
{
	for (size_t i = 0; i < order->nr; i++) {
		if (order->items[i] == entry)
			return true;
	}
	return false;
}

static int add_named(struct order_walk *walk, const char *name, bool is_soft, struct err *err)
{
	const struct module_entry *entry = find_entry(walk->index, name);
	int ret;

	if (!entry)
		entry = find_alias(walk->index, name);
	if (!entry) {
		if (is_soft || is_builtin(walk->index, name))
			return 0;
		return err_set(err, ERR_UNSUPPORTED, "this kernel has no module '%s'", name);
	}
	if (is_in_order(walk->order, entry))
		return 0;
	if (++walk->depth > MAX_DEPTH)
		return err_set(err, ERR_INPUT, "module '%s': its dependencies form a circle", name);
	ret = add_list(walk, entry->depends, false, err);
	if (ret == 0)
		ret = add_list(walk, entry->softdeps, true, err);
	walk->depth--;
	if (ret == 0 && !is_in_order(walk->order, entry))
		vec_push(walk->order, entry);
	return ret;
}

int module_order_add(const struct module_index *index, const char *name, struct module_order *order,
		     struct err *err)
{
	CLEANUP(free) char *plain = xstrdup(name);
	struct order_walk walk = { .index = index, .order = order };

	for (char *c = plain; *c; c++) {
		if (*c == '-')
			*c = '_';
	}
	return add_named(&walk, plain, false, err) < 0 ? err_prefix(err, "module '%s'", plain) : 0;
}
