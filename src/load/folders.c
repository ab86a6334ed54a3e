/* SPDX-License-Identifier: GPL-2.0-or-later */
/* folders: looks for and makes the folders of data files. */
#include "load/folders.h"

#include <stdbool.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "load/files.h"
#include "model/job.h"

#define FOLDER_MODE 0700

/* Takes the next item of a ':'-separated list with "\:" escapes; false after the last. */
static bool next_item(const char **list, struct strbuf *item)
{
	const char *pos = *list;

	strbuf_reset(item);
	if (!pos || !*pos)
		return false;
	while (*pos && *pos != ':') {
		if (pos[0] == '\\' && pos[1] == ':')
			pos++;
		strbuf_add_char(item, *pos++);
	}
	*list = *pos ? pos + 1 : pos;
	return true;
}

int folders_check(const struct job *job, struct err *err)
{
	CLEANUP(strbuf) struct strbuf item = STRBUF_INIT;
	const char *list = job->directory;

	while (next_item(&list, &item)) {
		struct stat info;

		if (item.len == 0)
			continue;
		if (stat(strbuf_str(&item), &info) < 0)
			return err_set_errno(err, "directory '%s'", strbuf_str(&item));
		if (!S_ISDIR(info.st_mode))
			return err_set(err, ERR_INPUT, "directory '%s' is not a folder",
				       strbuf_str(&item));
	}
	return 0;
}

int folders_make(const char *path, struct err *err)
{
	CLEANUP(free) char *folder = file_folder(path);

	return file_make_dirs(folder, FOLDER_MODE, err);
}
