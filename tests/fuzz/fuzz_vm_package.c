/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A Debian package: no member of it is offered under a name that leads out of a folder. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "fuzz.h"
#include "vm/unpack.h"

#define MAX_LEN 16384

static const char *look(void *arg, const char *member)
{
	(void)arg;
	if (member[0] == '/' || !strcmp(member, "..") || !strncmp(member, "../", 3) ||
	    strstr(member, "/../"))
		abort();
	return NULL; /* nothing is written */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	CLEANUP(fd) int fd = memfd_create("package", MFD_CLOEXEC);
	struct err err = { .code = 0 };
	char path[64];

	if (fd < 0 || len > MAX_LEN || file_write_all(fd, data, len) < 0)
		return 0;
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (unpack_debian_package(path, "/nonexistent", look, NULL, &err) < 0 && !err.msg[0])
		abort();
	return 0;
}
