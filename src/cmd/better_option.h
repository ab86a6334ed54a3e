/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_BETTER_OPTION_H
#define REGIO_CMD_BETTER_OPTION_H

/* --better of all commands that judge: which way a metric is good whose name does not tell. */

#include <stddef.h>

#include "base/args.h"
#include "model/metric.h"

struct doc;
struct err;

#define BETTER_OPTION_ROW(config_type, field)                                                      \
	{                                                                                          \
		.name = "better", .type = ARG_STRING, .offset = offsetof(config_type, field),      \
		.value_name = "WHICH",                                                             \
		.help = "higher or lower: what is good, where regio does not know the metric"      \
	}

/* NULL, the option was not given: POLARITY_NONE. */
int better_option_parse(const char *text, enum polarity *ret_polarity, struct err *err);

/* What makes news of "lower", as the end of a line. Caller frees. */
char *better_option_text(const char *metric);
/* "lower" is no news until somebody says whether that is good. */
void better_option_hint(struct doc *doc, const char *metric);

#endif
