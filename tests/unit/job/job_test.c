/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests of src/job share. */
#include "job_test.h"

#include <string.h>

#include "test.h"

int parse_text(const char *text, struct job_set *ret_set, struct err *err)
{
	const struct job_parse_text file = { .name = "t.fio", .data = text, .len = strlen(text) };
	const struct job_parse_config config = { .texts = &file, .nr_texts = 1 };

	return job_parse(&config, ret_set, err);
}

struct job_set parse_good(const char *text)
{
	struct job_set set = { .nr = 0 };
	struct err err = { .code = 0 };

	if (parse_text(text, &set, &err) < 0)
		fail_msg("refused: %s\n%s", err.msg, text);
	return set;
}

struct job_set parse_options(const char *options)
{
	char text[4096];

	(void)snprintf(text, sizeof(text), "[j]\n%s\n", options);
	return parse_good(text);
}

void assert_refused(const char *text, enum err_code code, const char *message)
{
	struct job_set set = { .nr = 0 };
	struct err err = { .code = 0 };
	int ret = parse_text(text, &set, &err);

	if (ret == 0) {
		job_set_release(&set);
		fail_msg("accepted:\n%s", text);
	}
	assert_string_equal(err.msg, message);
	assert_int_equal(err.code, code);
	assert_int_equal(ret, -(int)code);
	assert_null(set.arena);
}

void assert_one_warning(const struct job_set *set, unsigned line, const char *text)
{
	assert_int_equal(set->nr_warnings, 1);
	assert_string_equal(set->warnings[0].text, text);
	assert_int_equal(set->warnings[0].line, line);
}
