/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_args: arbitrary words, one a line, against a table with every type of option. */
#include "fuzz.h"

#include "base/args.h"
#include "base/err.h"

#include <assert.h>
#include <string.h>

#define MAX_WORDS 64

struct config {
	bool flag;
	const char *text;
	struct arg_list list;
	unsigned nr;
	uint64_t seed;
	uint64_t size_bytes;
	uint64_t time_ns;
	double number;
	double share;
};

#define ROW(name_, short_, type_, field_)                                                          \
	{                                                                                          \
		.name = name_, .short_name = short_, .type = type_,                                \
		.offset = offsetof(struct config, field_), .help = "x"                             \
	}

static const struct arg_row rows[] = {
	ROW("flag", 'f', ARG_BOOL, flag),	 ROW("text", 't', ARG_STRING, text),
	ROW("list", 'l', ARG_STRING_LIST, list), ROW("nr", 'n', ARG_UNSIGNED, nr),
	ROW("seed", 0, ARG_U64, seed),		 ROW("size", 's', ARG_SIZE, size_bytes),
	ROW("time", 0, ARG_DURATION, time_ns),	 ROW("number", 0, ARG_DOUBLE, number),
	ROW("share", 0, ARG_SHARE, share),
};

static void parse(int argc, char *const *argv, unsigned flags)
{
	const struct args_spec spec = { .command = "x",
					.operands = "WORD..",
					.summary = "x",
					.rows = rows,
					.nr_rows = sizeof(rows) / sizeof(rows[0]),
					.flags = flags };
	struct config config = { .flag = false };
	struct arg_list operands = { .items = NULL };
	struct err err = { .code = 0 };
	int ret = args_parse(&spec, argc, argv, &config, &operands, &err);

	assert(ret == 0 || (ret == -ERR_USAGE && err.msg[0]));
	args_release(&spec, &config);
	arg_list_release(&operands);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	char text[1024];
	char *words[MAX_WORDS];
	int nr = 0;

	if (len >= sizeof(text))
		return 0;
	if (len > 0)
		memcpy(text, data, len);
	text[len] = '\0';
	for (char *word = text; word && nr < MAX_WORDS;) {
		char *end = strchr(word, '\n');

		if (end)
			*end++ = '\0';
		words[nr++] = word;
		word = end;
	}
	parse(nr, words, 0);
	parse(nr, words, ARGS_KEEP_UNKNOWN);
	parse(nr, words, ARGS_STOP_AT_OPERAND);
	return 0;
}
