/* SPDX-License-Identifier: GPL-2.0-or-later */
/* qemu: its command line, its files in memory, its end. */
#include "vm/qemu.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/child.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/vec.h"
#include "model/guest_link.h"
#include "vm/kvm.h"

#define QEMU "qemu-system-x86_64"
#define MAX_PORT_BYTES (256UL << 20)

struct words VEC_BODY(const char *);

const char *vm_time_name(enum vm_time time)
{
	return time == VM_TIME_VIRTUAL ? "virtual" : "real";
}

int vm_time_parse(const char *text, enum vm_time *ret_time, struct err *err)
{
	for (enum vm_time time = VM_TIME_VIRTUAL; time <= VM_TIME_REAL; time++) {
		if (!strcmp(vm_time_name(time), text)) {
			*ret_time = time;
			return 0;
		}
	}
	return err_set(err, ERR_USAGE, "--time: '%s' is none of virtual, real, auto", text);
}

int vm_time_resolve(const char *text, const char **ret_name, struct err *err)
{
	bool is_auto = !strcmp(text, "auto");
	enum vm_time time = VM_TIME_REAL;
	struct err reason = { .code = 0 };
	int ret = is_auto ? 0 : vm_time_parse(text, &time, err);

	if (ret == 0 && time == VM_TIME_REAL && kvm_check(&reason) < 0) {
		if (!is_auto)
			ret = err_set(err, ERR_UNSUPPORTED,
				      "--time=real needs KVM: %s (--time=virtual works without)",
				      reason.msg);
		time = VM_TIME_VIRTUAL;
	}
	*ret_name = vm_time_name(time);
	return ret;
}

void qemu_output_release(struct qemu_output *output)
{
	strbuf_release(&output->console);
	strbuf_release(&output->results);
	free(output->command);
	*output = (struct qemu_output){ .command = NULL };
}

int qemu_version(char **ret_version, struct err *err)
{
	static const char *const argv[] = { QEMU, "--version", NULL };
	static const char prefix[] = "QEMU emulator version ";
	const struct child_spec spec = { .argv = argv };
	CLEANUP(child_result) struct child_result result = CHILD_RESULT_INIT;
	const char *text;

	if (child_run(&spec, &result, NULL) < 0 || result.exit_status != 0)
		return err_set(err, ERR_UNSUPPORTED,
			       QEMU " cannot be run (package qemu-system-x86)");
	text = strbuf_str(&result.out);
	if (!strncmp(text, prefix, strlen(prefix)))
		text += strlen(prefix);
	*ret_version = xstrndup(text, strcspn(text, "\n"));
	return 0;
}

/* ---- files in memory ---- */

enum { FILE_INITRAMFS, FILE_CONSOLE, FILE_RESULTS, NR_FILES };

struct memory_files {
	int fds[NR_FILES];
	char *paths[NR_FILES];
};

static void memory_files_release(struct memory_files *files)
{
	for (int i = 0; i < NR_FILES; i++) {
		if (files->fds[i] >= 0)
			close(files->fds[i]);
		free(files->paths[i]);
	}
}

CLEANUP_DEFINE(memory_files, struct memory_files, memory_files_release)

static int memory_files_open(struct memory_files *files, const struct qemu_config *config,
			     struct err *err)
{
	int ret;

	for (int i = 0; i < NR_FILES; i++) {
		files->fds[i] = memfd_create("regio-vm", MFD_CLOEXEC);
		if (files->fds[i] < 0)
			return err_set_errno(err, "memory for a guest");
		files->paths[i] = xasprintf("/proc/%d/fd/%d", (int)getpid(), files->fds[i]);
	}
	ret = file_write_all(files->fds[FILE_INITRAMFS], config->initramfs, config->initramfs_len);
	errno = -ret;
	return ret < 0 ? err_set_errno(err, "memory for the initramfs of a guest") : 0;
}

static void read_port(int fd, struct strbuf *out)
{
	char block[65536];
	ssize_t got;

	(void)lseek(fd, 0, SEEK_SET);
	while (out->len < MAX_PORT_BYTES && (got = read(fd, block, sizeof(block))) > 0) {
		for (ssize_t i = 0; i < got; i++) {
			if (block[i] != '\r')
				strbuf_add_char(out, block[i]);
		}
	}
}

/* ---- command line ---- */

static void add_words(struct words *argv, const char *const *words)
{
	for (; *words; words++)
		vec_push(argv, *words);
}

/* Why each of these: docs/decisions/0018-virtual-time.md. */
static void add_time(struct words *argv, const struct qemu_config *config, struct arena *arena)
{
	static const char *const virtual_time[] = {
		"-accel",  "tcg",
		"-cpu",	   "max,erms=off",
		"-smp",	   "1",
		"-icount", "shift=0,sleep=off,rr=record,rrfile=/dev/null",
		"-rtc",	   "base=2024-01-01T00:00:00,clock=vm",
		NULL,
	};
	static const char *const real_time[] = { "-accel", "kvm", "-cpu", "host", NULL };
	static const char *const loose_time[] = { "-accel", "tcg", "-cpu", "max", NULL };

	if (config->time == VM_TIME_VIRTUAL) {
		add_words(argv, virtual_time);
		vec_push(argv, "-seed");
		vec_push(argv, arena_printf(arena, "%llu", (unsigned long long)config->seed));
		return;
	}
	add_words(argv, config->time == VM_TIME_REAL ? real_time : loose_time);
	vec_push(argv, "-smp");
	vec_push(argv, arena_printf(arena, "%u", config->nr_cpus ? config->nr_cpus : 1));
}

