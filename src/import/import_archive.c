/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import_archive: results in regio's own archive form, one document or several. */
#include <stdbool.h>
#include <string.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "import/import_table.h"
#include "import/importer.h"
#include "import/json_text.h"
#include "model/result.h"
#include "model/result_json.h"

#define PROBE_CERTAIN 100
#define MAX_DOCUMENT_BYTES (256U << 20) /* far above any result; bounds the memory for other text */

static bool is_regio(const struct json_head *head)
{
	return !strcmp(head->key, "schema") && !strncmp(head->value, "regio.", 6);
}

static int archive_probe(struct import_reader *in)
{
	struct json_head head;

	return json_head_read(in, &head) && is_regio(&head) ? PROBE_CERTAIN : 0;
}

/* Other documents of regio's are made of results and do not hold them. */
static int refuse_other(struct import_reader *in, const char *schema, struct err *err)
{
	return import_refuse(in, import_peek(in, 0)->nr, err,
			     "'%s' is no result: import what 'regio run "
			     "--output-format=archive' prints, or compare labels of the store",
			     schema);
}

/* A document as far as it is read. */
struct document {
	struct strbuf text;
	unsigned depth;
	bool is_in_string;
	bool is_escaped;
	bool is_ended;
};

/* Number of characters of the line that belong to the document. */
static size_t take_line(struct document *document, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		char c = text[i];

		if (document->is_in_string) {
			document->is_in_string = c != '"' || document->is_escaped;
			document->is_escaped = c == '\\' && !document->is_escaped;
			continue;
		}
		document->is_in_string = c == '"';
		document->depth += c == '{' || c == '[';
		if (document->depth && (c == '}' || c == ']') && --document->depth == 0) {
			document->is_ended = true;
			return i + 1;
		}
	}
	return len;
}

static void add_line(struct document *document, const char *text, size_t len, bool is_partial)
{
	if (document->is_ended)
		return;
	strbuf_add(&document->text, text, take_line(document, text, len));
	if (!is_partial)
		strbuf_add_char(&document->text, '\n');
}

static int parse(const struct document *document, struct result *ret_result, struct err *err)
{
	return result_from_json(strbuf_str(&document->text), document->text.len, ret_result, err);
}

/*
 * Consumes one document. Texts in it may look like what cleaning removes, such as "<b>", so it is
 * taken as it stands in the file if it can be read that way.
 */
static int read_document(struct import_reader *in, struct document forms[2],
			 struct result *ret_result, struct err *err)
{
	struct document *raw = &forms[0];
	struct document *cleaned = &forms[1];
	const struct import_line *line;
	unsigned nr = 0;
	int ret = 0;

	while (!(cleaned->is_ended && raw->is_ended) && (line = import_peek(in, 0))) {
		bool has_raw = raw->is_ended;
		bool has_cleaned = cleaned->is_ended;

		nr = line->nr;
		if (raw->text.len > MAX_DOCUMENT_BYTES || cleaned->text.len > MAX_DOCUMENT_BYTES)
			return import_refuse(in, nr, err, "a result of more than %u MiB",
					     MAX_DOCUMENT_BYTES >> 20);
		add_line(raw, line->raw, line->raw_len, line->is_partial);
		add_line(cleaned, line->text, line->len, line->is_partial);
		import_next(in);
		if (raw->is_ended && !has_raw && parse(raw, ret_result, NULL) == 0)
			return 0;
		if (cleaned->is_ended && !has_cleaned)
			ret = parse(cleaned, ret_result, err);
		if (cleaned->is_ended && ret == 0)
			return 0;
	}
	return cleaned->is_ended ? ret
				 : import_refuse(in, nr, err, "the result ends before it is whole");
}

static int archive_read(struct import_reader *in, struct err *err)
{
	struct document forms[2] = { { .depth = 0 }, { .depth = 0 } };
	CLEANUP(result) struct result result = { .label = NULL };
	struct json_head head = { .key = "" };
	int ret;

	if (json_head_read(in, &head) && strcmp(head.value, "regio.result") != 0)
		return refuse_other(in, head.value, err);
	ret = read_document(in, forms, &result, err);
	if (ret == 0)
		ret = import_deliver(in, &result, err);
	strbuf_release(&forms[0].text);
	strbuf_release(&forms[1].text);
	return ret;
}

const struct importer_ops importer_archive = {
	.name = "archive",
	.summary = "regio's own archive form of a result, every version",
	.probe = archive_probe,
	.read = archive_read,
};
