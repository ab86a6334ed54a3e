/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_opener: how the lines of fio's normal output begin, in every version. */
#include "import/fio_text.h"

#include <string.h>

#define MAX_NAME_LEN 200 /* of a job at the start of a line */

/*
 * In a pattern ' ' is any number of blanks, also none, and '#' one or more digits. Everything
 * else is itself.
 */
struct opener {
	enum fio_kind kind;
	const char *pattern;
};

/* May begin in the middle of a line, after a blank: a paragraph that was filled anew. */
static const struct opener word_openers[] = {
	{ FIO_DIR, "read : IOPS=" },
	{ FIO_DIR, "read : io=" },
	{ FIO_DIR, "write : IOPS=" },
	{ FIO_DIR, "write : io=" },
	{ FIO_DIR, "trim : IOPS=" },
	{ FIO_DIR, "trim : io=" },
	{ FIO_DIR, "mixed : IOPS=" },
	{ FIO_DIR, "mixed : io=" },
	{ FIO_LATENCY, "slat (" },
	{ FIO_LATENCY, "clat (" },
	{ FIO_LATENCY, "lat (" },
	{ FIO_PRIO_LATENCY, "clat prio #/#" },
	{ FIO_PRIO_LATENCY, "lat prio #/#" },
	{ FIO_PRIO_LATENCY, "high prio_" },
	{ FIO_PRIO_LATENCY, "low prio_" },
	{ FIO_PERCENTILES, "slat percentiles (" },
	{ FIO_PERCENTILES, "clat percentiles (" },
	{ FIO_PERCENTILES, "lat percentiles (" },
	{ FIO_PERCENTILES, "sync percentiles (" },
	{ FIO_PERCENTILE_ROW, "| #.#th=" },
	{ FIO_PERCENTILE_ROW, "| #th=" },
	{ FIO_BW, "bw (" },
	{ FIO_IOPS, "iops : min=" },
	{ FIO_NOISE, "fsync/fdatasync" },
	{ FIO_SYNC, "sync (" },
	{ FIO_CPU, "cpu : usr=" },
	{ FIO_DEPTHS, "IO depths : #=" },
	{ FIO_SUBMIT, "submit : #=" },
	{ FIO_COMPLETE, "complete : #=" },
	{ FIO_ISSUED, "issued : total=" },
	{ FIO_ISSUED, "issued rwt : total=" },
	{ FIO_ISSUED, "issued rwts : total=" },
	{ FIO_ERRORS, "errors : total=" },
	{ FIO_TARGET, "latency : target=" },
	{ FIO_STEADY, "steadystate : attained=" },
	{ FIO_DESCRIPTION, "Description : [" },
	{ FIO_GROUP, "Run status group #" },
	{ FIO_GROUP_DIR, "READ : bw=" },
	{ FIO_GROUP_DIR, "READ : io=" },
	{ FIO_GROUP_DIR, "WRITE : bw=" },
	{ FIO_GROUP_DIR, "WRITE : io=" },
	{ FIO_GROUP_DIR, "TRIM : bw=" },
	{ FIO_GROUP_DIR, "TRIM : io=" },
	{ FIO_GROUP_DIR, "MIXED : bw=" },
	{ FIO_GROUP_DIR, "MIXED : io=" },
	{ FIO_DISK_HEAD, "Disk stats (read/write)" },
	{ FIO_SCRIPT, "READ:#:#:#" },
	{ FIO_SCRIPT, "WRITE:#:#:#" },
};

/* At the start of a line they must have it for themselves. */
static const struct opener inner_openers[] = {
	{ FIO_VERSION, "fio-#.#" },
	{ FIO_VERSION, "regio-#.#" },
	{ FIO_STARTING, "Starting # process" },
	{ FIO_STARTING, "Starting # thread" },
};

/* Would be taken for something else in the middle of a line. */
static const struct opener line_openers[] = {
	{ FIO_STARTING, "Starting # process" },
	{ FIO_STARTING, "Starting # thread" },
	{ FIO_SHARED, "Multiple writers may overwrite blocks" },
	{ FIO_MESSAGE, "fio: " },
	{ FIO_NOISE, "Jobs: # (f=" },
	{ FIO_NOISE, "..." },
	{ FIO_HOST, "hostname=" },
	{ FIO_NOISE, "CPU idleness:" },
	{ FIO_NOISE, "system: #" },
	{ FIO_NOISE, "percpu: #" },
	{ FIO_NOISE, "unit work: " },
	{ FIO_NOISE, "Expected CRC" },
	{ FIO_NOISE, "Received CRC" },
	{ FIO_NOISE, "verify: bad " },
	{ FIO_NOISE, "verify: invalid " },
	{ FIO_NOISE, "note: both iodepth >= 1" },
	{ FIO_NOISE, "Throughput Results:" },
};

