/* SPDX-License-Identifier: GPL-2.0-or-later */
/* source: job files on disk, files they include, and files that are none. */
#include "job/source.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "job_test.h"
#include "test.h"

/* A temporary folder with files of the test; paths in it are the arena's. */
struct folder {
	struct arena arena;
	char path[64];
};

static void folder_make(struct folder *folder)
{
	*folder = (struct folder){ .path = "/tmp/regio-test-source-XXXXXX" };
	assert_non_null(mkdtemp(folder->path));
}

static const char *folder_path(struct folder *folder, const char *name)
{
	return arena_printf(&folder->arena, "%s/%s", folder->path, name);
}

static const char *folder_write(struct folder *folder, const char *name, const char *data,
				size_t len)
{
	const char *path = folder_path(folder, name);
	struct err err = { .code = 0 };

	if (file_write_atomic(path, data, len, 0644, &err) < 0)
		fail_msg("%s", err.msg);
	return path;
}

static const char *folder_text(struct folder *folder, const char *name, const char *text)
{
	return folder_write(folder, name, text, strlen(text));
}

static void folder_remove(struct folder *folder)
{
	const char *command = arena_printf(&folder->arena, "rm -rf '%s'", folder->path);

	assert_int_equal(system(command), 0);
	arena_release(&folder->arena);
}

static int parse_files(const char *const *paths, size_t nr, struct job_set *ret_set,
		       struct err *err)
{
	const struct job_parse_config config = { .words = paths, .nr_words = nr };

	*ret_set = (struct job_set){ .nr = 0 };
	return job_parse(&config, ret_set, err);
}

static void assert_file_refused(struct folder *folder, const char *path, int code,
				const char *format)
{
	const char *expected = arena_printf(&folder->arena, "%s%s", path, format);
	struct err err = { .code = 0 };
	struct job_set set;

	assert_int_equal(parse_files(&path, 1, &set, &err), -code);
	assert_string_equal(err.msg, expected);
}

static void test_files_that_are_none(void **state)
{
	struct err err = { .code = 0 };
	struct folder folder;
	struct job_set set;
	const char *path;

	(void)state;
	folder_make(&folder);
	path = folder_path(&folder, "missing.fio");
	assert_int_equal(parse_files(&path, 1, &set, &err), -ERR_SYSTEM);
	assert_string_equal(
		err.msg, arena_printf(&folder.arena, "open %s: No such file or directory", path));
	assert_file_refused(&folder, folder.path, ERR_INPUT, ": is a directory");
	path = folder_write(&folder, "zero.bin", "[j]\nrw=re\0ad\n", 13);
	assert_file_refused(&folder, path, ERR_INPUT,
			    ":2: the line has a NUL byte: this is no job file");
	path = folder_write(&folder, "elf.bin",
			    "\x7f"
			    "ELF\x02\x01\x01\0\0\0\0",
			    11);
	assert_file_refused(&folder, path, ERR_INPUT,
			    ":1: the line has a NUL byte: this is no job file");
	path = folder_text(&folder, "noise.bin", "\x01\x02\xff\xfe\x1b[31m\n");
	assert_file_refused(&folder, path, ERR_INPUT,
			    ":1: '\xff\xfe?[31m' stands before the first [section]");
	path = folder_text(&folder, "empty.fio", "");
	assert_file_refused(&folder, path, ERR_INPUT, ": no job section");
	folder_remove(&folder);
}

static void test_unreadable_file(void **state)
{
	struct err err = { .code = 0 };
	struct folder folder;
	struct job_set set;
	const char *path;

	(void)state;
	if (geteuid() == 0)
		test_skip("root reads everything");
	folder_make(&folder);
	path = folder_text(&folder, "secret.fio", "[j]\n");
	assert_int_equal(chmod(path, 0), 0);
	assert_int_equal(parse_files(&path, 1, &set, &err), -ERR_SYSTEM);
	assert_non_null(strstr(err.msg, "Permission denied"));
	folder_remove(&folder);
}

