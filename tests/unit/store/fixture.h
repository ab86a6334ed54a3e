/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_UNIT_STORE_FIXTURE_H
#define REGIO_TESTS_UNIT_STORE_FIXTURE_H

/* A folder for the files of one test, and results that are different for each number. */

#include "store/store.h"

#include <stdint.h>

struct fixture {
	char dir[64];
	char path[96]; /* of a store in it, which does not exist yet */
};

/* cmocka setup and teardown: *state is the fixture. */
int fixture_setup(void **state);
int fixture_teardown(void **state);

/* A path in the folder, valid until the next call. */
const char *fixture_file(const struct fixture *fixture, const char *name);

/* With jobs, disks, histograms, environment, settings, notes; same number, same result. */
void fixture_result(struct result *ret_result, unsigned number);

/* Opens the store, fails the test with the message when that fails. */
struct store *fixture_open(const char *path);
int64_t fixture_begin(struct store *store);
int64_t fixture_put(struct store *store, const struct store_place *place, unsigned number);

/* One number of the file, past src/store; sql must yield one row. */
int64_t fixture_query(const char *path, const char *sql);
/* Runs SQL text on the file, which may not exist yet. */
void fixture_exec(const char *path, const char *sql);

/* How many results the file holds; fails the test when it is damaged or one is not whole. */
size_t fixture_check(const char *path);

#endif
