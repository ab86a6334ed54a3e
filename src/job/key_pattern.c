/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The type of keys whose value is a pattern of bytes: "text", 'file', 0xhex, numbers and %o, one
 * after the other without anything between them. */
#include "job/key.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "job/number.h"
#include "model/pattern.h"

/* A number of a pattern is stored in as few bytes as it needs, a negative one always in 4. */
#define MAX_NUMBER UINT32_MAX
#define MIN_NUMBER (-INT64_C(2147483648))
#define NEGATIVE_BYTES 4

struct pattern_reader {
	const char *pos;
	unsigned char *bytes;
	size_t len, capacity;
	size_t *offsets_at;
	size_t nr_offsets;
	struct arena *arena;
};

static void make_room(struct pattern_reader *reader, size_t more)
{
	unsigned char *bytes;

	if (reader->len + more <= reader->capacity)
		return;
	reader->capacity = 2 * (reader->len + more);
	bytes = arena_alloc(reader->arena, reader->capacity);
	if (reader->len)
		memcpy(bytes, reader->bytes, reader->len);
	reader->bytes = bytes;
}

static int add_bytes(struct pattern_reader *reader, const void *bytes, size_t len, struct err *err)
{
	if (len > PATTERN_MAX_BYTES - reader->len)
		return err_set(err, ERR_INPUT, "the pattern is longer than %d bytes",
			       PATTERN_MAX_BYTES);
	make_room(reader, len);
	if (len)
		memcpy(reader->bytes + reader->len, bytes, len);
	reader->len += len;
	return 0;
}

/* The part between two quotation marks; NULL without the second one. */
static const char *quoted_part(struct pattern_reader *reader, char quote, size_t *ret_len)
{
	const char *begin = reader->pos + 1;
	const char *end = strchr(begin, quote);

	if (!end)
		return NULL;
	*ret_len = (size_t)(end - begin);
	reader->pos = end + 1;
	return begin;
}

static int read_text(struct pattern_reader *reader, struct err *err)
{
	size_t len;
	const char *text = quoted_part(reader, '"', &len);

	if (!text)
		return err_set(err, ERR_INPUT, "the pattern has a \" without its end");
	return add_bytes(reader, text, len, err);
}

static int read_opened(struct pattern_reader *reader, const char *path, int fd, struct err *err)
{
	unsigned char chunk[4096];
	ssize_t len;

	while ((len = read(fd, chunk, sizeof(chunk))) > 0) {
		int ret = add_bytes(reader, chunk, (size_t)len, err);

		if (ret < 0)
			return ret;
	}
	return len < 0 ? err_set_errno(err, "read the pattern file '%s'", path) : 0;
}

static int read_file(struct pattern_reader *reader, struct err *err)
{
	size_t len;
	const char *begin = quoted_part(reader, '\'', &len);
	const char *path;
	CLEANUP(fd) int fd = -1;

	if (!begin)
		return err_set(err, ERR_INPUT, "the pattern has a ' without its end");
	path = arena_strndup(reader->arena, begin, len);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return err_set(err, ERR_INPUT, "open the pattern file '%s': %s", path,
			       strerror(errno));
	return read_opened(reader, path, fd, err);
}

static unsigned char hex_value(char digit)
{
	if (isdigit((unsigned char)digit))
		return (unsigned char)(digit - '0');
	return (unsigned char)(tolower((unsigned char)digit) - 'a' + 10);
}

/* "0xabc" is 0a bc, as in fio. */
static int read_hex(struct pattern_reader *reader, struct err *err)
{
	const char *digits = reader->pos + 2;
	size_t nr = strspn(digits, "0123456789abcdefABCDEF");
	size_t len = (nr + 1) / 2;
	CLEANUP(free) unsigned char *bytes = xcalloc(len + 1, 1);
	size_t first = nr % 2; /* as if there were a 0 before them */

	if (nr == 0)
		return err_set(err, ERR_INPUT, "the pattern has 0x without hexadecimal digits");
	for (size_t i = 0; i < nr; i++) {
		size_t nibble = i + first;

		bytes[nibble / 2] = (unsigned char)(bytes[nibble / 2] << 4 | hex_value(digits[i]));
	}
	reader->pos = digits + nr;
	return add_bytes(reader, bytes, len, err);
}

