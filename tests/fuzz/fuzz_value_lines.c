/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_value_lines: the lines that scripts print; numbers are finite, names are said once. */
#include "fuzz.h"

#include "import/value_lines.h"
#include "model/given.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct given_list list = { .nr = 0 };
	char *text = malloc(len + 1);
	size_t nr;

	assert(text);
	if (len > 0)
		memcpy(text, data, len);
	text[len] = '\0';
	nr = value_lines_read(text, &list);
	assert(list.nr <= nr);
	for (size_t i = 0; i < list.nr; i++) {
		assert(isfinite(list.items[i].value));
		assert(given_find(&list, list.items[i].name) == &list.items[i]);
	}
	given_list_release(&list);
	free(text);
	return 0;
}
