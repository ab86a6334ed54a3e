/* SPDX-License-Identifier: GPL-2.0-or-later */
/* attribute: reads and writes one kernel attribute. Which ones and why is left to callers. */
#include "host/attribute.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/suggest.h"
#include "host/name_list.h"
#include "model/note.h"
#include "model/result.h"

#define BLANKS " \t\n"

/* The word in brackets of a choice, with its length; NULL if there is none. */
static const char *chosen_word(const char *line, size_t *ret_len)
{
	for (line += strspn(line, BLANKS); *line; line += strspn(line, BLANKS)) {
		size_t len = strcspn(line, BLANKS);

		if (len > 2 && line[0] == '[' && line[len - 1] == ']') {
			*ret_len = len - 2;
			return line + 1;
		}
		line += len;
	}
	return NULL;
}

int attribute_read(const char *path, struct strbuf *out, struct err *err)
{
	CLEANUP(strbuf) struct strbuf line = STRBUF_INIT;
	const char *text;
	size_t len;
	int ret = file_read_line(path, &line, err);

	if (ret < 0)
		return ret;
	strbuf_reset(out);
	text = chosen_word(strbuf_str(&line), &len);
	if (text) {
		strbuf_add(out, text, len);
		return 0;
	}
	text = strbuf_str(&line);
	for (text += strspn(text, BLANKS); *text; text += strspn(text, BLANKS)) {
		len = strcspn(text, BLANKS);
		if (out->len)
			strbuf_add_char(out, ' ');
		strbuf_add(out, text, len);
		text += len;
	}
	return 0;
}

static int refuse_absent(const char *path, struct err *err)
{
	const char *name = strrchr(path, '/') + 1;
	CLEANUP(free) char *folder = xstrndup(path, (size_t)(name - 1 - path));
	CLEANUP(name_list) struct name_list known = NAME_LIST_INIT;
	struct suggest suggest = suggest_for(name);

	name_list_add_folder(&known, folder);
	for (size_t i = 0; i < known.nr; i++)
		suggest_offer(&suggest, known.items[i]);
	if (suggest_best(&suggest))
		return err_set(err, ERR_USAGE, "there is no '%s' in %s; did you mean '%s'", name,
			       folder, suggest_best(&suggest));
	return err_set(err, ERR_USAGE, "there is no '%s' in %s", name, folder);
}

int attribute_check(const char *path, struct err *err)
{
	struct stat st;

	if (stat(path, &st) < 0) {
		if (errno == ENOENT || errno == ENOTDIR)
			return refuse_absent(path, err);
		return err_set_errno(err, "stat %s", path);
	}
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_USAGE, "%s is a folder, not an attribute", path);
	if (!(st.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)))
		return err_set(err, ERR_USAGE, "%s is read-only", path);
	if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) < 0)
		return err_set_errno(err, "write %s%s", path,
				     geteuid() == 0 ? "" : " (settings need root)");
	return 0;
}

int attribute_write(const char *path, const char *value, struct err *err)
{
	/* a write of nothing would not reach the attribute */
	return file_write_line(path, value[0] ? value : "\n", err);
}

bool attribute_is_number(const char *value)
{
	if (value[0] == '-' || value[0] == '+')
		value++;
	return value[0] && value[strspn(value, "0123456789")] == '\0';
}

/* Without a plus sign and leading zeros. */
static const char *number_core(const char *value, bool *ret_is_negative)
{
	*ret_is_negative = value[0] == '-';
	if (value[0] == '-' || value[0] == '+')
		value++;
	while (value[0] == '0' && value[1])
		value++;
	return value;
}

static bool words_equal(const char *a, const char *b)
{
	for (;;) {
		size_t len_a;
		size_t len_b;

		a += strspn(a, BLANKS);
		b += strspn(b, BLANKS);
		len_a = strcspn(a, BLANKS);
		len_b = strcspn(b, BLANKS);
		if (len_a != len_b || strncmp(a, b, len_a) != 0)
			return false;
		if (len_a == 0)
			return true;
		a += len_a;
		b += len_b;
	}
}

bool attribute_equal(const char *a, const char *b)
{
	bool is_a_negative;
	bool is_b_negative;

	if (!attribute_is_number(a) || !attribute_is_number(b))
		return words_equal(a, b);
	a = number_core(a, &is_a_negative);
	b = number_core(b, &is_b_negative);
	return is_a_negative == is_b_negative && !strcmp(a, b);
}

/* "-1" for wbt_lat_usec is "as the kernel thinks best". */
static bool asks_for_default(const char *value)
{
	return value[0] == '-' && attribute_is_number(value);
}

/* Refused for what it is, not for the state of the machine. */
static bool is_refusal(int number)
{
	return number == EINVAL || number == ERANGE || number == E2BIG || number == EDOM;
}

int attribute_set(const char *path, const char *value, struct err *err)
{
	CLEANUP(strbuf) struct strbuf now = STRBUF_INIT;
	struct err local = { .code = 0 };

	if (attribute_write(path, value, &local) < 0)
		return err_set(err, is_refusal(local.saved_errno) ? ERR_USAGE : local.code, "%s",
			       local.msg);
	if (asks_for_default(value) || attribute_read(path, &now, NULL) < 0 ||
	    attribute_equal(strbuf_str(&now), value))
		return 0;
	return err_set(err, ERR_USAGE, "'%s' was written to %s, but it reads '%s'", value, path,
		       strbuf_str(&now));
}

int attribute_confirm(const struct attribute_wanted *attribute, struct result *result,
		      struct err *err)
{
	CLEANUP(strbuf) struct strbuf now = STRBUF_INIT;
	const char *wanted = attribute->wanted;
	bool is_readable = attribute_read(attribute->path, &now, NULL) == 0;
	const char *value = is_readable ? strbuf_str(&now) : wanted;

	if (!file_exists(attribute->path)) /* an iosched attribute of another scheduler */
		return err_set(err, ERR_USAGE,
			       "there is no %s in the end: a setting after it has changed that",
			       attribute->what);
	if (result)
		result_add_setting(result, attribute->key, value);
	if (attribute_equal(value, wanted))
		return 0;
	if (!asks_for_default(wanted))
		return err_set(err, ERR_USAGE,
			       "%s reads '%s' in the end: a setting after it has changed it",
			       attribute->what, value);
	if (result)
		note_add(&result->notes, NOTE_SETTING_NOT_EXACT, "%s became '%s' by '%s'",
			 attribute->what, value, wanted);
	return 0;
}
