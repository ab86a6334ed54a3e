/* SPDX-License-Identifier: GPL-2.0-or-later */
/* self_test: whether two guests with one seed said the same. */
#include "cmd/self_test.h"

#include <string.h>

#include "base/err.h"
#include "model/result.h"
#include "model/result_json.h"

char *self_test_words(struct result *result)
{
	int64_t started_at_unix_ms = result->started_at_unix_ms;
	char *text;

	result->started_at_unix_ms = 0;
	text = result_to_json(result, 0);
	result->started_at_unix_ms = started_at_unix_ms;
	return text;
}

int self_test_compare(const char *first, const char *again, struct err *err)
{
	if (!strcmp(first, again))
		return 0;
	return err_set(err, ERR_SYSTEM,
		       "two guests with one seed gave different results: no virtual time here; "
		       "is the job bounded by number_ios, and this QEMU without changes?");
}
