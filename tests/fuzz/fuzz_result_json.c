/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What result_from_json accepts must come back the same, give metrics and print without a crash. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "model/metric.h"
#include "model/result.h"
#include "model/result_json.h"
#include "output/output.h"

static void check_round_trip(const struct result *result)
{
	CLEANUP(result) struct result again = { .label = NULL };
	CLEANUP(free) char *text = result_to_json(result, 0);
	CLEANUP(free) char *text_again = NULL;

	if (result_from_json(text, strlen(text), &again, NULL) != 0)
		abort();
	text_again = result_to_json(&again, 0);
	if (strcmp(text, text_again) != 0)
		abort();
}

static void print(const struct result *result)
{
	FILE *nowhere = fopen("/dev/null", "w");

	if (!nowhere || output_find("normal")->result(result, nowhere, NULL) != 0)
		abort();
	(void)fclose(nowhere);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	CLEANUP(result) struct result result = { .label = NULL };
	CLEANUP(metric_list) struct metric_list metrics = { .nr = 0 };
	struct err err = { .code = (enum err_code)0 };

	if (result_from_json((const char *)data, len, &result, &err) != 0) {
		if (!err.msg[0])
			abort(); /* refused without a word */
		return 0;
	}
	check_round_trip(&result);
	result_metrics(&result, &metrics);
	print(&result);
	return 0;
}
