/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_child: capture, exit status, signals, limits, time-outs, groups, stop requests. Times are
 * only upper limits of minutes against waits that would otherwise never end. */
#include "base/child.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/units.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static void test_capture(void **state)
{
	const struct child_spec spec = { .shell = "echo out; echo err >&2; exit 3" };
	CLEANUP(child_result) struct child_result result = CHILD_RESULT_INIT;

	(void)state;
	assert_int_equal(child_run(&spec, &result, NULL), 0);
	assert_string_equal(strbuf_str(&result.out), "out\n");
	assert_string_equal(strbuf_str(&result.err), "err\n");
	assert_int_equal(result.exit_status, 3);
	assert_int_equal(result.term_signal, 0);
	assert_false(result.is_timeout);
	assert_false(result.is_cut);
}

static void test_argv(void **state)
{
	/* No shell: nothing in the words is special. */
	const char *const argv[] = { "printf", "%s|", "a b", "$HOME", "*", NULL };
	const struct child_spec spec = { .argv = argv };
	CLEANUP(child_result) struct child_result result = CHILD_RESULT_INIT;

	(void)state;
	assert_int_equal(child_run(&spec, &result, NULL), 0);
	assert_string_equal(strbuf_str(&result.out), "a b|$HOME|*|");
	assert_int_equal(result.exit_status, 0);
}

static void test_cannot_start(void **state)
{
	const char *const argv[] = { "regio-no-such-program", NULL };
	const struct child_spec spec = { .argv = argv };
	const struct child_spec no_dir = { .shell = "true", .dir = "/no/such/dir" };
	struct child_result result = CHILD_RESULT_INIT;
	struct err err = { .code = 0 };

	(void)state;
	assert_int_equal(child_run(&spec, &result, &err), -ERR_SYSTEM);
	assert_int_equal(err.saved_errno, ENOENT);
	assert_non_null(strstr(err.msg, "'regio-no-such-program'"));
	assert_int_equal(child_run(&no_dir, &result, &err), -ERR_SYSTEM);
	assert_int_equal(err.saved_errno, ENOENT);
	assert_non_null(strstr(err.msg, "/no/such/dir"));
}

static void test_signal(void **state)
{
	const struct child_spec spec = { .shell = "kill -USR1 $$" };
	CLEANUP(child_result) struct child_result result = CHILD_RESULT_INIT;

	(void)state;
	assert_int_equal(child_run(&spec, &result, NULL), 0);
	assert_int_equal(result.exit_status, -1);
	assert_int_equal(result.term_signal, SIGUSR1);
}

static void test_much_output_on_both_streams(void **state)
{
	const struct child_spec spec = {
		.shell = "i=0; while [ $i -lt 3000 ]; do"
			 " echo 0123456789012345678901234567890123456789;"
			 " echo 0123456789012345678901234567890123456789 >&2;"
			 " i=$((i+1)); done"
	};
	CLEANUP(child_result) struct child_result result = CHILD_RESULT_INIT;

	(void)state;
	assert_int_equal(child_run(&spec, &result, NULL), 0);
	assert_int_equal(result.out.len, 3000 * 41);
	assert_int_equal(result.err.len, 3000 * 41);
	assert_false(result.is_cut);
}

static void test_output_limit(void **state)
{
	const struct child_spec spec = { .shell = "head -c 1000000 /dev/zero; echo end >&2",
					 .max_output_bytes = 1000 };
	CLEANUP(child_result) struct child_result result = CHILD_RESULT_INIT;

	(void)state;
	assert_int_equal(child_run(&spec, &result, NULL), 0);
	assert_int_equal(result.out.len, 1000);
	assert_string_equal(strbuf_str(&result.err), "end\n"); /* it was not blocked */
	assert_true(result.is_cut);
	assert_int_equal(result.exit_status, 0);
}

