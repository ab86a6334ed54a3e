/* SPDX-License-Identifier: GPL-2.0-or-later */
/* worker_place: on which CPUs and nodes, as whom and how important the thread of a worker runs. */
#include "load/worker_hot.h"

#include <errno.h>
#include <linux/mempolicy.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/file.h"
#include "model/job.h"

#define IOPRIO_CLASS_SHIFT 13
#define IOPRIO_HINT_SHIFT 3
#define IOPRIO_WHO_PROCESS 1

static bool has_cpu(const struct cpu_list *list, unsigned cpu)
{
	return list->bits[cpu / 64] >> (cpu % 64) & 1;
}

/* The number-th CPU of the list, counted around it. */
static unsigned nth_cpu(const struct cpu_list *list, size_t number)
{
	unsigned cpu = 0;

	number %= list->nr;
	for (;; cpu++) {
		if (has_cpu(list, cpu) && number-- == 0)
			return cpu;
	}
}

static int bind_cpus(const struct worker *worker, const struct cpu_list *cpus, const char *what,
		     struct err *err)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (unsigned cpu = 0; cpu < JOB_MAX_CPUS && cpu < CPU_SETSIZE; cpu++) {
		if (has_cpu(cpus, cpu))
			CPU_SET(cpu, &set);
	}
	if (worker->job->cpus_allowed_policy == CPUS_SPLIT) {
		unsigned cpu = nth_cpu(cpus, worker->config.plan->thread_number);

		CPU_ZERO(&set);
		CPU_SET(cpu, &set);
	}
	if (sched_setaffinity(0, sizeof(set), &set) < 0)
		return err_set_errno(err, "%s: bind the worker to its CPUs", what);
	return 0;
}

/* Adds the CPUs of a node, which the kernel writes as "0-3,8". */
static int add_node_cpus(unsigned node, struct cpu_list *cpus, struct err *err)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	char path[64];
	const char *pos;

	(void)snprintf(path, sizeof(path), "/sys/devices/system/node/node%u/cpulist", node);
	if (file_read(path, 65536, &text, err) < 0)
		return err_prefix(err, "numa_cpu_nodes: node %u", node);
	for (pos = strbuf_str(&text); *pos >= '0' && *pos <= '9';) {
		char *end;
		unsigned long first = strtoul(pos, &end, 10);
		unsigned long last = *end == '-' ? strtoul(end + 1, &end, 10) : first;

		for (unsigned long cpu = first; cpu <= last && cpu < JOB_MAX_CPUS; cpu++) {
			cpus->nr += !has_cpu(cpus, (unsigned)cpu);
			cpus->bits[cpu / 64] |= UINT64_C(1) << (cpu % 64);
		}
		pos = *end == ',' ? end + 1 : end;
	}
	return 0;
}

static int set_cpus(const struct worker *worker, struct err *err)
{
	const struct job *job = worker->job;
	struct cpu_list cpus = { .nr = 0 };

	if (job->cpus_allowed.nr > 0)
		return bind_cpus(worker, &job->cpus_allowed, "cpus_allowed", err);
	for (unsigned node = 0; node < JOB_MAX_CPUS && job->numa_cpu_nodes.nr > 0; node++) {
		if (has_cpu(&job->numa_cpu_nodes, node) && add_node_cpus(node, &cpus, err) < 0)
			return -ERR_SYSTEM;
	}
	return cpus.nr > 0 ? bind_cpus(worker, &cpus, "numa_cpu_nodes", err) : 0;
}

/* Before the buffers are mapped and touched. */
static int set_memory_policy(const struct job *job, struct err *err)
{
	static const int modes[] = {
		[NUMA_DEFAULT] = MPOL_DEFAULT, [NUMA_PREFER] = MPOL_PREFERRED,
		[NUMA_BIND] = MPOL_BIND,       [NUMA_INTERLEAVE] = MPOL_INTERLEAVE,
		[NUMA_LOCAL] = MPOL_LOCAL,
	};
	const struct numa_policy *policy = &job->numa_mem_policy;
	const uint64_t *nodes = policy->nodes.nr > 0 ? policy->nodes.bits : NULL;

	if (!policy->is_set)
		return 0;
	/* the kernel counts one bit less than it is told */
	if (syscall(SYS_set_mempolicy, modes[policy->mode], nodes, nodes ? JOB_MAX_CPUS : 0) < 0)
		return err_set_errno(err, "numa_mem_policy: set the policy of the worker");
	return 0;
}

static int set_priorities(const struct worker *worker, struct err *err)
{
	const struct job *job = worker->job;
	unsigned priority_class = job->prioclass;

	if (job->nice && setpriority(PRIO_PROCESS, (id_t)worker->tid, job->nice) < 0)
		return err_set_errno(err, "nice: set the priority of the worker");
	if (!priority_class && !job->has_prio && !job->priohint)
		return 0;
	if (!priority_class)
		priority_class = 2; /* best effort, of which prio= is a level */
	if (syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0,
		    priority_class << IOPRIO_CLASS_SHIFT | job->priohint << IOPRIO_HINT_SHIFT |
			    job->prio) < 0)
		return err_set_errno(err, "prio: set the I/O priority of the worker");
	return 0;
}

/* The C library would change all threads; the kernel changes the one that asks. */
static int set_owner(const struct job *job, struct err *err)
{
	const unsigned keep = (unsigned)-1;

	if (job->gid_plus_one && syscall(SYS_setresgid, keep, job->gid_plus_one - 1, keep) < 0)
		return err_set_errno(err, "gid: become group %u", job->gid_plus_one - 1);
	if (job->uid_plus_one && syscall(SYS_setresuid, keep, job->uid_plus_one - 1, keep) < 0)
		return err_set_errno(err, "uid: become user %u", job->uid_plus_one - 1);
	return 0;
}

int worker_take_place(const struct worker *worker, struct err *err)
{
	int ret = set_cpus(worker, err);

	if (ret == 0)
		ret = set_memory_policy(worker->job, err);
	if (ret == 0)
		ret = set_priorities(worker, err);
	return ret < 0 ? ret : set_owner(worker->job, err);
}
