/* SPDX-License-Identifier: GPL-2.0-or-later */
/* probe: files of /proc and sysfs, kept open and read once a round. */
#include "monitor/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "monitor/monitor.h"

#define PROBE_CHUNK_BYTES 16384
#define PROBE_MAX_BYTES ((size_t)16 << 20) /* /proc/interrupts of 1000 CPUs has some MiB */

/* The kernel makes the text anew when it is read from the start. */
static bool fd_read_all(int fd, struct strbuf *text)
{
	strbuf_reset(text);
	for (;;) {
		size_t room;
		ssize_t got;

		strbuf_reserve(text, PROBE_CHUNK_BYTES);
		room = text->capacity - text->len - 1;
		got = pread(fd, text->buf + text->len, room, (off_t)text->len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return false;
		text->len += (size_t)got;
		text->buf[text->len] = '\0';
		if (got == 0)
			return true;
		if (text->len > PROBE_MAX_BYTES)
			return false;
	}
}

bool probe_read(struct probe *probe, const struct monitor_tick *tick)
{
	if (probe->tick_nr == tick->nr)
		return probe->is_read;
	probe->tick_nr = tick->nr;
	probe->taken_ns = tick->clock();
	probe->is_read = fd_read_all(probe->fd, &probe->text);
	return probe->is_read;
}

static void probe_free(struct probe *probe)
{
	cleanup_fd(&probe->fd);
	strbuf_release(&probe->text);
	free(probe->path);
	free(probe);
}

int probe_open(struct probe_pool *pool, const char *root, const char *name,
	       struct probe **ret_probe, struct err *err)
{
	CLEANUP(free) char *path = xasprintf("%s/%s", root, name);
	CLEANUP(fd) int fd = -1;
	struct probe *probe;
	char byte;

	for (size_t i = 0; i < pool->nr; i++) {
		if (strcmp(pool->items[i]->path, path) != 0)
			continue;
		*ret_probe = pool->items[i];
		return 0;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return err_set_errno(err, "open %s", path);
	if (pread(fd, &byte, 1, 0) < 0)
		return err_set_errno(err, "read %s", path);
	probe = xcalloc(1, sizeof(*probe));
	probe->path = ptr_take(path);
	probe->fd = fd_take(&fd);
	pool->items = xreallocarray(pool->items, pool->nr + 1, sizeof(*pool->items));
	pool->items[pool->nr++] = probe;
	*ret_probe = probe;
	return 0;
}

void probe_pool_release(struct probe_pool *pool)
{
	for (size_t i = 0; i < pool->nr; i++)
		probe_free(pool->items[i]);
	free(pool->items);
	*pool = (struct probe_pool){ .nr = 0 };
}
