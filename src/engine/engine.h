/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ENGINE_ENGINE_H
#define REGIO_ENGINE_ENGINE_H

/*
 * An I/O engine hands requests to the kernel in one particular way. Adding one: a file
 * engine_x.c that defines a const struct engine_ops, and its row in engine.c; the shared
 * conformance test then runs it unchanged.
 *
 * State belongs to one worker thread, which makes all four calls, open and close included
 * (io_uring binds a ring to the thread that made it). submit and reap are the hot path: no
 * allocation, no lock, no logging, no clock. An engine never retries a short transfer and never
 * counts: it reports what the kernel said, and load/ decides.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/engine_options.h"
#include "model/io.h"

struct err;

struct engine_file {
	const char *path;
	int fd; /* opened by load/ with the flags of the job; -1 for engines without files */
	uint64_t size_bytes; /* of the file or device */
};

#define ENGINE_PAGE_BYTES UINT64_C(4096) /* what range_pages counts */

/* One request slot of a worker, one cache line. Owned by load/; lent to the engine from submit to
 * reap. */
struct io_req {
	void *buf;	       /* aligned for direct I/O */
	uint64_t offset_bytes; /* in the file */
	uint32_t len_bytes;
	uint32_t file; /* index into engine_config.files */
	enum io_dir dir;
	bool datasync; /* with IO_SYNC: fdatasync instead of fsync */
	/* With IO_SYNC, if not 0: sync_file_range(2) with these flags instead, from offset_bytes on
	 * over range_pages times 4096 bytes; 0 pages are all that follow. */
	uint8_t range_flags;
	int64_t result; /* bytes transferred (0 for IO_SYNC done), or -errno */
	uint32_t slot;	/* 0 .. nr_slots-1, constant */
	uint32_t range_pages;
	uint64_t start_ticks, issue_ticks; /* stamps of load/; engines leave them alone */
};

struct engine_config {
	const struct engine_file *files;
	size_t nr_files;
	struct io_req *reqs; /* all slots of this worker, buffers already mapped */
	size_t nr_slots;     /* iodepth */
	/* One mapping that holds the buffers of all slots: slot i owns the buffer_bytes / nr_slots
	 * bytes from i * (buffer_bytes / nr_slots) on, and its requests stay inside them. */
	void *buffer;
	size_t buffer_bytes;
	unsigned dirs; /* directions the job uses, 1U << enum io_dir */
	bool random;   /* order of the offsets; mmap tells the kernel */
	bool direct;
	struct engine_options options;
	const char *job_name;
	uint64_t runtime_ns; /* 0: no limit */
	atomic_bool *end;    /* set by an engine that has no more to do (ENGINE_NO_IO); or NULL */
};

enum engine_flags {
	ENGINE_SYNC = 1 << 0,	  /* submit takes one request and completes it; no reap */
	ENGINE_NO_FILES = 1 << 1, /* opens nothing, no disk behind it (null) */
	/* Files have their full size before open and are open for reading even if only written. */
	ENGINE_NEEDS_MMAP = 1 << 2,
	/* Moves no data; buffers are not touched. */
	ENGINE_NO_DATA = 1 << 3,
	/* Changes files whatever rw says: regular ones only, opened for writing. */
	ENGINE_CHANGES_FILES = 1 << 4,
	/* Works on the names of files, of which load/ opens none (fd is -1); an I/O is one file. */
	ENGINE_NAMES_ONLY = 1 << 5,
	/* Does something else than I/O, for as long as others do theirs or its runtime lasts. */
	ENGINE_NO_IO = 1 << 6,
	/* Requests wait for their neighbours, not for the kernel: no submission latency is told. */
	ENGINE_NO_SLAT = 1 << 8,
};

struct engine_ops {
	const char *name, *summary;
	unsigned flags; /* enum engine_flags */
	/* The record that serves a job of that depth with those options in place of this one;
	 * NULL: always this one. So a loop has no branch for what is not asked for. */
	const struct engine_ops *(*variant)(const struct engine_options *options, size_t iodepth);

	/* Maps, registers and allocates everything the run needs. ERR_UNSUPPORTED where the kernel
	 * has no such interface. */
	int (*open)(const struct engine_config *config, void **ret_state, struct err *err);
	/*
	 * Takes the first n of nr requests and returns n (>= 1), or -errno when none was taken
	 * (-EAGAIN: reap first, then try again; any other: the engine cannot go on). A request
	 * that the kernel refuses is taken, and its result says why. ENGINE_SYNC: nr is 1 and
	 * result is set on return.
	 */
	int (*submit)(void *state, struct io_req *const *reqs, size_t nr);
	/* Stores min..max completed requests and returns their number; min 0 polls. Returns fewer
	 * than min when fewer are in flight. -errno. NULL with ENGINE_SYNC. */
	int (*reap)(void *state, struct io_req **done, size_t min, size_t max);
	/* Also called after a failed run with requests in flight: waits for or cancels them. */
	void (*close)(void *state);
};

/* By name or alias; NULL if there is none. */
const struct engine_ops *engine_find(const char *name);
/* The table, NULL-terminated, in the order of --enghelp. */
const struct engine_ops *const *engine_table(void);

/* The engine that serves a job of that depth with those options. */
static inline const struct engine_ops *engine_choose(const struct engine_ops *ops,
						     const struct engine_options *options,
						     size_t iodepth)
{
	return ops->variant ? ops->variant(options, iodepth) : ops;
}

/* True if the engine submits and reaps, i.e. slat and clat are apart. */
static inline bool engine_is_async(const struct engine_ops *ops)
{
	return !(ops->flags & ENGINE_SYNC);
}

/* True if its submission latency is told. */
static inline bool engine_has_slat(const struct engine_ops *ops)
{
	return !(ops->flags & (ENGINE_SYNC | ENGINE_NO_SLAT));
}

#endif
