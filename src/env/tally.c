/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tally: counts equal texts. */
#include "env/tally.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"

void tally_add(struct tally *tally, const char *value)
{
	/* neighbours mostly say the same */
	for (size_t i = tally->nr; i > 0; i--) {
		if (!strcmp(tally->items[i - 1].value, value)) {
			tally->items[i - 1].nr++;
			return;
		}
	}
	tally->items = xreallocarray(tally->items, tally->nr + 1, sizeof(*tally->items));
	tally->items[tally->nr++] = (struct tally_item){ .value = xstrdup(value), .nr = 1 };
}

char *tally_text(const struct tally *tally)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;

	if (tally->nr == 0)
		return NULL;
	if (tally->nr == 1)
		return xstrdup(tally->items[0].value);
	for (size_t i = 0; i < tally->nr; i++)
		strbuf_printf(&text, "%s%s (%zu)", i ? ", " : "", tally->items[i].value,
			      tally->items[i].nr);
	return strbuf_take(&text);
}

void tally_release(struct tally *tally)
{
	for (size_t i = 0; i < tally->nr; i++)
		free(tally->items[i].value);
	free(tally->items);
	*tally = (struct tally){ .nr = 0 };
}
