/* SPDX-License-Identifier: GPL-2.0-or-later */
/* init: process 1 of a guest: filesystems, the port to the host, a quiet machine, power off. */
#include "guest/init.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"

#define TICK_NS 100000000L /* 100 ms */
#define MAX_TICKS 150	   /* 15 s of guest time */

struct mount_row {
	const char *type, *target;
};

static const struct mount_row needed[] = {
	{ "proc", "/proc" },
	{ "sysfs", "/sys" },
	{ "devtmpfs", "/dev" },
	{ "tmpfs", "/tmp" },
};

static const struct mount_row optional[] = {
	{ "debugfs", "/sys/kernel/debug" },
	{ "tracefs", "/sys/kernel/tracing" },
	{ "configfs", "/sys/kernel/config" },
};

/* Programs that the host has below /tmp would be out of sight; what is there is in memory, too. */
static bool must_stay(const struct mount_row *row)
{
	return !strcmp(row->type, "tmpfs") && rmdir(row->target) != 0 && errno == ENOTEMPTY;
}

static int mount_row(const struct mount_row *row)
{
	if (must_stay(row))
		return 0;
	(void)mkdir(row->target, 0755);
	return mount(row->type, row->target, row->type, 0, "");
}

int init_mount_needed(struct err *err)
{
	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
		/* the kernel may have mounted /dev itself */
		if (mount_row(&needed[i]) != 0 && errno != EBUSY)
			return err_set_errno(err, "guest: mount %s", needed[i].target);
	}
	return 0;
}

void init_mount_optional(void)
{
	for (size_t i = 0; i < sizeof(optional) / sizeof(optional[0]); i++)
		(void)mount_row(&optional[i]);
}

static void sleep_one_tick(void)
{
	const struct timespec tick = { .tv_nsec = TICK_NS };

	(void)nanosleep(&tick, NULL);
}

int init_open_port(const char *path, struct err *err)
{
	for (int i = 0; i < 10; i++) {
		int fd = open(path, O_WRONLY | O_NOCTTY | O_APPEND | O_CLOEXEC);

		if (fd >= 0)
			return fd;
		sleep_one_tick();
	}
	return err_set_errno(err, "guest: open %s", path);
}

static bool clock_is_final(void)
{
	static const char path[] =
		"/sys/devices/system/clocksource/clocksource0/current_clocksource";
	CLEANUP(strbuf) struct strbuf name = STRBUF_INIT;

	if (file_read_line(path, &name, NULL) < 0)
		return true;
	return strcmp(strbuf_str(&name), "tsc-early") != 0 &&
	       strcmp(strbuf_str(&name), "refined-jiffies") != 0 &&
	       strcmp(strbuf_str(&name), "jiffies") != 0;
}

/* Seconds of idle time of all CPUs and of uptime; false where they cannot be read. */
static bool read_uptime(double *ret_up_s, double *ret_idle_s)
{
	CLEANUP(strbuf) struct strbuf line = STRBUF_INIT;

	return file_read_line("/proc/uptime", &line, NULL) == 0 &&
	       sscanf(strbuf_str(&line), "%lf %lf", ret_up_s, ret_idle_s) == 2;
}

static bool was_idle_for_a_tick(void)
{
	double nr_cpus = (double)sysconf(_SC_NPROCESSORS_ONLN);
	double up[2];
	double idle[2];

	if (!read_uptime(&up[0], &idle[0]))
		return true;
	sleep_one_tick();
	return !read_uptime(&up[1], &idle[1]) ||
	       idle[1] - idle[0] >= 0.9 * nr_cpus * (up[1] - up[0]);
}

int init_settle(struct err *err)
{
	int i;

	for (i = 0; i < MAX_TICKS && !clock_is_final(); i++)
		sleep_one_tick();
	for (; i < MAX_TICKS; i++) {
		if (was_idle_for_a_tick())
			return 0;
	}
	return err_set(err, ERR_SYSTEM, "guest: not idle after %d s of guest time",
		       (int)(MAX_TICKS * TICK_NS / 1000000000L));
}

void init_power_off(void)
{
	sync();
	(void)reboot(RB_POWER_OFF);
	for (;;)
		pause();
}
