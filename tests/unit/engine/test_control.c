/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Engines that move no data: what a request changes on disk, and which they refuse. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "engine/engine.h"
#include "scratch.h"

#define BLOCK_BYTES 65536L /* of any filesystem at least one block */
#define FILE_BYTES (4 * BLOCK_BYTES)

/* One request to an engine on one file; the result, or INT64_MIN if open refused. */
static int64_t request(const char *engine, const struct engine_file *file, enum io_dir dir,
		       struct err *err)
{
	const struct engine_ops *ops = engine_find(engine);
	struct io_req req = { .dir = dir, .offset_bytes = BLOCK_BYTES, .len_bytes = BLOCK_BYTES };
	struct io_req *reqs[] = { &req };
	struct engine_config config = { .files = file, .nr_files = 1, .reqs = &req, .nr_slots = 1 };
	void *state;

	if (ops->open(&config, &state, err) < 0)
		return INT64_MIN;
	assert_int_equal(ops->submit(state, reqs, 1), 1);
	ops->close(state);
	return req.result;
}

static struct stat look(int fd)
{
	struct stat info;

	assert_int_equal(fstat(fd, &info), 0);
	return info;
}

static void test_falloc(void **state)
{
	CLEANUP(fd) int fd = scratch_file(0, O_RDWR);
	struct engine_file file = { .path = "file", .fd = fd };
	struct err err = { .code = 0 };

	(void)state;
	assert_int_equal(request("falloc", &file, IO_READ, &err), BLOCK_BYTES);
	assert_int_equal(look(fd).st_size, 0);
	assert_true(look(fd).st_blocks * 512 >= BLOCK_BYTES);
	assert_int_equal(request("falloc", &file, IO_WRITE, &err), BLOCK_BYTES);
	assert_int_equal(look(fd).st_size, 2 * BLOCK_BYTES);
	assert_int_equal(request("falloc", &file, IO_TRIM, &err), BLOCK_BYTES);
	assert_int_equal(look(fd).st_size, 2 * BLOCK_BYTES);
	assert_true(look(fd).st_blocks * 512 < BLOCK_BYTES);
	assert_int_equal(request("falloc", &file, IO_SYNC, &err), 0);
	file.fd = -1;
	assert_int_equal(request("falloc", &file, IO_WRITE, &err), -EBADF);
}

static void test_ftruncate(void **state)
{
	CLEANUP(fd) int fd = scratch_file(FILE_BYTES, O_RDWR);
	struct engine_file file = { .path = "file", .fd = fd };
	struct err err = { .code = 0 };

	(void)state;
	assert_int_equal(request("ftruncate", &file, IO_WRITE, &err), BLOCK_BYTES);
	assert_int_equal(look(fd).st_size, BLOCK_BYTES);
	assert_int_equal(request("ftruncate", &file, IO_READ, &err), -EINVAL);
	assert_int_equal(request("ftruncate", &file, IO_TRIM, &err), -EINVAL);
	assert_int_equal(request("ftruncate", &file, IO_SYNC, &err), 0);
	assert_int_equal(look(fd).st_size, BLOCK_BYTES);
	file.fd = -1;
	assert_int_equal(request("ftruncate", &file, IO_WRITE, &err), -EBADF);
}

static void make_folder(char *folder, size_t size)
{
	(void)snprintf(folder, size, "%s/regio-control.XXXXXX",
		       getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	assert_non_null(mkdtemp(folder));
}

struct name_case {
	const char *create, *look, *remove;
	mode_t type;
};

static void test_names(void **state)
{
	const struct name_case *names = *state;
	char folder[200], path[220];
	struct engine_file file = { .path = path, .fd = -1 };
	struct err err = { .code = 0 };
	struct stat info;

	make_folder(folder, sizeof(folder));
	(void)snprintf(path, sizeof(path), "%s/name", folder);
	assert_int_equal(request(names->create, &file, IO_READ, &err), BLOCK_BYTES);
	assert_int_equal(stat(path, &info), 0);
	assert_int_equal(info.st_mode & S_IFMT, names->type);
	assert_int_equal(request(names->look, &file, IO_WRITE, &err), BLOCK_BYTES);
	assert_int_equal(request(names->remove, &file, IO_READ, &err), BLOCK_BYTES);
	assert_int_equal(stat(path, &info), -1);

	/* what is to be found or removed is made first */
	assert_int_equal(request(names->look, &file, IO_READ, &err), BLOCK_BYTES);
	assert_int_equal(stat(path, &info), 0);
	assert_int_equal(request(names->remove, &file, IO_SYNC, &err), 0);
	assert_int_equal(stat(path, &info), 0);
	assert_int_equal(request(names->remove, &file, IO_READ, &err), BLOCK_BYTES);
	assert_int_equal(rmdir(folder), 0);
	assert_int_equal(request(names->create, &file, IO_READ, &err), -ENOENT);
}

/* A symbolic link, a device or the other of file and directory is left alone. */
static void test_names_of_others(void **state)
{
	const struct name_case *names = *state;
	char folder[200], path[220];
	struct engine_file file = { .path = path, .fd = -1 };
	struct err err = { .code = 0 };

	make_folder(folder, sizeof(folder));
	(void)snprintf(path, sizeof(path), "%s/name", folder);
	assert_int_equal(symlink("/dev/null", path), 0);
	assert_int_equal(request(names->remove, &file, IO_READ, &err), INT64_MIN);
	assert_int_equal(err.code, ERR_INPUT);
	assert_non_null(strstr(err.msg, names->type == S_IFREG ? "is not a regular file"
							       : "is not a directory"));
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(folder), 0);
}