/* Decimal digits up to the next "0x", of which the 0 belongs to the hexadecimal number. */
static size_t count_digits(const char *text)
{
	size_t nr = 0;

	while (isdigit((unsigned char)text[nr]) &&
	       !(nr > 0 && text[nr] == '0' && (text[nr + 1] == 'x' || text[nr + 1] == 'X')))
		nr++;
	return nr;
}

static int read_number(struct pattern_reader *reader, struct err *err)
{
	bool is_negative = *reader->pos == '-';
	const char *digits = reader->pos + is_negative;
	size_t nr = count_digits(digits);
	unsigned char bytes[8];
	size_t len = 0;
	int64_t value = 0;

	for (size_t i = 0; i < nr && value <= MAX_NUMBER; i++)
		value = value * 10 + (digits[i] - '0');
	if (is_negative)
		value = -value;
	if (nr == 0)
		return err_set(err, ERR_INPUT, "the pattern has a - without a number");
	if (value > MAX_NUMBER || value < MIN_NUMBER)
		return err_set(err, ERR_INPUT, "a number of the pattern does not fit 32 bits");
	do {
		bytes[len] = (unsigned char)((uint64_t)value >> (8 * len));
		len++;
	} while (is_negative ? len < NEGATIVE_BYTES : len < sizeof(bytes) && value >> (8 * len));
	reader->pos = digits + nr;
	return add_bytes(reader, bytes, len, err);
}

static int read_offset(struct pattern_reader *reader, struct err *err)
{
	static const unsigned char zeros[PATTERN_OFFSET_BYTES];
	size_t *offsets_at;

	if (reader->pos[1] != 'o')
		return err_set(err, ERR_INPUT, "the pattern has a %% that is not %%o");
	offsets_at = arena_alloc_array(reader->arena, reader->nr_offsets + 1, sizeof(*offsets_at));
	if (reader->nr_offsets)
		memcpy(offsets_at, reader->offsets_at, reader->nr_offsets * sizeof(*offsets_at));
	offsets_at[reader->nr_offsets++] = reader->len;
	reader->offsets_at = offsets_at;
	reader->pos += 2;
	return add_bytes(reader, zeros, sizeof(zeros), err);
}

static int read_part(struct pattern_reader *reader, struct err *err)
{
	const char *pos = reader->pos;
	struct short_text quoted;

	if (*pos == '"')
		return read_text(reader, err);
	if (*pos == '\'')
		return read_file(reader, err);
	if (*pos == '%')
		return read_offset(reader, err);
	if (pos[0] == '0' && (pos[1] == 'x' || pos[1] == 'X'))
		return read_hex(reader, err);
	if (*pos == '-' || isdigit((unsigned char)*pos))
		return read_number(reader, err);
	return err_set(err, ERR_INPUT,
		       "'%s' is no part of a pattern: \"text\", 'file', 0xhex, number or %%o",
		       short_text(pos, &quoted));
}

static int pattern_parse(const struct key_row *row, const char *text, struct number_reader *number,
			 struct job *job, struct err *err)
{
	struct pattern_reader reader = { .pos = text, .arena = number->arena };
	struct pattern *pattern;

	while (*reader.pos) {
		int ret = read_part(&reader, err);

		if (ret < 0)
			return ret;
	}
	if (reader.len == 0)
		return err_set(err, ERR_INPUT, "the pattern is empty");
	pattern = arena_alloc(number->arena, sizeof(*pattern));
	*pattern = (struct pattern){
		.bytes = reader.bytes,
		.len = reader.len,
		.offsets_at = reader.offsets_at,
		.nr_offsets = reader.nr_offsets,
	};
	*(const struct pattern **)key_field(row, job) = pattern;
	return 0;
}

const struct key_type key_pattern = { .parse = pattern_parse };