static void test_directory(void **state)
{
	const struct child_spec spec = { .shell = "pwd", .dir = "/" };
	CLEANUP(child_result) struct child_result result = CHILD_RESULT_INIT;

	(void)state;
	assert_int_equal(child_run(&spec, &result, NULL), 0);
	assert_string_equal(strbuf_str(&result.out), "/\n");
}

/* Waits for the pid that a child printed to disappear. */
static void assert_dies(pid_t pid)
{
	assert_true(pid > 1);
	for (int i = 0; i < 60000; i++) {
		char path[64];
		char text[256] = "";
		FILE *file;

		(void)snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
		file = fopen(path, "re");
		if (!file)
			return;
		(void)fgets(text, sizeof(text), file);
		(void)fclose(file);
		if (strstr(text, ") Z ")) /* dead; its new parent has not looked yet */
			return;
		(void)usleep(1000);
	}
	fail_msg("process %d is still alive", (int)pid);
}

static void test_timeout_ends_the_group(void **state)
{
	const struct child_spec spec = { .shell = "sleep 1000 & echo $!; wait",
					 .timeout_ns = 200 * NS_PER_MS };
	CLEANUP(child_result) struct child_result result = CHILD_RESULT_INIT;

	(void)state;
	assert_int_equal(child_run(&spec, &result, NULL), 0);
	assert_true(result.is_timeout);
	assert_int_equal(result.term_signal, SIGTERM);
	assert_dies((pid_t)strtol(strbuf_str(&result.out), NULL, 10));
}

static void test_timeout_kills_who_ignores_sigterm(void **state)
{
	const struct child_spec spec = {
		.shell = "trap '' TERM; echo ready; while :; do sleep 1000; done",
		.timeout_ns = 200 * NS_PER_MS,
		.kill_grace_ns = 100 * NS_PER_MS,
	};
	CLEANUP(child_result) struct child_result result = CHILD_RESULT_INIT;

	(void)state;
	assert_int_equal(child_run(&spec, &result, NULL), 0);
	assert_true(result.is_timeout);
	assert_int_equal(result.term_signal, SIGKILL);
}

/* Waits until the file has a line; its number. */
static pid_t read_pid(const char *path)
{
	for (int i = 0; i < 60000; i++) {
		char line[32] = "";
		FILE *file = fopen(path, "re");

		if (file) {
			(void)fgets(line, sizeof(line), file);
			(void)fclose(file);
		}
		if (strchr(line, '\n'))
			return (pid_t)strtol(line, NULL, 10);
		(void)usleep(1000);
	}
	fail_msg("%s stays empty", path);
	return 0;
}

/* A command with children of its own, also deaf ones; run or started beside us. */
static void test_our_own_death_ends_the_group(void **state)
{
	char path[] = "/tmp/regio-child-XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	(void)close(fd);
	for (int is_started = 0; is_started < 2; is_started++) {
		CLEANUP(free)
		char *shell =
			xasprintf("trap '' TERM HUP INT; sleep 1000 & echo $! >%s; wait", path);
		const struct child_spec spec = { .shell = shell };
		struct child_result result = CHILD_RESULT_INIT;
		struct child child;
		pid_t sleeper;
		pid_t us;

		assert_int_equal(truncate(path, 0), 0);
		us = fork();
		assert_true(us >= 0);
		if (us == 0 && is_started && child_start(&spec, &child, NULL) == 0)
			(void)pause();
		if (us == 0)
			_exit(child_run(&spec, &result, NULL));
		sleeper = read_pid(path);
		assert_int_equal(kill(sleeper, 0), 0);
		assert_int_equal(kill(us, SIGKILL), 0);
		assert_int_equal(waitpid(us, NULL, 0), us);
		assert_dies(sleeper);
	}
	(void)unlink(path);
}

