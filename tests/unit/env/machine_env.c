/* SPDX-License-Identifier: GPL-2.0-or-later */
/* machine_env: plants a machine for the tests of src/env. */
#include "machine_env.h"

#include <stdlib.h>

#include "base/arena.h"
#include "env/env.h"
#include "test.h"

int machine_setup(void **state)
{
	struct machine *machine = xcalloc(1, sizeof(*machine));

	plant_create(&machine->root);
	(void)snprintf(machine->sys.root, sizeof(machine->sys.root), "%.50s/sys",
		       machine->root.root);
	plant_folder(&machine->root, "sys");
	*state = machine;
	return 0;
}

int machine_teardown(void **state)
{
	struct machine *machine = *state;

	result_release(&machine->result);
	plant_remove(&machine->root);
	free(machine);
	return 0;
}

void machine_collect(struct machine *machine, const char *path)
{
	const struct env_context context = {
		.root = machine->root.root,
		.paths = &path,
		.nr_paths = path != NULL,
	};

	result_release(&machine->result);
	env_collect(&context, &machine->result);
}

void assert_fact(const struct machine *machine, const char *key, const char *value)
{
	const char *found = result_env(&machine->result, key);

	if (!value && found)
		fail_msg("%s is '%s', not absent", key, found);
	if (value && !found)
		fail_msg("%s is absent, not '%s'", key, value);
	if (value)
		assert_string_equal(found, value);
}
