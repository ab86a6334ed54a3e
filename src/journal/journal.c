/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * journal: the changes of this run, on disk before they are made, and the way back. Journals of
 * runs that were killed are left to journal_restore.c.
 */
#include "journal/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "journal/journal_file.h"
#include "journal/journal_impl.h"

/* Programs that were killed with us let go late. What lies below something that stays busy is busy
 * as well, so that is not awaited again. */
#define BUSY_NS UINT64_C(5000000000)
#define BUSY_BELOW_NS UINT64_C(100000000)
#define JOURNAL_NR_TRIES 16 /* a restorer may remove a file that is still empty and unlocked */

int journal_folder(const char *dir, char **ret_folder, struct err *err)
{
	const char *state_dir = dir ? dir : getenv("REGIO_STATE_DIR");
	const char *xdg = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");

	if (state_dir && state_dir[0])
		*ret_folder = xasprintf("%s/journal", state_dir);
	else if (geteuid() == 0)
		*ret_folder = xstrdup("/var/lib/regio/journal");
	else if (xdg && xdg[0] == '/') /* relative ones are to be ignored, says the standard */
		*ret_folder = xasprintf("%s/regio/journal", xdg);
	else if (home && home[0])
		*ret_folder = xasprintf("%s/.local/state/regio/journal", home);
	else
		return err_set(err, ERR_SYSTEM,
			       "no place for the undo journal: set REGIO_STATE_DIR or HOME");
	return 0;
}

int journal_open(const char *dir, struct journal **ret_journal, struct err *err)
{
	char *folder = NULL;
	int ret = journal_folder(dir, &folder, err);

	if (ret < 0)
		return ret;
	*ret_journal = xcalloc(1, sizeof(**ret_journal));
	**ret_journal = (struct journal){ .folder = folder, .fd = -1 };
	return 0;
}

void journal_free(struct journal *journal)
{
	cleanup_fd(&journal->fd);
	change_list_release(&journal->changes);
	free(journal->folder);
	free(journal->path);
	free(journal);
}

static int folder_sync(const char *path, struct err *err)
{
	CLEANUP(fd) int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || (fsync(fd) < 0 && errno != EINVAL)) /* EINVAL: this filesystem cannot */
		return err_set_errno(err, "fsync %s", path);
	return 0;
}

static int lock_file(int fd)
{
	int ret;

	do {
		ret = flock(fd, LOCK_EX);
	} while (ret < 0 && errno == EINTR);
	return ret;
}

/* Makes the file and locks it; *ret_is_ours is false when a restorer removed it in between. */
static int journal_try_create(struct journal *journal, bool *ret_is_ours, struct err *err)
{
	static const char suffix[] = ".jsonl";
	CLEANUP(free)
	char *path = xasprintf("%s/%ld-XXXXXX%s", journal->folder, (long)getpid(), suffix);
	CLEANUP(fd) int fd = mkostemps(path, (int)strlen(suffix), O_APPEND | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return err_set_errno(err, "create the undo journal in %s", journal->folder);
	if (lock_file(fd) < 0)
		return err_set_errno(err, "lock the undo journal %s", path);
	if (fstat(fd, &st) < 0)
		return err_set_errno(err, "stat the undo journal %s", path);
	*ret_is_ours = st.st_nlink > 0;
	if (!*ret_is_ours)
		return 0;
	journal->fd = fd_take(&fd);
	journal->path = ptr_take(path);
	journal->len = 0;
	return 0;
}

static int journal_create_file(struct journal *journal, struct err *err)
{
	bool is_ours = false;
	int ret = file_make_dirs(journal->folder, 0700, err);

	if (ret < 0)
		(void)err_prefix(err, "undo journal");
	for (int i = 0; ret == 0 && !is_ours && i < JOURNAL_NR_TRIES; i++)
		ret = journal_try_create(journal, &is_ours, err);
	if (ret < 0)
		return ret;
	if (!is_ours)
		return err_set(err, ERR_SYSTEM, "create the undo journal in %s: others remove it",
			       journal->folder);
	return folder_sync(journal->folder, err);
}

/* Puts the text behind the last whole line: a write that was cut, by a full disk or a kill, must
 * not become the start of the next line. */
static int journal_append(struct journal *journal, const struct strbuf *text, struct err *err)
{
	int ret = ftruncate(journal->fd, journal->len) < 0 ? -errno : 0;

	if (ret == 0)
		ret = file_write_all(journal->fd, strbuf_str(text), text->len);
	if (ret == 0 && fsync(journal->fd) < 0)
		ret = -errno;
	if (ret < 0) {
		errno = -ret;
		return err_set_errno(err, "write the undo journal %s", journal->path);
	}
	journal->len += (off_t)text->len;
	return 0;
}

int journal_record_all(struct journal *journal, const struct undo_step *changes, size_t nr,
		       struct err *err)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	CLEANUP(fd) int folder_fd = -1;
	size_t nr_before = journal->changes.nr;
	int ret = journal->path ? 0 : journal_create_file(journal, err);

	if (ret < 0)
		return ret;
	folder_fd = journal_lock_folder(journal);
	ret = journal_check_others(journal, changes, nr, err);
	if (journal->len == 0)
		journal_format_header(&text);
	for (size_t i = 0; ret == 0 && i < nr; i++) {
		change_list_add(&journal->changes, &changes[i]);
		ret = journal_format_change(&text, &journal->changes.items[nr_before + i], err);
	}
	if (ret == 0)
		ret = journal_append(journal, &text, err);
	if (ret < 0)
		change_list_truncate(&journal->changes, nr_before);
	return ret;
}

