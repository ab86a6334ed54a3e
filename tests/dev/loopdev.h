/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_DEV_LOOPDEV_H
#define REGIO_TESTS_DEV_LOOPDEV_H

#include <stdbool.h>
#include <stdint.h>

#ifndef MIB
#define MIB ((uint64_t)1 << 20)
#endif

/*
 * A loop device of a test's own over an unlinked temporary file. The kernel detaches it when the
 * last descriptor is closed, so it goes away even when the test is killed.
 */
struct loopdev {
	int fd;	       /* keeps it attached */
	char path[32]; /* "/dev/loop3" */
	char name[16]; /* "loop3" */
	char file[64]; /* of the backing file; empty once it is unlinked */
};

enum loopdev_flags {
	LOOPDEV_KEEP_FILE = 1 << 0, /* the backing file keeps its name until loopdev_remove */
	LOOPDEV_READ_ONLY = 1 << 1,
	LOOPDEV_PARTITIONS = 1 << 2, /* the kernel may make partitions on it */
};

/* True when this process may make loop devices; else prints the TAP plan of a skipped program. */
bool loopdev_available(void);

void loopdev_create(struct loopdev *loop, uint64_t size_bytes, unsigned flags);
/* Another loop device over an existing file or device. */
void loopdev_attach(struct loopdev *loop, const char *file, unsigned flags);
void loopdev_remove(struct loopdev *loop);

/* True if a filesystem can be made and mounted here: tool and kernel have it. */
bool filesystem_available(const char *name);

/* Runs a shell command, which must succeed. */
__attribute__((format(printf, 1, 2))) void must_run(const char *fmt, ...);

#endif
