/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exec: runs a program beside the I/O of other jobs. The first request starts it, each waits for it
 * a little while, and the job ends when it has exited. What still runs at the end is killed.
 */
#include "engine/engine_table.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/child_guard.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/spawn.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "engine/engine.h"

#define SLICE_NS UINT64_C(100000000) /* of one request */
#define LOOK_NS UINT64_C(5000000)    /* between two looks at the program */
#define OUTPUT_MODE 0644

struct word_list VEC_BODY(char *);

struct exec_state {
	struct arena arena;
	char *const *words;		 /* program and arguments, NULL-terminated */
	const char *out_path, *err_path; /* NULL: where our own go */
	uint64_t grace_ns;
	atomic_bool *end;
	pid_t pid; /* 0: not started yet, or gone */
	struct child_guard guard;
	bool has_started;
};

/* %r is the runtime in seconds and %n the name of the job. */
static char *exec_expand(struct arena *arena, const char *word, const struct engine_config *config)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;

	for (; *word; word++) {
		if (word[0] == '%' && word[1] == 'r')
			strbuf_printf(&text, "%llu",
				      (unsigned long long)(config->runtime_ns / 1000000000));
		else if (word[0] == '%' && word[1] == 'n')
			strbuf_add_str(&text, config->job_name ? config->job_name : "");
		else
			strbuf_add_char(&text, *word);
		if (word[0] == '%' && (word[1] == 'r' || word[1] == 'n'))
			word++;
	}
	return arena_strdup(arena, strbuf_str(&text));
}

static char *const *exec_split(struct arena *arena, const struct engine_config *config)
{
	struct word_list words = VEC_INIT;
	char *left =
		config->options.arguments ? arena_strdup(arena, config->options.arguments) : NULL;
	char *const *ret;

	vec_push(&words, arena_strdup(arena, config->options.program));
	for (char *word = left ? strtok_r(left, " \t", &left) : NULL; word;
	     word = strtok_r(NULL, " \t", &left))
		vec_push(&words, exec_expand(arena, word, config));
	vec_push(&words, NULL);
	ret = arena_memdup(arena, words.items, words.nr * sizeof(*words.items));
	vec_release(&words);
	return ret;
}

static int exec_open(const struct engine_config *config, void **ret_state, struct err *err)
{
	struct exec_state *state;

	if (!config->options.program)
		return err_set(err, ERR_INPUT, "exec: program is needed");
	state = xcalloc(1, sizeof(*state));
	state->words = exec_split(&state->arena, config);
	state->grace_ns = config->options.grace_ns;
	state->end = config->end;
	if (config->options.std_redirect && config->job_name) {
		state->out_path = arena_printf(&state->arena, "%s.stdout", config->job_name);
		state->err_path = arena_printf(&state->arena, "%s.stderr", config->job_name);
	}
	child_guard_start(&state->guard);
	*ret_state = state;
	return 0;
}

static int output_open(const char *path)
{
	return path ? open(path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, OUTPUT_MODE) : -1;
}

static int exec_start(struct exec_state *state)
{
	CLEANUP(fd) int out_fd = output_open(state->out_path);
	CLEANUP(fd) int err_fd = output_open(state->err_path);
	const struct spawn_spec spec = {
		.argv = (const char *const *)state->words,
		.fds = { -1, out_fd, err_fd },
		.notice_fd = state->guard.fd,
	};
	int ret;

	if ((state->out_path && out_fd < 0) || (state->err_path && err_fd < 0))
		return -errno;
	ret = spawn(&spec, &state->pid);
	if (ret < 0) {
		state->pid = 0;
		spawn_notice(state->guard.fd, 0);
	}
	return ret;
}

/* True once it has exited; *ret_status as of waitpid. */
static bool exec_has_exited(struct exec_state *state, int *ret_status)
{
	if (waitpid(state->pid, ret_status, WNOHANG) != state->pid)
		return false;
	state->pid = 0;
	spawn_notice(state->guard.fd, 0);
	return true;
}

static int64_t exec_wait(struct exec_state *state)
{
	uint64_t end_ns = clock_now_ns() + SLICE_NS;
	int status;

	while (clock_now_ns() < end_ns) {
		if (exec_has_exited(state, &status)) {
			if (state->end)
				atomic_store(state->end, true);
			return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -ECANCELED;
		}
		(void)clock_sleep_until_ns(clock_now_ns() + LOOK_NS);
	}
	return 0;
}

/* Counted as an I/O without bytes. */
static int exec_submit(void *arg, struct io_req *const *reqs, size_t nr)
{
	struct exec_state *state = arg;
	struct io_req *req = reqs[0];

	(void)nr;
	req->len_bytes = 0;
	req->result = 0;
	if (req->dir == IO_SYNC)
		return 1;
	if (!state->has_started) {
		state->has_started = true;
		req->result = exec_start(state);
	}
	if (req->result == 0 && state->pid > 0)
		req->result = exec_wait(state);
	return 1;
}

static void exec_close(void *arg)
{
	struct exec_state *state = arg;
	uint64_t deadline_ns = clock_now_ns() + state->grace_ns;
	int status;

	if (state->pid > 0)
		(void)kill(state->pid, SIGTERM);
	while (state->pid > 0 && clock_now_ns() < deadline_ns && !exec_has_exited(state, &status))
		(void)clock_sleep_until_ns(clock_now_ns() + LOOK_NS);
	if (state->pid > 0) {
		(void)kill(state->pid, SIGKILL);
		(void)waitpid(state->pid, &status, 0);
	}
	child_guard_stop(&state->guard);
	arena_release(&state->arena);
	free(state);
}

const struct engine_ops engine_exec = {
	.name = "exec",
	.summary = "run a program beside the I/O of other jobs",
	.flags = ENGINE_SYNC | ENGINE_NO_DATA | ENGINE_NO_FILES | ENGINE_NO_IO,
	.open = exec_open,
	.submit = exec_submit,
	.close = exec_close,
};
