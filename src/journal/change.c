/* SPDX-License-Identifier: GPL-2.0-or-later */
/* change: undoes one recorded change. Order, and what is kept on disk, are the journal's. */
#include "journal/change.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/child.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "host/attribute.h"
#include "journal/action.h"

static char *copy_or_null(const char *text)
{
	return text ? xstrdup(text) : NULL;
}

/* sysfs never uses an inode number twice, so it tells a device from a later one of its name. */
static uint64_t folder_inode(const char *path)
{
	struct stat st;

	if (!path || stat(path, &st) < 0)
		return 0;
	return st.st_ino;
}

void change_list_add(struct change_list *list, const struct undo_step *fields)
{
	vec_push(list, (struct change){
			       .fields = {
				       .what = xstrdup(fields->what),
				       .undo_path = copy_or_null(fields->undo_path),
				       .undo_value = xstrdup(fields->undo_value),
				       .action = copy_or_null(fields->action),
				       .anchor = copy_or_null(fields->anchor),
				       .is_side_effect = fields->is_side_effect,
			       },
			       .anchor_inode = folder_inode(fields->anchor),
		       });
}

void change_list_truncate(struct change_list *list, size_t nr)
{
	while (list->nr > nr) {
		struct change *change = &vec_pop(list);

		free(change->fields.what);
		free(change->fields.undo_path);
		free(change->fields.undo_value);
		free(change->fields.action);
		free(change->fields.anchor);
	}
}

void change_list_release(struct change_list *list)
{
	change_list_truncate(list, 0);
	vec_release(list);
}

bool change_is_gone(const struct change *change)
{
	const struct undo_step *fields = &change->fields;

	if (!fields->undo_path)
		return false;
	if (fields->anchor && folder_inode(fields->anchor) != change->anchor_inode)
		return true;
	if (fields->action)
		return undo_action_find(fields->action)->is_gone(fields);
	return !file_exists(fields->undo_path);
}

/* Unplugged between the look and the write. */
static bool is_gone_errno(int number)
{
	return number == ENOENT || number == ENODEV || number == ENXIO;
}

static bool has_old_value(const struct undo_step *fields)
{
	CLEANUP(strbuf) struct strbuf value = STRBUF_INIT;

	return attribute_read(fields->undo_path, &value, NULL) == 0 &&
	       attribute_equal(strbuf_str(&value), fields->undo_value);
}

static int undo_file(const struct undo_step *fields, struct err *err)
{
	struct err local = { .code = 0 };

	if (has_old_value(fields) ||
	    attribute_write(fields->undo_path, fields->undo_value, &local) == 0 ||
	    is_gone_errno(local.saved_errno))
		return 0;
	return err_set(err, ERR_SYSTEM, "cannot restore %s: %s", fields->what, local.msg);
}

static int undo_command(const struct undo_step *fields, struct err *err)
{
	const struct child_spec spec = { .shell = fields->undo_value };
	CLEANUP(free)
	char *what = xasprintf("cannot undo %s by '%.200s'", fields->what, fields->undo_value);

	return child_run_checked(&spec, what, NULL, err);
}

int change_undo(const struct change *change, uint64_t patience_ns, struct err *err)
{
	const struct undo_step *fields = &change->fields;

	if (!fields->undo_path)
		return undo_command(fields, err);
	if (change_is_gone(change))
		return 0;
	if (fields->action)
		return undo_action_run(fields, patience_ns, err);
	return undo_file(fields, err);
}

int change_settle(const struct change *change, struct err *err)
{
	const struct undo_step *fields = &change->fields;
	int ret;

	if (fields->action || !fields->anchor || change_is_gone(change) || has_old_value(fields))
		return 0;
	ret = undo_file(fields, err);
	if (ret < 0 || change_is_gone(change) || has_old_value(fields))
		return ret;
	return err_set(err, ERR_SYSTEM, "cannot restore %s exactly: it does not take '%s' again",
		       fields->what, fields->undo_value);
}
