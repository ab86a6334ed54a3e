/* SPDX-License-Identifier: GPL-2.0-or-later */
/* software: versions of regio and of the libraries that it measures with. */
#include <gnu/libc-version.h>

#include "env/env_table.h"
#include "env/facts.h"

static void collect(struct facts *facts)
{
	static const struct {
		const char *key, *version;
	} built[] = {
		{ "regio.version", REGIO_VERSION },
		{ "regio.build", REGIO_BUILD_TYPE },
		{ "regio.compiler", REGIO_COMPILER },
		{ "library.liburing", REGIO_LIBURING_VERSION },
		{ "library.jansson", REGIO_JANSSON_VERSION },
		{ "library.sqlite", REGIO_SQLITE_VERSION },
	};

	for (size_t i = 0; i < sizeof(built) / sizeof(built[0]); i++)
		facts_add(facts, built[i].version, "%s", built[i].key);
	facts_add(facts, gnu_get_libc_version(), "library.glibc");
}

const struct env_area env_software = { .name = "software", .collect = collect };
