/* SPDX-License-Identifier: GPL-2.0-or-later */
/* heading: what an output is called by the prose above it. */
#include "import/heading.h"

#include <string.h>
#include <strings.h>

#include "import/importer.h"

#define DECORATION "-=~*#_+[]<>\\ \t"
#define MIN_UNDERLINE 3

static bool is_underline(const char *body)
{
	size_t len = strlen(body);

	return len >= MIN_UNDERLINE && strchr("-=~*#_+", body[0]) &&
	       strspn(body, (char[]){ body[0], ' ', '\0' }) == len;
}

/* Between the parts of a mail or of a mailbox; never part of a heading. */
static bool is_separator(const char *body)
{
	return strstr(body, "-- next part --") || strstr(body, "-- cut here --") ||
	       strstr(body, "-- >8 --") || !strncmp(body, "From ", 5) ||
	       !strncasecmp(body, "Content-Type:", 13);
}

static bool starts_with_one_of(const char *text, const char *const *words, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		if (!strncmp(text, words[i], strlen(words[i])))
			return true;
	}
	return false;
}

/* A shell prompt or a command that produced the output. */
static bool is_command(const char *body)
{
	static const char *const starts[] = { "$ ",	  "fio: ",   "% ",    "> ",    "fio ",
					      "sudo ",	  "./",	     "/",     "root@", "[root",
					      "numactl ", "taskset", "time ", "+ ",    "--",
					      "&&",	  "|" };
	const char *after = body[0] == '#' ? body + 1 + strspn(body + 1, " ") : body;

	if (starts_with_one_of(body, starts, sizeof(starts) / sizeof(starts[0])))
		return true;
	if (body[0] == '#' && (strstr(after, " --") || strstr(after, " -") ||
			       starts_with_one_of(after, starts, sizeof(starts) / sizeof(*starts))))
		return true;
	return strstr(body, "fio -") || strstr(body, ".fio") || strstr(body, " --");
}

/* Lines of mail headers and sign-offs, which stand alone without being headings. */
static bool is_mail_line(const char *body)
{
	static const char *const starts[] = {
		"Date:",       "To:",		"Cc:",		"Message-ID:", "In-Reply-To:",
		"References:", "MIME-Version:", "Content-",	"Hi ",	       "Hi,",
		"Hello",       "Thanks",	"Best regards", "Regards",     "Signed-off-by:"
	};

	return starts_with_one_of(body, starts, sizeof(starts) / sizeof(starts[0]));
}

/* "Hi, old kernel:" -> "old kernel:". A greeting alone stays what it is. */
static const char *skip_greeting(const char *body, size_t len)
{
	static const char *const starts[] = { "Hi", "Hello" };
	const char *comma = strchr(body, ',');
	const char *rest = comma ? comma + 1 + strspn(comma + 1, " ") : body;

	if (body[len - 1] != ':' || !starts_with_one_of(body, starts, 2) || rest[0] == ':')
		return body;
	return *rest ? rest : body;
}

static void set_candidate(struct heading *heading, const char *body, bool is_certain)
{
	size_t len = strlen(body);

	while (len && (strchr(DECORATION, body[0]) || body[0] == ':')) {
		body++;
		len--;
	}
	while (len && (strchr(DECORATION, body[len - 1]) || body[len - 1] == ':'))
		len--;
	strbuf_reset(&heading->candidate);
	for (size_t i = 0; i < len; i++) {
		if (body[i] != ' ' || body[i + 1] != ' ')
			strbuf_add_char(&heading->candidate, body[i]);
	}
	heading->is_certain = is_certain && len > 0;
}

static void end_paragraph(struct heading *heading)
{
	bool is_heading = heading->is_certain || heading->nr_lines <= HEADING_MAX_LINES;

	if (is_heading && heading->candidate.len) {
		strbuf_reset(&heading->text);
		strbuf_add(&heading->text, heading->candidate.buf, heading->candidate.len);
		heading->is_used = false;
	}
	strbuf_reset(&heading->candidate);
	heading->is_certain = false;
	heading->nr_lines = 0;
}

static void separate(struct heading *heading)
{
	strbuf_reset(&heading->candidate);
	strbuf_reset(&heading->text);
	heading->is_certain = false;
	heading->nr_lines = 0;
	heading->nr_parts++;
}

/* Does the line end a sentence? "6.8-rc7." may, but is short. */
static bool is_sentence(const char *body, size_t len)
{
	return len > 40 && strchr(".,;!?", body[len - 1]);
}

static void add_text(struct heading *heading, const char *body, size_t len)
{
	bool is_marked = body[len - 1] == ':' || !strncmp(body, "## ", 3) ||
			 !strncmp(body, "===", 3) || !strncmp(body, "---", 3);
	const char *rest = skip_greeting(body, len);

	len -= (size_t)(rest - body);
	body = rest;
	heading->nr_lines++;
	if (len > HEADING_MAX_LEN || is_command(body) || is_mail_line(body)) {
		/* A command between a heading and its output changes nothing. */
		heading->nr_lines--;
		return;
	}
	if (is_marked)
		set_candidate(heading, body, true);
	else if (is_sentence(body, len))
		heading->nr_lines += HEADING_MAX_LINES;
	else if (heading->nr_lines == 1)
		set_candidate(heading, body, false);
}

void heading_add(struct heading *heading, const struct import_line *line)
{
	const char *body = import_body(line);

	if (line->is_partial)
		return;
	if (heading->nr_parts == 0)
		attachments_add(&heading->attachments, body);
	if (!*body || !strncmp(body, "```", 3)) {
		end_paragraph(heading);
		return;
	}
	if (is_separator(body)) {
		separate(heading);
		return;
	}
	if (is_underline(body)) {
		heading->is_certain = heading->candidate.len > 0;
		end_paragraph(heading);
		return;
	}
	add_text(heading, body, line->len - line->indent);
}

void heading_close(struct heading *heading, unsigned depth)
{
	end_paragraph(heading);
	if (heading->is_used && heading->depth != depth)
		strbuf_reset(&heading->text);
	if (!heading->has_depth)
		heading->first_depth = depth;
	heading->has_depth = true;
	heading->is_used = heading->text.len > 0;
	heading->depth = depth;
}

bool heading_label(const struct heading *heading, const char *file_name, struct strbuf *out)
{
	if (heading->text.len) {
		strbuf_add(out, heading->text.buf, heading->text.len);
		return false;
	}
	if (attachments_name(&heading->attachments, heading->nr_parts, out))
		return true;
	if (heading->nr_parts)
		strbuf_printf(out, "%s part %u", file_name, heading->nr_parts + 1);
	else
		strbuf_add_str(out, file_name);
	/* A mail may be quoted as a whole; told apart are outputs in it. */
	if (heading->depth > heading->first_depth)
		strbuf_add_str(out, " (quoted)");
	else if (heading->depth < heading->first_depth)
		strbuf_add_str(out, " (unquoted)");
	return false;
}

void heading_release(struct heading *heading)
{
	strbuf_release(&heading->text);
	strbuf_release(&heading->candidate);
	attachments_release(&heading->attachments);
}
