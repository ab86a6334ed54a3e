/* SPDX-License-Identifier: GPL-2.0-or-later */
/* own_workload: the table of workloads called by name, and one of them with its options. */
#include "load/own_workload.h"

#include <stdlib.h>
#include <string.h>

#include "base/args.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "load/aiol.h"
#include "model/result.h"

static const struct own_workload_ops *const table[] = { &workload_aiol, NULL };

struct own_workload {
	const struct own_workload_ops *ops;
	void *config; /* its strings are borrowed from words */
	char **words;
	size_t nr_words;
	char *text;
	char *directory; /* set from outside, or NULL */
};

const struct own_workload_ops *const *own_workload_table(void)
{
	return table;
}

const struct own_workload_ops *own_workload_find(const char *name)
{
	for (size_t i = 0; table[i]; i++) {
		if (!strcmp(table[i]->name, name))
			return table[i];
	}
	return NULL;
}

static const char **directory_field(const struct own_workload *workload)
{
	return (const char **)(void *)((char *)workload->config + workload->ops->directory_offset);
}

static char *make_text(const struct own_workload *workload)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_add_str(&text, workload->ops->name);
	for (size_t i = 0; i < workload->nr_words; i++)
		strbuf_printf(&text, " %s", workload->words[i]);
	return strbuf_take(&text);
}

static struct own_workload *own_workload_create(const struct own_workload_ops *ops,
						const char *const *words, size_t nr_words)
{
	struct own_workload *workload = xcalloc(1, sizeof(*workload));

	*workload = (struct own_workload){
		.ops = ops,
		.config = xcalloc(1, ops->config_bytes),
		.words = xcalloc(nr_words + 1, sizeof(char *)),
		.nr_words = nr_words,
	};
	memcpy(workload->config, ops->defaults, ops->config_bytes);
	for (size_t i = 0; i < nr_words; i++)
		workload->words[i] = xstrdup(words[i]);
	workload->text = make_text(workload);
	return workload;
}

int own_workload_parse(const char *name, const char *const *words, size_t nr_words,
		       struct own_workload **ret_workload, struct err *err)
{
	const struct own_workload_ops *ops = own_workload_find(name);
	CLEANUP(own_workload) struct own_workload *workload = NULL;
	struct arg_list operands = { .nr = 0 };
	int ret;

	if (!ops)
		return err_set(err, ERR_USAGE, "there is no workload '%s'", name);
	workload = own_workload_create(ops, words, nr_words);
	ret = args_parse(ops->spec, (int)nr_words, workload->words, workload->config, &operands,
			 err);
	arg_list_release(&operands);
	if (ret == 0)
		ret = ops->check(workload->config, err);
	if (ret < 0) {
		(void)err_prefix(err, "%s", name);
		return ret;
	}
	*ret_workload = ptr_take(workload);
	return 0;
}

void own_workload_free(struct own_workload *workload)
{
	if (!workload)
		return;
	for (size_t i = 0; i < workload->nr_words; i++)
		free(workload->words[i]);
	free(workload->words);
	free(workload->config);
	free(workload->text);
	free(workload->directory);
	free(workload);
}

const struct own_workload_ops *own_workload_ops_of(const struct own_workload *workload)
{
	return workload->ops;
}

const char *own_workload_text(const struct own_workload *workload)
{
	return workload->text;
}

const char *const *own_workload_words(const struct own_workload *workload, size_t *ret_nr)
{
	*ret_nr = workload->nr_words;
	return (const char *const *)workload->words;
}

const char *own_workload_directory(const struct own_workload *workload)
{
	return *directory_field(workload);
}

void own_workload_set_directory(struct own_workload *workload, const char *path)
{
	free(workload->directory);
	workload->directory = xstrdup(path);
	*directory_field(workload) = workload->directory;
}

int own_workload_run(const struct own_workload *workload, const struct load_config *load,
		     struct result *result, struct err *err)
{
	int ret = workload->ops->run(workload->config, load, result, err);

	if (ret == 0)
		result->workload = xstrdup(workload->text);
	return ret;
}
