/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hdd_server: a process of two threads: one waits in the driver, the other is the disk. */
#include "stack/hdd_server.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/nbd.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"

#define CONTROL_FD 3 /* of the process; 0 to 2 are /dev/null */

struct disk {
	struct hdd hdd;
	unsigned char *data;
	int socket;
	unsigned depth;
	bool is_nearest;
	uint64_t free_ns; /* when it is done with what it did last */
	struct hdd_wait waits[HDD_MAX_DEPTH];
	struct nbd_request requests[HDD_MAX_DEPTH];
	unsigned nr;
};

/* ---- the disk ---- */

static bool read_all(int fd, void *data, size_t len)
{
	for (size_t at = 0; at < len;) {
		ssize_t got = read(fd, (char *)data + at, len - at);

		if (got < 0 && errno == EINTR) /* only outside of the process */
			continue;
		if (got <= 0)
			return false;
		at += (size_t)got;
	}
	return true;
}

static unsigned command_of(const struct nbd_request *request)
{
	return be32toh(request->type) & 0xffff;
}

/* Data to be written are taken at once: nobody may read them before the answer. */
static bool take_data(struct disk *disk, const struct nbd_request *request)
{
	uint64_t from = be64toh(request->from);
	uint64_t len = be32toh(request->len);

	if (from > disk->hdd.size_bytes || len > disk->hdd.size_bytes - from)
		return false; /* the driver sends no such thing */
	return command_of(request) != NBD_CMD_WRITE ||
	       read_all(disk->socket, disk->data + from, len);
}

enum taken { TAKEN_NONE, TAKEN_ONE, TAKEN_END };

/* flags: MSG_DONTWAIT, or 0 to wait for it. */
static enum taken take_one(struct disk *disk, int flags)
{
	struct nbd_request *request = &disk->requests[disk->nr];
	ssize_t got = recv(disk->socket, request, sizeof(*request), flags);

	if (got < 0 && errno == EAGAIN)
		return TAKEN_NONE;
	if (got <= 0 ||
	    !read_all(disk->socket, (char *)request + got, sizeof(*request) - (size_t)got) ||
	    command_of(request) == NBD_CMD_DISC || !take_data(disk, request))
		return TAKEN_END;
	disk->waits[disk->nr++] = (struct hdd_wait){ .from_bytes = be64toh(request->from) };
	return TAKEN_ONE;
}

/* All that have come, as far as the disk has room. False: the device is at its end. */
static bool take_waiting(struct disk *disk)
{
	enum taken taken = TAKEN_ONE;

	while (taken == TAKEN_ONE && disk->nr < disk->depth)
		taken = take_one(disk, MSG_DONTWAIT);
	return taken != TAKEN_END;
}

/* An idle disk waits for work and begins with it when it comes. */
static bool take_first(struct disk *disk)
{
	if (disk->nr == 0) {
		if (take_one(disk, 0) != TAKEN_ONE)
			return false;
		disk->free_ns = clock_now_ns();
	}
	return take_waiting(disk);
}

static struct nbd_request remove_wait(struct disk *disk, size_t index)
{
	struct nbd_request request = disk->requests[index];
	size_t nr_behind = --disk->nr - index;

	for (size_t i = 0; i < index; i++)
		disk->waits[i].nr_passed++;
	memmove(&disk->waits[index], &disk->waits[index + 1], nr_behind * sizeof(disk->waits[0]));
	memmove(&disk->requests[index], &disk->requests[index + 1],
		nr_behind * sizeof(disk->requests[0]));
	return request;
}

static bool answer(struct disk *disk, const struct nbd_request *request)
{
	unsigned command = command_of(request);
	bool is_known = command == NBD_CMD_READ || command == NBD_CMD_WRITE;
	struct nbd_reply reply = {
		.magic = htobe32(NBD_REPLY_MAGIC),
		.error = htobe32(is_known ? 0 : EINVAL),
	};

	memcpy(reply.handle, request->handle, sizeof(reply.handle));
	return file_write_all(disk->socket, &reply, sizeof(reply)) == 0 &&
	       (command != NBD_CMD_READ ||
		file_write_all(disk->socket, disk->data + be64toh(request->from),
			       be32toh(request->len)) == 0);
}

/* Begins when the one before it ended, where it had come by then: what the process itself takes is
 * no time of the disk. */
static bool serve_one(struct disk *disk)
{
	size_t index =
		hdd_choose(&disk->hdd, disk->free_ns, disk->waits, disk->nr, disk->is_nearest);
	struct nbd_request request = remove_wait(disk, index);

	disk->free_ns += hdd_serve_ns(&disk->hdd, disk->free_ns, be64toh(request.from),
				      be32toh(request.len));
	while (clock_sleep_until_ns(disk->free_ns) == -EINTR)
		;
	return take_waiting(disk) && answer(disk, &request);
}

