/* SPDX-License-Identifier: GPL-2.0-or-later */
/* uring_setup: rings, registered buffers and files of engine_io_uring, outside its hot path. */
#include "engine/uring_setup.h"

#include <errno.h>
#include <liburing.h>
#include <sys/uio.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "engine/engine.h"

#define URING_MAX_ENTRIES 32768	     /* of the kernel */
#define URING_MAX_BUFFER (1UL << 30) /* bytes that the kernel registers as one buffer */

/*
 * Best first. DEFER_TASKRUN (6.1) completes inside our own system calls instead of interrupting
 * the worker, COOP_TASKRUN (5.19) at least without an interrupt; TASKRUN_FLAG (5.19) shows in
 * the ring that there is something to complete. SUBMIT_ALL (5.18): a refused
 * request does not stop its batch.
 */
static const unsigned flag_sets[] = {
	IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_COOP_TASKRUN |
		IORING_SETUP_TASKRUN_FLAG | IORING_SETUP_SUBMIT_ALL,
	IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG | IORING_SETUP_SUBMIT_ALL,
	IORING_SETUP_SUBMIT_ALL,
	0,
};

static int uring_not_permitted(struct err *err)
{
	uint64_t disabled = 0;

	if (file_read_u64("/proc/sys/kernel/io_uring_disabled", &disabled, NULL) == 0 && disabled)
		return err_set(err, ERR_UNSUPPORTED,
			       "io_uring: disabled on this kernel (kernel.io_uring_disabled=%llu)",
			       (unsigned long long)disabled);
	return err_set(err, ERR_UNSUPPORTED,
		       "io_uring: not permitted to this process (seccomp or container policy)");
}

static int uring_ring_error(int code, const struct engine_config *config, struct err *err)
{
	const struct engine_options *options = &config->options;

	if (code == ENOSYS)
		return err_set(err, ERR_UNSUPPORTED,
			       "io_uring: not in this kernel (CONFIG_IO_URING)");
	if (code == EPERM || code == EACCES)
		return uring_not_permitted(err);
	if (code == EINVAL && options->sqthread_poll && options->is_sqthread_cpu_set)
		return err_set(err, ERR_INPUT, "io_uring: sqthread_poll_cpu: there is no CPU %u",
			       options->sqthread_cpu);
	errno = code;
	return err_set_errno(err, "io_uring: ring for iodepth %zu%s%s", config->nr_slots,
			     options->hipri ? ", hipri" : "",
			     options->sqthread_poll ? ", sqthread_poll" : "");
}

static int uring_make_ring(struct io_uring *ring, const struct engine_config *config)
{
	const struct engine_options *options = &config->options;
	unsigned flags = options->hipri ? IORING_SETUP_IOPOLL : 0;
	int ret = -EINVAL;

	if (options->sqthread_poll)
		flags |= IORING_SETUP_SQPOLL;
	if (options->sqthread_poll && options->is_sqthread_cpu_set)
		flags |= IORING_SETUP_SQ_AFF;
	for (size_t i = 0; ret == -EINVAL && i < sizeof(flag_sets) / sizeof(flag_sets[0]); i++) {
		struct io_uring_params params = {
			.flags = flags | flag_sets[i],
			.sq_thread_cpu = options->sqthread_cpu,
		};

		/* a thread of the kernel completes by itself, and older ones refuse both */
		if (options->sqthread_poll && (flag_sets[i] & IORING_SETUP_COOP_TASKRUN))
			continue;
		ret = io_uring_queue_init_params((unsigned)config->nr_slots, ring, &params);
	}
	return ret;
}

int uring_setup_ring(struct io_uring *ring, const struct engine_config *config, struct err *err)
{
	size_t nr_slots = config->nr_slots;
	int ret;

	if (nr_slots > URING_MAX_ENTRIES)
		return err_set(err, ERR_UNSUPPORTED,
			       "io_uring: iodepth %zu is more than the kernel's limit of %d",
			       nr_slots, URING_MAX_ENTRIES);
	ret = uring_make_ring(ring, config);
	if (ret < 0)
		return uring_ring_error(-ret, config, err);
	if (!(ring->features & IORING_FEAT_RW_CUR_POS)) { /* came with IORING_OP_READ */
		io_uring_queue_exit(ring);
		return err_set(err, ERR_UNSUPPORTED,
			       "io_uring: this kernel is too old, 5.6 is needed");
	}
	return 0;
}

static int uring_buffers_error(int code, const struct engine_config *config, struct err *err)
{
	if (code == ENOMEM)
		return err_set(
			err, ERR_UNSUPPORTED,
			"io_uring: fixedbufs: %zu bytes cannot be locked in memory (ulimit -l)",
			config->buffer_bytes);
	errno = code;
	return err_set_errno(err, "io_uring: fixedbufs: register %zu bytes", config->buffer_bytes);
}

int uring_setup_buffers(struct io_uring *ring, const struct engine_config *config,
			unsigned *ret_shift, struct err *err)
{
	size_t slot_bytes = config->buffer_bytes / config->nr_slots;
	unsigned shift = 0;
	size_t part_bytes;
	size_t nr_parts;
	struct iovec *parts;
	int ret;

	while (1UL << shift < config->nr_slots && slot_bytes << (shift + 1) <= URING_MAX_BUFFER)
		shift++;
	part_bytes = slot_bytes << shift;
	nr_parts = (config->nr_slots + (1UL << shift) - 1) >> shift;
	parts = xcalloc(nr_parts, sizeof(*parts));
	for (size_t i = 0; i < nr_parts; i++) {
		size_t left = config->buffer_bytes - i * part_bytes;

		parts[i].iov_base = (char *)config->buffer + i * part_bytes;
		parts[i].iov_len = left < part_bytes ? left : part_bytes;
	}
	ret = io_uring_register_buffers(ring, parts, (unsigned)nr_parts);
	free(parts);
	if (ret < 0)
		return uring_buffers_error(-ret, config, err);
	*ret_shift = shift;
	return 0;
}

int uring_setup_files(struct io_uring *ring, const int *fds, size_t nr, struct err *err)
{
	int ret = io_uring_register_files(ring, fds, (unsigned)nr);

	if (ret < 0) {
		errno = -ret;
		return err_set_errno(err, "io_uring: registerfiles: register %zu files", nr);
	}
	return 0;
}