/* After the name of a job or disk. */
static const struct opener name_openers[] = {
	{ FIO_HEADER, ": (g=#" },	  { FIO_JOB, ": (groupid=#" },
	{ FIO_DISK, ": ios=#/#" },	  { FIO_NOISE, ": Laying out IO file" },
	{ FIO_NOISE, ": verify failed" }, { FIO_NOISE, ": you need to specify" },
};

#define NR_OF(table) (sizeof(table) / sizeof((table)[0]))

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " ");
}

static bool matches(const char *text, const char *pattern)
{
	for (; *pattern; pattern++) {
		if (*pattern == ' ') {
			text = skip_blanks(text);
		} else if (*pattern == '#') {
			size_t nr = strspn(text, "0123456789");

			if (!nr)
				return false;
			text += nr;
		} else if (*text++ != *pattern) {
			return false;
		}
	}
	return true;
}

static enum fio_kind find(const struct opener *openers, size_t nr, const char *text)
{
	for (size_t i = 0; i < nr; i++) {
		/* No pattern begins with one of the special characters. */
		if (openers[i].pattern[0] == *text && matches(text, openers[i].pattern))
			return openers[i].kind;
	}
	return FIO_PROSE;
}

const char *fio_skip_tool(const char *text)
{
	text += strcspn(text, "- ");
	return *text ? text + 1 : text;
}

/* "fio-3.33", "fio-3.42-135-gabcdef", "fio 2.0.8", "regio-0.1": nothing else on the line. */
static bool is_version(const char *text)
{
	if (!matches(text, "fio-#.#") && !matches(text, "fio #.#") && !matches(text, "regio-#.#"))
		return false;
	text = fio_skip_tool(text); /* at its end: a blank may be none, as in "fio53.33" */
	return *text && *skip_blanks(text + strcspn(text, " ")) == '\0';
}

/* "depth=1 job: (groupid=0": the end of another line in front of the name. */
static bool is_rest_of_line(const char *text)
{
	size_t len = strcspn(text, " ");

	if (!len || text[len - 1] == ':')
		return false;
	return memchr(text, '=', len) || strchr(",);%", text[len - 1]);
}

static enum fio_kind kind_after_name(const char *text, size_t max_len)
{
	const char *colon = is_rest_of_line(text) ? NULL : text;

	while (colon && (colon = strchr(colon, ':')) && (size_t)(colon - text) <= max_len) {
		enum fio_kind kind = find(name_openers, NR_OF(name_openers), colon);

		if (kind != FIO_PROSE)
			return colon > text ? kind : FIO_PROSE;
		colon++;
	}
	return FIO_PROSE;
}

enum fio_kind fio_word_kind(const char *text)
{
	enum fio_kind kind = find(word_openers, NR_OF(word_openers), text);
	size_t word_len = strcspn(text, " ");

	if (kind == FIO_PROSE)
		kind = find(inner_openers, NR_OF(inner_openers), text);
	if (kind != FIO_PROSE || word_len < 2 || word_len > MAX_NAME_LEN)
		return kind;
	/* The word ends with the colon: "job:" before "(groupid=0". */
	kind = text[word_len - 1] == ':'
		       ? find(name_openers, NR_OF(name_openers), text + word_len - 1)
		       : FIO_PROSE;
	return kind == FIO_NOISE ? FIO_PROSE : kind;
}

static enum fio_kind opener_kind(const char *text)
{
	enum fio_kind kind = find(word_openers, NR_OF(word_openers), text);

	if (kind == FIO_PROSE)
		kind = find(line_openers, NR_OF(line_openers), text);
	if (kind == FIO_PROSE && is_version(text))
		kind = FIO_VERSION;
	if (kind == FIO_PROSE)
		kind = kind_after_name(text, MAX_NAME_LEN);
	return kind;
}

enum fio_kind fio_line_kind(const char *text)
{
	const char *body = skip_blanks(text);
	const char *after_host = skip_blanks(fio_skip_host(body));
	const char *after_progress = fio_skip_progress(after_host);
	enum fio_kind kind;

	kind = opener_kind(after_progress ? after_progress : after_host);
	/* Progress output alone, and what a server says in an empty line. */
	if (kind == FIO_PROSE && (after_progress || (after_host > body && !*after_host)))
		kind = FIO_NOISE;
	return kind;
}

/* ---- fragments ---- */

