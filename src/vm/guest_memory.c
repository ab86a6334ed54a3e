/* SPDX-License-Identifier: GPL-2.0-or-later */
/* guest_memory: too little of it, too much of it, and the words of a kernel that has none left. */
#include "vm/guest_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "vm/elf_file.h"

#define OPTION "--vm-memory"
#define MIB (UINT64_C(1) << 20)
#define HEAD_BYTES 4096 /* the program headers lie in them */

/* Where the kernel ends in memory; 0 where the file does not say. */
static int read_load_end(const char *vmlinux, uint64_t *ret_end_bytes, struct err *err)
{
	CLEANUP(fd) int fd = open(vmlinux, O_RDONLY | O_CLOEXEC);
	char head[HEAD_BYTES];
	ssize_t got = fd < 0 ? -1 : pread(fd, head, sizeof(head), 0);

	if (got < 0)
		return err_set_errno(err, "read %s", vmlinux);
	*ret_end_bytes = elf_load_end(head, (size_t)got);
	return 0;
}

int guest_memory_check(const char *vmlinux, size_t initramfs_len, unsigned memory_mib,
		       struct err *err)
{
	uint64_t host_mib =
		(uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / MIB;
	uint64_t need_mib;
	uint64_t end_bytes;
	int ret = read_load_end(vmlinux, &end_bytes, err);

	if (ret < 0)
		return ret;
	need_mib = (end_bytes + 2 * (uint64_t)initramfs_len) / MIB + 1; /* packed and unpacked */
	if (memory_mib < need_mib)
		return err_set(err, ERR_USAGE,
			       OPTION ": %u MiB are too little for this guest: kernel and "
				      "initramfs alone fill about %llu MiB",
			       memory_mib, (unsigned long long)need_mib);
	if (memory_mib > host_mib)
		return err_set(err, ERR_USAGE,
			       OPTION ": %u MiB are more than this machine has: %llu MiB",
			       memory_mib, (unsigned long long)host_mib);
	return 0;
}

const char *guest_memory_find_end(const char *console)
{
	static const char *const words[] = {
		"Out of memory: Killed process",
		"System is deadlocked on memory",
		"Initramfs unpacking failed: write error",
	};
	const char *first = NULL;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const char *found = strstr(console, words[i]);

		if (found && (!first || found < first))
			first = found;
	}
	return first;
}

bool guest_memory_is_full(const char *message, int error)
{
	/* filesystems that are built there, and files in them, have a size of their own */
	return error == ENOSPC && strstr(message, "layer '") && strstr(message, "': make /");
}
