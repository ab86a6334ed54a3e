/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log_file: buffered lines of numbers; printf would cost more than the I/Os of the fastest jobs. */
#include "load/log_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"

int log_file_open(struct log_file *file, const char *path, struct err *err)
{
	int fd = file_create(path, 0644, err);

	if (fd < 0)
		return fd == -ERR_SYSTEM ? err_set_errno(err, "log file '%s'", path) : fd;
	*file = (struct log_file){
		.path = xstrdup(path),
		.fd = fd,
		.buf = xmalloc(LOG_FILE_BUF_LEN),
	};
	return 0;
}

static void flush(struct log_file *file)
{
	size_t done = 0;

	while (done < file->len && !file->error) {
		ssize_t nr = write(file->fd, file->buf + done, file->len - done);

		if (nr > 0)
			done += (size_t)nr;
		else if (nr == 0 || errno != EINTR)
			file->error = nr == 0 ? ENOSPC : errno;
	}
	file->len = 0;
}

void log_file_close(struct log_file *file)
{
	flush(file);
	if (close(file->fd) != 0 && !file->error)
		file->error = errno;
	free(file->buf);
	free(file->path);
	*file = (struct log_file){ .fd = -1, .error = file->error };
}

void log_file_begin(struct log_file *file)
{
	if (LOG_FILE_BUF_LEN - file->len < LOG_LINE_MAX_LEN)
		flush(file);
}

void log_file_number(struct log_file *file, uint64_t value)
{
	char digits[20];
	size_t nr = 0;

	do {
		digits[nr++] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	while (nr > 0)
		file->buf[file->len++] = digits[--nr];
}

void log_file_text(struct log_file *file, const char *text)
{
	while (*text)
		file->buf[file->len++] = *text++;
}
