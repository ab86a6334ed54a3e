/* SPDX-License-Identifier: GPL-2.0-or-later */
/* build: makes a stack bottom-up and undoes it when a layer fails. How is left to the layers. */
#include "stack/build.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "journal/journal.h"

const char *build_sys_root(const struct build *build)
{
	return build->context->sys_root ? build->context->sys_root : "/sys";
}

const char *build_dev_root(const struct build *build)
{
	return build->context->dev_root ? build->context->dev_root : "/dev";
}

void stack_built_release(struct stack_built *built)
{
	for (size_t i = 0; i < built->nr; i++) {
		free(built->items[i].path);
		free(built->items[i].name);
	}
	free(built->items);
	*built = (struct stack_built){ .nr = 0 };
}

const struct stack_device **build_inputs(const struct build *build, const struct layer *layer,
					 size_t *ret_nr)
{
	const struct stack_device **inputs = xcalloc(build->built->nr + 1, sizeof(*inputs));
	size_t nr = 0;

	for (size_t i = 0; i < layer->nr_inputs; i++) {
		const char *name = build->stack->layers[layer->inputs[i]].name;

		for (size_t k = 0; k < build->built->nr; k++) {
			if (!strcmp(build->built->items[k].layer, name))
				inputs[nr++] = &build->built->items[k];
		}
	}
	*ret_nr = nr;
	return inputs;
}

int build_record(struct build *build, const struct build_step *step, struct err *err)
{
	CLEANUP(free) char *path = xstrdup(step->path);
	CLEANUP(free) char *value = xstrdup(step->value ? step->value : "");
	CLEANUP(free) char *what = xstrdup(step->what ? step->what : step->path);
	CLEANUP(free) char *action = step->action ? xstrdup(step->action) : NULL;
	CLEANUP(free) char *anchor = step->anchor ? xstrdup(step->anchor) : NULL;
	const struct undo_step undo = {
		.what = what,
		.undo_path = path,
		.undo_value = value,
		.action = action,
		.anchor = anchor,
		.is_side_effect = step->is_hidden,
	};

	return journal_record(build->journal, &undo, err);
}

static int make_folder(struct build *build, const char *path, struct err *err)
{
	const struct build_step step = { .action = "folder", .path = path, .is_hidden = true };
	int ret = build_record(build, &step, err);

	if (ret == 0 && mkdir(path, 0700) < 0)
		ret = err_set_errno(err, "create %s", path);
	return ret;
}

/* ${stack} of the job: the topmost device, or file, that is no filesystem. */
static int make_link(struct build *build, struct err *err)
{
	const char *path = build->stack->device_path;
	const struct build_step step = { .action = "file", .path = path, .is_hidden = true };
	const struct layer *top = &build->stack->layers[build->stack->nr - 1];
	CLEANUP(free) const struct stack_device **below = NULL;
	const struct stack_device *device = &build->built->items[build->built->nr - 1];
	size_t nr = 0;
	int ret;

	if (top->ops->is_filesystem) {
		below = build_inputs(build, top, &nr);
		device = below[0];
	}
	ret = build_record(build, &step, err);
	if (ret == 0 && symlink(device->path, path) < 0)
		ret = err_set_errno(err, "create the link %s", path);
	return ret;
}

static bool is_stopped(const struct build *build)
{
	const atomic_bool *stop = build->context->stop;

	return stop && atomic_load_explicit(stop, memory_order_relaxed);
}

static int build_layer(struct build *build, const struct layer *layer, struct err *err)
{
	for (build->nr = 0; build->nr < layer->count; build->nr++) {
		int ret = is_stopped(build)
				  ? err_set(err, ERR_INTERRUPTED, "interrupted while it was built")
				  : layer->ops->build(build, layer, err);

		if (ret < 0)
			return layer_refuse(build->stack, layer, 0, ret, err);
	}
	return 0;
}

static int build_all(struct build *build, struct err *err)
{
	int ret = make_folder(build, build->stack->folder, err);

	if (ret == 0 && build->stack->mount_path)
		ret = make_folder(build, build->stack->mount_path, err);
	for (size_t i = 0; ret == 0 && i < build->stack->nr; i++)
		ret = build_layer(build, &build->stack->layers[i], err);
	return ret < 0 ? ret : make_link(build, err);
}

int stack_build(const struct stack *stack, const struct stack_context *context,
		struct journal *journal, struct stack_built *ret_built, struct err *err)
{
	CLEANUP(stack_built) struct stack_built built = { .nr = 0 };
	struct build build = {
		.stack = stack,
		.context = context,
		.journal = journal,
		.built = &built,
	};
	size_t mark = journal_mark(journal);
	struct err undo_err = { .code = 0 };
	int ret = build_all(&build, err);

	if (ret == 0) {
		*ret_built = built;
		built = (struct stack_built){ .nr = 0 };
		return 0;
	}
	if (journal_undo_from(journal, mark, &undo_err) < 0 && err)
		(void)err_set(err, err->code, "%s; and then: %s", err->msg, undo_err.msg);
	return ret;
}