/* The program kills us as its first act, on the one processor that both have. */
static void test_our_death_while_it_starts(void **state)
{
	char path[] = "/tmp/regio-child-XXXXXX";
	int fd = mkstemp(path);
	CLEANUP(free) char *shell = xasprintf("echo $$ >%s; kill -KILL $PPID; sleep 1000", path);
	const struct child_spec spec = { .shell = shell };

	(void)state;
	assert_true(fd >= 0);
	(void)close(fd);
	for (int i = 0; i < 20; i++) {
		struct child_result result = CHILD_RESULT_INIT;
		cpu_set_t one;
		pid_t us;

		assert_int_equal(truncate(path, 0), 0);
		us = fork();
		assert_true(us >= 0);
		if (us == 0) {
			CPU_ZERO(&one);
			CPU_SET(sched_getcpu(), &one);
			(void)sched_setaffinity(0, sizeof(one), &one);
			_exit(child_run(&spec, &result, NULL));
		}
		assert_int_equal(waitpid(us, NULL, 0), us);
		assert_dies(read_pid(path));
	}
	(void)unlink(path);
}

static void test_background_does_not_hold_us(void **state)
{
	const struct child_spec spec = { .shell = "sleep 1000 & echo $!" };
	CLEANUP(child_result) struct child_result result = CHILD_RESULT_INIT;
	pid_t pid;

	(void)state;
	/* The sleeper keeps stdout open; we return when the shell ends. */
	assert_int_equal(child_run(&spec, &result, NULL), 0);
	assert_int_equal(result.exit_status, 0);
	pid = (pid_t)strtol(strbuf_str(&result.out), NULL, 10);
	assert_true(pid > 1);
	assert_int_equal(kill(pid, SIGKILL), 0); /* it was left alone */
}

static void *set_stop(void *argument)
{
	(void)usleep(50000);
	atomic_store((atomic_bool *)argument, true);
	return NULL;
}

static void test_stop_request(void **state)
{
	atomic_bool stop = false;
	const struct child_spec spec = { .shell = "sleep 1000", .stop = &stop };
	struct child_result result = CHILD_RESULT_INIT;
	struct err err = { .code = 0 };
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, set_stop, &stop), 0);
	assert_int_equal(child_run(&spec, &result, &err), -ERR_INTERRUPTED);
	assert_int_equal(err.code, ERR_INTERRUPTED);
	assert_int_equal(pthread_join(thread, NULL), 0);
}

static void test_clean_surroundings(void **state)
{
	/* Blocked signals, ignored SIGPIPE and open descriptors of ours must not reach it. */
	const struct child_spec spec = {
		.shell = "grep ^SigBlk /proc/self/status; sh -c 'kill -PIPE $$'; echo $?;"
			 " ls /proc/self/fd | wc -l; readlink /proc/self/fd/0"
	};
	CLEANUP(child_result) struct child_result result = CHILD_RESULT_INIT;
	int fd = dup(STDOUT_FILENO); /* without O_CLOEXEC */
	sigset_t all, old;

	(void)state;
	assert_true(fd >= 0);
	sigfillset(&all);
	(void)sigprocmask(SIG_BLOCK, &all, &old);
	(void)signal(SIGPIPE, SIG_IGN);
	assert_int_equal(child_run(&spec, &result, NULL), 0);
	(void)signal(SIGPIPE, SIG_DFL);
	(void)sigprocmask(SIG_SETMASK, &old, NULL);
	(void)close(fd);
	/* Descriptors 0-2 and the one of ls on the directory. */
	assert_string_equal(strbuf_str(&result.out), "SigBlk:\t0000000000000000\n"
						     "141\n" /* SIGPIPE ended it */
						     "4\n"
						     "/dev/null\n");
}

