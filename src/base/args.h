/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_BASE_ARGS_H
#define REGIO_BASE_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct err;

/*
 * Command line from a table: each row names an option and the field of the command's own config
 * struct that it fills. Parsing and usage text come from the rows; defaults are whatever the
 * caller put into the struct before.
 *
 *	struct ab_config {
 *		const char *store_path;
 *		double alpha_share;
 *		struct arg_list a;
 *		bool is_help;
 *	};
 *	static const struct arg_row rows[] = {
 *		{ .name = "store", .type = ARG_STRING, .value_name = "PATH",
 *		  .offset = offsetof(struct ab_config, store_path), .help = "keep results there" },
 *		{ .name = "help", .short_name = 'h', .type = ARG_BOOL,
 *		  .offset = offsetof(struct ab_config, is_help), .help = "show this text" },
 *	};
 *
 * Accepted forms: --opt=value, --opt value, --flag, --no-flag, -o value, -ovalue, -f, and "--",
 * after which everything is an operand. A later option overrides an earlier one, lists grow.
 */
enum arg_type {
	ARG_BOOL,	 /* bool: no value; --no-NAME sets false */
	ARG_STRING,	 /* const char *: borrowed from argv */
	ARG_STRING_LIST, /* struct arg_list: may be repeated */
	ARG_UNSIGNED,	 /* unsigned */
	ARG_U64,	 /* uint64_t: decimal digits, for seeds */
	ARG_SIZE,	 /* uint64_t bytes: 4k = 4KiB = 4096 */
	ARG_DURATION,	 /* uint64_t ns: 10us, 30s */
	ARG_DOUBLE,	 /* double, finite */
	ARG_SHARE,	 /* double 0..: 5% or 0.05 */
};

struct arg_row {
	const char *name; /* long name without dashes */
	char short_name;  /* 0 = none */
	enum arg_type type;
	size_t offset;		/* of the field in the config struct */
	const char *value_name; /* "PATH" in the usage text; NULL = a default for the type */
	const char *help;	/* one line, lower case; NULL = not shown */
};

/* Strings borrowed from argv in an array that arg_list_release frees. Zero is empty. */
struct arg_list {
	const char **items;
	size_t nr;
	size_t capacity;
};

void arg_list_push(struct arg_list *list, const char *text); /* text is borrowed */
void arg_list_release(struct arg_list *list);

enum args_flags {
	/* The first operand and everything after it are operands: `regio COMMAND ...`. */
	ARGS_STOP_AT_OPERAND = 1 << 0,
	/* Options without a row are operands too, as written and in order: `regio run` hands fio's
	 * own options on. A word after such an option is just the next operand. Long
	 * names may have one dash, too, as in fio. */
	ARGS_KEEP_UNKNOWN = 1 << 1,
};

struct args_spec {
	const char *command;  /* "regio ab" */
	const char *operands; /* "JOB.fio" in the usage line; NULL = none are accepted */
	const char *summary;  /* one sentence */
	const struct arg_row *rows;
	size_t nr_rows;
	unsigned flags; /* enum args_flags */
};

/*
 * argv[0] is the first word to parse, not the program. Fills *config and appends to *operands (no
 * limit on their number). On -ERR_USAGE the config may be half filled; release it all the same.
 */
int args_parse(const struct args_spec *spec, int argc, char *const *argv, void *config,
	       struct arg_list *operands, struct err *err);

/* Frees the lists of a config that args_parse filled. */
void args_release(const struct args_spec *spec, void *config);

/* The usage line, the summary and one aligned line for each row with help. */
void args_print_usage(const struct args_spec *spec, FILE *file);

/* Just "--name" for each row, one a line, for shell completion. */
void args_print_names(const struct args_spec *spec, FILE *file);

/* "unknown option '--x'; did you mean '--y'?" of a word that was kept; -ERR_USAGE. */
int args_refuse(const struct args_spec *spec, const char *word, struct err *err);

/* NULL when there is no such option. */
const struct arg_row *args_find(const struct args_spec *spec, const char *name, size_t name_len);

#endif
