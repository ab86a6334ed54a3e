/* SPDX-License-Identifier: GPL-2.0-or-later */
/* child: runs other programs, captures their output and ends them on time. */
#include "base/child.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/spawn.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* Often not in the PATH of users. */
#define PROGRAM_FOLDERS "/usr/local/sbin:/usr/sbin:/sbin"

#define CHILD_MAX_OUTPUT_BYTES (16u << 20)
#define CHILD_KILL_GRACE_NS UINT64_C(2000000000)
#define CHILD_POLL_MS 50      /* how soon *stop and the timeout are noticed */
#define CHILD_STOP_POLL_MS 5  /* how soon child_stop notices the end */
#define CHILD_DRAIN_CHUNKS 64 /* 1 MiB, the largest pipe of an ordinary user */
#define CHILD_NEVER UINT64_MAX

/* A running child with the pipes it prints into. */
struct capture {
	struct child child;
	int pidfd;
	int read_fds[2]; /* stdout, stderr; non-blocking; -1 after end of file */
	int write_fds[2];
	size_t max_bytes;
	uint64_t deadline_ns; /* SIGTERM is due */
	uint64_t kill_ns;     /* SIGKILL is due; CHILD_NEVER until SIGTERM was sent */
	bool is_interrupted;  /* *stop became true */
	bool is_leader;	      /* of a process group of its own */
};

#define CAPTURE_INIT                                                                               \
	((struct capture){ .pidfd = -1,                                                            \
			   .read_fds = { -1, -1 },                                                 \
			   .write_fds = { -1, -1 },                                                \
			   .deadline_ns = CHILD_NEVER,                                             \
			   .kill_ns = CHILD_NEVER })

static void fd_close(int *fd)
{
	cleanup_fd(fd);
	*fd = -1;
}

static void capture_release(struct capture *capture)
{
	fd_close(&capture->pidfd);
	for (int i = 0; i < 2; i++) {
		fd_close(&capture->read_fds[i]);
		fd_close(&capture->write_fds[i]);
	}
}
CLEANUP_DEFINE(capture, struct capture, capture_release)

void child_result_release(struct child_result *result)
{
	strbuf_release(&result->out);
	strbuf_release(&result->err);
	*result = CHILD_RESULT_INIT;
}

/* The words to execute: argv itself, or the shell with its command line. */
static const char *const *child_argv(const struct child_spec *spec, const char *shell_argv[4])
{
	assert(!spec->argv != !spec->shell);
	if (spec->argv)
		return spec->argv;
	shell_argv[0] = "/bin/sh";
	shell_argv[1] = "-c";
	shell_argv[2] = spec->shell;
	shell_argv[3] = NULL;
	return shell_argv;
}

static size_t env_count(const char *const *env)
{
	size_t nr = 0;

	while (env && env[nr])
		nr++;
	return nr;
}

static bool env_replaces(const char *const *more, const char *entry)
{
	size_t len = strcspn(entry, "=") + 1;

	for (; more && *more; more++) {
		if (!strncmp(*more, entry, len))
			return true;
	}
	return false;
}

/* Ours with those of the spec on top, in an array that the caller frees; strings are borrowed. */
static char **env_merge(const char *const *more)
{
	size_t nr_ours = env_count((const char *const *)environ);
	char **env = xcalloc(nr_ours + env_count(more) + 1, sizeof(*env));
	size_t nr = 0;

	for (size_t i = 0; i < nr_ours; i++) {
		if (!env_replaces(more, environ[i]))
			env[nr++] = environ[i];
	}
	for (; more && *more; more++)
		env[nr++] = (char *)(uintptr_t)*more; /* posix_spawn does not change it */
	return env;
}

/* Reports the step by its subject. */
static int spawn_program(const struct child_spec *spec, const struct spawn_spec *program,
			 pid_t *ret_pid, struct err *err)
{
	int ret = spawn(program, ret_pid);

	if (ret == 0)
		return 0;
	errno = -ret;
	if (spec->dir)
		return err_set_errno(err, "start '%s' in %s", program->argv[0], spec->dir);
	return err_set_errno(err, "start '%s'", program->argv[0]);
}

/* out_fds: where stdout and stderr go; NULL = they are inherited. */
static int child_spawn(const struct child_spec *spec, const int out_fds[2], struct child *ret_child,
		       struct err *err)
{
	const char *shell_argv[4];
	CLEANUP(free) char **env = env_merge(spec->env);
	CLEANUP(fd)
	int null_fd = spec->is_at_terminal ? -1 : open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct spawn_spec program = {
		.argv = child_argv(spec, shell_argv),
		.env = env,
		.dir = spec->dir,
		.fds = { null_fd, out_fds ? out_fds[0] : -1, out_fds ? out_fds[1] : -1 },
		.is_leader = !spec->is_at_terminal,
		.is_on_one_cpu = spec->is_on_one_cpu,
	};
	struct child child = { .pid = 0 };
	int ret;

