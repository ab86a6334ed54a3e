/* SPDX-License-Identifier: GPL-2.0-or-later */
/* regio-guest: /init of a guest. Reads the plan of the host, works, reports, powers off. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "guest/init.h"
#include "guest/modprobe.h"
#include "guest/plan.h"
#include "guest/report.h"
#include "guest/work.h"
#include "model/guest_link.h"

static int guest_work(const struct report *report, struct err *err)
{
	struct guest_plan plan;
	int ret = guest_plan_read("/" GUEST_PLAN_FILE, &plan, err);

	if (ret < 0)
		return ret;
	ret = work_run(&plan, report, err);
	guest_plan_release(&plan);
	return ret;
}

static void guest_run(void)
{
	const char *port = getenv(GUEST_PORT_VARIABLE);
	struct report report = { .fd = STDERR_FILENO };
	struct err err = { .code = 0 };
	int ret = init_mount_needed(&err);

	if (ret == 0) {
		int fd = init_open_port(port ? port : GUEST_PORT, &err);

		ret = fd < 0 ? fd : 0;
		if (fd >= 0)
			report.fd = fd;
	}
	if (ret == 0)
		ret = guest_work(&report, &err);
	if (ret < 0)
		report_error(&report, &err);
	report_event(&report, "end", json_object());
}

static bool is_called(const char *program, const char *name)
{
	const char *slash = strrchr(program, '/');

	return !strcmp(slash ? slash + 1 : program, name);
}

/* Unknown words of the kernel's command line are our arguments: they mean nothing. */
int main(int argc, char **argv)
{
	if (argc > 0 && is_called(argv[0], "modprobe"))
		return modprobe_main(argc, argv);
	if (getpid() == 1) {
		(void)setenv("PATH", "/usr/sbin:/usr/bin:/sbin:/bin", 1);
		guest_run();
		init_power_off();
	}
	if (argc == 2 && !strcmp(argv[1], "--version")) {
		printf("regio-guest %s\n", REGIO_VERSION);
		return 0;
	}
	fprintf(stderr, "regio-guest: runs as process 1 of a guest that 'regio --on vm' starts\n");
	return ERR_USAGE;
}
