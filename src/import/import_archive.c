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

/* Where in a document the text stands. */
struct nesting {
	unsigned depth;
	bool is_in_string;
	bool is_escaped;
	bool is_ended;
};

/* Number of characters of the line that belong to the document. */
static size_t take_line(struct nesting *nesting, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		char c = text[i];

		if (nesting->is_in_string) {
			nesting->is_in_string = c != '"' || nesting->is_escaped;
			nesting->is_escaped = c == '\\' && !nesting->is_escaped;
			continue;
		}
		nesting->is_in_string = c == '"';
		nesting->depth += c == '{' || c == '[';
		if (nesting->depth && (c == '}' || c == ']') && --nesting->depth == 0) {
			nesting->is_ended = true;
			return i + 1;
		}
	}
	return len;
}

/* Consumes one document. */
static int read_document(struct import_reader *in, struct strbuf *document, struct err *err)
{
	struct nesting nesting = { .depth = 0 };
	const struct import_line *line;
	unsigned nr = import_peek(in, 0)->nr;

	while (!nesting.is_ended && (line = import_peek(in, 0))) {
		if (document->len > MAX_DOCUMENT_BYTES)
			return import_refuse(in, line->nr, err, "a result of more than %u MiB",
					     MAX_DOCUMENT_BYTES >> 20);
		nr = line->nr;
		strbuf_add(document, line->text, take_line(&nesting, line->text, line->len));
		if (!line->is_partial)
			strbuf_add_char(document, '\n');
		import_next(in);
	}
	if (!nesting.is_ended)
		return import_refuse(in, nr, err, "the result ends before it is whole");
	return 0;
}

static int archive_read(struct import_reader *in, struct err *err)
{
	CLEANUP(strbuf) struct strbuf document = STRBUF_INIT;
	CLEANUP(result) struct result result = { .label = NULL };
	struct json_head head = { .key = "" };
	int ret;

	if (json_head_read(in, &head) && strcmp(head.value, "regio.result") != 0)
		return refuse_other(in, head.value, err);
	ret = read_document(in, &document, err);
	if (ret == 0)
		ret = result_from_json(strbuf_str(&document), document.len, &result, err);
	if (ret == 0)
		ret = import_deliver(in, &result, err);
	return ret;
}

const struct importer_ops importer_archive = {
	.name = "archive",
	.summary = "regio's own archive form of a result, every version",
	.probe = archive_probe,
	.read = archive_read,
};