static void test_long_lines(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct err err = { .code = 0 };
	struct folder folder;
	struct job_set set;
	const char *path;

	(void)state;
	folder_make(&folder);
	strbuf_add_str(&text, "[j]\n");
	strbuf_add_str(&text, "description=");
	strbuf_add_repeat(&text, 'x', SOURCE_MAX_LINE_BYTES - strlen("description="));
	path = folder_write(&folder, "fits.fio", text.buf, text.len);
	assert_int_equal(parse_files(&path, 1, &set, &err), 0);
	assert_int_equal(strlen(set.jobs[0].description),
			 SOURCE_MAX_LINE_BYTES - strlen("description="));
	job_set_release(&set);
	strbuf_add_char(&text, 'x');
	path = folder_write(&folder, "long.fio", text.buf, text.len);
	assert_file_refused(&folder, path, ERR_INPUT, ":2: the line is longer than 1048576 bytes");

	/* What a message quotes of such a line is cut. */
	strbuf_reset(&text);
	strbuf_add_str(&text, "[j]\nbs=");
	strbuf_add_repeat(&text, '9', 1000000);
	path = folder_write(&folder, "value.fio", text.buf, text.len);
	assert_int_equal(parse_files(&path, 1, &set, &err), -ERR_INPUT);
	assert_true(strlen(err.msg) < 200);
	assert_non_null(strstr(err.msg, "...' is too large"));
	strbuf_release(&text);
	folder_remove(&folder);
}

static void test_include(void **state)
{
	struct folder folder;
	struct err err = { .code = 0 };
	struct job_set set;
	const char *path;

	(void)state;
	folder_make(&folder);
	assert_int_equal(mkdir(folder_path(&folder, "sub"), 0755), 0);
	(void)folder_text(&folder, "sub/common.inc", "bs=8k ; eight\n\ninclude deep.inc\n");
	(void)folder_text(&folder, "sub/deep.inc", "rw=write\r\n");
	path = folder_text(&folder, "job.fio",
			   "[global]\ninclude sub/common.inc\n[j]\niodepth=2\n[k]\nbs=1k\n");
	if (parse_files(&path, 1, &set, &err) < 0)
		fail_msg("%s", err.msg);
	assert_int_equal(set.jobs[0].bs_min_bytes[IO_READ], 8192);
	assert_int_equal(set.jobs[0].rw, RW_WRITE);
	assert_int_equal(set.jobs[1].bs_min_bytes[IO_READ], 1024);
	assert_string_equal(set.global_options.items[0].source,
			    folder_path(&folder, "sub/common.inc"));
	assert_int_equal(set.global_options.items[0].line, 1);
	assert_string_equal(set.global_options.items[1].source,
			    folder_path(&folder, "sub/deep.inc"));
	job_set_release(&set);

	/* by its full path, with a tab, before other options of the section */
	path = folder_text(&folder, "tab.fio",
			   arena_printf(&folder.arena, "[j]\ninclude \t %s/sub/deep.inc\nrw=trim\n",
					folder.path));
	assert_int_equal(parse_files(&path, 1, &set, &err), 0);
	assert_int_equal(set.jobs[0].rw, RW_TRIM);
	job_set_release(&set);
	folder_remove(&folder);
}

static void test_include_refusals(void **state)
{
	struct folder folder;
	const char *path;

	(void)state;
	folder_make(&folder);
	path = folder_text(&folder, "a.fio", "[j]\nsize=1m\ninclude nowhere.inc\n");
	assert_file_refused(&folder, path, ERR_INPUT,
			    ":3: include 'nowhere.inc': No such file or directory");
	path = folder_text(&folder, "b.fio", "[j]\ninclude\n");
	assert_file_refused(&folder, path, ERR_INPUT, ":2: include names no file");
	path = folder_text(&folder, "c.fio", "[j]\ninclude /\n");
	assert_file_refused(&folder, path, ERR_INPUT, ":2: include '/': not a regular file");
	path = folder_text(&folder, "d.fio", "[j]\ninclude /dev/zero\n");
	assert_file_refused(&folder, path, ERR_INPUT,
			    ":2: include '/dev/zero': not a regular file");
	/* an error inside names the included file */
	(void)folder_text(&folder, "bad.inc", "\nbs=x\n");
	path = folder_text(&folder, "e.fio", "[j]\ninclude bad.inc\n");
	{
		struct err err = { .code = 0 };
		struct job_set set;

		assert_int_equal(parse_files(&path, 1, &set, &err), -ERR_INPUT);
		assert_string_equal(err.msg, arena_printf(&folder.arena,
							  "%s/bad.inc:2: bs: 'x' is not a size",
							  folder.path));
	}
	folder_remove(&folder);
}

static void assert_refused_at(struct folder *folder, const char *path, const char *place,
			      const char *message)
{
	struct err err = { .code = 0 };
	struct job_set set;

	assert_int_equal(parse_files(&path, 1, &set, &err), -ERR_INPUT);
	assert_string_equal(
		err.msg, arena_printf(&folder->arena, "%s/%s: %s", folder->path, place, message));
}