static void test_checked(void **state)
{
	static const struct {
		const char *shell;
		const char *msg;
	} rows[] = {
		{ "echo a >&2; echo 'mkfs: bad device' >&2; echo >&2; exit 2",
		  "make fs: exit status 2: mkfs: bad device" },
		{ "exit 4", "make fs: exit status 4" },
		{ "kill -KILL $$", "make fs: ended by signal 9 (Killed)" },
	};
	const struct child_spec good = { .shell = "echo yes" };
	const struct child_spec slow = { .shell = "sleep 1000", .timeout_ns = 50 * NS_PER_MS };
	CLEANUP(child_result) struct child_result result = CHILD_RESULT_INIT;
	struct err err = { .code = 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct child_spec spec = { .shell = rows[i].shell };

		assert_int_equal(child_run_checked(&spec, "make fs", NULL, &err), -ERR_SYSTEM);
		assert_string_equal(err.msg, rows[i].msg);
	}
	assert_int_equal(child_run_checked(&slow, "wait", NULL, &err), -ERR_SYSTEM);
	assert_string_equal(err.msg, "wait: timed out");
	assert_int_equal(child_run_checked(&good, "say", NULL, &err), 0);
	assert_int_equal(child_run_checked(&good, "say", &result, &err), 0);
	assert_string_equal(strbuf_str(&result.out), "yes\n");
}

static void test_one_cpu(void **state)
{
	const char *const argv[] = { "sed", "-n", "s/^Cpus_allowed_list:\t//p", "/proc/self/status",
				     NULL };
	const struct child_spec spec = { .argv = argv, .is_on_one_cpu = true };
	CLEANUP(child_result) struct child_result result = CHILD_RESULT_INIT;
	cpu_set_t before, after;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	assert_int_equal(child_run(&spec, &result, NULL), 0);
	strbuf_trim(&result.out);
	assert_true(result.out.len > 0);
	assert_int_equal(strspn(strbuf_str(&result.out), "0123456789"), result.out.len);
	assert_int_equal(sched_getaffinity(0, sizeof(after), &after), 0);
	assert_true(CPU_EQUAL(&before, &after)); /* ours stay as they were */
}

static void test_find_program(void **state)
{
	char *path = child_find_program("sh");

	(void)state;
	assert_non_null(path);
	assert_int_equal(path[0], '/');
	assert_int_equal(access(path, X_OK), 0);
	free(path);
	assert_null(child_find_program("no-such-program"));
}

static void test_start_and_stop(void **state)
{
	const struct child_spec spec = { .shell = "exec sleep 1000" };
	const struct child_spec stubborn = { .shell =
						     "trap '' TERM; while :; do sleep 1000; done" };
	struct child child = { .pid = 0 };
	int status;

	(void)state;
	assert_int_equal(child_start(&spec, &child, NULL), 0);
	assert_true(child.pid > 1);
	status = child_stop(&child, UINT64_C(60000) * NS_PER_MS);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	assert_int_equal(child.pid, 0);
	assert_int_equal(child_stop(&child, 0), -1); /* not running any more */

	assert_int_equal(child_start(&stubborn, &child, NULL), 0);
	status = child_stop(&child, 50 * NS_PER_MS);
	assert_true(WIFSIGNALED(status)); /* by SIGTERM if the trap was not set yet */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_capture),
		cmocka_unit_test(test_argv),
		cmocka_unit_test(test_cannot_start),
		cmocka_unit_test(test_signal),
		cmocka_unit_test(test_much_output_on_both_streams),
		cmocka_unit_test(test_output_limit),
		cmocka_unit_test(test_directory),
		cmocka_unit_test(test_timeout_ends_the_group),
		cmocka_unit_test(test_timeout_kills_who_ignores_sigterm),
		cmocka_unit_test(test_our_own_death_ends_the_group),
		cmocka_unit_test(test_our_death_while_it_starts),
		cmocka_unit_test(test_background_does_not_hold_us),
		cmocka_unit_test(test_stop_request),
		cmocka_unit_test(test_clean_surroundings),
		cmocka_unit_test(test_checked),
		cmocka_unit_test(test_one_cpu),
		cmocka_unit_test(test_find_program),
		cmocka_unit_test(test_start_and_stop),
	};

	return cmocka_run_group_tests_name("child", tests, NULL, NULL);
}
