/* SPDX-License-Identifier: GPL-2.0-or-later */
/* journal_restore: journals that killed runs left behind. A lock tells them from live ones. */
#include "journal/journal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "journal/journal_file.h"
#include "journal/journal_impl.h"

#define LOCK_NR_TRIES 5 /* others look at a leftover for a moment only */
#define LOCK_WAIT_NS 20000000

/* One journal found on disk, locked. Zero is empty. */
struct leftover {
	char *path;
	int fd; /* -1: somebody's, or gone: nothing for us */
	struct journal_file file;
};

static void leftover_release(struct leftover *leftover)
{
	cleanup_fd(&leftover->fd);
	free(leftover->path);
	journal_file_release(&leftover->file);
}

CLEANUP_DEFINE(leftover, struct leftover, leftover_release)

static bool try_lock(int fd, int operation)
{
	const struct timespec wait = { .tv_nsec = LOCK_WAIT_NS };

	for (int i = 0; i < LOCK_NR_TRIES; i++) {
		if (flock(fd, operation | LOCK_NB) == 0)
			return true;
		if (operation == LOCK_EX)
			(void)nanosleep(&wait, NULL); /* waking early only makes a try more */
	}
	return false;
}

/* Root must not run commands that somebody else wrote into its journal. */
static int check_owner(const char *path, const struct stat *st, struct err *err)
{
	if (!S_ISREG(st->st_mode))
		return err_set(err, ERR_INPUT, "undo journal %s is not a plain file", path);
	if (st->st_uid != geteuid() || (st->st_mode & (S_IWGRP | S_IWOTH)))
		return err_set(err, ERR_UNSAFE,
			       "undo journal %s is not used: others than its owner, or another "
			       "user, may write to it",
			       path);
	if (st->st_size > JOURNAL_MAX_BYTES)
		return err_set(err, ERR_INPUT, "undo journal %s is damaged: larger than %u MiB",
			       path, JOURNAL_MAX_BYTES >> 20);
	return 0;
}

static int read_all(int fd, const char *path, struct strbuf *out, struct err *err)
{
	for (;;) {
		ssize_t got;

		strbuf_reserve(out, 4096);
		got = pread(fd, out->buf + out->len, 4096, (off_t)out->len);
		if (got < 0)
			return err_set_errno(err, "read the undo journal %s", path);
		out->len += (size_t)got;
		out->buf[out->len] = '\0';
		if (got == 0)
			return 0;
		if (out->len > JOURNAL_MAX_BYTES)
			return err_set(err, ERR_INPUT, "undo journal %s grows", path);
	}
}

/* LOCK_SH to look, LOCK_EX to restore. fd stays -1 when there is nothing left behind. */
static int leftover_open(struct leftover *leftover, int operation, struct err *err)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	CLEANUP(fd)
	int fd = open(leftover->path, (operation == LOCK_EX ? O_RDWR : O_RDONLY) | O_APPEND |
					      O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	int ret;

	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0)
		return err_set_errno(err, "open the undo journal %s", leftover->path);
	if (!try_lock(fd, operation))
		return 0; /* a live run holds it */
	if (fstat(fd, &st) < 0)
		return err_set_errno(err, "stat the undo journal %s", leftover->path);
	if (st.st_nlink == 0)
		return 0; /* its run or another restorer was faster */
	ret = check_owner(leftover->path, &st, err);
	if (ret == 0)
		ret = read_all(fd, leftover->path, &text, err);
	if (ret == 0)
		ret = journal_file_parse(leftover->path, &text, &leftover->file, err);
	if (ret < 0)
		return ret;
	leftover->fd = fd_take(&fd);
	return 0;
}

static int is_journal_name(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return entry->d_name[0] != '.' && dot && !strcmp(dot, ".jsonl");
}

/* Calls visit for every journal of the folder; all of them, whatever it returns. */
static int for_each_journal(const char *dir, void (*visit)(void *arg, const char *path), void *arg,
			    struct err *err)
{
	CLEANUP(free) char *folder = NULL;
	struct dirent **entries;
	int nr;
	int ret = journal_folder(dir, &folder, err);

	if (ret < 0)
		return ret;
	nr = scandir(folder, &entries, is_journal_name, alphasort);
	if (nr < 0)
		return errno == ENOENT ? 0 : err_set_errno(err, "open %s", folder);
	for (int i = 0; i < nr; i++) {
		CLEANUP(free) char *path = xasprintf("%s/%s", folder, entries[i]->d_name);

		visit(arg, path);
		free(entries[i]);
	}
	free(entries);
	return 0;
}

static void add_text(char ***texts, size_t *nr, char *text)
{
	*texts = xreallocarray(*texts, *nr + 1, sizeof(**texts));
	(*texts)[(*nr)++] = text;
}

/* "queue.scheduler of sda (was 'none'; process 123)" */
static char *change_text(const struct change *change, long pid)
{
	const struct undo_step *fields = &change->fields;

	if (!fields->undo_path)
		return xasprintf("%s (undone by '%s'; process %ld)", fields->what,
				 fields->undo_value, pid);
	if (change_is_gone(change))
		return xasprintf("%s (gone, nothing to undo; process %ld)", fields->what, pid);
	if (fields->action)
		return xasprintf("%s (process %ld)", fields->what, pid);
	return xasprintf("%s (was '%s'; process %ld)", fields->what, fields->undo_value, pid);
}