static bool is_known_word(const char *word, size_t len)
{
	static const char words[] =
		" Mon Tue Wed Thu Fri Sat Sun Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec zone "
		"resets of IOs) percentiles (usec) (usec): (nsec) (nsec): (msec) (msec): slat clat "
		"lat sync bw iops cpu IO depths submit complete issued issued: rwts: rwt: latency "
		"Run status group (all jobs): Disk stats (read/write): prio (R) (W) (T) | ... : ( "
		"(KB KB (KB/s) (KiB/s): KiB/s): MiB/s): kB/s): /s): read read: write write: trim "
		"trim: mixed: READ: WRITE: TRIM: MIXED: mean dev [ ] ], = >= msec usec "
		"fsync/fdatasync/sync_file_range: IOPS] ";
	char padded[40];

	if (len + 3 > sizeof(padded))
		return false;
	padded[0] = ' ';
	memcpy(padded + 1, word, len);
	padded[len + 1] = ' ';
	padded[len + 2] = '\0';
	return strstr(words, padded) != NULL;
}

/* Length of the unit or mark at text, 0 if it is neither. */
static size_t quantity_part_len(const char *text)
{
	static const char *const units[] = { "msec",  "usec", "nsec", "KiB",   "MiB",
					     "GiB",   "TiB",  "kB",   "KB",    "MB",
					     "GB",    "TB",   "/s",   "B",     "k",
					     "M",     "G",    "T",    "bit/s", "Kibit",
					     "Mibit", "kbit", "Mbit", "Gbit",  "Gibit" };
	size_t longest = strchr("0123456789.,:;/%()[]<>-|", *text) ? 1 : 0;

	for (size_t i = 0; i < NR_OF(units); i++) {
		size_t len = strlen(units[i]);

		if (len > longest && !strncmp(text, units[i], len))
			longest = len;
	}
	return longest;
}

/* "(138GiB/600319msec);", "17:58:33", "128KiB-128KiB,": digits, marks and units. */
static bool is_quantity(const char *word, size_t len)
{
	bool has_digit = false;

	for (size_t i = 0; i < len;) {
		size_t part = quantity_part_len(word + i);

		if (!part)
			return false;
		has_digit |= word[i] >= '0' && word[i] <= '9';
		i += part;
	}
	return has_digit;
}

static bool is_fio_word(const char *word, size_t len)
{
	return memchr(word, '=', len) || memmem(word, len, "][", 2) || is_known_word(word, len) ||
	       is_quantity(word, len);
}

bool fio_is_fragment(const char *text)
{
	size_t nr = 0;

	for (text = skip_blanks(text); *text; text = skip_blanks(text)) {
		size_t len = strcspn(text, " ");

		/* The next line, in a paragraph that was filled anew. */
		if (nr && fio_word_kind(text) != FIO_PROSE)
			return true;
		if (!is_fio_word(text, len))
			return false;
		text += len;
		nr++;
	}
	return nr > 0;
}

/* ---- glued text ---- */

const char *fio_skip_host(const char *text)
{
	const char *end;

	if (*text != '<')
		return text;
	end = strchr(text, '>');
	if (!end || end == text + 1 || memchr(text, ' ', (size_t)(end - text)))
		return text;
	return end[1] == ' ' || end[1] == '\0' ? end + 1 : text;
}

/* Behind "00m:03s]" or "01d:02h:00m:03s". */
static const char *skip_duration(const char *text)
{
	while (*text >= '0' && *text <= '9') {
		const char *unit = text + strspn(text, "0123456789");

		if (!*unit || !strchr("dhms", *unit))
			break;
		text = unit + 1;
		if (*unit == 's' || *text != ':')
			break;
		text++;
	}
	return *text == ']' ? text + 1 : text;
}

/* Behind "(f=3): [m(3)][50.0%]" where no time is printed. */
static const char *skip_states(const char *text)
{
	text += strspn(text, "0123456789");
	text += *text == ')';
	text += *text == ':';
	for (;;) {
		const char *open = skip_blanks(text);
		const char *close = *open == '[' ? strchr(open, ']') : NULL;

		if (!close)
			return open;
		text = close + 1;
	}
}

const char *fio_skip_progress(const char *text)
{
	const char *states = strstr(text, " (f=");
	const char *last = NULL;

	/* The first letters may be hidden by the echo of Ctrl-C. */
	if (!states || states == text || !strchr("0123456789", states[-1]))
		return NULL;
	for (const char *at = states; (at = strstr(at, "[eta ")); at++)
		last = at;
	if (last)
		return skip_blanks(skip_duration(last + strlen("[eta ")));
	for (const char *at = states; (at = strstr(at, " (f=")); at++)
		states = at;
	return skip_states(states + strlen(" (f="));
}
