/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dm_table: asks device-mapper for a table. libdevmapper is left out: a static guest has none. */
#include "env/dm_table.h"

#include <fcntl.h>
#include <linux/dm-ioctl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/strbuf.h"

#define CONTROL "/dev/mapper/control"
#define ANSWER_BYTES 65536 /* a table of hundreds of targets */
#define MAX_TARGETS 1024

/* "aes-xts-plain64 KEY 0 8:0 0": the second word is a secret, or names one. */
static void add_crypt(struct strbuf *text, const char *params)
{
	size_t cipher = strcspn(params, " ");
	const char *rest = params + cipher + strspn(params + cipher, " ");

	strbuf_add(text, params, cipher);
	strbuf_add_str(text, " -");
	strbuf_add_str(text, rest + strcspn(rest, " "));
}

static void add_target(struct strbuf *text, const struct dm_target_spec *spec, const char *params)
{
	CLEANUP(free) char *type = xstrndup(spec->target_type, sizeof(spec->target_type));

	strbuf_printf(text, "%s%llu %llu %s ", text->len ? "; " : "",
		      (unsigned long long)spec->sector_start, (unsigned long long)spec->length,
		      type);
	if (!strcmp(type, "crypt"))
		add_crypt(text, params);
	else
		strbuf_add_str(text, params);
	strbuf_trim(text);
}

char *dm_table_text(const void *answer, size_t len)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	const char *bytes = answer;
	struct dm_ioctl head;
	size_t at;

	if (len < sizeof(head))
		return NULL;
	memcpy(&head, bytes, sizeof(head));
	if (head.data_start < offsetof(struct dm_ioctl, data) || head.target_count > MAX_TARGETS ||
	    head.flags & DM_BUFFER_FULL_FLAG)
		return NULL;
	at = head.data_start;
	for (unsigned i = 0; i < head.target_count; i++) {
		struct dm_target_spec spec;
		const char *params;

		if (at > len || len - at < sizeof(spec))
			return NULL;
		memcpy(&spec, bytes + at, sizeof(spec));
		params = bytes + at + sizeof(spec);
		if (!memchr(params, '\0', len - at - sizeof(spec)))
			return NULL;
		add_target(&text, &spec, params);
		at = (size_t)head.data_start + spec.next;
	}
	return text.len ? strbuf_take(&text) : NULL;
}

char *dm_table_read(dev_t dev)
{
	CLEANUP(fd) int fd = open(CONTROL, O_RDWR | O_CLOEXEC);
	CLEANUP(free) struct dm_ioctl *request = xcalloc(1, ANSWER_BYTES);

	if (fd < 0)
		return NULL;
	request->version[0] = DM_VERSION_MAJOR; /* of minor 0: older kernels refuse later ones */
	request->data_size = ANSWER_BYTES;
	request->data_start = sizeof(*request);
	request->dev = dev;
	request->flags = DM_STATUS_TABLE_FLAG | DM_NOFLUSH_FLAG;
	if (ioctl(fd, DM_TABLE_STATUS, request) < 0)
		return NULL;
	return dm_table_text(request, ANSWER_BYTES);
}