static void visit_to_look(void *arg, const char *path)
{
	struct journal_leftovers *leftovers = arg;
	CLEANUP(leftover) struct leftover leftover = { .path = xstrdup(path), .fd = -1 };
	struct err err = { .code = 0 };

	if (leftover_open(&leftover, LOCK_SH, &err) < 0) {
		add_text(&leftovers->unreadable, &leftovers->nr_unreadable, xstrdup(err.msg));
		return;
	}
	if (leftover.fd < 0)
		return;
	for (size_t i = 0; i < leftover.file.changes.nr; i++) {
		const struct change *change = &leftover.file.changes.items[i];

		if (journal_file_is_pending(&leftover.file, change) &&
		    !change->fields.is_side_effect)
			add_text(&leftovers->what, &leftovers->nr,
				 change_text(change, leftover.file.pid));
	}
}

int journal_find_leftovers(const char *dir, struct journal_leftovers *ret_leftovers,
			   struct err *err)
{
	struct journal_leftovers leftovers = { .nr = 0 };
	int ret = for_each_journal(dir, visit_to_look, &leftovers, err);

	if (ret == 0)
		*ret_leftovers = leftovers;
	return ret;
}

void journal_leftovers_release(struct journal_leftovers *leftovers)
{
	for (size_t i = 0; i < leftovers->nr; i++)
		free(leftovers->what[i]);
	for (size_t i = 0; i < leftovers->nr_unreadable; i++)
		free(leftovers->unreadable[i]);
	free(leftovers->what);
	free(leftovers->unreadable);
	*leftovers = (struct journal_leftovers){ .nr = 0 };
}

struct restore {
	bool is_dry_run;
	size_t nr_undone;
	size_t nr_failed; /* journals */
	int ret;	  /* of the first failure, which err describes */
	struct err err;
};

static size_t count_wanted(const struct leftover *leftover)
{
	size_t nr = 0;

	for (size_t i = 0; i < leftover->file.changes.nr; i++) {
		const struct change *change = &leftover->file.changes.items[i];

		if (journal_file_is_pending(&leftover->file, change) &&
		    !change->fields.is_side_effect && !change_is_gone(change))
			nr++;
	}
	return nr;
}

/* Makes the journal found the caller's, as if it had written it. */
static struct journal *leftover_adopt(struct leftover *leftover)
{
	struct journal *journal = xcalloc(1, sizeof(*journal));

	*journal = (struct journal){
		.path = ptr_take(leftover->path),
		.fd = fd_take(&leftover->fd),
		.len = (off_t)leftover->file.valid_len,
		.changes = leftover->file.changes,
	};
	leftover->file.changes = (struct change_list){ .nr = 0 };
	for (size_t i = 0; i < journal->changes.nr; i++) {
		struct change *change = &journal->changes.items[i];

		change->is_undone = !journal_file_is_pending(&leftover->file, change);
	}
	return journal;
}

static size_t count_failed(const struct journal *journal)
{
	size_t nr = 0;

	for (size_t i = 0; i < journal->changes.nr; i++) {
		const struct change *change = &journal->changes.items[i];

		nr += !change->is_undone && !change->fields.is_side_effect;
	}
	return nr;
}

static int restore_one(struct restore *restore, struct leftover *leftover, struct err *err)
{
	struct journal *journal;
	size_t nr;
	int ret = leftover_open(leftover, restore->is_dry_run ? LOCK_SH : LOCK_EX, err);

	if (ret < 0 || leftover->fd < 0)
		return ret;
	nr = count_wanted(leftover);
	if (restore->is_dry_run) {
		restore->nr_undone += nr;
		return 0;
	}
	journal = leftover_adopt(leftover);
	ret = journal_undo(journal, err);
	restore->nr_undone += nr - count_failed(journal);
	journal_free(journal);
	return ret;
}

static void visit_to_restore(void *arg, const char *path)
{
	struct restore *restore = arg;
	CLEANUP(leftover) struct leftover leftover = { .path = xstrdup(path), .fd = -1 };
	struct err err = { .code = 0 };
	int ret = restore_one(restore, &leftover, &err);

	if (ret < 0 && restore->nr_failed++ == 0) {
		restore->ret = ret;
		restore->err = err;
	}
}

int journal_restore(const char *dir, int dry_run, size_t *ret_nr, struct err *err)
{
	struct restore restore = { .is_dry_run = dry_run != 0 };
	int ret = for_each_journal(dir, visit_to_restore, &restore, err);

	if (ret < 0)
		return ret;
	if (restore.nr_failed > 1)
		return err_set(err, restore.err.code, "%s; and %zu more journals like it",
			       restore.err.msg, restore.nr_failed - 1);
	if (restore.ret < 0)
		return err_set(err, restore.err.code, "%s", restore.err.msg);
	*ret_nr = restore.nr_undone;
	return 0;
}
