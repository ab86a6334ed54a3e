/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel_config: finds and unpacks the kernel's configuration. */
#include "env/kernel_config.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "env/facts.h"

#define MAX_CONFIG_BYTES (2U << 20) /* ten times what distributions have */
#define CHUNK_BYTES 65536

static void gz_close(gzFile file)
{
	(void)gzclose_r(file); /* nothing was written */
}
CLEANUP_DEFINE_PTR(gz, struct gzFile_s, gz_close)

/* Also what is not compressed. False if it is damaged, empty or not a text. */
static bool unpack(const char *path, struct strbuf *text)
{
	CLEANUP(gz) gzFile file = gzopen(path, "re");
	CLEANUP(free) char *chunk = xmalloc(CHUNK_BYTES);
	int got = 0;
	int state = Z_OK;

	while (file && text->len <= MAX_CONFIG_BYTES) {
		got = gzread(file, chunk, CHUNK_BYTES);
		if (got <= 0)
			break;
		strbuf_add(text, chunk, (size_t)got);
	}
	/* a stream that is cut off ends like a whole one, but for its state */
	if (file)
		(void)gzerror(file, &state);
	return file && got == 0 && state == Z_OK && text->len > 0 &&
	       !memchr(strbuf_str(text), '\0', text->len);
}

char *kernel_config_read(const struct facts *facts, struct strbuf *text)
{
	CLEANUP(free) char *release_path = facts_path(facts, "/proc/sys/kernel/osrelease");
	CLEANUP(free) char *release = fact_read(release_path, FACT_LINE);
	const char *name = release ? release : "";
	char *places[] = {
		xstrdup("/proc/config.gz"),
		xasprintf("/boot/config-%s", name),
		xasprintf("/lib/modules/%s/config", name),
	};
	char *found = NULL;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		CLEANUP(free) char *path = facts_path(facts, "%s", places[i]);

		strbuf_reset(text);
		if (!found && unpack(path, text))
			found = ptr_take(places[i]);
		if (found)
			break;
	}
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		free(places[i]);
	return found;
}
