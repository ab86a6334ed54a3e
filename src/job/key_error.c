/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The types of keys that name errors: continue_on_error and ignore_error. */
#include "job/key.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "job/number.h"
#include "model/job.h"

#define MAX_ERRNO 4095 /* of the kernel */

static const struct kind_name {
	const char *name;
	unsigned kinds;
} kind_names[] = {
	{ "none", 0 },
	{ "0", 0 },
	{ "read", ERRORS_READ },
	{ "write", ERRORS_WRITE },
	{ "io", ERRORS_READ | ERRORS_WRITE },
	{ "verify", ERRORS_VERIFY },
	{ "all", ERRORS_ALL },
	{ "1", ERRORS_ALL },
};

static int error_kinds_parse(const struct key_row *row, const char *text,
			     struct number_reader *reader, struct job *job, struct err *err)
{
	struct short_text quoted;

	(void)reader;
	for (size_t i = 0; i < sizeof(kind_names) / sizeof(kind_names[0]); i++) {
		if (strcmp(kind_names[i].name, text) != 0)
			continue;
		*(unsigned *)key_field(row, job) = kind_names[i].kinds;
		return 0;
	}
	return err_set(err, ERR_INPUT, "'%s' is not one of: %s", short_text(text, &quoted),
		       row->info.values);
}

const struct key_type key_error_kinds = { .is_bare_allowed = true, .parse = error_kinds_parse };

/* "EIO" or "5". */
static int errno_parse(const char *text, struct number_reader *reader, int *ret_number,
		       struct err *err)
{
	struct short_text quoted;
	uint64_t value;

	(void)short_text(text, &quoted);
	for (int number = 1; number <= MAX_ERRNO; number++) {
		const char *name = strerrorname_np(number);

		if (name && !strcmp(name, text)) {
			*ret_number = number;
			return 0;
		}
	}
	if (!isdigit((unsigned char)text[0]) ||
	    number_parse_count(reader, text, &value, NULL) < 0 || value < 1 || value > MAX_ERRNO)
		return err_set(err, ERR_INPUT, "'%s' is no error", quoted.buf);
	*ret_number = (int)value;
	return 0;
}

static int errors_parse(const char *text, struct number_reader *reader,
			struct ignored_errors *ret_errors, struct err *err)
{
	struct ignored_errors errors = { .nr = 0 };
	const char *end;

	do {
		int ret;

		end = strchrnul(text, ':');
		if (errors.nr == JOB_MAX_IGNORED_ERRORS)
			return err_set(err, ERR_INPUT, "more than %d errors",
				       JOB_MAX_IGNORED_ERRORS);
		ret = errno_parse(arena_strndup(reader->arena, text, (size_t)(end - text)), reader,
				  &errors.numbers[errors.nr++], err);
		if (ret < 0)
			return ret;
		text = end + 1;
	} while (*end);
	*ret_errors = errors;
	return 0;
}

/* Naming an error of some kind also switches going on after it on. */
static int ignored_errors_parse(const struct key_row *row, const char *text,
				struct number_reader *reader, struct job *job, struct err *err)
{
	struct ignored_errors *errors = key_field(row, job);
	size_t kind = 0;

	for (const char *part = text; part && kind < JOB_NR_ERROR_KINDS; kind++) {
		const char *comma = strchr(part, ',');
		size_t len = comma ? (size_t)(comma - part) : strlen(part);
		int ret = 0;

		if (len > 0)
			ret = errors_parse(arena_strndup(reader->arena, part, len), reader,
					   &errors[kind], err);
		if (ret < 0)
			return ret;
		if (len > 0)
			job->continue_on_error |= 1U << kind;
		part = comma ? comma + 1 : NULL;
	}
	return 0;
}

const struct key_type key_ignored_errors = { .parse = ignored_errors_parse };