static void test_includes_without_end(void **state)
{
	struct folder folder;
	const char *path;

	(void)state;
	folder_make(&folder);
	(void)folder_text(&folder, "section.inc", "bs=4k\n[k]\n");
	path = folder_text(&folder, "section.fio", "[j]\ninclude section.inc\n");
	assert_refused_at(&folder, path, "section.inc:2",
			  "an included file cannot start a section");
	path = folder_text(&folder, "self.fio", "[j]\ninclude self.fio\n");
	assert_refused_at(
		&folder, path, "self.fio:2",
		arena_printf(&folder.arena, "include '%s': the file includes itself", path));
	(void)folder_text(&folder, "one.inc", "include two.inc\n");
	(void)folder_text(&folder, "two.inc", "bs=4k\ninclude one.inc\n");
	path = folder_text(&folder, "loop.fio", "[j]\ninclude one.inc\n");
	assert_refused_at(&folder, path, "two.inc:2",
			  arena_printf(&folder.arena,
				       "include '%s/one.inc': the file includes itself",
				       folder.path));
	/* deep without a loop, and many times over */
	for (int i = 0; i < 20; i++)
		(void)folder_text(&folder, arena_printf(&folder.arena, "n%d.inc", i),
				  arena_printf(&folder.arena, "include n%d.inc\ninclude n%d.inc\n",
					       i + 1, i + 1));
	path = folder_text(&folder, "deep.fio", "[j]\ninclude n0.inc\n");
	assert_refused_at(&folder, path, "n14.inc:1",
			  arena_printf(&folder.arena,
				       "include '%s/n15.inc': nested more than 16 deep",
				       folder.path));
	(void)folder_text(&folder, "n13.inc", "bs=4k\n");
	path = folder_text(&folder, "many.fio", "[j]\ninclude n0.inc\n");
	{
		struct err err = { .code = 0 };
		struct job_set set;

		assert_int_equal(parse_files(&path, 1, &set, &err), -ERR_INPUT);
		assert_non_null(strstr(err.msg, ": more than 1000 includes"));
	}
	folder_remove(&folder);
}

/* Each file starts from the built-in defaults; the first job of a further file is a wall. */
static void test_several_files(void **state)
{
	struct folder folder;
	struct err err = { .code = 0 };
	struct job_set set;
	const char *paths[2];

	(void)state;
	folder_make(&folder);
	paths[0] = folder_text(&folder, "one.fio", "[global]\nbs=8k\n[a]\n[b]\n");
	paths[1] = folder_text(&folder, "two.fio", "[c]\n[d]\n");
	assert_int_equal(parse_files(paths, 2, &set, &err), 0);
	assert_int_equal(set.nr, 4);
	assert_int_equal(set.jobs[1].bs_min_bytes[IO_READ], 8192);
	assert_int_equal(set.jobs[2].bs_min_bytes[IO_READ], 4096);
	assert_false(set.jobs[1].stonewall);
	assert_true(set.jobs[2].stonewall);
	assert_false(set.jobs[3].stonewall);
	assert_int_equal(set.jobs[1].phase, 0);
	assert_int_equal(set.jobs[2].phase, 1);
	assert_int_equal(set.jobs[3].phase, 1);
	assert_int_equal(set.jobs[2].group_id, 1);
	assert_string_equal(set.jobs[3].source, paths[1]);
	job_set_release(&set);
	folder_remove(&folder);
}

static void test_standard_input(void **state)
{
	static const char text[] = "[piped]\nbs=8k\nrw=x\n";
	static const char *const word = "-";
	struct err err = { .code = 0 };
	int saved_stdin = dup(STDIN_FILENO);
	struct job_set set;
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], text, strlen(text)), strlen(text));
	(void)close(ends[1]);
	assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
	(void)close(ends[0]);
	assert_int_equal(parse_files(&word, 1, &set, &err), -ERR_INPUT);
	(void)dup2(saved_stdin, STDIN_FILENO);
	(void)close(saved_stdin);
	assert_int_equal(strncmp(err.msg, "stdin:3: rw: 'x' ", 17), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files_that_are_none),
		cmocka_unit_test(test_unreadable_file),
		cmocka_unit_test(test_long_lines),
		cmocka_unit_test(test_include),
		cmocka_unit_test(test_include_refusals),
		cmocka_unit_test(test_includes_without_end),
		cmocka_unit_test(test_several_files),
		cmocka_unit_test(test_standard_input),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
