/* SPDX-License-Identifier: GPL-2.0-or-later */
/* module: finit_module(2). The host put the files into the order of their dependencies. */
#include "guest/module.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"

int module_load(const char *path, const char *params, struct err *err)
{
	CLEANUP(fd) int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return err_set_errno(err, "guest: open %s", path);
	if (syscall(SYS_finit_module, fd, params, 0) != 0 && errno != EEXIST)
		return err_set_errno(err, "guest: load %s%s%s", path, *params ? " " : "", params);
	return 0;
}
