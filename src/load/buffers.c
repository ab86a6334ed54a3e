/* SPDX-License-Identifier: GPL-2.0-or-later */
/* buffers: anonymous, shared, huge and file-backed memory for I/O. */
#include "load/buffers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "model/job.h"

#define HUGE_PAGE_BYTES (2U << 20) /* of x86 and arm64 as Debian configures them */
#define FILE_MODE 0600

static size_t round_up(size_t value, size_t multiple)
{
	return (value + multiple - 1) / multiple * multiple;
}

static bool is_huge(const struct job *job)
{
	return job->mem.kind == MEM_SHMHUGE || job->mem.kind == MEM_MMAPHUGE;
}

static int map_failed(const struct job *job, size_t bytes, struct err *err)
{
	return err_set_errno(err, "map %zu bytes of buffers%s", bytes,
			     is_huge(job) ? " from huge pages (vm.nr_hugepages)" : "");
}

/* Gone when it is detached, however the program ends. */
static int map_shm(const struct job *job, struct buffers *buffers, struct err *err)
{
	int flags = IPC_CREAT | FILE_MODE | (is_huge(job) ? SHM_HUGETLB : 0);
	int id = shmget(IPC_PRIVATE, buffers->mapping_bytes, flags);
	void *mapping;

	if (id < 0)
		return map_failed(job, buffers->mapping_bytes, err);
	mapping = shmat(id, NULL, 0);
	(void)shmctl(id, IPC_RMID, NULL);
	if (mapping == (void *)-1)
		return map_failed(job, buffers->mapping_bytes, err);
	buffers->mapping = mapping;
	buffers->is_shm = true;
	memset(mapping, 0, buffers->mapping_bytes);
	return 0;
}

/* The file of mem=mmap:FILE; each clone has its own. */
static int open_backing(const struct job *job, size_t bytes, unsigned number, int *ret_fd,
			struct err *err)
{
	CLEANUP(free) char *path = xasprintf("%s.%u", job->mem.path, number);
	CLEANUP(fd) int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, FILE_MODE);

	if (fd < 0 || ftruncate(fd, (off_t)bytes) < 0)
		return err_set_errno(err, "mem: make '%s' for the buffers", path);
	(void)unlink(path);
	*ret_fd = fd_take(&fd);
	return 0;
}

static int map_memory(const struct job *job, unsigned number, struct buffers *buffers,
		      struct err *err)
{
	CLEANUP(fd) int fd = -1;
	int flags = MAP_POPULATE;
	void *mapping;

	if (job->mem.path && open_backing(job, buffers->mapping_bytes, number, &fd, err) < 0)
		return -ERR_SYSTEM;
	if (fd < 0)
		flags |= MAP_ANONYMOUS;
	flags |= fd >= 0 || job->mem.kind == MEM_MMAPSHARED ? MAP_SHARED : MAP_PRIVATE;
	if (is_huge(job) && fd < 0)
		flags |= MAP_HUGETLB;
	mapping = mmap(NULL, buffers->mapping_bytes, PROT_READ | PROT_WRITE, flags, fd, 0);
	if (mapping == MAP_FAILED)
		return map_failed(job, buffers->mapping_bytes, err);
	buffers->mapping = mapping;
	return 0;
}

int buffers_map(const struct job *job, size_t bytes, unsigned number, struct buffers *ret_buffers,
		struct err *err)
{
	size_t page_bytes = is_huge(job) ? HUGE_PAGE_BYTES : (size_t)sysconf(_SC_PAGESIZE);
	size_t align_bytes = (size_t)job->iomem_align_bytes;
	size_t spare_bytes = align_bytes > page_bytes ? align_bytes : 0;
	struct buffers buffers = {
		.bytes = bytes,
		.mapping_bytes = round_up(bytes + spare_bytes, page_bytes),
	};
	int ret;

	if (job->mem.kind == MEM_SHM || job->mem.kind == MEM_SHMHUGE)
		ret = map_shm(job, &buffers, err);
	else
		ret = map_memory(job, number, &buffers, err);
	if (ret < 0)
		return ret;
	buffers.start = buffers.mapping;
	if (spare_bytes)
		buffers.start = (void *)round_up((uintptr_t)buffers.mapping, align_bytes);
	*ret_buffers = buffers;
	return 0;
}

void buffers_release(struct buffers *buffers)
{
	if (buffers->mapping && buffers->is_shm)
		(void)shmdt(buffers->mapping);
	else if (buffers->mapping)
		(void)munmap(buffers->mapping, buffers->mapping_bytes);
	*buffers = (struct buffers){ .start = NULL };
}
