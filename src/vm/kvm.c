/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kvm: whether a guest really runs on it. */
#include "vm/kvm.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/child.h"
#include "base/err.h"
#include "base/file.h"

#define KVM_DEVICE "/dev/kvm"
#define ROM_BYTES 65536U
#define RESET_VECTOR 0xfff0U /* in a ROM of 64 KiB that ends where the address space does */
#define EXIT_PORT 0xf4
#define EXIT_VALUE 0x31
#define EXIT_STATUS (EXIT_VALUE << 1 | 1) /* as the device isa-debug-exit makes it */
#define TIMEOUT_NS UINT64_C(5000000000)

/* "mov al, EXIT_VALUE; out EXIT_PORT, al; hlt" at the reset vector. Descriptor, or -1. */
static int make_rom(void)
{
	static const unsigned char code[] = { 0xb0, EXIT_VALUE, 0xe6, EXIT_PORT, 0xf4 };
	CLEANUP(free) unsigned char *rom = xcalloc(1, ROM_BYTES);
	CLEANUP(fd) int fd = memfd_create("regio-rom", MFD_CLOEXEC);

	memcpy(rom + RESET_VECTOR, code, sizeof(code));
	if (fd < 0 || file_write_all(fd, rom, ROM_BYTES) < 0)
		return -1;
	return fd_take(&fd);
}

static int run_rom(const char *path, struct child_result *result, struct err *err)
{
	const char *const argv[] = {
		"qemu-system-x86_64",
		"-M",
		"q35",
		"-nodefaults",
		"-no-user-config",
		"-display",
		"none",
		"-accel",
		"kvm",
		"-cpu",
		"host",
		"-m",
		"16",
		"-bios",
		path,
		"-device",
		"isa-debug-exit,iobase=0xf4,iosize=4",
		"-no-reboot",
		NULL,
	};
	const struct child_spec spec = { .argv = argv, .timeout_ns = TIMEOUT_NS };

	return child_run(&spec, result, err);
}

int kvm_check(struct err *err)
{
	CLEANUP(child_result) struct child_result result = CHILD_RESULT_INIT;
	CLEANUP(fd) int device = open(KVM_DEVICE, O_RDWR | O_CLOEXEC);
	CLEANUP(fd) int rom = -1;
	CLEANUP(free) char *path = NULL;
	const char *line;
	int ret;

	if (device < 0)
		return err_set(err, ERR_UNSUPPORTED, KVM_DEVICE " cannot be opened");
	rom = make_rom();
	if (rom < 0)
		return err_set(err, ERR_UNSUPPORTED, "no memory for a guest");
	path = xasprintf("/proc/%d/fd/%d", (int)getpid(), rom);
	ret = run_rom(path, &result, err);
	if (ret < 0)
		return ret;
	if (result.exit_status == EXIT_STATUS)
		return 0;
	strbuf_trim(&result.err);
	line = strbuf_str(&result.err);
	return err_set(err, ERR_UNSUPPORTED, KVM_DEVICE " opens, but a guest does not run: %.*s",
		       (int)strcspn(line, "\n"), *line ? line : "it hangs");
}
