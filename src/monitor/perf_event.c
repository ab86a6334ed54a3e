/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf_event: counters of the CPUs and of the kernel through perf_event_open(2). */
#include "monitor/perf_event.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "monitor/numbered.h"

static int open_one(struct perf_event_attr *attr, int cpu)
{
	return (int)syscall(SYS_perf_event_open, attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* On machines with hundreds of CPUs the events need more descriptors than the soft limit. */
static void raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &limit); /* may only help */
}

static int open_retry(struct perf_event_attr *attr, int cpu)
{
	int fd = open_one(attr, cpu);

	if (fd >= 0 || errno != EMFILE)
		return fd;
	raise_limit();
	return open_one(attr, cpu);
}

static int explain(struct err *err)
{
	if (errno == EACCES || errno == EPERM)
		return err_set(err, ERR_UNSUPPORTED,
			       "kernel.perf_event_paranoid lets only root count on whole CPUs");
	if (errno == ENOENT || errno == EOPNOTSUPP || errno == ENODEV)
		return err_set(err, ERR_UNSUPPORTED, "not counted by this CPU or virtual machine");
	return err_set_errno(err, "perf_event_open");
}

int perf_event_open_all(struct perf_event_attr *attr, struct perf_event *ret_event, struct err *err)
{
	CLEANUP(free) unsigned *cpus = NULL;
	size_t nr_cpus = numbered_list("/sys/devices/system/cpu", "cpu", &cpus);
	struct perf_event event = { .fds = xcalloc(nr_cpus + 1, sizeof(*event.fds)) };
	int error = ENODEV;

	attr->size = sizeof(*attr);
	for (size_t i = 0; i < nr_cpus; i++) {
		int fd = open_retry(attr, (int)cpus[i]);

		if (fd >= 0) {
			event.fds[event.nr++] = fd;
			continue;
		}
		error = errno;
		if (error != ENODEV) /* ENODEV: this CPU is offline */
			break;
	}
	if (event.nr == 0 || error != ENODEV) {
		perf_event_close(&event);
		errno = error;
		return explain(err);
	}
	*ret_event = event;
	return 0;
}

int perf_event_count_all(uint32_t type, uint64_t config, struct perf_event *ret_event,
			 struct err *err)
{
	struct perf_event_attr attr = {
		.type = type,
		.config = config,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};

	return perf_event_open_all(&attr, ret_event, err);
}

int perf_event_read(const struct perf_event *event, double *ret_count)
{
	double sum = 0;

	for (size_t i = 0; i < event->nr; i++) {
		struct {
			uint64_t count, enabled_ns, running_ns;
		} now;

		if (read(event->fds[i], &now, sizeof(now)) != (ssize_t)sizeof(now))
			return -1;
		if (now.running_ns == 0 && now.enabled_ns > 0)
			return -1;
		if (now.running_ns > 0)
			sum += (double)now.count *
			       ((double)now.enabled_ns / (double)now.running_ns);
	}
	*ret_count = sum;
	return 0;
}

void perf_event_close(struct perf_event *event)
{
	for (size_t i = 0; i < event->nr; i++)
		(void)close(event->fds[i]);
	free(event->fds);
	*event = (struct perf_event){ .nr = 0 };
}