static const char *kernel_words(const struct qemu_config *config, struct arena *arena)
{
	return arena_printf(arena,
			    "console=ttyS0 quiet panic=-1 " GUEST_PORT_VARIABLE "=" GUEST_PORT
			    " cryptomgr.notests"
			    " nokaslr norandmaps%s%s%s",
			    config->time == VM_TIME_VIRTUAL ? " nolapic_timer tsc_early_khz=1000000"
							    : "",
			    config->append ? " " : "", config->append ? config->append : "");
}

/* paths: of the three files. */
static void add_qemu(struct words *argv, const struct qemu_config *config, const char *const *paths,
		     struct arena *arena)
{
	static const char *const fixed[] = {
		QEMU,	    "-M",   "q35",	  "-nodefaults", "-no-user-config",
		"-display", "none", "-no-reboot", NULL,
	};
	static const char *const at_terminal[] = {
		"-chardev", "stdio,id=console,signal=off", "-serial", "chardev:console", NULL,
	};

	add_words(argv, fixed);
	add_time(argv, config, arena);
	vec_push(argv, "-m");
	vec_push(argv, arena_printf(arena, "%u", config->memory_mib));
	vec_push(argv, "-kernel");
	vec_push(argv, config->vmlinux);
	vec_push(argv, "-initrd");
	vec_push(argv, paths[FILE_INITRAMFS]);
	if (config->is_shell) /* Ctrl-C is for the guest */
		add_words(argv, at_terminal);
	for (int i = config->is_shell ? FILE_RESULTS : FILE_CONSOLE; i < NR_FILES; i++) {
		vec_push(argv, "-serial");
		vec_push(argv, arena_printf(arena, "file:%s", paths[i]));
	}
	vec_push(argv, "-append");
	vec_push(argv, kernel_words(config, arena));
}

static char *command_text(const struct qemu_config *config)
{
	static const char *const names[NR_FILES] = { "initramfs", "console", "results" };
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	struct words argv = VEC_INIT;

	add_qemu(&argv, config, names, &arena);
	for (size_t i = 0; i < argv.nr; i++) {
		const char *quote = strchr(argv.items[i], ' ') ? "'" : "";

		strbuf_printf(&text, "%s%s%s%s", i ? " " : "", quote, argv.items[i], quote);
	}
	vec_release(&argv);
	return strbuf_take(&text);
}

/* ---- running ---- */

static int spawn(const struct qemu_config *config, const struct memory_files *files,
		 struct child_result *result, struct err *err)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	struct child_spec spec = {
		.timeout_ns = config->is_shell ? 0 : config->timeout_ns,
		.stop = config->stop,
		.is_at_terminal = config->is_shell,
		.is_on_one_cpu = config->time == VM_TIME_VIRTUAL,
	};
	struct termios modes;
	bool has_terminal = config->is_shell && tcgetattr(STDIN_FILENO, &modes) == 0;
	struct words argv = VEC_INIT;
	int ret;

	add_qemu(&argv, config, (const char *const *)files->paths, &arena);
	vec_push(&argv, NULL);
	spec.argv = argv.items;
	ret = child_run(&spec, result, err);
	if (has_terminal) /* also when QEMU was killed in raw mode */
		(void)tcsetattr(STDIN_FILENO, TCSADRAIN, &modes);
	vec_release(&argv);
	return ret;
}

int qemu_run(const struct qemu_config *config, struct qemu_output *ret_output, struct err *err)
{
	CLEANUP(memory_files) struct memory_files files = { .fds = { -1, -1, -1 } };
	CLEANUP(child_result) struct child_result result = CHILD_RESULT_INIT;
	uint64_t start_ns = clock_now_ns();
	int ret = memory_files_open(&files, config, err);

	if (ret == 0)
		ret = spawn(config, &files, &result, err);
	if (ret < 0)
		return ret;
	*ret_output = (struct qemu_output){ .command = command_text(config),
					    .wall_ns = clock_now_ns() - start_ns,
					    .is_timeout = result.is_timeout };
	read_port(files.fds[FILE_CONSOLE], &ret_output->console);
	read_port(files.fds[FILE_RESULTS], &ret_output->results);
	if (result.is_timeout || result.exit_status == 0)
		return 0;
	strbuf_trim(&result.err);
	strbuf_truncate(&result.err, strcspn(strbuf_str(&result.err), "\n")); /* registers follow */
	if (result.term_signal)
		return err_set(err, ERR_SYSTEM, "QEMU was ended by signal %d%s%s",
			       result.term_signal, result.err.len ? ": " : "",
			       strbuf_str(&result.err));
	return err_set(err, ERR_SYSTEM, "QEMU ended with status %d: %s", result.exit_status,
		       strbuf_str(&result.err));
}
