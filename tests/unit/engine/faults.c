/* SPDX-License-Identifier: GPL-2.0-or-later */
/* faults: a seccomp filter with a supervisor that makes chosen system calls fail. */
#include "faults.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "test.h"

#define LISTENER_PENDING -2 /* -1: the filter was refused */

struct faulted_thread {
	const struct fault *fault;
	void (*body)(void *arg);
	void *arg;
	atomic_int listener;
};

/* The descriptor on which the supervisor is asked, or -1. Applies to the calling thread. */
static int filter_install(long syscall_nr)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)syscall_nr, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = sizeof(code) / sizeof(code[0]), .filter = code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
			    &program);
}

static void *thread_main(void *arg)
{
	struct faulted_thread *thread = arg;
	int listener = filter_install(thread->fault->syscall_nr);

	atomic_store(&thread->listener, listener);
	if (listener >= 0)
		thread->body(thread->arg);
	return NULL;
}

/* Answers until the thread has ended. */
static struct fault_count supervise(int listener, const struct fault *fault)
{
	struct pollfd pollfd = { .fd = listener, .events = POLLIN };
	struct fault_count count = { .nr_calls = 0 };

	while (poll(&pollfd, 1, -1) > 0 && (pollfd.revents & POLLIN)) {
		struct seccomp_notif call = { .id = 0 };
		struct seccomp_notif_resp answer = { .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE };

		if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) < 0)
			continue;
		count.nr_calls++;
		if (count.nr_failed < fault->nr) {
			answer.flags = 0;
			answer.error = -fault->error;
			count.nr_failed++;
		}
		answer.id = call.id;
		(void)ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
	}
	return count;
}

bool faults_run(const struct fault *fault, void (*body)(void *arg), void *arg,
		struct fault_count *ret_count)
{
	struct faulted_thread thread = { .fault = fault, .body = body, .arg = arg };
	pthread_t id;
	int listener;

	atomic_init(&thread.listener, LISTENER_PENDING);
	assert_int_equal(pthread_create(&id, NULL, thread_main, &thread), 0);
	do {
		listener = atomic_load(&thread.listener);
	} while (listener == LISTENER_PENDING && usleep(100) == 0);
	if (listener >= 0) {
		*ret_count = supervise(listener, fault);
		close(listener);
	}
	assert_int_equal(pthread_join(id, NULL), 0);
	return listener >= 0;
}
