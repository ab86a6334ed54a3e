/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vm_cache: which kernels are unpacked, and how to be rid of them. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <jansson.h>

#include "base/arena.h"
#include "base/err.h"
#include "cmd/report_json.h"
#include "cmd/vm.h"
#include "output/doc.h"
#include "vm/kernel.h"

static void cache_json(const struct kernel_cache *list)
{
	json_t *kernels = json_array();
	json_t *root = json_pack("{s:s, s:i, s:o, s:I}", "schema", "regio.vm_cache", "version", 1,
				 "kernels", kernels, "size_bytes", (json_int_t)list->size_bytes);
	CLEANUP(free) char *text = NULL;

	VEC_FOREACH (&list->items, item)
		(void)json_array_append_new(
			kernels,
			json_pack("{s:s, s:s, s:o, s:I, s:I}", "hash", item->hash, "release",
				  item->release, "source", report_text(item->source), "size_bytes",
				  (json_int_t)item->size_bytes, "used_at_unix_s",
				  (json_int_t)item->used_at_unix_s));
	text = report_dump(root);
	printf("%s\n", text);
}

static int cache_text(const struct kernel_cache *list, struct err *err)
{
	static const struct doc_column columns[] = {
		{ "kernel", DOC_LEFT },
		{ "size", DOC_RIGHT },
		{ "last used", DOC_LEFT },
		{ "from", DOC_LEFT },
	};
	struct doc *doc = doc_create("regio.vm_cache");
	struct doc_table *table;

	if (list->items.nr == 0) {
		doc_paragraph(doc, "No kernel is unpacked yet.");
		return vm_print(doc, err);
	}
	table = doc_table(doc, "kernels", columns, 4);
	VEC_FOREACH (&list->items, item) {
		time_t used = (time_t)item->used_at_unix_s;
		struct tm at;
		char text[32];

		(void)strftime(text, sizeof(text), "%Y-%m-%d %H:%M", localtime_r(&used, &at));
		doc_row(table);
		doc_text(table, "%s", item->release);
		doc_number(table, (double)item->size_bytes, "B");
		doc_text(table, "%s", text);
		doc_text(table, "%s", item->source);
	}
	return vm_print(doc, err);
}

int vm_cache(const struct vm_config *config, const struct arg_list *words, struct err *err)
{
	CLEANUP(kernel_cache) struct kernel_cache list = { .size_bytes = 0 };
	int ret = 0;

	if (words->nr != 1)
		return err_set(err, ERR_USAGE, "vm cache: '%s' is one word too many",
			       words->items[1]);
	if (config->max_bytes != VM_KEEP_ALL)
		ret = kernel_cache_shrink(NULL, config->max_bytes, err);
	if (ret >= 0)
		ret = kernel_cache_list(NULL, &list, err);
	if (ret < 0)
		return ret;
	if (!config->json)
		return cache_text(&list, err);
	cache_json(&list);
	return 0;
}
