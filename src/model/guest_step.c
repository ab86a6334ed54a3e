/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of the steps that a script for a guest can have. */
#include "model/guest_step.h"

#include <string.h>

static const struct guest_step_kind kinds[GUEST_STEP_NR_IDS] = {
	{ GUEST_STEP_CAT, "cat", 1, 1, "PATH", "print a file" },
	{ GUEST_STEP_DM, "dm", 2, GUEST_STEP_ANY, "NAME TABLE",
	  "make the device-mapper device /dev/mapper/NAME; ';' between the lines of its table" },
	{ GUEST_STEP_DM_MESSAGE, "dm-message", 3, GUEST_STEP_ANY, "NAME SECTOR TEXT",
	  "send a message to it" },
	{ GUEST_STEP_DM_REMOVE, "dm-remove", 1, 1, "NAME", "take it away" },
	{ GUEST_STEP_DM_STATUS, "dm-status", 1, 1, "NAME", "print what it says of itself" },
	{ GUEST_STEP_ECHO, "echo", 0, GUEST_STEP_ANY, "TEXT", "print a text" },
	{ GUEST_STEP_JOB, "job", 1, GUEST_STEP_ANY, "JOB.fio.. [--OPTION=VALUE..]",
	  "run jobs, as regio run does" },
	{ GUEST_STEP_LS, "ls", 1, 1, "FOLDER", "print the names in a folder" },
	{ GUEST_STEP_MKDIR, "mkdir", 1, 1, "FOLDER", "make a folder" },
	{ GUEST_STEP_MODPROBE, "modprobe", 1, GUEST_STEP_ANY, "MODULE [PARAMETER=VALUE..]",
	  "load a module and what it needs" },
	{ GUEST_STEP_MOUNT, "mount", 3, 4, "TYPE DEVICE FOLDER [OPTIONS]", "mount a filesystem" },
	{ GUEST_STEP_RUN, "run", 1, GUEST_STEP_ANY, "PROGRAM [WORD..]",
	  "run a program of this machine, which is brought along, and print what it prints" },
	{ GUEST_STEP_SETTLE, "settle", 0, 0, "", "wait until the guest is idle" },
	{ GUEST_STEP_SLEEP, "sleep", 1, 1, "TIME", "wait" },
	{ GUEST_STEP_STACK, "stack", 1, 1, "LAYERS|FILE.yaml",
	  "build a stack, as --stack does; ${stack} and ${mount} of later jobs" },
	{ GUEST_STEP_UMOUNT, "umount", 1, 1, "FOLDER", "unmount it" },
	{ GUEST_STEP_WRITE, "write", 2, GUEST_STEP_ANY, "PATH VALUE",
	  "write an attribute of sysfs or another file that is there" },
};

const struct guest_step_kind *guest_step_at(size_t index)
{
	return index < GUEST_STEP_NR_IDS ? &kinds[index] : NULL;
}

const struct guest_step_kind *guest_step_find(const char *name)
{
	for (size_t i = 0; i < GUEST_STEP_NR_IDS; i++) {
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	}
	return NULL;
}
