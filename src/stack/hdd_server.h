/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STACK_HDD_SERVER_H
#define REGIO_STACK_HDD_SERVER_H

/*
 * A process that answers for a disk with moving parts: an nbd device whose requests wait as long as
 * hdd.h says, in the time of this machine, which in a guest may be virtual. The data lie in its
 * memory. The process ends with the device, or with the thread that started it; then its device
 * ends, too, so a killed run leaves none behind.
 */

#include <stdbool.h>
#include <sys/types.h>

#include "stack/hdd.h"

struct err;

#define HDD_MAX_DEPTH 128 /* what nbd has in flight */

struct hdd_server_config {
	struct hdd hdd;
	const char *node; /* "/dev/nbd0" */
	unsigned block_bytes;
	unsigned depth; /* requests that the disk knows of, 1 to HDD_MAX_DEPTH */
	bool is_nearest;
};

struct hdd_server {
	pid_t pid;
	int control;
};

/* The process is there, but has not touched the device yet. */
int hdd_server_start(const struct hdd_server_config *config, struct hdd_server *ret_server,
		     struct err *err);
/* 1: somebody else has the device. The size of the device appears a moment later. */
int hdd_server_connect(struct hdd_server *server, struct err *err);
/* Lets go of a connected one; ends any other. */
void hdd_server_release(struct hdd_server *server, bool is_connected);

#endif