static void *run_disk(void *arg)
{
	struct disk *disk = arg;

	while (take_first(disk) && serve_one(disk))
		;
	(void)shutdown(disk->socket, SHUT_RDWR); /* the driver lets go of the other thread */
	return NULL;
}

/* ---- the process ---- */

/* Nothing of the program that started it stays open or can be signalled to it. */
static void become_alone(int control, pid_t parent)
{
	int null = open("/dev/null", O_RDWR);
	sigset_t all;

	sigfillset(&all);
	(void)sigprocmask(SIG_BLOCK, &all, NULL); /* Ctrl-C is for those that can end jobs first */
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)prctl(PR_SET_TIMERSLACK, 1UL);
	(void)prctl(PR_SET_IO_FLUSHER, 1UL, 0UL, 0UL,
		    0UL); /* since 5.6; memory that may not wait */
	(void)prctl(PR_SET_NAME, "regio-hdd");
	if (getppid() != parent || null < 0)
		_exit(1);
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		(void)dup2(null, fd);
	if (control != CONTROL_FD)
		(void)dup2(control, CONTROL_FD);
	(void)close_range(CONTROL_FD + 1, ~0U, 0);
}

/* 0 or errno. The socket of the driver stays open until the process ends. */
static int set_up_device(const struct hdd_server_config *config, int device, int socket)
{
	const unsigned long nr_blocks = config->hdd.size_bytes / config->block_bytes;

	/* the first says whether it is ours from now on */
	if (ioctl(device, NBD_SET_SOCK, (unsigned long)socket) < 0 ||
	    ioctl(device, NBD_SET_BLKSIZE, (unsigned long)config->block_bytes) < 0 ||
	    ioctl(device, NBD_SET_SIZE_BLOCKS, nr_blocks) < 0 ||
	    ioctl(device, NBD_SET_FLAGS, (unsigned long)NBD_FLAG_HAS_FLAGS) < 0)
		return errno;
	return 0;
}

static int set_up_disk(const struct hdd_server_config *config, int socket, struct disk *disk)
{
	size_t len = config->hdd.size_bytes;
	pthread_t thread;

	*disk = (struct disk){
		.hdd = config->hdd,
		.data = mmap(NULL, len, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
		.socket = socket,
		.depth = config->depth,
		.is_nearest = config->is_nearest,
	};
	if (disk->data == MAP_FAILED)
		return errno;
	(void)madvise(disk->data, len, MADV_NOHUGEPAGE); /* 4 KiB written shall cost 4 KiB */
	return pthread_create(&thread, NULL, run_disk, disk);
}

__attribute__((noreturn)) static void run_process(const struct hdd_server_config *config,
						  struct disk *disk)
{
	int sockets[2];
	int device;
	int fault = 0;
	char go;

	if (read(CONTROL_FD, &go, 1) != 1)
		_exit(0); /* not wanted */
	device = open(config->node, O_RDWR | O_CLOEXEC);
	if (device < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) < 0)
		fault = errno;
	if (fault == 0)
		fault = set_up_device(config, device, sockets[0]);
	if (fault == 0)
		fault = set_up_disk(config, sockets[1], disk);
	(void)file_write_all(CONTROL_FD, &fault, sizeof(fault));
	(void)close(CONTROL_FD);
	if (fault == 0)
		(void)ioctl(device, NBD_DO_IT); /* returns when it is disconnected */
	_exit(fault ? 1 : 0);
}

/* ---- those who want a disk ---- */

int hdd_server_start(const struct hdd_server_config *config, struct hdd_server *ret_server,
		     struct err *err)
{
	struct disk disk = { .nr = 0 };
	pid_t parent = getpid();
	int control[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, control) < 0)
		return err_set_errno(err, "socket for %s", config->node);
	pid = fork();
	if (pid == 0) {
		become_alone(control[1], parent);
		run_process(config, &disk);
	}
	(void)close(control[1]);
	if (pid < 0) {
		(void)close(control[0]);
		return err_set_errno(err, "start the server of %s", config->node);
	}
	*ret_server = (struct hdd_server){ .pid = pid, .control = control[0] };
	return 0;
}

int hdd_server_connect(struct hdd_server *server, struct err *err)
{
	int fault = ESRCH;

	(void)file_write_all(server->control, "", 1);
	(void)read_all(server->control, &fault, sizeof(fault)); /* else it has died */
	if (fault == EBUSY)
		return 1;
	errno = fault;
	return fault ? err_set_errno(err, "start an nbd device") : 0;
}

void hdd_server_release(struct hdd_server *server, bool is_connected)
{
	cleanup_fd(&server->control);
	server->control = -1;
	if (is_connected)
		return;
	(void)kill(server->pid, SIGKILL);
	while (waitpid(server->pid, NULL, 0) < 0 && errno == EINTR)
		;
}
