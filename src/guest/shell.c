/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shell: busybox on the console, for a person. */
#include "guest/shell.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/err.h"
#include "guest/plan.h"
#include "guest/work.h"
#include "journal/journal.h"
#include "model/guest_link.h"
#include "stack/stack.h"

#define CONSOLE "/dev/ttyS0"
#define STATE_DIR "/tmp/regio"

/* The names of its programs: /bin/ls is a link to it. Without them `busybox ls` still works. */
static void install_names(void)
{
	static const char *const argv[] = { "/" GUEST_SHELL, "--install", "-s", "/bin", NULL };
	pid_t pid = fork();

	if (pid == 0) {
		execv(argv[0], (char *const *)argv);
		_exit(127);
	}
	if (pid > 0)
		(void)waitpid(pid, NULL, 0);
}

/* In the child: a session of its own, with the console as its terminal. */
static void become_shell(void)
{
	static const char *const argv[] = { "sh", NULL };
	int fd;

	(void)setsid();
	fd = open(CONSOLE, O_RDWR);
	if (fd < 0 || ioctl(fd, TIOCSCTTY, 1) != 0)
		_exit(126);
	for (int i = 0; i < 3; i++)
		(void)dup2(fd, i);
	execv("/" GUEST_SHELL, (char *const *)argv);
	_exit(127);
}

static int build_stack(const struct guest_plan *plan, struct err *err)
{
	const struct stack_context context = { .is_guest = true };
	CLEANUP(stack) struct stack *stack = NULL;
	CLEANUP(stack_built) struct stack_built built = { .nr = 0 };
	struct journal *journal; /* the machine ends with the shell: nothing needs a way back */
	int ret = work_parse_stack(plan, &stack, err);

	if (ret < 0 || !stack)
		return ret;
	ret = journal_open(STATE_DIR, &journal, err);
	if (ret == 0)
		ret = stack_build(stack, &context, journal, &built, err);
	for (size_t i = 0; ret == 0 && i < built.nr; i++)
		fprintf(stderr, "%s: %s\r\n", built.items[i].layer, built.items[i].path);
	return ret;
}

int shell_run(const struct guest_plan *plan, struct err *err)
{
	int status = 0;
	int ret = build_stack(plan, err);
	pid_t pid;

	if (ret < 0)
		return ret;
	install_names();
	pid = fork();
	if (pid == 0)
		become_shell();
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return err_set_errno(err, "guest: start the shell");
	if (WIFEXITED(status) && WEXITSTATUS(status) >= 126)
		return err_set(err, ERR_SYSTEM, "guest: the shell cannot be started on " CONSOLE);
	return 0;
}