	if (null_fd < 0 && !spec->is_at_terminal)
		return err_set_errno(err, "open /dev/null");
	child_guard_start(&child.guard); /* before: the program may be what is measured */
	program.notice_fd = child.guard.fd;
	child.start_ns = clock_now_ns();
	ret = spawn_program(spec, &program, &child.pid, err);
	if (ret < 0) {
		child_guard_stop(&child.guard);
		return ret;
	}
	*ret_child = child;
	return 0;
}

static void group_signal(pid_t pid, int sig)
{
	(void)kill(-pid, sig); /* ESRCH: the whole group is gone already */
}

static void capture_signal(const struct capture *capture, int sig)
{
	if (capture->is_leader)
		group_signal(capture->child.pid, sig);
	else
		(void)kill(capture->child.pid, sig); /* not reaped yet */
}

/* Sends the signals that are due. */
static void capture_tick(struct capture *capture, const struct child_spec *spec,
			 struct child_result *result)
{
	uint64_t now_ns = clock_now_ns();
	uint64_t grace_ns = spec->kill_grace_ns ? spec->kill_grace_ns : CHILD_KILL_GRACE_NS;

	if (!capture->is_interrupted && spec->stop && atomic_load(spec->stop)) {
		capture->is_interrupted = true;
		capture->deadline_ns = now_ns;
	}
	if (capture->kill_ns == CHILD_NEVER && now_ns >= capture->deadline_ns) {
		result->is_timeout = !capture->is_interrupted;
		capture_signal(capture, SIGTERM);
		capture->kill_ns = now_ns + grace_ns;
	}
	if (now_ns >= capture->kill_ns)
		capture_signal(capture, SIGKILL);
}

/* Takes one chunk of stream nr. Returns false when there is nothing (more) to take now. */
static bool capture_read(struct capture *capture, int nr, struct strbuf *out, bool *is_cut)
{
	char chunk[16384];
	size_t room = capture->max_bytes - out->len;
	ssize_t got;

	do {
		got = read(capture->read_fds[nr], chunk, sizeof(chunk));
	} while (got < 0 && errno == EINTR);
	if (got == 0)
		fd_close(&capture->read_fds[nr]);
	if (got <= 0)
		return false;
	if ((size_t)got > room) {
		*is_cut = true;
		got = (ssize_t)room;
	}
	strbuf_add(out, chunk, (size_t)got);
	return true;
}

/* Reads until the child has ended. A program that it left behind may hold the pipes open: what
 * they contain now is taken, more is not awaited. */
static int capture_loop(struct capture *capture, const struct child_spec *spec,
			struct child_result *result, struct err *err)
{
	struct strbuf *bufs[2] = { &result->out, &result->err };
	bool has_limit = spec->stop || spec->timeout_ns;
	bool has_ended = false;

	while (!has_ended) {
		struct pollfd polls[3] = { { .fd = capture->read_fds[0], .events = POLLIN },
					   { .fd = capture->read_fds[1], .events = POLLIN },
					   { .fd = capture->pidfd, .events = POLLIN } };

		if (poll(polls, 3, has_limit ? CHILD_POLL_MS : -1) < 0 && errno != EINTR)
			return err_set_errno(err, "wait for a program");
		has_ended = polls[2].revents != 0;
		for (int i = 0; i < 2; i++) {
			int nr_chunks = has_ended ? CHILD_DRAIN_CHUNKS : polls[i].revents != 0;

			while (nr_chunks-- > 0 && capture->read_fds[i] >= 0 &&
			       capture_read(capture, i, bufs[i], &result->is_cut))
				continue;
		}
		if (!has_ended)
			capture_tick(capture, spec, result);
	}
	return 0;
}

static int capture_open(struct capture *capture, struct err *err)
{
	for (int i = 0; i < 2; i++) {
		int fds[2];

		if (pipe2(fds, O_CLOEXEC) < 0)
			return err_set_errno(err, "create a pipe");
		capture->read_fds[i] = fds[0];
		capture->write_fds[i] = fds[1];
		if (fcntl(fds[0], F_SETFL, O_NONBLOCK) < 0)
			return err_set_errno(err, "make a pipe non-blocking");
	}
	return 0;
}

static int wait_for(pid_t pid, struct rusage *usage)
{
	int status = -1;

	while (wait4(pid, &status, 0, usage) < 0) {
		if (errno != EINTR)
			return -1;
	}
	return status;
}

