/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dm: the few ioctls of device-mapper that a stack needs. What tables say is left to callers. */
#include "host/dm.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/dm-ioctl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"

#define CONTROL "/dev/mapper/control"
#define STATUS_MAX_BYTES 16384
#define TARGET_ALIGN 8 /* of each struct dm_target_spec in the buffer */

/* One call: the fixed head and what follows it. */
struct request {
	struct dm_ioctl *head;
	size_t len;
};

static void request_release(struct request *request)
{
	free(request->head);
}

CLEANUP_DEFINE(request, struct request, request_release)

static struct request request_make(const char *name, const char *uuid, const void *data, size_t len)
{
	struct request request = { .len = sizeof(struct dm_ioctl) + len };

	request.head = xcalloc(1, request.len);
	request.head->version[0] = DM_VERSION_MAJOR;
	request.head->data_size = (uint32_t)request.len;
	request.head->data_start = sizeof(struct dm_ioctl);
	if (name)
		(void)snprintf(request.head->name, sizeof(request.head->name), "%s", name);
	if (uuid)
		(void)snprintf(request.head->uuid, sizeof(request.head->uuid), "%s", uuid);
	if (len)
		memcpy((char *)request.head + sizeof(struct dm_ioctl), data, len);
	return request;
}

/* 0 or -errno */
static int request_send(struct request *request, unsigned long command)
{
	CLEANUP(fd) int fd = open(CONTROL, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	return ioctl(fd, command, request->head) < 0 ? -errno : 0;
}

static int call(const char *uuid, unsigned long command, uint32_t flags)
{
	CLEANUP(request) struct request request = request_make(NULL, uuid, NULL, 0);

	request.head->flags = flags;
	return request_send(&request, command);
}

bool dm_is_available(void)
{
	CLEANUP(request) struct request request = request_make(NULL, NULL, NULL, 0);

	return request_send(&request, DM_VERSION) == 0;
}

bool dm_exists(const char *uuid)
{
	return call(uuid, DM_DEV_STATUS, 0) == 0;
}

static size_t aligned(size_t len)
{
	return (len + TARGET_ALIGN - 1) / TARGET_ALIGN * TARGET_ALIGN;
}

int dm_table_pack(const struct dm_target *targets, size_t nr, void **ret_data, size_t *ret_len,
		  struct err *err)
{
	size_t len = 0;
	char *data;
	char *pos;

	for (size_t i = 0; i < nr; i++)
		len += aligned(sizeof(struct dm_target_spec) + strlen(targets[i].params) + 1);
	if (len > DM_TABLE_MAX_BYTES)
		return err_set(err, ERR_INPUT, "the table is longer than %d bytes",
			       DM_TABLE_MAX_BYTES);
	pos = data = xcalloc(1, len + 1);
	for (size_t i = 0; i < nr; i++) {
		size_t params_len = strlen(targets[i].params) + 1;
		struct dm_target_spec spec = {
			.sector_start = targets[i].start_sectors,
			.length = targets[i].len_sectors,
			.next = (uint32_t)aligned(sizeof(spec) + params_len),
		};

		(void)snprintf(spec.target_type, sizeof(spec.target_type), "%s", targets[i].type);
		memcpy(pos, &spec, sizeof(spec));
		memcpy(pos + sizeof(spec), targets[i].params, params_len);
		pos += spec.next;
	}
	*ret_data = data;
	*ret_len = len;
	return 0;
}

static int table_load(const char *uuid, const struct dm_target *targets, size_t nr, struct err *err)
{
	CLEANUP(free) void *data = NULL;
	CLEANUP(request) struct request request = { .len = 0 };
	size_t len = 0;
	int ret = dm_table_pack(targets, nr, &data, &len, err);

	if (ret < 0)
		return ret;
	request = request_make(NULL, uuid, data, len);
	request.head->target_count = (uint32_t)nr;
	errno = -request_send(&request, DM_TABLE_LOAD);
	return errno ? err_set_errno(err, "load the table '%s %s'", targets[0].type,
				     targets[0].params)
		     : 0;
}

int dm_create(const char *name, const char *uuid, const struct dm_target *targets, size_t nr,
	      unsigned *ret_minor, struct err *err)
{
	CLEANUP(request) struct request request = request_make(name, uuid, NULL, 0);
	int ret;

	errno = -request_send(&request, DM_DEV_CREATE);
	if (errno)
		return err_set_errno(err, "create the device-mapper device %s", name);
	ret = table_load(uuid, targets, nr, err);
	if (ret == 0) {
		errno = -call(uuid, DM_DEV_SUSPEND, 0); /* without the flag it means resume */
		ret = errno ? err_set_errno(err, "start the device-mapper device %s", name) : 0;
	}
	if (ret < 0)
		(void)dm_remove(uuid, NULL);
	else
		*ret_minor = minor((dev_t)request.head->dev);
	return ret;
}

/* "0 2048 linear 7:0 0" in place; the words are borrowed. False for an empty line. */
static bool split_line(char *line, struct dm_target *ret_target)
{
	char *rest = NULL;

	line += strspn(line, " ");
	*ret_target = (struct dm_target){ .start_sectors = strtoull(line, &rest, 10) };
	ret_target->len_sectors = strtoull(rest, &rest, 10);
	rest += strspn(rest, " ");
	ret_target->type = strsep(&rest, " ");
	ret_target->params = rest ? rest : "";
	return *line && *ret_target->type;
}

int dm_create_table(const char *name, const char *uuid, char *table, char end, unsigned *ret_minor,
		    struct err *err)
{
	const char separator[] = { end, '\0' };
	VEC(struct dm_target) targets = VEC_INIT;
	struct dm_target target;
	char *line;
	int ret;

	while ((line = strsep(&table, separator)) != NULL) {
		if (split_line(line, &target))
			vec_push(&targets, target);
	}
	ret = targets.nr
		      ? dm_create(name, uuid, targets.items, targets.nr, ret_minor, err)
		      : err_set(err, ERR_INPUT, "the table has no line 'START LENGTH TARGET ..'");
	vec_release(&targets);
	return ret;
}

int dm_remove(const char *uuid, struct err *err)
{
	errno = -call(uuid, DM_DEV_REMOVE, 0);
	if (errno && errno != ENXIO)
		return err_set_errno(err, "remove the device-mapper device %s", uuid);
	return 0;
}

int dm_status(const char *uuid, struct strbuf *out, struct err *err)
{
	CLEANUP(free) char *room = xcalloc(1, STATUS_MAX_BYTES);
	CLEANUP(request) struct request request = request_make(NULL, uuid, room, STATUS_MAX_BYTES);
	const struct dm_ioctl *head = request.head;
	size_t start = sizeof(struct dm_target_spec);
	const char *text;

	errno = -request_send(&request, DM_TABLE_STATUS);
	if (errno)
		return err_set_errno(err, "ask %s for its status", uuid);
	if (head->target_count == 0 || (head->flags & DM_BUFFER_FULL_FLAG) ||
	    head->data_start + start >= request.len)
		return err_set(err, ERR_SYSTEM, "%s has no status", uuid);
	text = (const char *)head + head->data_start + start;
	strbuf_add(out, text, strnlen(text, request.len - head->data_start - start));
	return 0;
}

int dm_message(const char *uuid, uint64_t sector, const char *text, struct err *err)
{
	size_t len = sizeof(struct dm_target_msg) + strlen(text) + 1;
	CLEANUP(free) struct dm_target_msg *message = xcalloc(1, len);
	CLEANUP(request) struct request request = { .len = 0 };

	message->sector = sector;
	memcpy(message->message, text, strlen(text) + 1);
	request = request_make(NULL, uuid, message, len);
	errno = -request_send(&request, DM_TARGET_MSG);
	return errno ? err_set_errno(err, "send '%s' to %s", text, uuid) : 0;
}
