/* SPDX-License-Identifier: GPL-2.0-or-later */
/* guest_memory: how much is too little or too much, and who says that it is out. */
#include "vm/guest_memory.h"

#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "test.h"

#define MIB (1U << 20)

struct kernel_head {
	Elf64_Ehdr header;
	Elf64_Phdr segments[2];
};

/* Ends at 48 MiB; the second segment is loaded nowhere. */
static const struct kernel_head kernel = {
	.header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, 1 },
		.e_machine = EM_X86_64,
		.e_phoff = sizeof(Elf64_Ehdr),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 2,
	},
	.segments = {
		{ .p_type = PT_LOAD, .p_paddr = 16 * MIB, .p_memsz = 32 * MIB },
		{ .p_type = PT_NOTE, .p_paddr = 16 * MIB, .p_memsz = 512 * MIB },
	},
};

static int check(const struct kernel_head *head, size_t len, unsigned memory_mib, struct err *err)
{
	char path[] = "/tmp/regio-test-XXXXXX";
	int fd = mkstemp(path);
	int ret;

	assert_true(fd >= 0);
	assert_int_equal(file_write_all(fd, head, len), 0);
	(void)close(fd);
	ret = guest_memory_check(path, 4 * MIB, memory_mib, err);
	(void)unlink(path);
	return ret;
}

static void kernel_and_initramfs_have_to_fit(void **state)
{
	struct err err = { .code = 0 };

	(void)state;
	assert_int_equal(check(&kernel, sizeof(kernel), 57, &err), 0);
	assert_int_equal(check(&kernel, sizeof(kernel), 56, &err), -ERR_USAGE);
	assert_string_equal(err.msg,
			    "--vm-memory: 56 MiB are too little for this guest: kernel and "
			    "initramfs alone fill about 57 MiB");
	assert_int_equal(check(&kernel, sizeof(kernel), 0, &err), -ERR_USAGE);
}

static void the_machine_has_to_have_it(void **state)
{
	struct err err = { .code = 0 };

	(void)state;
	assert_int_equal(check(&kernel, sizeof(kernel), UINT_MAX, &err), -ERR_USAGE);
	assert_non_null(strstr(err.msg, "4294967295 MiB are more than this machine has: "));
	assert_int_equal(guest_memory_check("/nonexistent", 0, 1024, &err), -ERR_SYSTEM);
}

/* A file that says nothing of its end, or is cut off, asks for its initramfs only. */
static void nothing_in_the_file_is_trusted(void **state)
{
	struct kernel_head odd = kernel;

	(void)state;
	for (size_t len = 0; len < sizeof(kernel); len++)
		assert_int_equal(check(&kernel, len, 9, NULL), 0);
	odd.header.e_phoff = UINT64_MAX;
	assert_int_equal(check(&odd, sizeof(odd), 9, NULL), 0);
	odd = kernel;
	odd.header.e_phnum = UINT16_MAX;
	assert_int_equal(check(&odd, sizeof(odd), 9, NULL), 0);
	odd = kernel;
	odd.segments[0].p_memsz = UINT64_MAX;
	assert_int_equal(check(&odd, sizeof(odd), 9, NULL), 0);
}

static void the_kernel_says_that_it_is_out(void **state)
{
	static const char text[] =
		"[ 1.0] Kernel panic - not syncing: System is deadlocked on memory\n";

	(void)state;
	assert_ptr_equal(guest_memory_find_end(text), strstr(text, "System is"));
	assert_null(guest_memory_find_end("[ 1.0] Kernel panic - not syncing: Fatal exception\n"));
	assert_null(guest_memory_find_end(""));
}

static void files_of_the_stack_may_find_no_room(void **state)
{
	static const char made[] = "stack:1: layer 'loop': make /var/tmp/loop0 of 1GiB: No space";

	(void)state;
	assert_true(guest_memory_is_full(made, ENOSPC));
	assert_false(guest_memory_is_full(made, EPERM));
	assert_false(guest_memory_is_full("lay out /var/tmp/mnt/j.0.0: No space", ENOSPC));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernel_and_initramfs_have_to_fit),
		cmocka_unit_test(the_machine_has_to_have_it),
		cmocka_unit_test(nothing_in_the_file_is_trusted),
		cmocka_unit_test(the_kernel_says_that_it_is_out),
		cmocka_unit_test(files_of_the_stack_may_find_no_room),
	};

	return cmocka_run_group_tests_name("guest_memory", tests, NULL, NULL);
}
