/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * journal_others: two runs must not change one file at the same time. The second would take the
 * value of the first for the old one and put it back after the first has ended.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "journal/journal_file.h"
#include "journal/journal_impl.h"

int journal_lock_folder(const struct journal *journal)
{
	int fd = open(journal->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	while (fd >= 0 && flock(fd, LOCK_EX) < 0 && errno == EINTR)
		;
	return fd;
}

/* A file whose lock somebody holds belongs to a run that goes on, or is being restored. */
static bool is_live(const char *path)
{
	CLEANUP(fd)
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	return fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK;
}

static int check_change(const struct journal_file *file, const struct undo_step *wanted,
			struct err *err)
{
	for (size_t i = 0; i < file->changes.nr; i++) {
		const struct change *other = &file->changes.items[i];

		if (!journal_file_is_pending(file, other) || !other->fields.undo_path ||
		    other->fields.action || strcmp(other->fields.undo_path, wanted->undo_path) != 0)
			continue;
		(void)err_set(err, ERR_SYSTEM,
			      "another regio (process %ld) has changed %s or what comes along "
			      "with it; wait until it has ended",
			      file->pid, wanted->what);
		if (err)
			err->saved_errno = EALREADY;
		return -ERR_SYSTEM;
	}
	return 0;
}

/* Only what somebody asked for is compared: of one device, all the rest is recorded with it. */
static int check_file(const char *path, const struct undo_step *changes, size_t nr, struct err *err)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	CLEANUP(journal_file) struct journal_file file = JOURNAL_FILE_INIT;
	int ret = 0;

	/* one that cannot be read, or is gone by now, tells nothing */
	if (!is_live(path) || file_read(path, JOURNAL_MAX_BYTES, &text, NULL) < 0 ||
	    journal_file_parse(path, &text, &file, NULL) < 0)
		return 0;
	for (size_t i = 0; i < nr && ret == 0; i++) {
		if (changes[i].undo_path && !changes[i].action && !changes[i].is_side_effect)
			ret = check_change(&file, &changes[i], err);
	}
	return ret;
}

int journal_check_others(const struct journal *journal, const struct undo_step *changes, size_t nr,
			 struct err *err)
{
	DIR *folder = opendir(journal->folder);
	const struct dirent *entry;
	int ret = 0;

	if (!folder)
		return err_set_errno(err, "open %s", journal->folder);
	while (ret == 0 && (entry = readdir(folder)) != NULL) {
		CLEANUP(free) char *path = xasprintf("%s/%s", journal->folder, entry->d_name);
		const char *dot = strrchr(entry->d_name, '.');

		if (entry->d_name[0] != '.' && dot && !strcmp(dot, ".jsonl") &&
		    strcmp(path, journal->path) != 0)
			ret = check_file(path, changes, nr, err);
	}
	(void)closedir(folder);
	return ret;
}
