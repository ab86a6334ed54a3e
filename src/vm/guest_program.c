/* SPDX-License-Identifier: GPL-2.0-or-later */
/* guest_program: where the static program for the guest is. */
#include "vm/guest_program.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"

#define MAX_PROGRAM_BYTES (256UL << 20)

/* Below the folder of the program: beside it, as built, as installed. */
static const char *const places[] = {
	"regio-guest",
	"guest/regio-guest",
	"../libexec/regio/regio-guest",
};

int guest_program_read(struct strbuf *out, struct err *err)
{
	const char *given = getenv("REGIO_GUEST");
	char self[PATH_MAX];
	ssize_t len;
	char *slash;

	if (given && *given)
		return file_read(given, MAX_PROGRAM_BYTES, out, err);
	len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (len < 0)
		return err_set_errno(err, "/proc/self/exe");
	self[len] = '\0';
	slash = strrchr(self, '/');
	*slash = '\0';
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		CLEANUP(free) char *path = xasprintf("%s/%s", self, places[i]);

		if (file_exists(path))
			return file_read(path, MAX_PROGRAM_BYTES, out, err);
	}
	return err_set(
		err, ERR_UNSUPPORTED,
		"regio-guest is neither beside %s nor in its libexec folder (REGIO_GUEST=PATH "
		"names it)",
		self);
}