int child_run(const struct child_spec *spec, struct child_result *ret_result, struct err *err)
{
	CLEANUP(child_result) struct child_result result = CHILD_RESULT_INIT;
	CLEANUP(capture) struct capture capture = CAPTURE_INIT;
	int status;
	int ret;

	capture.max_bytes =
		spec->max_output_bytes ? spec->max_output_bytes : CHILD_MAX_OUTPUT_BYTES;
	capture.is_leader = !spec->is_at_terminal;
	ret = spec->is_at_terminal ? 0 : capture_open(&capture, err);
	if (ret == 0)
		ret = child_spawn(spec, spec->is_at_terminal ? NULL : capture.write_fds,
				  &capture.child, err);
	if (ret < 0)
		return ret;
	fd_close(&capture.write_fds[0]);
	fd_close(&capture.write_fds[1]);
	if (spec->timeout_ns)
		capture.deadline_ns = clock_now_ns() + spec->timeout_ns;

	capture.pidfd = pidfd_open(capture.child.pid, 0);
	if (capture.pidfd < 0)
		ret = err_set_errno(err, "open a pidfd");
	else
		ret = capture_loop(&capture, spec, &result, err);

	result.elapsed_ns = clock_now_ns() - capture.child.start_ns;
	/* Not reaped yet, so the process group cannot be anybody else's. */
	child_guard_stop(&capture.child.guard);
	if (ret < 0 || capture.kill_ns != CHILD_NEVER || spec->ends_group)
		capture_signal(&capture, SIGKILL);
	status = wait_for(capture.child.pid, &result.usage);
	if (ret < 0)
		return ret;
	if (capture.is_interrupted)
		return err_set(err, ERR_INTERRUPTED, "interrupted");
	result.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	result.term_signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	*ret_result = result;
	result = CHILD_RESULT_INIT; /* moved */
	return 0;
}

const char *child_last_line(const struct strbuf *text, size_t *ret_len)
{
	const char *start = strbuf_str(text);
	const char *end = start + text->len;
	const char *line;

	while (end > start && (end[-1] == '\n' || end[-1] == ' '))
		end--;
	line = end;
	while (line > start && line[-1] != '\n')
		line--;
	*ret_len = (size_t)(end - line);
	return line;
}

int child_run_checked(const struct child_spec *spec, const char *what,
		      struct child_result *ret_result, struct err *err)
{
	CLEANUP(child_result) struct child_result result = CHILD_RESULT_INIT;
	const char *line;
	size_t len;
	int ret = child_run(spec, &result, err);

	if (ret < 0) {
		(void)err_prefix(err, "%s", what); /* ret is known also without err */
		return ret;
	}
	if (result.exit_status != 0) {
		line = child_last_line(&result.err, &len);
		if (result.is_timeout)
			return err_set(err, ERR_SYSTEM, "%s: timed out", what);
		if (result.term_signal)
			return err_set(err, ERR_SYSTEM, "%s: ended by signal %d (%s)", what,
				       result.term_signal, strsignal(result.term_signal));
		return err_set(err, ERR_SYSTEM, "%s: exit status %d%s%.*s", what,
			       result.exit_status, len > 0 ? ": " : "",
			       (int)(len < 200 ? len : 200), line);
	}
	if (ret_result) {
		*ret_result = result;
		result = CHILD_RESULT_INIT; /* moved */
	}
	return 0;
}

int child_start(const struct child_spec *spec, struct child *ret_child, struct err *err)
{
	return child_spawn(spec, NULL, ret_child, err);
}

int child_stop(struct child *child, uint64_t grace_ns)
{
	uint64_t deadline_ns = clock_now_ns() + grace_ns;
	siginfo_t info;
	pid_t pid = child->pid;

	if (pid <= 0)
		return -1;
	group_signal(pid, SIGTERM);
	do {
		info.si_pid = 0;
		if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 ||
		    info.si_pid != 0)
			break;
		(void)poll(NULL, 0, CHILD_STOP_POLL_MS); /* a signal only makes it look sooner */
	} while (clock_now_ns() < deadline_ns);
	group_signal(pid, SIGKILL); /* also what the leader left behind; it is not reaped yet */
	child->pid = 0;
	child_guard_stop(&child->guard);
	return wait_for(pid, NULL);
}

char *child_find_program(const char *name)
{
	const char *path = getenv("PATH");
	CLEANUP(free) char *folders = xasprintf("%s:%s", path ? path : "", PROGRAM_FOLDERS);
	char *rest = folders;
	char *folder;

	while ((folder = strsep(&rest, ":")) != NULL) {
		CLEANUP(free) char *program = xasprintf("%s/%s", folder, name);

		if (folder[0] == '/' && access(program, X_OK) == 0)
			return ptr_take(program);
	}
	return NULL;
}
