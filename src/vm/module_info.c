/* SPDX-License-Identifier: GPL-2.0-or-later */
/* module_info: the key=value strings of .modinfo, each ended by NUL. */
#include "vm/module_info.h"

#include <string.h>

#include "vm/elf_file.h"

/* Appends the words of text up to stop ("" = all), separated by blanks or commas. */
static void add_words(struct strbuf *out, const char *text, size_t len, const char *stop)
{
	size_t at = 0;

	while (at < len) {
		size_t start;

		while (at < len && (text[at] == ' ' || text[at] == ','))
			at++;
		start = at;
		while (at < len && text[at] != ' ' && text[at] != ',')
			at++;
		if (at == start)
			return;
		if (*stop && at - start == strlen(stop) && !memcmp(text + start, stop, at - start))
			return;
		if (out->len)
			strbuf_add_char(out, ' ');
		for (size_t i = start; i < at; i++)
			strbuf_add_char(out, text[i] == '-' ? '_' : text[i]);
	}
}

static bool starts_with(const char *text, size_t len, const char *prefix)
{
	return len >= strlen(prefix) && !memcmp(text, prefix, strlen(prefix));
}

static void read_entry(const char *text, size_t len, struct module_info *info)
{
	static const struct {
		const char *prefix, *stop;
		size_t offset;
	} keys[] = {
		{ "depends=", "", offsetof(struct module_info, depends) },
		{ "softdep=pre:", "post:", offsetof(struct module_info, softdeps) },
		{ "alias=", "", offsetof(struct module_info, aliases) },
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		size_t skip = strlen(keys[i].prefix);

		if (starts_with(text, len, keys[i].prefix))
			add_words((struct strbuf *)((char *)info + keys[i].offset), text + skip,
				  len - skip, keys[i].stop);
	}
}

bool module_info_read(const void *data, size_t len, struct module_info *info)
{
	const void *content;
	const char *text;
	size_t left;

	*info = (struct module_info){ .depends = STRBUF_INIT };
	if (!elf_find_section(data, len, ".modinfo", &content, &left))
		return false;
	text = content;
	while (left) {
		size_t entry = strnlen(text, left);

		read_entry(text, entry, info);
		if (entry < left)
			entry++;
		text += entry;
		left -= entry;
	}
	return true;
}

void module_info_release(struct module_info *info)
{
	strbuf_release(&info->depends);
	strbuf_release(&info->softdeps);
	strbuf_release(&info->aliases);
}

bool module_name_of(const char *path, struct strbuf *out)
{
	static const char *const endings[] = { ".ko", ".ko.xz", ".ko.zst", ".ko.gz" };
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	const char *ko = strstr(name, ".ko");
	bool is_known = false;

	for (size_t i = 0; ko && i < sizeof(endings) / sizeof(endings[0]); i++)
		is_known |= !strcmp(ko, endings[i]);
	if (!is_known || ko == name)
		return false;
	for (; name < ko; name++)
		strbuf_add_char(out, *name == '-' ? '_' : *name);
	return true;
}