static void test_cpuio(void **state)
{
	const struct engine_ops *ops = engine_find("cpuio");
	struct io_req req = { .dir = IO_READ, .len_bytes = 4096 };
	struct io_req *reqs[] = { &req };
	struct engine_config config = { .options = { .cpuchunks_ns = 1000000 } };
	struct err err = { .code = 0 };
	uint64_t start_ns;
	void *burner;

	(void)state;
	assert_int_equal(ops->open(&config, &burner, &err), -ERR_INPUT);
	assert_string_equal(err.msg, "cpuio: cpuload is needed");
	for (unsigned mode = ENGINE_CPU_SPIN; mode <= ENGINE_CPU_QSORT; mode++) {
		config.options.cpuload = 20;
		config.options.cpumode = (enum engine_cpu_mode)mode;
		assert_int_equal(ops->open(&config, &burner, &err), 0);
		start_ns = clock_now_ns();
		assert_int_equal(ops->submit(burner, reqs, 1), 1);
		assert_true(clock_now_ns() - start_ns >= 5000000); /* a round, never less */
		assert_int_equal(req.result, 0);
		assert_int_equal(req.len_bytes, 0);
		ops->close(burner);
	}
}

struct exec_case {
	const char *program, *arguments;
	int64_t result; /* of the last request */
	bool ends;	/* by itself */
};

static void test_exec(void **state)
{
	static const struct exec_case cases[] = {
		{ "true", NULL, 0, true },
		{ "test", "job7 = %n -a 3 = %r", 0, true },
		{ "test", "3 = %n", -ECANCELED, true },
		{ "false", NULL, -ECANCELED, true },
		{ "/nonexistent/program", NULL, -ENOENT, false },
		{ "sleep", "1000", 0, false },
	};
	const struct engine_ops *ops = engine_find("exec");
	struct err err = { .code = 0 };
	void *runner;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		atomic_bool end = false;
		struct engine_config config = { .job_name = "job7",
						.runtime_ns = 3000000000,
						.end = &end,
						.options = { .program = cases[i].program,
							     .arguments = cases[i].arguments } };
		struct io_req req = { .dir = IO_READ, .len_bytes = 4096 };
		struct io_req *reqs[] = { &req };

		assert_int_equal(ops->open(&config, &runner, &err), 0);
		assert_int_equal(ops->submit(runner, reqs, 1), 1);
		for (unsigned k = 0; cases[i].ends && !atomic_load(&end) && k < 300; k++)
			assert_int_equal(ops->submit(runner, reqs, 1), 1);
		assert_int_equal(req.result, cases[i].result);
		assert_int_equal(req.len_bytes, 0);
		assert_int_equal(atomic_load(&end), cases[i].ends);
		ops->close(runner); /* kills what still runs */
	}
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
	assert_int_equal(ops->open(&(struct engine_config){ .nr_files = 0 }, &runner, &err),
			 -ERR_INPUT);
}

static void test_e4defrag_refusals(void **state)
{
	struct engine_file files[2] = { { .path = "a", .fd = -1 }, { .path = "b", .fd = -1 } };
	struct engine_config config = { .files = files, .nr_files = 2 };
	struct err err = { .code = 0 };
	void *mover;

	(void)state;
	assert_int_equal(engine_find("e4defrag")->open(&config, &mover, &err), -ERR_INPUT);
	assert_string_equal(err.msg, "e4defrag: works on one file, not on 2");
	config.nr_files = 1;
	assert_int_equal(engine_find("e4defrag")->open(&config, &mover, &err), -ERR_INPUT);
	assert_string_equal(err.msg, "e4defrag: donorname is needed");
	config.options.donorname = "/nonexistent/donor";
	assert_int_equal(engine_find("e4defrag")->open(&config, &mover, &err), -ERR_SYSTEM);
	assert_string_equal(err.msg, "e4defrag: create the donor '/nonexistent/donor': "
				     "No such file or directory");
}

int main(void)
{
	static struct name_case files = { "filecreate", "filestat", "filedelete", S_IFREG };
	static struct name_case dirs = { "dircreate", "dirstat", "dirdelete", S_IFDIR };
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_falloc),
		cmocka_unit_test(test_ftruncate),
		{ "files by name", test_names, NULL, NULL, &files },
		{ "directories by name", test_names, NULL, NULL, &dirs },
		{ "files of others", test_names_of_others, NULL, NULL, &files },
		{ "directories of others", test_names_of_others, NULL, NULL, &dirs },
		cmocka_unit_test(test_cpuio),
		cmocka_unit_test(test_exec),
		cmocka_unit_test(test_e4defrag_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
