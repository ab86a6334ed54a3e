/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_UNIT_ENV_MACHINE_ENV_H
#define REGIO_TESTS_UNIT_ENV_MACHINE_ENV_H

/*
 * A planted machine, proc/, sys/, dev/ in a temporary folder, and what env_collect says of it.
 *
 *	plant_disk(&machine->sys, "sda", "8:0");
 *	plant_file(&machine->root, "proc/cmdline", "quiet\n");
 *	machine_collect(machine, "/dev/sda");
 *	assert_fact(machine, "kernel.cmdline", "quiet");
 */

#include "model/result.h"
#include "plant.h"

struct machine {
	struct plant root;
	struct plant sys; /* the folder sys of root */
	struct result result;
};

/* For cmocka_unit_test_setup_teardown. */
int machine_setup(void **state);
int machine_teardown(void **state);

/* What lies under one path; NULL: under nothing. */
void machine_collect(struct machine *machine, const char *path);
/* NULL: there is no such fact. */
void assert_fact(const struct machine *machine, const char *key, const char *value);

#endif
