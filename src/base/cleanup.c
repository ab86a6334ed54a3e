/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cleanup: the release functions behind CLEANUP(fd) and CLEANUP(file). */
#include "base/cleanup.h"

#include <errno.h>

void cleanup_fd(int *fd)
{
	int saved_errno = errno;

	if (*fd >= 0)
		(void)close(*fd); /* Linux frees the descriptor even when close fails */
	errno = saved_errno;
}

void cleanup_file(FILE **file)
{
	int saved_errno = errno;

	if (*file)
		(void)fclose(*file); /* read-only files: nothing can be lost */
	errno = saved_errno;
}
