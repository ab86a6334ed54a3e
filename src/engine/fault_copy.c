/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fault_copy: turns the SIGBUS of one memcpy into a result. Why it faulted is left to others. */
#include "engine/fault_copy.h"

#include <setjmp.h>
#include <stdatomic.h>
#include <string.h>
#include <ucontext.h>

#include "base/err.h"

/*
 * Where the handler of this thread goes, NULL outside a copy. State that a signal handler needs
 * cannot come in as an argument.
 */
static sigjmp_buf *volatile *fault_target(void)
{
	static _Thread_local sigjmp_buf *volatile target;

	return &target;
}

static void fault_handle(int signal_nr, siginfo_t *info, void *arg)
{
	const ucontext_t *interrupted = arg;
	sigjmp_buf *target = *fault_target();
	const struct sigaction as_default = { .sa_handler = SIG_DFL };

	(void)info;
	if (target) {
		/* What returning from the handler would do; here, so that no copy saves a mask. */
		(void)pthread_sigmask(SIG_SETMASK, &interrupted->uc_sigmask, NULL);
		siglongjmp(*target, 1);
	}
	(void)sigaction(signal_nr, &as_default, NULL); /* the access faults again, for good */
}

int fault_copy_enable(sigset_t *ret_mask, struct err *err)
{
	const struct sigaction action = { .sa_sigaction = fault_handle, .sa_flags = SA_SIGINFO };
	sigset_t bus;

	if (sigaction(SIGBUS, &action, NULL) < 0)
		return err_set_errno(err, "handle SIGBUS");
	(void)sigemptyset(&bus);
	(void)sigaddset(&bus, SIGBUS);
	(void)pthread_sigmask(SIG_UNBLOCK, &bus, ret_mask); /* valid arguments: cannot fail */
	return 0;
}

void fault_copy_disable(const sigset_t *mask)
{
	(void)pthread_sigmask(SIG_SETMASK, mask, NULL);
}

bool fault_copy(void *to, const void *from, size_t len)
{
	sigjmp_buf *volatile *target = fault_target();
	sigjmp_buf here;

	if (sigsetjmp(here, 0) != 0) {
		*fault_target() = NULL;
		return false;
	}
	*target = &here;
	atomic_signal_fence(memory_order_seq_cst); /* the copy stays between the two stores */
	memcpy(to, from, len);
	atomic_signal_fence(memory_order_seq_cst);
	*target = NULL;
	return true;
}
