/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tracepoint_format: "field:sector_t sector;\toffset:16;\tsize:8;\tsigned:0;" and what it means. */
#include "monitor/tracepoint_format.h"

#include <string.h>

#include "monitor/scan.h"

/* "offset:16" as a number below 2^32. */
static bool read_value(struct scan *line, const char *key, uint32_t *ret_value)
{
	struct scan_word word;
	uint64_t value;

	scan_blanks(line);
	if (!scan_skip(line, key) || !scan_until(line, ';', &word) ||
	    !scan_word_u64(&word, &value) || value > UINT32_MAX)
		return false;
	*ret_value = (uint32_t)value;
	return true;
}

/* "char rwbs[10]" and "sector_t sector" end with the name, or with it and its length. */
static bool declares(const struct scan_word *declaration, const char *name)
{
	size_t name_len = strlen(name);
	const char *bracket = memchr(declaration->text, '[', declaration->len);
	size_t len = bracket ? (size_t)(bracket - declaration->text) : declaration->len;

	return len > name_len && declaration->text[len - name_len - 1] == ' ' &&
	       !memcmp(declaration->text + len - name_len, name, name_len);
}

bool tracepoint_find_field(const char *text, size_t len, const char *name,
			   struct tracepoint_field *ret_field)
{
	struct scan rest = scan_text(text, len);
	struct scan line;

	while (scan_line(&rest, &line)) {
		struct scan_word declaration;

		scan_blanks(&line);
		if (scan_skip(&line, "field:") && scan_until(&line, ';', &declaration) &&
		    declares(&declaration, name))
			return read_value(&line, "offset:", &ret_field->offset) &&
			       read_value(&line, "size:", &ret_field->size);
	}
	return false;
}

static bool is_inside(size_t len, const struct tracepoint_field *field)
{
	return field->offset <= len && field->size <= len - field->offset;
}

/* The kernel writes numbers as the machine has them. */
bool tracepoint_read_number(const void *raw, size_t len, const struct tracepoint_field *field,
			    uint64_t *ret_value)
{
	bool has_size =
		field->size == 1 || field->size == 2 || field->size == 4 || field->size == 8;
	unsigned char bytes[8] = { 0 };
	uint64_t value = 0;

	if (!has_size || !is_inside(len, field))
		return false;
	memcpy(bytes, (const char *)raw + field->offset, field->size);
	for (size_t i = 0; i < field->size; i++) {
		size_t at = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? field->size - 1 - i : i;

		value = value << 8 | bytes[at];
	}
	*ret_value = value;
	return true;
}

bool tracepoint_has_char(const void *raw, size_t len, const struct tracepoint_field *field, char c)
{
	const char *text;

	if (!is_inside(len, field))
		return false;
	text = (const char *)raw + field->offset;
	return memchr(text, c, strnlen(text, field->size)) != NULL;
}