int journal_record(struct journal *journal, const struct undo_step *change, struct err *err)
{
	return journal_record_all(journal, change, 1, err);
}

size_t journal_mark(const struct journal *journal)
{
	return journal->changes.nr;
}

int journal_forget(struct journal *journal, size_t index, struct err *err)
{
	CLEANUP(strbuf) struct strbuf mark = STRBUF_INIT;

	journal->changes.items[index].is_undone = true;
	journal_format_undone(&mark, index);
	return journal_append(journal, &mark, err);
}

/* A command must not run again after a kill, so its mark goes to disk at once. */
static int undo_one(struct journal *journal, size_t index, uint64_t patience_ns, struct err *err)
{
	CLEANUP(strbuf) struct strbuf mark = STRBUF_INIT;
	struct change *change = &journal->changes.items[index];
	int ret = change_undo(change, patience_ns, err);

	if (ret < 0)
		return ret;
	change->is_undone = true;
	if (change->fields.undo_path)
		return 0;
	journal_format_undone(&mark, index);
	return journal_append(journal, &mark, err);
}

/* Which changes one call of journal_undo_from() undid, and what went wrong first. */
struct undoing {
	struct journal *journal;
	size_t from;
	bool *is_undone_now; /* by index; until it has settled */
	int ret;
	struct err err;
};

static void undoing_note(struct undoing *undoing, int ret, const struct err *err)
{
	if (ret < 0 && undoing->ret == 0) {
		undoing->ret = ret;
		undoing->err = *err;
	}
}

/*
 * What the file held before the oldest change is what counts. The values in between need not be
 * possible any more: the nr_requests of a scheduler, when a kill came after the scheduler was put
 * back and before that was marked.
 */
static bool is_superseded(const struct undoing *undoing, size_t index)
{
	const struct change *items = undoing->journal->changes.items;
	const char *path = items[index].fields.undo_path;

	for (size_t i = undoing->from; path && !items[index].fields.action && i < index; i++) {
		const char *other = items[i].fields.undo_path;

		if (!items[i].is_undone && other && !items[i].fields.action && !strcmp(other, path))
			return true;
	}
	return false;
}

/* What was undone later may have changed what was undone before: once more, from there on. */
static void undoing_settle(struct undoing *undoing, size_t from)
{
	const struct change_list *changes = &undoing->journal->changes;
	struct err err = { .code = 0 };

	for (size_t i = from; i < changes->nr; i++) {
		if (!undoing->is_undone_now[i])
			continue;
		undoing_note(undoing, change_settle(&changes->items[i], &err), &err);
		undoing->is_undone_now[i] = false;
	}
}

/* An action may take the device away whose attributes were put back: they settle before it. */
static void undo_all(struct undoing *undoing)
{
	const struct change_list *changes = &undoing->journal->changes;
	struct err err = { .code = 0 };

	for (size_t i = changes->nr; i-- > undoing->from;) {
		int ret;

		if (changes->items[i].is_undone)
			continue;
		if (changes->items[i].fields.action)
			undoing_settle(undoing, i);
		if (is_superseded(undoing, i)) {
			changes->items[i].is_undone = true;
			continue;
		}
		ret = undo_one(undoing->journal, i, undoing->ret < 0 ? BUSY_BELOW_NS : BUSY_NS,
			       &err);
		undoing_note(undoing, ret, &err);
		undoing->is_undone_now[i] = changes->items[i].is_undone;
	}
	undoing_settle(undoing, undoing->from);
}

/* Removes the file, or marks in it what is left to undo no more. */
static int journal_shrink(struct journal *journal, size_t from, struct err *err)
{
	CLEANUP(strbuf) struct strbuf marks = STRBUF_INIT;
	bool is_empty = true;

	for (size_t i = 0; i < journal->changes.nr; i++) {
		const struct change *change = &journal->changes.items[i];

		is_empty = is_empty && change->is_undone;
		if (i >= from && change->is_undone && change->fields.undo_path)
			journal_format_undone(&marks, i);
	}
	if (!is_empty)
		return journal_append(journal, &marks, err);
	if (unlink(journal->path) < 0 && errno != ENOENT)
		return err_set_errno(err, "remove the undo journal %s", journal->path);
	cleanup_fd(&journal->fd);
	journal->fd = -1;
	free(ptr_take(journal->path));
	change_list_truncate(&journal->changes, 0);
	return 0;
}

int journal_undo_from(struct journal *journal, size_t mark, struct err *err)
{
	CLEANUP(free) bool *is_undone_now = xcalloc(journal->changes.nr + 1, sizeof(bool));
	struct undoing undoing = {
		.journal = journal,
		.from = mark,
		.is_undone_now = is_undone_now,
	};
	struct err local = { .code = 0 };

	if (!journal->path)
		return 0;
	undo_all(&undoing);
	undoing_note(&undoing, journal_shrink(journal, mark, &local), &local);
	if (undoing.ret == 0)
		return 0;
	journal->is_given_up = mark == 0;
	return err_set(err, undoing.err.code, "%s%s%s", undoing.err.msg,
		       journal->path ? "; kept in " : "", journal->path ? journal->path : "");
}

int journal_undo(struct journal *journal, struct err *err)
{
	return journal_undo_from(journal, 0, err);
}

void journal_close(struct journal *journal)
{
	if (!journal)
		return;
	if (!journal->is_given_up)
		(void)journal_undo(journal, NULL); /* what fails stays for `regio restore` */
	journal_free(journal);
}
