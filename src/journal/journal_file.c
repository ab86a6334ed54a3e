/* SPDX-License-Identifier: GPL-2.0-or-later */
/* journal_file: the lines of a journal. Files, locks and folders are left to journal.c. */
#include "journal/journal_file.h"

#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "journal/action.h"

static void cleanup_json(json_t **json)
{
	json_decref(*json);
}

void journal_boot_id(char *buf, size_t len)
{
	CLEANUP(strbuf) struct strbuf line = STRBUF_INIT;

	if (file_read_line("/proc/sys/kernel/random/boot_id", &line, NULL) < 0)
		strbuf_reset(&line);
	(void)snprintf(buf, len, "%s", strbuf_str(&line));
}

/* Takes the object. */
static int append_line(struct strbuf *out, json_t *object)
{
	CLEANUP(json) json_t *line = object;
	CLEANUP(free) char *text = line ? json_dumps(line, JSON_COMPACT) : NULL;

	if (!text)
		return -1;
	strbuf_printf(out, "%s\n", text);
	return 0;
}

void journal_format_header(struct strbuf *out)
{
	char boot_id[JOURNAL_BOOT_ID_LEN];

	journal_boot_id(boot_id, sizeof(boot_id));
	(void)append_line(out, json_pack("{s:i, s:s, s:I}", "regio_journal", JOURNAL_VERSION,
					 "boot_id", boot_id, "pid", (json_int_t)getpid()));
}

void journal_format_undone(struct strbuf *out, size_t index)
{
	(void)append_line(out, json_pack("{s:I}", "undone", (json_int_t)index));
}

int journal_format_change(struct strbuf *out, const struct change *change, struct err *err)
{
	const struct undo_step *fields = &change->fields;
	json_t *object;

	if (fields->undo_path)
		object =
			json_pack("{s:s, s:s, s:s, s:s*, s:b, s:s*, s:I}", "what", fields->what,
				  "path", fields->undo_path, "value", fields->undo_value, "action",
				  fields->action, "side_effect", fields->is_side_effect, "anchor",
				  fields->anchor, "anchor_inode", (json_int_t)change->anchor_inode);
	else
		object = json_pack("{s:s, s:s}", "what", fields->what, "command",
				   fields->undo_value);
	if (append_line(out, object) < 0)
		return err_set(err, ERR_USAGE, "%s: text that is not UTF-8 cannot be journalled",
			       fields->what);
	return 0;
}

void journal_file_release(struct journal_file *file)
{
	change_list_release(&file->changes);
}

static int parse_header(const json_t *line, struct journal_file *file, const char **ret_problem)
{
	char boot_id[JOURNAL_BOOT_ID_LEN];
	json_int_t version = json_integer_value(json_object_get(line, "regio_journal"));
	const char *written_in = json_string_value(json_object_get(line, "boot_id"));

	if (version != JOURNAL_VERSION || !written_in) {
		*ret_problem = version > JOURNAL_VERSION ? "written by a newer regio"
							 : "not the first line of a journal";
		return -1;
	}
	journal_boot_id(boot_id, sizeof(boot_id));
	file->is_rebooted = strcmp(boot_id, written_in) != 0;
	file->pid = (long)json_integer_value(json_object_get(line, "pid"));
	return 0;
}

static int parse_undone(const json_t *index, struct journal_file *file, const char **ret_problem)
{
	json_int_t value = json_is_integer(index) ? json_integer_value(index) : -1;

	if (value < 0 || (size_t)value >= file->changes.nr) {
		*ret_problem = "marks a change that is not there";
		return -1;
	}
	file->changes.items[value].is_undone = true;
	return 0;
}

static int parse_change(const json_t *line, struct journal_file *file, const char **ret_problem)
{
	const char *what = json_string_value(json_object_get(line, "what"));
	const char *path = json_string_value(json_object_get(line, "path"));
	const char *value = json_string_value(json_object_get(line, path ? "value" : "command"));
	const char *action = json_string_value(json_object_get(line, "action"));

	if (!what || !value || (path && path[0] != '/')) {
		*ret_problem = "not a change";
		return -1;
	}
	if (action && (!path || !undo_action_find(action))) {
		*ret_problem = "written by a newer regio";
		return -1;
	}
	vec_push(&file->changes,
		 (struct change){
			 .fields = {
				 .what = xstrdup(what),
				 .undo_path = path ? xstrdup(path) : NULL,
				 .undo_value = xstrdup(value),
				 .action = action ? xstrdup(action) : NULL,
				 .is_side_effect =
					 json_is_true(json_object_get(line, "side_effect")),
			 },
		 });
	if (json_string_value(json_object_get(line, "anchor"))) {
		struct change *change = vec_last(&file->changes);

		change->fields.anchor = xstrdup(json_string_value(json_object_get(line, "anchor")));
		change->anchor_inode =
			(uint64_t)json_integer_value(json_object_get(line, "anchor_inode"));
	}
	return 0;
}

static int parse_line(const char *text, size_t len, bool is_first, struct journal_file *file,
		      const char **ret_problem)
{
	CLEANUP(json) json_t *line = json_loadb(text, len, JSON_REJECT_DUPLICATES, NULL);
	const json_t *undone = json_object_get(line, "undone");

	if (!json_is_object(line)) {
		*ret_problem = "not a JSON object";
		return -1;
	}
	if (is_first)
		return parse_header(line, file, ret_problem);
	return undone ? parse_undone(undone, file, ret_problem)
		      : parse_change(line, file, ret_problem);
}

int journal_file_parse(const char *path, const struct strbuf *text, struct journal_file *ret_file,
		       struct err *err)
{
	CLEANUP(journal_file) struct journal_file file = JOURNAL_FILE_INIT;
	const char *start = strbuf_str(text);
	const char *end = start + text->len;
	size_t line_nr = 0;

	for (const char *line = start; line < end;) {
		const char *newline = memchr(line, '\n', (size_t)(end - line));
		const char *problem = NULL;

		if (!newline)
			break; /* cut by a kill */
		line_nr++;
		if (parse_line(line, (size_t)(newline - line), line_nr == 1, &file, &problem) < 0)
			return err_set(err, ERR_INPUT, "undo journal %s is damaged: line %zu: %s",
				       path, line_nr, problem);
		line = newline + 1;
		file.valid_len = (size_t)(line - start);
	}
	*ret_file = file;
	file = JOURNAL_FILE_INIT; /* moved */
	return 0;
}

bool journal_file_is_pending(const struct journal_file *file, const struct change *change)
{
	const struct undo_step *fields = &change->fields;
	bool survives_reboot =
		!fields->undo_path ||
		(fields->action && undo_action_find(fields->action)->survives_reboot);

	return !change->is_undone && !(file->is_rebooted && !survives_reboot);
}
