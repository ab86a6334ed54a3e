/* SPDX-License-Identifier: GPL-2.0-or-later */
/* doctor_place: from the operand of `regio doctor` to a job to measure with. */
#include "cmd/doctor_place.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "journal/journal.h"

#define FILE_BYTES (UINT64_C(256) << 20)
#define MIN_FILE_BYTES (UINT64_C(1) << 20)
#define SHARE_OF_FREE 10 /* never more than a tenth of what is free */

__attribute__((format(printf, 2, 3))) static void add_word(struct doctor_place *place,
							   const char *format, ...)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	va_list args;

	va_start(args, format);
	strbuf_vprintf(&text, format, args);
	va_end(args);
	place->owned = xreallocarray(place->owned, place->nr_owned + 1, sizeof(*place->owned));
	place->owned[place->nr_owned] = strbuf_take(&text);
	arg_list_push(&place->words, place->owned[place->nr_owned++]);
}

/* In a list of file names a colon stands between two. */
static void add_filename(struct doctor_place *place, const char *path)
{
	CLEANUP(strbuf) struct strbuf escaped = STRBUF_INIT;

	for (; *path; path++) {
		if (*path == ':' || *path == '\\')
			strbuf_add_char(&escaped, '\\');
		strbuf_add_char(&escaped, *path);
	}
	add_word(place, "--filename=%s", strbuf_str(&escaped));
}

/* Random reads with some of them in flight: what any disk does, and harms none. */
static void add_job(struct doctor_place *place, const char *path, bool is_direct)
{
	add_word(place, "--name=doctor");
	add_filename(place, path);
	add_word(place, "--rw=randread");
	add_word(place, "--bs=4k");
	add_word(place, "--direct=%d", is_direct);
	add_word(place, "--ioengine=libaio");
	add_word(place, "--iodepth=16");
	add_word(place, "--norandommap");
	add_word(place, "--time_based");
	add_word(place, "--runtime=1"); /* the doctor knows better */
}

static int file_size(const char *folder, uint64_t *ret_bytes, struct err *err)
{
	struct statvfs st;
	uint64_t bytes;

	if (statvfs(folder, &st) < 0)
		return err_set_errno(err, "statvfs %s", folder);
	bytes = (uint64_t)st.f_bavail * st.f_frsize / SHARE_OF_FREE;
	if (bytes < MIN_FILE_BYTES)
		return err_set(err, ERR_SYSTEM, "'%s' has no room for a file to measure with",
			       folder);
	bytes = bytes < FILE_BYTES ? bytes : FILE_BYTES;
	*ret_bytes = bytes - bytes % MIN_FILE_BYTES;
	return 0;
}

/* Filesystems in memory may have no direct I/O. */
static bool has_direct_io(const char *path)
{
	CLEANUP(fd) int fd = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC);

	return fd >= 0;
}

static int make_file(struct doctor_place *place, char *path, struct err *err)
{
	CLEANUP(free) char *what = xasprintf("the file of regio doctor, %s", path);
	char action[] = "file", none[] = "";
	const struct undo_step undo = {
		.what = what,
		.undo_path = path,
		.undo_value = none,
		.action = action,
	};
	CLEANUP(fd) int fd = -1;
	int ret = journal_open(NULL, &place->journal, err);

	if (ret == 0)
		ret = journal_record(place->journal, &undo, err);
	if (ret < 0)
		return ret;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	return fd < 0 ? err_set_errno(err, "create '%s'", path) : 0;
}

static int init_folder(struct doctor_place *place, const char *folder, struct err *err)
{
	CLEANUP(free) char *whole = realpath(folder, NULL);
	CLEANUP(free) char *path = NULL;
	uint64_t bytes = 0;
	int ret;

	if (!whole)
		return err_set_errno(err, "open '%s'", folder);
	path = xasprintf("%s/.regio-doctor-%ld", whole, (long)getpid());
	ret = file_size(whole, &bytes, err);
	if (ret == 0)
		ret = make_file(place, path, err);
	if (ret < 0)
		return ret;
	add_job(place, path, has_direct_io(path));
	add_word(place, "--size=%llu", (unsigned long long)bytes);
	return 0;
}

static void take_words(struct doctor_place *place, const struct arg_list *operands)
{
	CLEANUP(strbuf) struct strbuf subject = STRBUF_INIT;

	for (size_t i = 0; i < operands->nr; i++) {
		add_word(place, "%s", operands->items[i]);
		strbuf_printf(&subject, "%s%s", i ? " " : "", operands->items[i]);
	}
	place->subject = strbuf_take(&subject);
}

int doctor_place_init(struct doctor_place *place, const struct arg_list *operands, struct err *err)
{
	const char *path = operands->nr ? operands->items[0] : ".";
	struct stat st;

	*place = (struct doctor_place){ .journal = NULL };
	if (operands->nr > 1 || *path == '-') {
		take_words(place, operands);
		return 0;
	}
	if (stat(path, &st) < 0)
		return err_set_errno(err, "'%s'", path);
	place->subject = xstrdup(path);
	if (S_ISDIR(st.st_mode))
		return init_folder(place, path, err);
	if (S_ISBLK(st.st_mode))
		add_job(place, path, true);
	else
		add_word(place, "%s", path);
	return 0;
}

int doctor_place_remove(struct doctor_place *place, struct err *err)
{
	int ret = place->journal ? journal_undo(place->journal, err) : 0;

	journal_close(place->journal);
	place->journal = NULL;
	return ret;
}

void doctor_place_release(struct doctor_place *place)
{
	(void)doctor_place_remove(place, NULL);
	for (size_t i = 0; i < place->nr_owned; i++)
		free(place->owned[i]);
	free(place->owned);
	arg_list_release(&place->words);
	free(place->subject);
	*place = (struct doctor_place){ .journal = NULL };
}
